//! Reading and printing give back what was there, for any script and any trigger.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

use boardwright_triggers::{
    Comparison, FORMS, Field, FieldKind, FieldValue, Form, Part, ScriptPart, Sentence, SlotPath, Trigger, TriggerScript, UnreadReason,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn value(field: Field) -> BoxedStrategy<FieldValue> {
    let text = || prop_oneof!["[a-z \"\\\\{}/$`']{0,8}", any::<String>()];
    match field.kind {
        FieldKind::Dice => select(&["d6", "1d6", "10d20"][..])
            .prop_map(|dice| FieldValue::Text(dice.to_owned()))
            .boxed(),
        FieldKind::Seat => proptest::option::of("[a-z]{1,5}").prop_map(FieldValue::Seat).boxed(),
        FieldKind::NumberOf(_) | FieldKind::WordOf(_) => "x[a-z]{1,5}_[0-9]".prop_map(FieldValue::Name).boxed(),
        FieldKind::Number => any::<i64>().prop_map(FieldValue::Number).boxed(),
        FieldKind::Text => text().prop_map(FieldValue::Text).boxed(),
        FieldKind::Word => prop_oneof![text().prop_map(FieldValue::Text), any::<bool>().prop_map(FieldValue::Flag)].boxed(),
        FieldKind::Comparison => select(&Comparison::ALL[..]).prop_map(FieldValue::Comparison).boxed(),
        _ => text().prop_map(FieldValue::Name).boxed(),
    }
}

/// The value of a field, written down or computed of what there is where something happens.
fn value_or_computed(field: Field, when: Option<&'static Form>) -> BoxedStrategy<FieldValue> {
    let computed = || {
        field
            .kind
            .computed()
            .zip(when)
            .map(|(part, when)| Form::offered(part, when).collect::<Vec<_>>())
    };
    let Some(forms) = computed() else { return value(field) };
    let computed = select(forms).prop_flat_map(move |form| sentence(form, when));
    prop_oneof![2 => value(field), 1 => computed.prop_map(|sentence| FieldValue::Computed(Box::new(sentence)))].boxed()
}

fn sentence(form: &'static Form, when: Option<&'static Form>) -> impl Strategy<Value = Sentence> {
    let values: Vec<_> = form.fields.iter().map(|field| value_or_computed(*field, when)).collect();
    values.prop_map(move |values| Sentence::new(form, values).unwrap())
}

fn forms(part: Part) -> Vec<&'static Form> {
    FORMS.iter().filter(|form| form.part == part).collect()
}

fn trigger() -> impl Strategy<Value = Trigger> {
    let name = prop_oneof!["[A-Za-z ]{1,12}", any::<String>(), Just("Řeka stoupá!".to_owned())];
    (
        select(forms(Part::When)),
        name,
        any::<(bool, bool)>(),
        prop_oneof![Just(String::new()), Just("Trigger: A\nTrigger: B".to_owned()), "[a-z\\n /{}]{0,20}"],
        any::<[Index; 5]>(),
        0..3_usize,
        0..3_usize,
    )
        .prop_flat_map(|(when, name, (once, off), comment, picked, conditions, consequences)| {
            let offered = |part: Part, index: &Index| {
                let forms: Vec<_> = Form::offered(part, when).collect();
                sentence(forms[index.index(forms.len())], Some(when))
            };
            let conditions: Vec<_> = picked[..conditions].iter().map(|index| offered(Part::If, index)).collect();
            let consequences: Vec<_> = picked[2..2 + consequences].iter().map(|index| offered(Part::Then, index)).collect();
            (sentence(when, None), conditions, consequences).prop_map(move |(when, conditions, consequences)| {
                let trigger = Trigger::new(&name, when, conditions, consequences, once).unwrap();
                trigger.with_comment(&comment).switched_off(off)
            })
        })
}

/// Only triggers and blank lines.
fn triggers_of(text: &str) -> Vec<Trigger> {
    let script = TriggerScript::read(text);
    assert_eq!(script.print(), text);
    let is_blank = |part: &ScriptPart| matches!(part, ScriptPart::Script(text) if text.trim().is_empty());
    assert!(
        script
            .parts()
            .iter()
            .all(|part| is_blank(part) || matches!(part, ScriptPart::Trigger(..))),
        "{text}"
    );
    script.triggers().map(|(_, trigger)| trigger.clone()).collect()
}

