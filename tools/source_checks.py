#!/usr/bin/env python3
"""Checks of the source text that no compiler makes. `check.sh` runs them; each may be run alone.

    tools/source_checks.py sizes     Rust files: above 500 lines a warning, above 800 an error
    tools/source_checks.py words     no word of a single ruleset stands in Rust
    tools/source_checks.py fences    a layer uses only the layers and crates it may
    tools/source_checks.py links     relative links of the Markdown pages lead somewhere, and the tests of the promises exist

Findings look like the program's own: file:line:column: severity[code]: message. Exit code 1 when there is an error.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LONG, TOO_LONG = 500, 800

# Words of single rulesets that cannot be read out of their files: themes, and words the files spell in another form.
EXTRA_WORDS = ["soldier", "torpedo", "corvette", "dreadnaught", "continent", "polyomino", "pentomino", "kingdom", "alquerque", "nought"]

# Kinds whose names are ordinary words of programming too: finding them in Rust says nothing.
ORDINARY_WORDS = {
    "area", "base", "block", "card", "cell", "chip", "circle", "counter", "cross", "disc", "dot", "flag", "hand", "line", "link", "lock",
    "mark", "marker", "mine", "node", "piece", "point", "port", "ring", "root", "scout", "shape", "square", "star", "stone", "token",
    "tree", "wall", "worker",
}  # fmt: skip

# Which layers a layer may name. The arrows of ARCHITECTURE.md; what is not listed (cli, main.rs, lib.rs) may name all.
PURE = ["model", "rules", "host"]
LAYERS = {
    "model": [],
    "rules": ["model"],
    "ruleset": ["model"],
    "script": ["model", "rules", "ruleset"],
    "host": ["model", "rules"],
    "players": ["model", "rules", "host", "script", "ruleset"],
    "lab": ["model", "rules", "host", "script", "ruleset", "players"],
    "io": ["model", "rules", "script", "ruleset", "host"],
    "client": ["model", "rules", "script", "ruleset", "host", "players", "io", "server"],
    "server": ["model", "rules", "script", "ruleset", "host", "players", "io", "client"],
    # A window is a client like any other: it never reaches into the host, the rules or the scripts (promise 7).
    "ui": ["model", "client", "ruleset", "io"],
}

# Crates that only some layers may name.
CRATES = {
    "rhai": ["script"],
    "quick_xml": ["io"],
    "notify": ["io"],
    "egui": ["ui"],
    "eframe": ["ui"],
    "egui_extras": ["ui"],
    "egui_plot": ["ui"],
    "cpal": ["ui"],
    "pulseaudio": ["ui"],
    "fluent_bundle": ["ui"],
    "opener": ["ui"],
    "pulldown_cmark": ["ui"],
    "unic_langid": ["ruleset", "ui"],
    "intl_pluralrules": ["ruleset"],
    "sys_locale": ["ui"],
    "thread_priority": ["players"],
    "clap": ["cli", "main.rs"],
    "rustyline": ["cli"],
    "indicatif": ["cli"],
}

PURE_LINE = "#![deny(clippy::disallowed_methods, clippy::disallowed_types)]"


class Findings:
    """Collects findings, prints them in order, and knows the exit code."""

    def __init__(self):
        self.errors = 0
        self.warnings = 0

    def add(self, severity, code, path, line, column, message):
        print(f"{path.relative_to(ROOT)}:{line}:{column}: {severity}[{code}]: {message}")
        if severity == "error":
            self.errors += 1
        else:
            self.warnings += 1

    def close(self, name, looked_at):
        print(f"{name}: {looked_at}; {self.errors} errors, {self.warnings} warnings")
        return 1 if self.errors else 0


def rust_files(*folders):
    """Every Rust file below the folders, in order of their names."""
    found = []
    for folder in folders:
        found += [path for path in (ROOT / folder).rglob("*.rs") if "target" not in path.relative_to(ROOT).parts]
    return sorted(found)


TOKEN = re.compile(
    r"""(?P<doc>//[/!][^\n]*|/\*[*!].*?\*/)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>b?r(?P<hashes>\#*)".*?"(?P=hashes)|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^\n]{1,10}?|[^\\'\n])')""",
    re.DOTALL | re.VERBOSE,
)


def blanked(text, groups):
    """The text with the tokens of these groups turned into spaces, so that lines and columns stay."""

    def blank(found):
        if found.lastgroup == "hashes" or found.group("string") is not None:
            group = "string"
        else:
            group = "doc" if found.group("doc") is not None else "comment"
        return re.sub(r"[^\n]", " ", found.group()) if group in groups else found.group()

    return TOKEN.sub(blank, text)


