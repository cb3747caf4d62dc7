//! Sources of rules as text: JSON, compressed, in base 64.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use boardwright_ruleset::Sources;

/// As much as all sources of a document may take together when they are unpacked: compressed text can be made to grow without end.
pub const MOST_UNPACKED: u64 = 64 << 20;
const LINE: usize = 120;

/// Sources as few bytes. `None` if that is impossible, which memory alone can make so.
pub fn pack_sources(sources: &Sources) -> Option<Vec<u8>> {
    let json = serde_json::to_vec(sources).ok()?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&json).ok()?;
    encoder.finish().ok()
}

/// Unpacks what [`pack_sources`] made, of `room` bytes at most.
///
/// # Errors
/// What is wrong with it.
pub fn unpack_sources(packed: &[u8], room: &mut u64) -> Result<Sources, String> {
    let mut json = Vec::new();
    let mut decoder = GzDecoder::new(packed).take(*room + 1);
    decoder.read_to_end(&mut json).map_err(|error| format!("not unpacked: {error}"))?;
    let Some(rest) = room.checked_sub(json.len() as u64) else {
        *room = 0;
        return Err(format!(
            "unpacked all rules of a save together may have {MOST_UNPACKED} bytes, and they have more"
        ));
    };
    *room = rest;
    serde_json::from_slice(&json).map_err(|error| error.to_string())
}

/// Packs sources, in lines of moderate length. `None` if that is impossible, which memory alone can make so.
pub(super) fn pack(sources: &Sources) -> Option<String> {
    let text = STANDARD.encode(pack_sources(sources)?);
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

/// Unpacks sources, of `room` bytes at most; what they take is taken off it.
pub(super) fn unpack(text: &str, room: &mut u64) -> Result<Sources, String> {
    let text: String = text.split_whitespace().collect();
    let bytes = STANDARD.decode(text).map_err(|error| format!("no base 64: {error}"))?;
    unpack_sources(&bytes, room)
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
        let mut room = MOST_UNPACKED;
        assert_eq!(unpack(&packed, &mut room).as_ref(), Ok(&sources));
        let taken = MOST_UNPACKED - room;
        assert!(taken > 10_000);
        let mut room = 3 * taken / 2;
        assert_eq!(unpack(&packed, &mut room).as_ref(), Ok(&sources));
        assert!(unpack(&packed, &mut room).unwrap_err().contains("all rules of a save together"));
        assert!(unpack(&packed, &mut room).is_err(), "nothing is unpacked behind what was too large");
    }

    #[test]
    fn what_is_not_packed_sources_is_told() {
        assert!(unpack("!", &mut MOST_UNPACKED.clone()).unwrap_err().starts_with("no base 64"));
        assert!(
            unpack("aGVsbG8=", &mut MOST_UNPACKED.clone())
                .unwrap_err()
                .starts_with("not unpacked")
        );
        let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
        let block = vec![b' '; 1 << 20];
        for _ in 0..65 {
            bomb.write_all(&block).unwrap();
        }
        assert!(
            unpack(&STANDARD.encode(bomb.finish().unwrap()), &mut MOST_UNPACKED.clone())
                .unwrap_err()
                .contains("may have 67108864 bytes")
        );
    }
}
