//! Sources of rules as text: JSON, compressed, in base 64.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use boardwright_ruleset::Sources;

/// As much as sources may take when they are unpacked: compressed text can be made to grow without end.
const MOST_UNPACKED: u64 = 64 << 20;
const LINE: usize = 120;

/// Packs sources, in lines of moderate length. `None` if that is impossible, which memory alone can make so.
pub(super) fn pack(sources: &Sources) -> Option<String> {
    let json = serde_json::to_vec(sources).ok()?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&json).ok()?;
    let text = STANDARD.encode(encoder.finish().ok()?);
    let mut lines = String::with_capacity(text.len() + text.len() / LINE + 2);
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, later) = rest.split_at(rest.len().min(LINE));
        lines.push('\n');
        lines.push_str(line);
        rest = later;
    }
    lines.push('\n');
    Some(lines)
}

pub(super) fn unpack(text: &str) -> Result<Sources, String> {
    let text: String = text.split_whitespace().collect();
    let bytes = STANDARD.decode(text).map_err(|error| format!("no base 64: {error}"))?;
    let mut json = Vec::new();
    let mut decoder = GzDecoder::new(bytes.as_slice()).take(MOST_UNPACKED + 1);
    decoder.read_to_end(&mut json).map_err(|error| format!("not unpacked: {error}"))?;
    if json.len() as u64 > MOST_UNPACKED {
        return Err(format!("unpacked they have more than {MOST_UNPACKED} bytes"));
    }
    serde_json::from_slice(&json).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_ruleset::Layer;

    #[test]
    fn packed_sources_come_back() {
        let text: String = (0..2_000).map(|line| format!("fn f_{line}() {{ {} }}\n", line * line)).collect();
        let sources = Sources::of(Layer::new("rulesets/x").with("ä.rhai", text)).with_library(Layer::new("scripts"));
        let packed = pack(&sources).unwrap();
        assert!(packed.lines().all(|line| line.len() <= LINE) && packed.lines().count() > 10);
        assert_eq!(unpack(&packed), Ok(sources));
    }

    #[test]
    fn what_is_not_packed_sources_is_told() {
        assert!(unpack("!").unwrap_err().starts_with("no base 64"));
        assert!(unpack("aGVsbG8=").unwrap_err().starts_with("not unpacked"));
        let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
        let block = vec![b' '; 1 << 20];
        for _ in 0..65 {
            bomb.write_all(&block).unwrap();
        }
        assert!(
            unpack(&STANDARD.encode(bomb.finish().unwrap()))
                .unwrap_err()
                .contains("more than 67108864")
        );
    }
}
