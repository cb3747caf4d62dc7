//! The words for numbers and texts, for saying no and for showing.

use super::{Group, entry};

pub(super) const NUMBERS: Group = Group {
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
};

pub(super) const TEXTS: Group = Group {
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
};

pub(super) const SAYING: Group = Group {
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
};
