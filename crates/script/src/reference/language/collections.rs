//! The words for lists, maps, tables and ranges.

use super::{Group, entry};

pub(super) const LISTS: Group = Group {
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
};

pub(super) const MAPS: Group = Group {
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
};

pub(super) const TABLES: Group = Group {
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
};

pub(super) const RANGES: Group = Group {
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
};