proptest! {
    #[test]
    fn any_text_is_printed_as_it_was_read(text in any::<String>()) {
        prop_assert_eq!(TriggerScript::read(&text).print(), text);
    }

    #[test]
    fn any_text_made_of_pieces_of_triggers_is_printed_as_it_was_read(
        pieces in proptest::collection::vec(select(&[
            "/// Trigger: A\n", "fn on_turn_a(turn) {\n", "    turn.note(\"x\");\n", "}\n", "}", "\n", "\r\n", "if ", "{ ", "\"", "`", "'",
            "/*", "*/", "//", "turn.once(\"A\")", " && ", "turn.round == 5 ", "🐎", "\\",
        ][..]), 0..30)
    ) {
        let text = pieces.concat();
        prop_assert_eq!(TriggerScript::read(&text).print(), text);
    }

    #[test]
    fn a_printed_trigger_is_read_back(trigger in trigger()) {
        prop_assert_eq!(triggers_of(&trigger.print()), vec![trigger]);
    }

    #[test]
    fn triggers_are_read_back_among_each_other_and_have_functions_of_their_own(all in proptest::collection::vec(trigger(), 0..5)) {
        let mut script = TriggerScript::default();
        for trigger in &all {
            script.push(trigger.clone());
        }
        let text = script.print();
        prop_assert_eq!(triggers_of(&text), all);
        let mut names: Vec<&str> = text.lines().filter_map(|line| line.trim_start_matches("// ").strip_prefix("fn ")?.split('(').next()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), count);
    }

    #[test]
    fn a_replaced_trigger_leaves_all_else_as_it_was(first in trigger(), second in trigger(), script in "[a-z/ \n]{0,20}") {
        let before = format!("// {script}\n\n");
        let after = "\n/// Something else.\nfn helper() { 1 }\n";
        let mut read = TriggerScript::read(&format!("{before}{}{after}", first.print()));
        let found: Vec<usize> = read.triggers().map(|(index, _)| index).collect();
        prop_assert_eq!(found.len(), 1);
        read.replace(found[0], second.clone());
        let printed = read.print();
        prop_assert!(printed.starts_with(&before) && printed.ends_with(after));
        prop_assert_eq!(read.triggers().next().map(|(_, trigger)| trigger.clone()), Some(second));
    }
}

