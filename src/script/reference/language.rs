//! The words of the plain language that the sandbox knows: numbers, texts, lists, maps.

/// Words of the plain language that belong together.
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    pub(super) entries: &'static [Entry],
}

/// A word of the plain language.
pub(super) struct Entry {
    /// How it is written: `list.sum()`, `max(a, b)`, `range.start`.
    pub(super) word: &'static str,
    /// What it gives.
    pub(super) gives: &'static str,
    pub(super) help: &'static str,
    /// Something that is true.
    pub(super) example: &'static str,
}

const fn entry(word: &'static str, gives: &'static str, help: &'static str, example: &'static str) -> Entry {
    Entry {
        word,
        gives,
        help,
        example,
    }
}

/// The words, by what they work on.
pub(super) const GROUPS: &[Group] = &[
    Group {
        title: "Numbers",
        about: "Numbers are whole, from -2^63 to 2^63 - 1, with `+ - * / % **`, `== != < <= > >=`, and `& | ^ << >>` on their bits. Division \
                drops the remainder. A result that is too large is a fault. There are no numbers with a fraction.",
        entries: &[
            entry("abs(number)", "number", "The number without its sign.", "abs(-3) == 3"),
            entry("number.sign()", "number", "-1, 0 or 1.", "(-3).sign() == -1"),
            entry("max(a, b)", "number", "The greater of two numbers.", "max(2, 5) == 5"),
            entry("min(a, b)", "number", "The lesser of two numbers.", "min(2, 5) == 2"),
            entry("number.is_even", "bool", "Whether it can be divided by 2.", "(4).is_even"),
            entry("number.is_odd", "bool", "Whether it can not be divided by 2.", "(5).is_odd"),
            entry("number.is_zero", "bool", "Whether it is 0.", "(0).is_zero"),
            entry(
                "parse_int(text)",
                "number",
                "The number that a text says. Fails if it says none.",
                "parse_int(\"42\") == 42",
            ),
            entry(
                "parse_int(text, base)",
                "number",
                "The number that a text says in another base.",
                "parse_int(\"ff\", 16) == 255",
            ),
            entry("character.to_int()", "number", "The number of a character.", "'a'.to_int() == 97"),
            entry(
                "number.bits()",
                "bits",
                "The bits of a number, for `for` loops.",
                "let n = 0; for bit in (6).bits() { if bit { n += 1; } } n == 2",
            ),
        ],
    },
    Group {
        title: "Texts",
        about: "Texts stand in double quotes, or between back quotes with values in `${..}`. Positions count characters from 0; negative \
                ones count from the end.",
        entries: &[
            entry("text + value", "text", "Both in one text.", "\"round \" + 3 == \"round 3\""),
            entry("text.len", "number", "The number of characters.", "\"hill\".len == 4"),
            entry("text.is_empty", "bool", "Whether there is no character in it.", "\"\".is_empty"),
            entry(
                "text.contains(part)",
                "bool",
                "Whether a text or character is in it; also `part in text`.",
                "\"hillside\".contains(\"side\")",
            ),
            entry(
                "text.starts_with(part)",
                "bool",
                "Whether it begins so.",
                "\"hillside\".starts_with(\"hill\")",
            ),
            entry(
                "text.ends_with(part)",
                "bool",
                "Whether it ends so.",
                "\"hillside\".ends_with(\"side\")",
            ),
            entry(
                "text.index_of(part)",
                "number",
                "Where a part begins; -1 if it is not there.",
                "\"hillside\".index_of(\"side\") == 4",
            ),
            entry(
                "text.sub_string(start)",
                "text",
                "What follows from a position on.",
                "\"hillside\".sub_string(4) == \"side\"",
            ),
            entry(
                "text.sub_string(start, len)",
                "text",
                "So many characters from a position on.",
                "\"hillside\".sub_string(0, 4) == \"hill\"",
            ),
            entry("text.split()", "list", "Its words.", "\"a b  c\".split().len == 3"),
            entry(
                "text.split(by)",
                "list",
                "The parts between the marks `by`.",
                "\"c5-c6\".split(\"-\") == [\"c5\", \"c6\"]",
            ),
            entry(
                "text.replace(from, to)",
                "text",
                "With every `from` made `to`.",
                "\"a-b\".replace(\"-\", \" \") == \"a b\"",
            ),
            entry(
                "text.repeat(times)",
                "text",
                "So many times in a row.",
                "\"ab\".repeat(2) == \"abab\"",
            ),
            entry("text.to_upper()", "text", "In capitals.", "\"red\".to_upper() == \"RED\""),
            entry("text.to_lower()", "text", "In small letters.", "\"RED\".to_lower() == \"red\""),
            entry("text.trim()", "text", "Without blanks at both ends.", "\" red \".trim() == \"red\""),
            entry(
                "text.pad_start(width)",
                "text",
                "With blanks in front, to a width.",
                "\"7\".pad_start(3) == \"  7\"",
            ),
            entry(
                "text.pad_end(width)",
                "text",
                "With blanks behind, to a width.",
                "\"7\".pad_end(3) == \"7  \"",
            ),
            entry(
                "text.chars()",
                "characters",
                "Its characters, for `for` loops.",
                "let n = 0; for c in \"abc\".chars() { n += 1; } n == 3",
            ),
            entry(
                "value.to_string()",
                "text",
                "The text of any value.",
                "[1, true].to_string() == \"[1, true]\"",
            ),
            entry(
                "value.to_debug()",
                "text",
                "The text of any value, with texts in quotes.",
                "\"a\".to_debug() == \"\\\"a\\\"\"",
            ),
        ],
    },
    Group {
        title: "Lists",
        about: "Lists are written `[1, 2, 3]`; `list[0]` is the first item, `list[-1]` the last. Passing a list on copies it. Words that take a \
                function are given a closure, as in `list.filter(|item| item > 2)`, or the name of a function.",
        entries: &[
            entry("list.len", "number", "The number of items.", "[4, 5].len == 2"),
            entry("list.is_empty", "bool", "Whether there is no item in it.", "[].is_empty"),
            entry("list.first()", "value", "The first item, or `()`.", "[4, 5].first() == 4"),
            entry("list.last()", "value", "The last item, or `()`.", "[4, 5].last() == 5"),
            entry(
                "list.contains(item)",
                "bool",
                "Whether an item is in it; also `item in list`.",
                "[4, 5].contains(5)",
            ),
            entry(
                "list.index_of(item)",
                "number",
                "Where an item is; -1 if it is not there. Takes a test as well.",
                "[4, 5].index_of(5) == 1",
            ),
            entry(
                "list.find(test)",
                "value",
                "The first item for which a test holds, or `()`.",
                "[4, 5, 6].find(|n| n > 4) == 5",
            ),
            entry(
                "list.some(test)",
                "bool",
                "Whether a test holds for any item.",
                "[4, 5].some(|n| n > 4)",
            ),
            entry(
                "list.all(test)",
                "bool",
                "Whether a test holds for all items.",
                "[4, 5].all(|n| n > 3)",
            ),
            entry(
                "list.count(test)",
                "number",
                "For how many items a test holds.",
                "[4, 5, 6].count(|n| n > 4) == 2",
            ),
            entry(
                "list.filter(test)",
                "list",
                "The items for which a test holds.",
                "[4, 5, 6].filter(|n| n > 4) == [5, 6]",
            ),
            entry(
                "list.map(make)",
                "list",
                "What a function makes of each item.",
                "[4, 5].map(|n| n * 2) == [8, 10]",
            ),
            entry(
                "list.reduce(join, start)",
                "value",
                "All items joined to one value, from the first to the last.",
                "[4, 5].reduce(|sum, n| sum + n, 0) == 9",
            ),
            entry("list.sum()", "number", "All numbers added up.", "[4, 5].sum() == 9"),
            entry("list.min()", "value", "The least item, or `()`.", "[5, 4].min() == 4"),
            entry("list.max()", "value", "The greatest item, or `()`.", "[5, 4].max() == 5"),
            entry(
                "list.join(by)",
                "text",
                "The texts of all items with something between them.",
                "[4, 5].join(\", \") == \"4, 5\"",
            ),
            entry(
                "list.part(start, len)",
                "list",
                "So many items from a position on.",
                "[4, 5, 6].part(1, 2) == [5, 6]",
            ),
            entry("list.sorted()", "list", "In rising order.", "[5, 4].sorted() == [4, 5]"),
            entry(
                "list.sorted_by(key)",
                "list",
                "In rising order of what a function makes of each item.",
                "[4, 5].sorted_by(|n| -n) == [5, 4]",
            ),
            entry("list + other", "list", "The items of both.", "[4] + [5] == [4, 5]"),
            entry(
                "list.push(item)",
                "",
                "Puts an item at the end.",
                "let l = [4]; l.push(5); l == [4, 5]",
            ),
            entry(
                "list.append(other)",
                "",
                "Puts all items of another list at the end.",
                "let l = [4]; l.append([5, 6]); l.len == 3",
            ),
            entry(
                "list.insert(index, item)",
                "",
                "Puts an item at a position.",
                "let l = [5]; l.insert(0, 4); l == [4, 5]",
            ),
            entry(
                "list.pop()",
                "value",
                "Takes the last item out, or `()`.",
                "let l = [4, 5]; l.pop() == 5",
            ),
            entry(
                "list.shift()",
                "value",
                "Takes the first item out, or `()`.",
                "let l = [4, 5]; l.shift() == 4",
            ),
            entry(
                "list.remove(index)",
                "value",
                "Takes an item out, or `()`.",
                "let l = [4, 5]; l.remove(0); l == [5]",
            ),
            entry("list.clear()", "", "Takes all items out.", "let l = [4]; l.clear(); l.is_empty"),
            entry(
                "list.truncate(len)",
                "",
                "Keeps the first items only.",
                "let l = [4, 5, 6]; l.truncate(1); l == [4]",
            ),
            entry(
                "list.reverse()",
                "",
                "Turns the order round.",
                "let l = [4, 5]; l.reverse(); l == [5, 4]",
            ),
            entry(
                "list.sort()",
                "",
                "Puts the items in rising order.",
                "let l = [5, 4]; l.sort(); l == [4, 5]",
            ),
            entry(
                "list.sort(compare)",
                "",
                "Puts the items in the order of a function that gives a number below 0, 0 or above 0 for two of them.",
                "let l = [4, 5]; l.sort(|a, b| b - a); l == [5, 4]",
            ),
            entry(
                "list.dedup()",
                "",
                "Takes out items that were there before.",
                "let l = [4, 5, 4]; l.dedup(); l == [4, 5]",
            ),
        ],
    },
    Group {
        title: "Maps",
        about: "Maps are written `#{ walk: 2, swim: 1 }`; `map.walk` and `map[\"walk\"]` read a value and fail if the key is not there. Keys are in \
                the order of the alphabet.",
        entries: &[
            entry("map.len()", "number", "The number of keys.", "#{ a: 1 }.len() == 1"),
            entry("map.is_empty()", "bool", "Whether there is no key in it.", "#{}.is_empty()"),
            entry(
                "map.contains(key)",
                "bool",
                "Whether there is such a key; also `key in map`.",
                "#{ a: 1 }.contains(\"a\")",
            ),
            entry("map.keys()", "list", "The keys.", "#{ b: 2, a: 1 }.keys() == [\"a\", \"b\"]"),
            entry(
                "map.values()",
                "list",
                "The values, in the order of their keys.",
                "#{ b: 2, a: 1 }.values() == [1, 2]",
            ),
            entry(
                "map.get(key)",
                "value",
                "The value of a key, or `()`.",
                "#{ a: 1 }.get(\"b\") == ()",
            ),
            entry(
                "map.get(key, default)",
                "value",
                "The value of a key, or another.",
                "#{ a: 1 }.get(\"b\", 0) == 0",
            ),
            entry("map.set(key, value)", "", "Sets a value.", "let m = #{}; m.set(\"a\", 1); m.a == 1"),
            entry(
                "map.remove(key)",
                "value",
                "Takes a key out; gives its value, or `()`.",
                "let m = #{ a: 1 }; m.remove(\"a\") == 1",
            ),
            entry(
                "map.clear()",
                "",
                "Takes all keys out.",
                "let m = #{ a: 1 }; m.clear(); m.is_empty()",
            ),
            entry(
                "map + other",
                "map",
                "The keys of both; those of the second count.",
                "(#{ a: 1 } + #{ a: 2, b: 3 }).values() == [2, 3]",
            ),
            entry(
                "map += other",
                "",
                "Adds the keys of another map.",
                "let m = #{ a: 1 }; m += #{ b: 2 }; m.len() == 2",
            ),
        ],
    },
    Group {
        title: "Tables",
        about: "Constants that are lists or maps become tables: `const COST = #{ road: 1, hill: 2 };`. All words that only look at a list or a map \
                work on them; words that change one are a fault. Mods change a table by a constant of the same name: maps are joined key by \
                key, and a key with `()` is taken away.",
        entries: &[entry(
            "table.copy()",
            "list or map",
            "A list or map with the same items, which can be changed.",
            "let l = EXAMPLE.copy(); l.push(3); l.len == EXAMPLE.len + 1",
        )],
    },
    Group {
        title: "Ranges",
        about: "`0..4` are the numbers 0 to 3, `0..=4` those to 4: in `for` loops, `switch`, and where a number is to be picked.",
        entries: &[
            entry(
                "range(from, to)",
                "range",
                "The numbers from one to below another.",
                "let n = 0; for i in range(0, 4) { n += i; } n == 6",
            ),
            entry(
                "range(from, to, step)",
                "range",
                "The same in steps.",
                "let n = 0; for i in range(0, 10, 5) { n += i; } n == 5",
            ),
            entry(
                "range.contains(number)",
                "bool",
                "Whether a number is in it; also `number in range`.",
                "(1..=6).contains(6)",
            ),
            entry("range.start", "number", "Its first number.", "(1..=6).start == 1"),
            entry(
                "range.end",
                "number",
                "Its last number; of `a..b` the one behind it.",
                "(1..=6).end == 6",
            ),
            entry("range.is_empty", "bool", "Whether no number is in it.", "(3..3).is_empty"),
            entry(
                "range.is_inclusive",
                "bool",
                "Whether it is written with `..=`.",
                "(1..=6).is_inclusive",
            ),
            entry(
                "range.is_exclusive",
                "bool",
                "Whether it is written with `..`.",
                "(1..6).is_exclusive",
            ),
        ],
    },
    Group {
        title: "Saying no, and showing",
        about: "A rule says no with `throw refuse(..)`: what the hook has done so far is taken back, and players are shown the rule.",
        entries: &[
            entry(
                "refuse(rule, reason)",
                "refusal",
                "A refusal, to be thrown: `throw refuse(\"4.3\", \"stacking limit\");`.",
                "refuse(\"4.3\", \"stacking limit\") != ()",
            ),
            entry(
                "print(value)",
                "",
                "Shows a value to the author of the rules. Players do not see it.",
                "print(\"here\") == ()",
            ),
            entry("debug(value)", "", "The same, with texts in quotes.", "debug(\"here\") == ()"),
            entry(
                "function.name",
                "text",
                "The name of a function that is a value.",
                "let f = |x| x; f.name.len > 0",
            ),
            entry(
                "function.is_anonymous",
                "bool",
                "Whether such a function is a closure.",
                "let f = |x| x; f.is_anonymous",
            ),
        ],
    },
];

