//! Rules changed under a running match: a thousand edits, good and broken, never lose or corrupt it.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use crate::common::{Bundled, root};
use boardwright::host::{Match, Policy, verify};
use boardwright::model::{Fingerprint, State};
use boardwright::rules::{Generator, Rules, RulesSource, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

const RULESET: &str = "sixteen-soldiers";

fn compile(text: &str) -> Option<ScriptSource> {
    let sources = Sources::of(Layer::new(RULESET).with("rules.rhai", text));
    ScriptSource::new(Arc::new(sources), Limits::default()).ok()
}

/// An edit as authors make them while they play: sensible ones, slips, and a cat on the keyboard.
fn edit(text: &str, generator: &mut Generator) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = generator.below(lines.len() as u32) as usize;
    match generator.below(9) {
        0 => return text.replace("[plain_step(), capture(options.must_capture)]", "[capture(false), plain_step()]"),
        1 => return text.replace("integer: 60, min: 1", &format!("integer: {}, min: 1", 2 + generator.below(400))),
        2 => return text.replace("times(2)", &format!("times({})", 1 + generator.below(3))),
        3 => {
            return text.replace(
                "kinds: [#{ name: \"soldier\"",
                "kinds: [#{ name: \"knight\" }, #{ name: \"soldier\"",
            );
        }
        4 => return text.replace("\"quiet_moves\", title", "\"loud_moves\", title"),
        5 => drop(lines.remove(line)),
        6 => {
            let again = lines[line].clone();
            lines.insert(line, again);
        }
        7 => lines[line].push_str(["}", "{", "\"", ");", " + 1", "//", "#{"][generator.below(7) as usize]),
        _ => {
            let place = generator.below(lines[line].chars().count() as u32 + 1) as usize;
            let letter = char::from(b' ' + generator.below(95) as u8);
            lines[line] = lines[line]
                .chars()
                .take(place)
                .chain([letter])
                .chain(lines[line].chars().skip(place + 1))
                .collect();
        }
    }
    lines.join("\n")
}

#[test]
fn a_thousand_edits_never_lose_or_corrupt_a_match() {
    let original = fs::read_to_string(root().join("rulesets").join(RULESET).join("rules.rhai")).unwrap();
    let bundled = Bundled::read(RULESET, "standard");
    let mut generator = Generator::new(11);
    let mut known: BTreeMap<Fingerprint, Arc<ScriptSource>> = BTreeMap::from([(bundled.source.fingerprint(), Arc::clone(&bundled.source))]);
    let (mut taken, mut refused, mut broken) = (0, 0, 0);
    let mut one = Match::begin(bundled.rules(), bundled.setup(), 1, Policy::default()).unwrap();
    for _ in 0..1_000 {
        let before = State::clone(one.state());
        let in_force = one.rules().fingerprint();
        match compile(&edit(&original, &mut generator)) {
            None => broken += 1,
            Some(source) => {
                let source = Arc::new(source);
                if one.reload(&*source, Vec::new()).is_ok() {
                    known.insert(source.fingerprint(), source);
                    taken += 1;
                } else {
                    refused += 1;
                    assert_eq!(**one.state(), before, "a refused reload left something behind");
                    assert_eq!(one.rules().fingerprint(), in_force);
                }
            }
        }
        assert_eq!(one.state().digest(), one.state().digest_from_scratch());
        // Play goes on, or where the match has ended a new one begins; its journal, run again, gives the same.
        let acting = one.state().acting().first();
        let legal = acting.map(|seat| flow::legal(one.rules(), one.state(), seat).unwrap_or_default());
        if let Some(legal) = legal.filter(|legal| !legal.is_empty()) {
            let action = &legal[generator.below(legal.len() as u32) as usize];
            let _ = one.submit(action, one.journal().position());
        } else {
            check_journal(&bundled, &one, &known);
            one = Match::begin(bundled.rules(), bundled.setup(), 1, Policy::default()).unwrap();
        }
    }
    check_journal(&bundled, &one, &known);
    assert!(
        taken > 100 && refused > 10 && broken > 100,
        "{taken} taken, {refused} refused, {broken} broken"
    );
}

/// Runs a journal again under the rules of each event, and takes it back to the setup.
fn check_journal(bundled: &Bundled, one: &Match, known: &BTreeMap<Fingerprint, Arc<ScriptSource>>) {
    let mut made: BTreeMap<usize, Box<dyn Rules>> = BTreeMap::new();
    let mut state = bundled.setup();
    // The frame a match has after a reload depends on the one before, so rules are made along the way.
    let mut last = None;
    for (index, event) in one.journal().standing().iter().enumerate() {
        if last != Some(event.fingerprint) {
            last = Some(event.fingerprint);
            let source = &known[&event.fingerprint];
            let frame = Arc::new(state.reconcile(boardwright::model::Frame::clone(source.frame())).unwrap());
            state.adopt(&frame);
            let rules = source
                .rules(state.board(), &frame, state.options())
                .unwrap_or_else(|fault| panic!("{fault}"));
            made.insert(index, rules);
        }
        for effect in &event.effects {
            state.apply(effect).unwrap();
        }
    }
    assert_eq!(state.digest(), one.state().digest());
    let mut next = 0;
    let mut rules_for = |_: &Fingerprint, _: &Arc<State>| {
        next += 1;
        made.range(..next).next_back().map(|(_, rules)| &**rules)
    };
    let verified = verify(bundled.setup(), one.journal().standing(), &mut rules_for).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(verified.repeated + verified.applied, one.journal().position());
}
