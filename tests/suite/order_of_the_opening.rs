//! The order in which a turn of Eight Kingdoms opens, as the journal has it.

use std::collections::BTreeMap;

use crate::common::Bundled;
use boardwright::host::Match;
use boardwright::model::{Effect, Policy, Scope, SetupPiece, SetupPlace, SetupTarget, SetupValue, Value};
use boardwright::rules::read_action;

/// What the last event changed, in order: properties by their names, each with its scope and whether a number rose or fell.
fn changes(playing: &Match) -> Vec<(Scope, String, i64)> {
    let declared = playing.state().declarations();
    let event = playing.journal().last().unwrap();
    let changes = event.effects.iter().filter_map(|effect| match effect {
        Effect::Set { property, old, new, .. } => {
            let property = declared.property(*property)?;
            let number = |value: &Value| value.as_integer().unwrap_or(0);
            Some((property.scope, property.name.to_string(), (number(new) - number(old)).signum()))
        }
        _ => None,
    });
    changes.collect()
}

fn plays(playing: &mut Match, text: &str) {
    let seat = playing.state().acting().first().unwrap();
    let view = playing.view(Some(seat)).unwrap();
    let action = read_action(playing.rules(), &view, seat, text).unwrap_or_else(|rejection| panic!("{text}: {rejection}"));
    playing
        .submit(&action, playing.journal().position())
        .unwrap_or_else(|rejection| panic!("{text}: {rejection}"));
}

/// Rowan's spearmen come out of a fight with wounded, its mason builds, and it has towns, units to pay and a treaty that was agreed: the
/// opening of its second turn has something of everything.
fn opened(seed: u64) -> Match {
    let mut bundled = Bundled::read("eight-kingdoms", "small");
    let setup = &mut bundled.scenario.setup;
    let pieces = [
        ("rowan", "spearmen", "a1"),
        ("rowan", "mason", "d1"),
        ("juniper", "axemen", "b1"),
        ("juniper", "militia", "o11"),
    ];
    setup.pieces = pieces
        .map(|(owner, kind, cell)| SetupPiece {
            kind: kind.to_owned(),
            owner: Some(owner.to_owned()),
            place: SetupPlace::Cell(cell.to_owned()),
            ..SetupPiece::default()
        })
        .into();
    setup.values.push(SetupValue {
        target: SetupTarget::Match,
        name: "weather_age".to_owned(),
        value: "9".to_owned(),
    });
    let mut playing = Match::begin(bundled.source.clone(), bundled.setup(), seed, Policy::default()).unwrap();
    for action in [
        "attack a1 b1",
        "build d1 fort",
        "offer juniper tribute",
        "done",
        "accept Rowan: tribute",
        "done",
    ] {
        plays(&mut playing, action);
    }
    playing
}

#[test]
fn a_turn_opens_with_wounds_income_wages_work_points_and_treaties_and_the_weather_came_before() {
    let mut seen = BTreeMap::new();
    for seed in 0..20 {
        let changes = changes(&opened(seed));
        let first = |scope, name: &str, sign: Option<i64>| {
            changes
                .iter()
                .position(|(of, found, change)| *of == scope && found == name && sign.is_none_or(|sign| sign == *change))
        };
        let steps = [
            ("weather", first(Scope::Match, "weather_age", None)),
            ("wounds", first(Scope::Piece, "wounds", None)),
            ("income", first(Scope::Seat, "gold", Some(1))),
            ("wages", first(Scope::Seat, "gold", Some(-1))),
            ("work", first(Scope::Piece, "works", None)),
            ("points", first(Scope::Piece, "points", Some(1))),
            ("treaties", first(Scope::Match, "treaties", None)),
        ];
        let there: Vec<(&str, usize)> = steps.into_iter().filter_map(|(name, place)| Some((name, place?))).collect();
        assert!(there.is_sorted_by_key(|(_, place)| *place), "seed {seed}: {there:?} in {changes:?}");
        for (name, _) in there {
            *seen.entry(name).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.len(), 7, "each step was there: {seen:?}");
}
