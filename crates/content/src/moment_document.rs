//! The element `<moment>` of a scenario: where a match goes on that does not begin at its beginning.

use boardwright_model::{MomentPiece, MomentTerrain, MomentValue, MomentZone, SetupMoment, SetupTarget, Value};

use super::scenario_document::TARGET;
use super::xml::{Fields, List, Notation, Number, Text};

/// A value as the protocol writes it.
const JSON: Notation<Value> = Notation {
    expected: "a value as JSON",
    parse: |text| serde_json::from_str(text).ok(),
    print: |value| serde_json::to_string(value).unwrap_or_default(),
};

pub(super) fn describe(fields: &mut Fields<'_>, moment: &mut SetupMoment) {
    fields.required("round", &Number(1, u32::MAX.into()), &mut moment.round);
    fields.required("turn", &Number(1, u32::MAX.into()), &mut moment.turn);
    fields.optional("seat", &Text::Name, &mut moment.seat);
    fields.optional("turn_name", &Text::Name, &mut moment.turn_name);
    fields.required("phase", &Text::Name, &mut moment.phase);
    fields.optional("first", &Text::Name, &mut moment.first);
    fields.default("closed", &List::Filled, &mut moment.closed);
    fields.default("out", &List::Filled, &mut moment.out);
    fields.list("terrain", &mut moment.terrains, |fields, MomentTerrain { terrain, cells }| {
        fields.required("terrain", &Text::Name, terrain);
        fields.required("at", &List::Filled, cells);
    });
    fields.list("order", &mut moment.zones, |fields, MomentZone { zone, owner, pieces }| {
        fields.required("zone", &Text::Name, zone);
        fields.optional("zone_owner", &Text::Name, owner);
        fields.required("pieces", &NUMBERS, pieces);
    });
    fields.list("piece", &mut moment.pieces, |fields, MomentPiece { piece, shown_to }| {
        fields.required("number", &ANY, piece);
        fields.default("shown_to", &List::Filled, shown_to);
    });
    fields.list("value", &mut moment.values, |fields, value: &mut MomentValue| {
        let mut target = Some(value.target.clone()).filter(|_| value.piece.is_none());
        fields.optional("piece", &ANY, &mut value.piece);
        fields.optional("of", &TARGET, &mut target);
        value.target = target.unwrap_or(SetupTarget::Match);
        fields.required("name", &Text::Name, &mut value.name);
        fields.required("json", &JSON, &mut value.value);
    });
}

const ANY: Number = Number(0, u32::MAX as i64);

/// Numbers of pieces, with blanks between them.
const NUMBERS: Notation<Vec<u32>> = Notation {
    expected: "numbers of pieces, from 0",
    parse: |text| text.split_whitespace().map(|number| number.parse().ok()).collect(),
    print: |numbers| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
};