/// The definition of a word for editors of text. `None` for operators, which the language brings with it.
pub(super) fn definition(entry: &Entry) -> Option<String> {
    if entry.word.contains(' ') && !entry.word.contains('(') {
        return None;
    }
    let gives = editors(entry.gives);
    let (front, rest) = entry
        .word
        .split_once('.')
        .map_or((None, entry.word), |(receiver, rest)| (Some(receiver), rest));
    let Some((name, arguments)) = rest.split_once('(') else {
        let receiver = front?;
        return Some(format!("fn get {rest}({receiver}: {}) -> {gives};", editors(receiver)));
    };
    let arguments = arguments.trim_end_matches(')').split(", ").filter(|argument| !argument.is_empty());
    let receiver = front.map(|receiver| format!("{receiver}: {}", editors(receiver)));
    let all: Vec<String> = receiver
        .into_iter()
        .chain(arguments.map(|argument| format!("{argument}: ?")))
        .collect();
    Some(format!("fn {name}({}) -> {gives};", all.join(", ")))
}

fn editors(word: &str) -> &'static str {
    match word {
        "number" => "int",
        "text" => "String",
        "bool" => "bool",
        "list" => "Array",
        "map" => "Map",
        "character" => "char",
        "range" => "Range<int>",
        "function" => "FnPtr",
        "" => "()",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::super::{Limits, compile, new_engine};
    use super::*;
    use crate::ruleset::{Layer, Sources};

    fn entries() -> impl Iterator<Item = &'static Entry> {
        GROUPS.iter().flat_map(|group| group.entries)
    }

    #[test]
    fn every_example_of_the_plain_language_is_true() {
        let mut text = "const EXAMPLE = [1, 2];\n".to_owned();
        for (index, entry) in entries().enumerate() {
            text.push_str(&format!("fn example_{index}() {{ {} }}\n", entry.example));
        }
        let program = compile(
            &Sources::of(Layer::new("language").with("a.rhai", text)),
            &Limits::default(),
            &|_| (),
        );
        let program = program.unwrap_or_else(|problems| panic!("{}", problems.render()));
        for (index, entry) in entries().enumerate() {
            let result = program.call_as::<bool>(&format!("example_{index}"), ());
            assert_eq!(
                result.map_err(|fault| fault.to_string()),
                Ok(true),
                "{}: {}",
                entry.word,
                entry.example
            );
        }
    }

    #[test]
    fn every_word_that_the_sandbox_knows_is_listed() {
        let known = new_engine(&Limits::default())
            .engine
            .collect_fn_metadata(None, |info| Some(info.metadata.name.to_string()), true);
        let is_word = |name: &String| name.starts_with(|c: char| c.is_alphabetic());
        let plain = |name: String| name.trim_start_matches("get$").to_owned();
        let known: BTreeSet<String> = known
            .into_iter()
            .filter(|name| !name.starts_with("index$"))
            .map(plain)
            .filter(is_word)
            .collect();
        let listed: BTreeSet<String> = entries()
            .map(|entry| entry.word.rsplit('.').next().unwrap().split('(').next().unwrap().to_owned())
            .collect();
        assert_eq!(known.difference(&listed).collect::<Vec<_>>(), Vec::<&String>::new());
    }
}
