#!/usr/bin/env bash
# Everything that has to hold before a change is merged. CI runs this file and nothing else.
#
#     ./check.sh               all steps, in order; a failing step does not keep the later ones from running
#     ./check.sh STEP...       only these
#     ./check.sh --list        the steps and what each does
#
# With CI set, cargo keeps to Cargo.lock and leaves out what only helps the next build (saves time and disk).
# Exit code: 0 all steps passed, 1 some step failed, 2 wrong usage.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

STEPS=(packages words links fmt clippy features wasm test clients rulesets doc deny typos fuzz)

describe() {
    case $1 in
        packages) echo "install the Debian packages that the window and the tests need, if some are missing" ;;
        words) echo "no word of a single ruleset stands in Rust (tools/source_checks.py)" ;;
        links) echo "relative links of the Markdown pages lead somewhere, and the tests of the promises exist" ;;
        fmt) echo "the source is formatted" ;;
        clippy) echo "clippy finds nothing in any target" ;;
        features) echo "the program without its window compiles, and clippy finds nothing there either" ;;
        wasm) echo "the pure crates compile for wasm32" ;;
        test) echo "all tests of the workspace, under a display of their own" ;;
        clients) echo "the clients in other languages play one another on a server, each with a connection that is cut" ;;
        rulesets) echo "boardwright check and boardwright test over all that is shipped" ;;
        doc) echo "the documentation builds without a warning" ;;
        deny) echo "licences and sources of the dependencies are those of deny.toml" ;;
        typos) echo "spelling, and the terms of this field (typos.toml)" ;;
        fuzz) echo "a short run of each fuzz target; BOARDWRIGHT_FUZZ_MINUTES=N lets each go on for so long, from another seed each time" ;;
    esac
}

locked=()
if [ -n "${CI:-}" ]; then
    locked=(--locked)
    export CARGO_INCREMENTAL=0
    # A panic says where it is without them.
    export CARGO_PROFILE_DEV_DEBUG=false
    export CARGO_TERM_PROGRESS_WHEN=never
    # Property tests draw the same cases each time here: whether a change may be merged must not depend on chance, and a failure must come back
    # when the step is run again. Without CI every run draws fresh cases, and so goes on searching.
    export PROPTEST_RNG_SEED=20250101
fi

TARGET=${CARGO_TARGET_DIR:-target}

# Packages ---------------------------------------------------------------------------------------------------------------------

# Commands, each with the Debian package that brings it.
COMMANDS=(cc:build-essential pkg-config:pkg-config python3:python3 pip3:python3-pip Xvfb:xvfb xdotool:xdotool node:nodejs npm:npm)
# Libraries that the window opens while running: OpenGL in software, X11, keyboard.
LIBRARIES=(libgl1 libgl1-mesa-dri libegl1 libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon0 libxkbcommon-x11-0)
# The database that tests of several servers start for themselves.
DATABASES=(postgresql)