def without_tests(text):
    """The text with every `#[cfg(test)]` item blanked."""
    code = blanked(text, {"doc", "comment", "string"})
    for found in reversed(list(re.finditer(r"#\[cfg\(test\)\]", code))):
        end = matching_close(code, found.end())
        text = text[: found.start()] + re.sub(r"[^\n]", " ", text[found.start() : end]) + text[end:]
    return text


def matching_close(code, start):
    """The position behind the item that begins at `start`: its closing brace, or the semicolon of an item without one."""
    depth = 0
    for position in range(start, len(code)):
        mark = code[position]
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth == 0:
                return position + 1
        elif mark == ";" and depth == 0:
            return position + 1
    return len(code)


def place(text, position):
    """Line and column, both from 1, of a position."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def is_test_file(path):
    parts = path.relative_to(ROOT).parts
    return path.stem in ("tests", "fixture", "fixtures") or any(part in ("tests", "fixture", "fixtures", "benches") for part in parts[:-1])


# sizes ------------------------------------------------------------------------------------------------------------------------


def sizes():
    findings = Findings()
    files = rust_files("src", "editor", "tests", "benches")
    for path in files:
        count = path.read_text(encoding="utf-8").count("\n")
        if count > TOO_LONG:
            findings.add("error", "size", path, 1, 1, f"{count} lines: split it, one subject a file")
        elif count > LONG:
            findings.add("warning", "size", path, 1, 1, f"{count} lines: has it still one subject?")
    return findings.close("sizes", f"{len(files)} Rust files")


# words ------------------------------------------------------------------------------------------------------------------------


def split_words(name):
    """`HeavyTrooper`, `heavy_trooper`, `heavy-trooper` and `heavy trooper` are all ["heavy", "trooper"]."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return [singular(word.lower()) for word in re.findall(r"[A-Za-z]+", spaced)]


def singular(word):
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 4 else word


def balanced(text, start):
    """The text between the bracket at `start` and the one that closes it."""
    depth = 0
    for position in range(start, len(text)):
        if text[position] in "{[(":
            depth += 1
        elif text[position] in "}])":
            depth -= 1
            if depth == 0:
                return text[start + 1 : position]
    return text[start + 1 :]


def declared_kinds(script):
    """Names of the kinds a script declares: keys of `kinds: #{..}`, or texts and `id`s of `kinds: [..]`; `KINDS = ..` likewise."""
    script = re.sub(r"//[^\n]*|/\*.*?\*/", "", script, flags=re.DOTALL)
    names = []
    for found in re.finditer(r"\bkinds\b\s*[:=]\s*(#\{|\[)", script, flags=re.IGNORECASE):
        is_map = found.group(1) == "#{"
        body = balanced(script, found.end() - 1)
        flat, depth = "", 0
        for mark in body:
            depth -= mark in "}])"
            if depth == 0:
                flat += mark
            depth += mark in "{[("
        if is_map:
            names += re.findall(r"[\"`]?([A-Za-z][\w -]*)[\"`]?\s*:", flat)
        else:
            names += re.findall(r"[\"`]([A-Za-z][\w -]*)[\"`]", flat)
            names += re.findall(r"\b(?:id|name)\s*:\s*[\"`]([^\"`]+)[\"`]", body)
    return names


def forbidden_words():
    """Phrases, each a tuple of words, with the ruleset they come from."""
    phrases = {(singular(word),): "a ruleset's theme" for word in EXTRA_WORDS}
    rulesets = sorted(path for path in (ROOT / "rulesets").glob("*") if path.is_dir())
    for folder in rulesets:
        names = [folder.name]
        for script in sorted(folder.rglob("*.rhai")):
            if "tests" not in script.relative_to(folder).parts:
                names += declared_kinds(script.read_text(encoding="utf-8"))
        for name in names:
            phrase = tuple(split_words(name))
            plain = len(phrase) == 1 and (len(phrase[0]) < 4 or phrase[0] in ORDINARY_WORDS)
            if phrase and not plain:
                phrases.setdefault(phrase, f"rulesets/{folder.name}")
    return phrases, len(rulesets)


