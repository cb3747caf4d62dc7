#!/usr/bin/env python3
"""Checks of the source text that no compiler makes. `check.sh` runs them; each may be run alone.

    tools/source_checks.py words     no word of a single ruleset stands in Rust
    tools/source_checks.py links     relative links of the Markdown pages lead somewhere, and the tests of the promises exist
    tools/source_checks.py crates    licences and sources of the dependencies are those of deny.toml

Findings look like the program's own: file:line:column: severity[code]: message. Exit code 1 when there is one.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUST = ["src", "crates", "editor", "tests", "benches", "fuzz"]

# Words of single rulesets that cannot be read out of their files: themes, and words the files spell in another form.
EXTRA_WORDS = ["soldier", "torpedo", "corvette", "dreadnaught", "continent", "polyomino", "pentomino", "kingdom", "alquerque", "nought"]

# Kinds whose names are ordinary words of programming too: finding them in Rust says nothing.
ORDINARY_WORDS = {
    "area", "base", "block", "card", "cell", "chip", "circle", "counter", "cross", "disc", "dot", "flag", "guard", "hand", "line", "link",
    "lock", "mark", "marker", "mine", "node", "piece", "point", "port", "ring", "root", "scout", "shape", "square", "star", "stone", "token",
    "tree", "wall", "worker",
}  # fmt: skip

# A word inside an identifier or a sentence: `HeavyTrooper`, `heavy_trooper` and `heavy trooper` are all two.
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
TEST_MODULE = re.compile(r"^ *#\[cfg\(test\)\]\n *(?:pub\S* )?mod \w+ \{", re.MULTILINE)
TEST_PATH = re.compile(r"/(tests|benches|fixtures?)(/|\.rs$)")


def report(code, path, text, position, message):
    """Prints a finding at a position of a text."""
    line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    print(f"{path.relative_to(ROOT)}:{line}:{column}: error[{code}]: {message}")


def read(path):
    return path.read_text(encoding="utf-8")


def rust_files():
    return sorted(path for folder in RUST for path in (ROOT / folder).rglob("*.rs") if "target" not in path.relative_to(ROOT).parts)


# words ------------------------------------------------------------------------------------------------------------------------


def singular(word):
    word = word.lower()
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 4 else word


def balanced(text, start):
    """The text between the bracket at `start` and the one that closes it."""
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] in "{[(") - (text[position] in "}])")
        if depth == 0:
            return text[start + 1 : position]
    return text[start + 1 :]


def declared_kinds(script):
    """Names of the kinds a script declares: keys of `kinds: #{..}`, or texts and `id`s of `kinds: [..]`; `KINDS = ..` likewise."""
    script = re.sub(r"//[^\n]*|/\*.*?\*/", "", script, flags=re.DOTALL)
    names = []
    for found in re.finditer(r"\bkinds\b\s*[:=]\s*(#\{|\[)", script, flags=re.IGNORECASE):
        body = balanced(script, found.end() - 1)
        flat, depth = "", 0
        for mark in body:
            depth -= mark in "}])"
            flat += mark if depth == 0 else ""
            depth += mark in "{[("
        if found.group(1) == "#{":
            names += re.findall(r"[\"`]?([A-Za-z][\w -]*)[\"`]?\s*:", flat)
        else:
            names += re.findall(r"[\"`]([A-Za-z][\w -]*)[\"`]", flat)
            names += re.findall(r"\b(?:id|name)\s*:\s*[\"`]([^\"`]+)[\"`]", body)
    return names


def ruleset_phrases():
    """Phrases of one or more words, each with the ruleset it comes from."""
    phrases = {singular(word): "a ruleset's theme" for word in EXTRA_WORDS}
    for folder in sorted(path for path in (ROOT / "rulesets").glob("*") if path.is_dir()):
        scripts = [path for path in folder.rglob("*.rhai") if "tests" not in path.relative_to(folder).parts]
        for name in [folder.name] + [kind for path in sorted(scripts) for kind in declared_kinds(read(path))]:
            phrase = " ".join(singular(word) for word in WORD.findall(name))
            if " " in phrase or (len(phrase) > 3 and phrase not in ORDINARY_WORDS):
                phrases.setdefault(phrase, f"rulesets/{folder.name}")
    return phrases


def words():
    """Comments and tests count as well. Only tests that take up a bundled ruleset by its id may use the words of that ruleset."""
    phrases = ruleset_phrases()
    pattern = re.compile(rf"(?<= )({'|'.join(sorted(phrases, key=len, reverse=True))})(?= )")
    ids = sorted(path.name for path in (ROOT / "rulesets").glob("*") if path.is_dir())
    errors = 0
    for path in rust_files():
        text = read(path)
        tests = TEST_MODULE.search(text)
        begin = 0 if TEST_PATH.search(f"/{path.relative_to(ROOT)}") else tests.start() if tests else len(text)
        tested = [name for name in ids if re.search(rf"\b{name}\b", text[begin:])]
        spots = list(WORD.finditer(text))
        spelled = f" {' '.join(singular(spot.group()) for spot in spots)} "
        # What stands between the words of a phrase does not matter, so phrases are looked for among the words alone.
        for found in pattern.finditer(spelled):
            spot = spots[spelled.count(" ", 0, found.start()) - 1]
            origin = phrases[found.group()]
            is_own = origin.removeprefix("rulesets/") in tested or (tested and not origin.startswith("rulesets/"))
            is_module = re.search(r"^mod \w*$", text[text.rfind("\n", 0, spot.start()) + 1 : spot.end()])
            if spot.start() < begin or not (is_own or is_module):
                report("word", path, text, spot.start(), f"`{found.group()}` belongs to {origin}: name the general thing")
                errors += 1
    print(f"words: {len(phrases)} words of {len(ids)} rulesets; {errors} errors")
    return errors


# links ------------------------------------------------------------------------------------------------------------------------


def links():
    pages = sorted([*ROOT.glob("*.md"), *(page for folder in ("docs", "rulesets", "crates") for page in (ROOT / folder).rglob("*.md"))])
    count = errors = 0
    for page in pages:
        text = read(page)
        prose = re.sub(r"```.*?```|`[^`\n]*`|<!--.*?-->", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)
        for found in re.finditer(r"\]\((?![a-z]+:|#)([^)\s#]+)[^)\s]*\)", prose):
            count += 1
            if not (page.parent / found.group(1)).exists():
                report("link", page, prose, found.start(1), f"`{found.group(1)}` does not exist")
                errors += 1
    errors += promises()
    print(f"links: {count} links of {len(pages)} pages; {errors} errors")
    return errors


def promises():
    """Every test that ARCHITECTURE.md names for a promise is one."""
    tests = {name for path in rust_files() for name in re.findall(r"#\[test\]\s*(?:#\[[^\n]*\]\s*)*fn (promise_\w+)\(", read(path))}
    page = ROOT / "ARCHITECTURE.md"
    text = read(page)
    missing = [found for found in re.finditer(r"`(promise_\d\w+)`", text) if found.group(1) not in tests]
    for found in missing:
        report("promise", page, text, found.start(1), f"no test is called `{found.group(1)}`")
    return len(missing)


# crates -----------------------------------------------------------------------------------------------------------------------


def is_allowed(expression, allowed):
    """Whether an SPDX expression can be met with these licences."""
    terms = re.findall(r"[()/]|[\w.-]+(?: WITH [\w.-]+)?", expression.replace("+", ""))
    signs = {"OR": "or", "/": "or", "AND": "and", "(": "(", ")": ")"}
    return eval(" ".join(signs.get(term) or str(term in allowed) for term in terms))


def crates():
    """Reads the part of deny.toml that needs no network: cargo-deny itself comes compiled for no registry that CI reaches."""
    rules = tomllib.loads(read(ROOT / "deny.toml"))
    metadata = subprocess.run(["cargo", "metadata", "--format-version", "1", "--locked"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    packages = [package for package in json.loads(metadata.stdout)["packages"] if package["source"]]
    exceptions = {each["crate"]: each["allow"] for each in rules["licenses"]["exceptions"]}
    errors = []
    for package in packages:
        name, licence = package["name"], package["license"] or "none"
        if not is_allowed(licence, rules["licenses"]["allow"] + exceptions.get(name, [])):
            errors.append(f"error[license]: {name} {package['version']}: deny.toml does not allow `{licence}`")
        if package["source"].removeprefix("registry+") not in rules["sources"]["allow-registry"]:
            errors.append(f"error[source]: {name} {package['version']}: deny.toml does not allow {package['source']}")
    print("\n".join([*errors, f"crates: {len(packages)} crates; {len(errors)} errors"]))
    return len(errors)


def main():
    checks = {"words": words, "links": links, "crates": crates}
    asked = sys.argv[1:]
    if not asked or any(name not in checks for name in asked):
        print(__doc__, file=sys.stderr)
        return 2
    return 1 if sum([checks[name]() for name in asked]) else 0


if __name__ == "__main__":
    sys.exit(main())
