#!/usr/bin/env bash
# Builds the program as it is packaged: the profile `dist`, and guided by a profile of what the program does when it plays, searches and serves (PGO).
# The program is built twice, and in between plays for a minute or two.
#
#     packaging/build.sh                                             with window and editor
#     packaging/build.sh --no-default-features --features server     arguments go to `cargo build`
#
# It needs cargo-pgo (`cargo install cargo-pgo`) and the tools that read profiles (`rustup component add llvm-tools`). What was built is at the path in the last line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v cargo-pgo >/dev/null; then
    echo "cargo-pgo is missing: cargo install cargo-pgo, and rustup component add llvm-tools" >&2
    exit 1
fi
host=$(rustc -vV | sed -n 's/^host: //p')
program=${CARGO_TARGET_DIR:-target}/$host/dist/boardwright

# What is not done here is taken to be rare and built to be small, so each way in which the rules are played comes up: at random, by search, with and
# without scripts, on boards of each sort, over the network.
train() {
    local ruleset
    for ruleset in trajectory conquest cornered river-crossing; do
        "$program" metrics "$ruleset" --matches 20 --seed 1
    done
    "$program" metrics eight-kingdoms --matches 1 --seed 1
    for ruleset in sixteen-soldiers cornered/duo tic-tac-toe; do
        "$program" metrics "$ruleset" --matches 1000 --seed 1
    done
    for ruleset in breakthrough brandubh kalah reversi dice-race; do
        "$program" metrics "$ruleset" --content . --content benches --matches 200 --seed 1
    done
    "$program" arena sixteen-soldiers --players search:7,mcts:7 --matches 6 --seed 1 --jobs 1
    "$program" arena cornered/duo --players mcts:8,maxn:2 --matches 4 --seed 1 --jobs 1
    "$program" arena cornered --line-up mcts:5,greedy,mcts:5,greedy --matches 2 --seed 1 --jobs 1
    "$program" arena conquest --line-up standard,marshal,standard --matches 6 --seed 1 --jobs 1
    "$program" perft sixteen-soldiers 6
    "$program" check sixteen-soldiers trajectory conquest eight-kingdoms cornered
    "$program" load --new sixteen-soldiers --matches 20 --actions 50 --idle 0 --spectators 0 --rejoins 5
}

echo "Building the program that counts what it does."
cargo pgo build -- --locked --profile dist "$@"
echo "Playing."
train
echo "Building by what was counted."
cargo pgo optimize build -- --locked --profile dist "$@"
echo "$program"