const FORD: &str = "/// Trigger: The ford
fn on_enter_the_ford(turn, piece, cell) {
    if turn.region(\"ford\").contains(cell)
        && piece.owner == turn.seat_named(\"red\")
        && turn.once(\"The ford\")
    {
        turn.create(\"wall\", turn.cell(\"e4\"));
        turn.note(\"The bridge falls.\");
    }
}
";

#[test]
fn a_trigger_reads_as_an_author_would_write_it() {
    let all = triggers_of(FORD);
    assert_eq!(all[0].print(), FORD);
    assert!(all[0].is_once());
    assert_eq!(all[0].conditions()[0].form().id, "is_owned");
}

#[test]
fn edits_by_hand_are_read_back_within_the_form() {
    let edited = FORD
        .replace("\"ford\")", "\"bridge\")")
        .replace("    {\n", "{\n")
        .replace("\n        && piece", " && piece")
        .replace("        turn.note", "\n  turn.note");
    let all = triggers_of(&edited);
    assert_eq!(all[0].when().values(), [FieldValue::Name("bridge".into())]);
    assert_eq!(all[0].consequences().len(), 2);
}

#[test]
fn what_has_left_the_form_is_kept_as_script() {
    use UnreadReason as Why;
    let hook = |name: &str| Why::Hook(name.to_owned());
    for (from, to, told) in [
        (
            "turn.note(\"The bridge falls.\");",
            "turn.note(\"The bridge falls.\"); // at last",
            Some((7, Why::Unknown)),
        ),
        ("turn.create", "let wall = turn.create", Some((6, Why::Consequence))),
        ("piece, cell)", "piece, here)", Some((1, hook("on_enter_the_ford")))),
        ("turn.once(\"The ford\")", "turn.once(\"ford\")", Some((1, Why::Once))),
        ("        && turn.once", "        || turn.once", Some((3, Why::Condition))),
        ("/// Trigger: The ford", "/// The ford", None),
        (
            "fn on_enter_the_ford",
            "fn on_enters_the_ford",
            Some((1, hook("on_enters_the_ford"))),
        ),
        ("piece.owner ==", "piece.kind <", Some((3, Why::Condition))),
    ] {
        let text = FORD.replace(from, to);
        assert_ne!(text, FORD);
        let script = TriggerScript::read(&text);
        assert_eq!((script.triggers().count(), script.print()), (0, text));
        let why = script.parts().iter().find_map(|part| match part {
            ScriptPart::Unread(why, _) => Some((why.line, why.reason.clone())),
            _ => None,
        });
        assert_eq!(why, told);
    }
    let inside = format!("fn helper() {{\n    `\n{FORD}`\n}}\n/*\n{FORD}*/\n");
    assert_eq!(TriggerScript::read(&inside).triggers().count(), 0);
}

#[test]
fn a_condition_about_a_piece_needs_one() {
    let named = |id: &str, values: Vec<FieldValue>| Sentence::new(Form::find(id).unwrap(), values).unwrap();
    let kind = named("is_kind", vec![FieldValue::Name("wall".into())]);
    assert!(Trigger::new("x", named("any_turn", vec![]), vec![kind.clone()], vec![], false).is_err());
    assert!(Trigger::new("x", named("created", vec![]), vec![kind.clone()], vec![], false).is_ok());
    assert!(Trigger::new("x", kind, vec![], vec![], false).is_err());
}

#[test]
fn triggers_are_removed_and_moved() {
    let other = FORD.replace("The ford", "The gate").replace("the_ford", "the_gate");
    let mut script = TriggerScript::read(&format!("// Head.\n\n{FORD}\n{other}// Foot.\n"));
    let second = script.triggers().nth(1).unwrap().0;
    let moved = script.move_to(second, 0);
    assert_eq!(script.triggers().next().unwrap().0, moved);
    assert_eq!(script.print(), format!("// Head.\n\n{other}\n{FORD}// Foot.\n"));
    let first = script.triggers().next().unwrap().0;
    script.remove(first);
    assert_eq!(script.print(), format!("// Head.\n\n{FORD}// Foot.\n"));
}

#[test]
fn a_last_trigger_without_an_end_of_its_line_is_moved_up() {
    let other = FORD.replace("The ford", "The gate").replace("the_ford", "the_gate");
    let mut script = TriggerScript::read(format!("{other}\n{FORD}").trim_end());
    let last = script.triggers().nth(1).unwrap().0;
    script.move_to(last, 0);
    assert_eq!(script.print(), format!("{FORD}\n{other}"));
}

#[test]
fn a_trigger_that_is_commented_out_is_off() {
    let off: String = FORD.lines().map(|line| format!("// {line}\n")).collect();
    let script = TriggerScript::read(&format!("const A = 1;\n\n{off}// Something else.\n"));
    let (index, trigger) = script.triggers().next().unwrap();
    assert!(trigger.is_off());
    assert_eq!((trigger.print(), script.parts()[index].text()), (off.clone(), &*off));
    assert_eq!(trigger.clone().switched_off(false), triggers_of(FORD)[0]);
}

#[test]
fn messages_before_what_triggers_do_move_no_line() {
    let text = format!("{FORD}\n/// Trigger: Dawn\nfn on_round_dawn(turn) {{\n    turn.note(\"{{\");\n}}\n");
    let announced = TriggerScript::read(&text).announcing(|trigger| format!("Trigger: {}", trigger.name()));
    assert_eq!(announced.lines().count(), text.lines().count());
    assert!(announced.contains("    {turn.note(\"Trigger: The ford\");\n"), "{announced}");
    assert!(
        announced.contains("fn on_round_dawn(turn) {turn.note(\"Trigger: Dawn\");\n"),
        "{announced}"
    );
}

#[test]
fn a_comment_behind_the_name_belongs_to_the_trigger() {
    let text = FORD.replace("fn on_enter", "/// It was old.\n///\n/// Nobody mended it.\nfn on_enter");
    let all = triggers_of(&text);
    assert_eq!((all[0].comment(), all[0].print()), ("It was old.\n\nNobody mended it.", text));
}

#[test]
fn numbers_and_seats_are_computed_where_what_they_need_is_there() {
    let text = "/// Trigger: Spoils
fn on_remove_spoils(turn, piece) {
    if turn.seat.next.gold >= turn.seat_named(\"red\").pieces_in_play {
        let side = piece.owner; side.gold += turn.roll(\"2d6\", \"trigger\");
        turn.tension = turn.round;
        turn.give(piece, turn.seat.next);
    }
}
";
    let all = triggers_of(text);
    assert_eq!(all[0].print(), text);
    let computed = |place: SlotPath| match all[0].value(&place) {
        Some(FieldValue::Computed(sentence)) => sentence.form().id,
        _ => "",
    };
    let place = |part, sentence, fields: &[usize]| SlotPath {
        part,
        sentence,
        fields: fields.to_vec(),
    };
    assert_eq!(computed(place(Part::If, 0, &[1])), "next_seat");
    assert_eq!(computed(place(Part::If, 0, &[3])), "pieces_of");
    assert_eq!(computed(place(Part::Then, 0, &[0])), "dice");
    assert_eq!(computed(place(Part::Then, 0, &[2])), "owner");
    let named = FieldValue::Seat(Some("blue".to_owned()));
    let changed = all[0].with_value(&place(Part::If, 0, &[3, 0]), named).unwrap();
    assert_eq!(changed.print(), text.replace("\"red\"", "\"blue\""));
    // On a turn there is no piece whose owner it could be.
    let turn = Sentence::new(Form::find("any_turn").unwrap(), vec![]).unwrap();
    assert_eq!(all[0].with_when(turn).consequences().len(), 1);
}

#[test]
fn every_form_has_its_fields_in_the_texts_of_all_languages() {
    for form in FORMS {
        for language in ["en", "cs"] {
            let text = form.text_in(language);
            for field in form.fields {
                assert!(text.contains(&format!("{{{}}}", field.name)), "{} {language}: {text}", form.id);
            }
            assert_eq!(text.matches('{').count(), form.fields.len(), "{} {language}: {text}", form.id);
        }
        assert_ne!(form.text_in("cs"), form.text, "{} is not translated", form.id);
        assert_eq!(Form::find(form.id), Some(form), "{} names two forms", form.id);
    }
}