def words():
    """Comments and tests count as well. Only tests that take up a bundled ruleset by its id may use the words of that ruleset."""
    findings = Findings()
    phrases, rulesets = forbidden_words()
    longest = max(len(phrase) for phrase in phrases)
    ids = sorted(path.name for path in (ROOT / "rulesets").glob("*") if path.is_dir())
    files = rust_files("src", "editor", "tests", "benches")
    for path in files:
        text = path.read_text(encoding="utf-8")
        code = text if is_test_file(path) else without_tests(text)
        tested = [name for name in ids if re.search(rf"\b{name}\b", text if is_test_file(path) else only_tests(text))]
        for number, (line, outside) in enumerate(zip(text.split("\n"), code.split("\n")), 1):
            is_test = is_test_file(path) or line != outside
            spots = [(found.start() + 1, found.group()) for found in re.finditer(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", line)]
            spelled = [singular(word.lower()) for _, word in spots]
            for first in range(len(spelled)):
                for length in range(1, longest + 1):
                    origin = phrases.get(tuple(spelled[first : first + length])) if first + length <= len(spelled) else None
                    by_id = origin and (not origin.startswith("rulesets/") or origin.removeprefix("rulesets/") in tested)
                    if origin and not (is_test and (by_id and tested or re.match(r"mod \w+;", line))):
                        said = " ".join(spelled[first : first + length])
                        findings.add("error", "word", path, number, spots[first][0], f"`{said}` belongs to {origin}: name the general thing")
    return findings.close("words", f"{len(phrases)} words of {rulesets} rulesets in {len(files)} files")


def only_tests(text):
    """The lines of `#[cfg(test)]` items."""
    pairs = zip(text.split("\n"), without_tests(text).split("\n"))
    return "\n".join(line for line, outside in pairs if line != outside)


# fences -----------------------------------------------------------------------------------------------------------------------


def named_layers(code):
    """Layers that a file names by `crate::layer` or `crate::{layer::.., ..}`, with the position of each."""
    for found in re.finditer(r"\bcrate::(\w+)", code):
        yield found.group(1), found.start()
    for found in re.finditer(r"\bcrate::\{", code):
        depth, first = 0, True
        for word in re.finditer(r"[{},]|\w+", balanced(code, found.end() - 1)):
            if word.group() == "{":
                depth += 1
            elif word.group() == "}":
                depth -= 1
            elif word.group() == ",":
                first = first or depth == 0
            elif depth == 0 and first:
                first = False
                yield word.group(), found.end() + word.start()


def fences():
    findings = Findings()
    files = rust_files("src")
    known = set(LAYERS) | {"cli"}
    for path in files:
        inside = path.relative_to(ROOT / "src").parts
        layer = inside[0].removesuffix(".rs") if inside[0] != "main.rs" else "main.rs"
        text = path.read_text(encoding="utf-8")
        # Tests may use what they like; the crates of a layer hold for them too, the compiler sees to that.
        code = blanked(text if is_test_file(path) else without_tests(text), {"doc", "comment", "string"})
        if layer in LAYERS and not is_test_file(path):
            for other, position in named_layers(code):
                if other in known and other != layer and other not in LAYERS[layer]:
                    findings.add("error", "layer", path, *place(code, position), f"`{layer}` may not use `{other}`: see the arrows in ARCHITECTURE.md")
        for name, homes in CRATES.items():
            for found in re.finditer(rf"(?<![\w:.])(?:::)?{name}\s*::|\b(?:use|extern\s+crate)\s+{name}\b", code):
                if layer not in homes:
                    findings.add("error", "crate", path, *place(code, found.start()), f"`{name}` may be named in {', '.join(homes)} only")
    for layer in PURE:
        top = ROOT / "src" / layer / "mod.rs"
        if top.exists() and PURE_LINE not in top.read_text(encoding="utf-8"):
            findings.add("error", "pure", top, 1, 1, f"a pure layer needs the line `{PURE_LINE}` (clippy.toml says why)")
    return findings.close("fences", f"{len(files)} files of {len(LAYERS)} layers")


# links ------------------------------------------------------------------------------------------------------------------------


def links():
    findings = Findings()
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "rulesets").rglob("*.md")])
    count = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        prose = re.sub(r"```.*?```|`[^`\n]*`|<!--.*?-->", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)
        for found in re.finditer(r"\]\(([^)\s]+)\)", prose):
            target = found.group(1).split("#")[0]
            if not target or re.match(r"[a-z]+:", target):
                continue
            count += 1
            if not (page.parent / target).exists():
                findings.add("error", "link", page, *place(prose, found.start(1)), f"`{target}` does not exist")
    promises(findings)
    return findings.close("links", f"{count} links of {len(pages)} pages")


def promises(findings):
    """Every test that ARCHITECTURE.md names for a promise is a test of tests/suite/promises.rs."""
    page = ROOT / "ARCHITECTURE.md"
    tests = ROOT / "tests" / "suite" / "promises.rs"
    source = tests.read_text(encoding="utf-8") if tests.exists() else ""
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"`(promise_\d\w+)`", text):
        if not re.search(rf"#\[test\]\s*(?:#\[[^\n]*\]\s*)*fn {found.group(1)}\(", source):
            findings.add("error", "promise", page, *place(text, found.start(1)), f"tests/suite/promises.rs has no test `{found.group(1)}`")


def main():
    checks = {"sizes": sizes, "words": words, "fences": fences, "links": links}
    asked = sys.argv[1:]
    if not asked or any(name not in checks for name in asked):
        print(__doc__, file=sys.stderr)
        return 2
    return max(checks[name]() for name in asked)


if __name__ == "__main__":
    sys.exit(main())