step_packages() {
    local missing=() pair
    for pair in "${COMMANDS[@]}"; do
        command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
    done
    if ! command -v apt-get >/dev/null; then
        echo "This is not a Debian system, so nothing is installed here."
        [ ${#missing[@]} -eq 0 ] || echo "Please install what your system calls these: ${missing[*]}"
        return 0
    fi
    install_packages "${missing[@]}" "${LIBRARIES[@]}" "${DATABASES[@]}"
}

# Installs those of the Debian packages that are missing.
install_packages() {
    local missing=() package
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        echo "All packages are there."
        return 0
    fi
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        # Without a terminal nobody can type a password.
        if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            root=(sudo)
        else
            echo "These packages are missing, and installing them takes root or sudo. Please run once:"
            echo "    apt-get update && apt-get install --no-install-recommends ${missing[*]}"
            return 1
        fi
    fi
    echo "Installing: ${missing[*]}"
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# The program as it is built for the tests: alone it would be compiled once more, with other features of its dependencies.
build_program() { cargo test "${locked[@]}" --workspace --test suite --no-run; }

# Clients in other languages ---------------------------------------------------------------------------------------------------

step_clients() {
    (cd clients/typescript && npm ci --silent --no-audit --no-fund && npx tsc)
    build_program
    python3 clients/test.py "$TARGET/debug/boardwright"
}

# Source text ------------------------------------------------------------------------------------------------------------------

step_words() { python3 tools/source_checks.py words; }
step_links() { python3 tools/source_checks.py links; }
step_deny() { python3 tools/source_checks.py crates; }

# Pinned, because each release knows more words. PyPI has it compiled.
TYPOS=1.52.0

step_typos() {
    local typos=$TARGET/tools/bin/typos
    if [ "$("$typos" --version 2>/dev/null)" != "typos-cli $TYPOS" ]; then
        echo "Installing typos $TYPOS from PyPI"
        python3 -m pip install --quiet --upgrade --target "$TARGET/tools" "typos==$TYPOS"
    fi
    "$typos" --format brief
}

# Rust -------------------------------------------------------------------------------------------------------------------------

step_fmt() { cargo fmt --all -- --check; }

step_clippy() { cargo clippy "${locked[@]}" --workspace --all-targets -- -D warnings; }

step_features() { cargo clippy "${locked[@]}" -p boardwright --no-default-features -- -D warnings; }

# What has to compile without threads, files and clocks.
PURE=(-p boardwright-model -p boardwright-rules -p boardwright-host)

step_wasm() {
    local target=wasm32-unknown-unknown
    # In a folder of its own, for the compiler may be another one.
    local check=(cargo check "${locked[@]}" "${PURE[@]}" --target "$target" --target-dir "$TARGET/wasm")
    if command -v rustup >/dev/null && rustup target add "$target"; then
        "${check[@]}"
    else
        echo "rustup has no $target here: Debian's compiler builds the standard library for it."
        install_packages rustc-web rust-web-src
        RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 "${check[@]}" -Z build-std=std,panic_abort
    fi
}

# A display of their own keeps the windows of tests off a developer's screen, and synthetic clicks off other windows.
start_display() {
    if ! command -v Xvfb >/dev/null; then
        echo "Xvfb is missing: tests that open a window use the display '${DISPLAY:-none}'."
        return 0
    fi
    local chosen
    chosen=$(mktemp)
    Xvfb -displayfd 3 -screen 0 1440x900x24 -nolisten tcp -noreset 3>"$chosen" >/dev/null 2>&1 &
    display_process=$!
    trap 'kill "$display_process" 2>/dev/null || true' EXIT
    local tenths=0
    while [ ! -s "$chosen" ] && [ $tenths -lt 100 ]; do
        sleep 0.1
        tenths=$((tenths + 1))
    done
    [ -s "$chosen" ] || { echo "Xvfb did not start."; return 1; }
    DISPLAY=":$(cat "$chosen")"
    rm -f "$chosen"
    export DISPLAY LIBGL_ALWAYS_SOFTWARE=1
    unset WAYLAND_DISPLAY
    echo "Display $DISPLAY"
}

step_test() {
    start_display
    cargo test "${locked[@]}" --workspace
}

step_rulesets() {
    build_program
    "$TARGET/debug/boardwright" check
    "$TARGET/debug/boardwright" test
}

step_doc() { RUSTDOCFLAGS="${RUSTDOCFLAGS:-} -D warnings" cargo doc "${locked[@]}" --workspace --no-deps; }

# Fuzzing ----------------------------------------------------------------------------------------------------------------------

# A target, how many inputs it gets here, and the files it starts from.
fuzz() {
    local name=$1 runs=$2 folder=$TARGET/fuzz/$1 program=$TARGET/debug/$1 file
    shift 2
    local options=(-timeout=10 -rss_limit_mb=2048 -artifact_prefix="$folder/failed-" -print_final_stats=1)
    if [ -n "${BOARDWRIGHT_FUZZ_MINUTES:-}" ]; then
        options+=(-max_total_time=$((BOARDWRIGHT_FUZZ_MINUTES * 60)) -max_len=100000)
        rm -f "$folder"/failed-*
    else
        # The same each time: without what was found before, and without what depends on addresses or the clock.
        options+=(-seed=1 -runs="$runs" -max_len=2048 -reload=0 -use_cmp=0 -use_counters=0)
        rm -rf "$folder"
    fi
    mkdir -p "$folder/found"
    echo "fuzz: $name"
    if ! "$program" "${options[@]}" -seed_inputs="$(printf '%s\n' "$@" | sort | paste -sd,)" "$folder/found" >"$folder/log" 2>&1; then
        grep -E 'panicked' -A 1 "$folder/log" || true
        tail -n 12 "$folder/log"
        for file in "$folder"/failed-*; do
            echo "To see it fail again: echo $(base64 -w 0 "$file") | base64 -d >input; $program input"
        done
        return 1
    fi
    grep -E 'DONE|number_of_executed_units|average_exec_per_sec' "$folder/log"
}

step_fuzz() {
    RUSTC_WORKSPACE_WRAPPER="$PWD/fuzz/instrument" cargo build "${locked[@]}" -p boardwright-fuzz
    local lines=$TARGET/fuzz/lines
    rm -rf "$lines"
    mkdir -p "$lines"
    grep '^{' docs/protocol.md | split -l 1 -a 3 - "$lines/"
    fuzz protocol 100000 "$lines"/*
    fuzz documents 20000 $(find maps rulesets tests/formats -name '*.xml')
    fuzz declarations 3000 $(find rulesets tests/hostile -name '*.rhai')
}

# Running them -----------------------------------------------------------------------------------------------------------------

list_steps() {
    local step
    for step in "${STEPS[@]}"; do
        printf '%-10s %s\n' "$step" "$(describe "$step")"
    done
}

took() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# A function, so that the file is read whole: a checkout in the middle of a run does not change what runs.
main() {
    local chosen=() summary=() failed=0 word step begun code verdict line
    for word in "$@"; do
        case $word in
            --list | -l) list_steps; exit 0 ;;
            --help | -h) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]##*/}"; exit 0 ;;
        esac
        if [ -z "$(describe "$word")" ]; then
            echo "No step is called '$word'. There are:" >&2
            list_steps >&2
            exit 2
        fi
        chosen+=("$word")
    done
    [ ${#chosen[@]} -gt 0 ] || chosen=("${STEPS[@]}")

    SECONDS=0
    for step in "${chosen[@]}"; do
        echo "==> $step: $(describe "$step")"
        begun=$SECONDS
        # Not in a condition: that would switch off `set -e` inside the step.
        set +e
        (
            set -e
            "step_$step"
        )
        code=$?
        set -e
        if [ $code -eq 0 ]; then
            verdict="passed"
        else
            verdict="FAILED"
            failed=1
        fi
        line=$(printf '%-10s %s in %s' "$step" "$verdict" "$(took $((SECONDS - begun)))")
        summary+=("$line")
        echo "<== $line"
    done

    echo
    echo "All took $(took $SECONDS)."
    printf '  %s\n' "${summary[@]}"
    exit $failed
}

main "$@"
