//! Where a declared value stands: values do not know where they come from, so keys and positions are followed through the text.

/// The offset at which the value of a way stands, followed from an offset on: keys of maps, and positions in lists as numbers. Where
/// the way is lost (a key is missing, a list is put together elsewhere) it is the last place that was found; `None` if that is none.
pub(super) fn locate(text: &str, from: usize, way: &[String]) -> Option<usize> {
    let code = blanked(text);
    let mut found = None;
    let mut value = from;
    for (step, key) in way.iter().enumerate() {
        let at = match key.parse::<usize>() {
            Ok(index) => element(&code, value, index),
            Err(_) if step == 0 => first_key(&code, from, key),
            Err(_) => key_of_map(&code, value, key),
        };
        let Some(at) = at else { break };
        found = Some(at);
        value = if key.parse::<usize>().is_ok() {
            at
        } else {
            value_of_key(&code, at, key)?
        };
    }
    found
}

/// The text with comments, and the marks inside of texts, made spaces. Offsets stay.
fn blanked(text: &str) -> Vec<u8> {
    let mut code = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(&mark) = code.get(at) {
        let rest = code.get(at..).unwrap_or_default();
        let (length, is_text) = if rest.starts_with(b"//") {
            (rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with(b"/*") {
            let end = rest.windows(2).position(|pair| pair == b"*/");
            (end.map_or(rest.len(), |end| end + 2), false)
        } else if matches!(mark, b'"' | b'`') {
            (text_length(rest, mark), true)
        } else {
            at += 1;
            continue;
        };
        let last = at + length;
        for byte in code.get_mut(at..last).unwrap_or_default() {
            let is_word = byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
            if *byte != b'\n' && !(is_text && is_word) {
                *byte = b' ';
            }
        }
        at = last;
    }
    code
}

/// How long a text is, from its first mark to its last.
fn text_length(rest: &[u8], mark: u8) -> usize {
    let mut is_escaped = false;
    for (at, byte) in rest.iter().enumerate().skip(1) {
        if is_escaped {
            is_escaped = false;
        } else if *byte == b'\\' {
            is_escaped = true;
        } else if *byte == mark {
            return at + 1;
        }
    }
    rest.len()
}

fn skip_space(code: &[u8], at: usize) -> usize {
    let rest = code.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Whether `key:` stands at an offset.
fn is_key(code: &[u8], at: usize, key: &str) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = at.checked_sub(1).and_then(|before| code.get(before));
    code.get(at..).is_some_and(|rest| rest.starts_with(key.as_bytes()))
        && !before.is_some_and(is_word)
        && code.get(skip_space(code, at + key.len())) == Some(&b':')
}

fn first_key(code: &[u8], from: usize, key: &str) -> Option<usize> {
    (from..code.len()).find(|at| is_key(code, *at, key))
}

/// Where the value of a key begins.
fn value_of_key(code: &[u8], at: usize, key: &str) -> Option<usize> {
    let colon = skip_space(code, at + key.len());
    (code.get(colon) == Some(&b':')).then(|| skip_space(code, colon + 1))
}

/// The offsets behind an opening bracket that belong to it and to nothing in it.
fn own(code: &[u8], open: usize) -> impl Iterator<Item = usize> + '_ {
    let mut depth = 0_usize;
    let inside = code.get(open..).unwrap_or_default().iter().enumerate();
    let inside = inside.map_while(move |(offset, byte)| {
        match byte {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth > 0).then_some((offset, depth))
    });
    inside.filter(|(_, depth)| *depth == 1).map(move |(offset, _)| open + offset)
}

/// An element of a list that is written at an offset.
fn element(code: &[u8], list: usize, index: usize) -> Option<usize> {
    if code.get(list) != Some(&b'[') {
        return None;
    }
    let commas = own(code, list).filter(|at| code.get(*at) == Some(&b','));
    let before = std::iter::once(list).chain(commas).nth(index)?;
    let at = skip_space(code, before + 1);
    (code.get(at) != Some(&b']')).then_some(at)
}

/// A key of a map that is written at an offset.
fn key_of_map(code: &[u8], map: usize, key: &str) -> Option<usize> {
    if !code.get(map..)?.starts_with(b"#{") {
        return None;
    }
    own(code, map + 1).find(|at| is_key(code, *at, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
fn ruleset() {
    // seats: [ #{ in a comment
    let title = "kinds: [#{ in a text";
    #{
        seats: [#{ name: "red", title: "]} {[" }, #{ name: "blue" }],
        kinds: KINDS,
        actions: [
            #{ name: "move", picks: [#{ name: "piece" }, #{ name: "way" }], /* , #{ */ rule: "1" },
            #{ name: "pass", picks: [], "rule": "2" },
        ],
    }
}
"#;

    fn at(way: &str) -> String {
        let way: Vec<String> = way.split('.').map(str::to_owned).collect();
        let offset = locate(TEXT, 0, &way);
        offset.map_or_else(String::new, |offset| {
            TEXT[offset..].chars().take(16).collect::<String>().trim_end().to_owned()
        })
    }

    #[test]
    fn keys_and_positions_lead_to_what_is_meant() {
        assert_eq!(at("seats.1.name"), "name: \"blue\" }],");
        assert_eq!(at("seats.0.title"), "title: \"]} {[\" }");
        assert_eq!(at("actions.1"), "#{ name: \"pass\",");
        assert_eq!(at("actions.0.picks.1.name"), "name: \"way\" }],");
        assert_eq!(at("actions.0.rule"), "rule: \"1\" },");
        assert_eq!(at("actions.1.rule"), "rule\": \"2\" },");
    }

    #[test]
    fn where_the_way_is_lost_it_ends() {
        assert_eq!(at("seats.0.colour"), "#{ name: \"red\",");
        assert_eq!(at("seats.7.name"), "seats: [#{ name:");
        assert_eq!(at("kinds.0.name"), "kinds: KINDS,");
        assert_eq!(at("zones.0"), "");
    }
}
