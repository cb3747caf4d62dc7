//! Pieces of scenarios under the pointer: dragged from the palette, on the board, to zones and back.

use std::path::Path;

use crate::editor::{cell, text, with_file};
use crate::support::{Window, farm, own_content};
use egui::{Key, Modifiers};

const CROSSING: &str = "maps/river-crossing/standard.scenario.xml";
const FARM: &str = "maps/farm/standard.scenario.xml";

fn saved(window: &mut Window, root: &Path, file: &str) -> String {
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    text(root, file)
}

#[test]
fn a_piece_is_dragged_from_the_palette_for_its_owner() {
    let content = own_content();
    let mut window = with_file(content.path(), CROSSING);
    window.clicks("Pieces of Blue").sees("e5, ");
    let (from, to) = (window.rect_of("Piece Guard").center(), cell(&mut window, "e5"));
    window.drags(from, to).sees("blue guard");
    let map = saved(&mut window, content.path(), CROSSING);
    assert!(map.contains(r#"<pieces kind="guard" owner="blue" at="f3 e5"/>"#), "{map}");
    window.presses(Modifiers::COMMAND, Key::Z);
    window.no_longer_sees("e5, Clear, blue guard");
}

#[test]
fn a_piece_is_dragged_on_the_board() {
    for (file, from, to, piece) in [
        (CROSSING, "f7", "f5", "red guard"),
        ("maps/sixteen-soldiers/standard.scenario.xml", "c4", "c5", "red soldier"),
    ] {
        let content = own_content();
        let mut window = with_file(content.path(), file);
        let (start, end) = (cell(&mut window, from), cell(&mut window, to));
        window.drags(start, end);
        window.clicks_field("History").sees("1. Pieces");
        let labels = window.labels();
        let is_there = |name: &str| {
            labels
                .lines()
                .any(|label| label.starts_with(&format!("{name}, ")) && label.contains(piece))
        };
        assert!(is_there(to) && !is_there(from), "{labels}");
        // Where it is let go beside the board, it stays.
        let beside = window.rect_of("Numbers").center();
        window.drags(end, beside);
        assert!(!window.shows("2. Pieces"));
    }
}

#[test]
fn several_pieces_are_selected_and_move_together() {
    let content = own_content();
    let mut window = with_file(content.path(), CROSSING);
    window.presses(Modifiers::NONE, Key::S);
    let (from, to) = (cell(&mut window, "e7"), cell(&mut window, "f7"));
    window.drags(from, to).sees("2 pieces").presses(Modifiers::NONE, Key::V);
    let up = cell(&mut window, "e5");
    window.drags(from, up);
    let map = saved(&mut window, content.path(), CROSSING);
    assert!(map.contains(r#"<pieces kind="guard" owner="red" at="f5"/>"#), "{map}");
    assert!(map.contains(r#"<pieces kind="artillery" owner="red" at="e5"/>"#), "{map}");
    // One of them would leave the board: none moves.
    let corner = cell(&mut window, "k1");
    window.drags(up, corner).clicks("History").sees("1. Pieces");
    assert!(!window.shows("2. Pieces"));
    window.clicks("Properties").clicks_field("Owner").clicks_field("Blue");
    let map = saved(&mut window, content.path(), CROSSING);
    assert!(map.contains(r#"<pieces kind="artillery" owner="blue" at="e5"/>"#), "{map}");
    window.presses(Modifiers::NONE, Key::Delete);
    let map = saved(&mut window, content.path(), CROSSING);
    assert!(!map.contains("e5") && !map.contains("f5"), "{map}");
}

#[test]
fn pieces_are_put_into_zones_and_taken_out_again() {
    let content = own_content();
    farm::lies_in(content.path());
    let mut window = with_file(content.path(), FARM);
    window.sees("Barn (Hill)").sees("Barn (Hill): Hay");
    let (field, barn) = (cell(&mut window, "d2"), window.rect_of_containing("Barn (Dale)").center());
    window.drags(field, barn).sees("Barn (Dale): Hen");
    let hay = window.rect_of("Barn (Hill): Hay").center();
    window.drags(hay, field).sees("d2, hay").no_longer_sees("Barn (Hill): Hay");
    window
        .clicks("Piece Maize")
        .clicks("Pieces of Dale")
        .clicks("Add a piece to Market")
        .sees("Market: Maize");
    let file = saved(&mut window, content.path(), FARM);
    assert!(
        file.contains(r#"<piece kind="hen" owner="dale" zone="barn" zone_owner="dale"/>"#),
        "{file}"
    );
    assert!(file.contains(r#"<piece kind="maize" owner="dale" zone="market"/>"#), "{file}");
    window
        .clicks("Market: Maize")
        .sees("Maize, market")
        .presses(Modifiers::NONE, Key::Delete);
    window.no_longer_sees("Market: Maize");
}

#[test]
fn of_several_pieces_on_a_cell_each_can_be_taken() {
    let content = own_content();
    farm::lies_in(content.path());
    let mut window = with_file(content.path(), FARM);
    let field = cell(&mut window, "a1");
    window.clicks_place(field, Modifiers::NONE).sees("3 pieces here").sees("Hen, a1");
    window
        .clicks_place(field, Modifiers::NONE)
        .clicks_place(field, Modifiers::NONE)
        .sees("Ox, a1");
    window.clicks("3. Hen").sees("Hen, a1");
    let beside = cell(&mut window, "b1");
    window.drags(field, beside).sees("b1, dale hen").sees("a1, hill ox");
    window.clicks_place(field, Modifiers::NONE).sees("2 pieces here");
}

#[test]
fn a_piece_with_a_shape_is_placed_in_its_pose_and_only_where_it_fits() {
    let content = own_content();
    let file = "maps/cornered/standard.scenario.xml";
    let mut window = with_file(content.path(), file);
    window.clicks("Pieces of Red").clicks_containing("Piece Small corner");
    let (inside, edge) = (cell(&mut window, "e5"), cell(&mut window, "t20"));
    window.clicks_place(edge, Modifiers::NONE);
    window
        .clicks("Rotate")
        .clicks_place(inside, Modifiers::NONE)
        .sees("e5, Plain, red small corner");
    let text = saved(&mut window, content.path(), file);
    assert!(text.contains(r#"at="e5" pose="90""#) && !text.contains("t20"), "{text}");
    window.presses(Modifiers::SHIFT, Key::T);
    let text = saved(&mut window, content.path(), file);
    assert!(text.contains(r#"at="e5" pose="180""#), "{text}");
    window.clicks_field("Pose").clicks_field("0");
    let text = saved(&mut window, content.path(), file);
    assert!(text.contains(r#"at="e5" pose="0""#), "{text}");
    // Dragged over the edge it stays where it is.
    window.presses(Modifiers::NONE, Key::V).drags(inside, edge);
    assert_eq!(saved(&mut window, content.path(), file), text);
}

#[test]
fn seats_players_options_and_values_are_fields_of_a_scenario() {
    let content = own_content();
    let mut window = with_file(content.path(), CROSSING);
    window
        .sees("Seats")
        .clicks_field("Player of Blue")
        .clicks_field("Computer, level 4");
    window
        .clicks_field("Reinforcements")
        .writes_field("Rounds", "12")
        .presses(Modifiers::NONE, Key::Enter);
    window.sees("Rounds: reset to default");
    let text = saved(&mut window, content.path(), CROSSING);
    assert!(text.contains(r#"<player seat="blue" plays="search:4"/>"#), "{text}");
    assert!(text.contains(r#"<option name="rounds" value="12"/>"#), "{text}");
    assert!(text.contains(r#"<option name="reinforcements" value="false"/>"#), "{text}");
    // 30 rounds are the most.
    window.writes_field("Rounds", "99").presses(Modifiers::NONE, Key::Enter);
    let text = saved(&mut window, content.path(), CROSSING);
    assert!(text.contains(r#"<option name="rounds" value="30"/>"#), "{text}");
    window
        .clicks_field("Rounds: reset to default")
        .no_longer_sees("Rounds: reset to default");
    // What a scenario says of a cell, of an edge and of a piece.
    let piece = cell(&mut window, "f7");
    window
        .clicks_place(piece, Modifiers::NONE)
        .sees("Cell f7")
        .clicks_field("Held by")
        .clicks_field("Red");
    window
        .clicks_field("Bridge to g7")
        .sees("Bridge to g7: reset to default")
        .clicks_field("Reduced")
        .sees("Reduced: reset to default");
    let text = saved(&mut window, content.path(), CROSSING);
    assert!(text.contains(r#"<property of="cell:f7" name="holder" value="red"/>"#), "{text}");
    assert!(text.contains(r#"<property of="edge:f7-g7" name="bridge" value="true"/>"#), "{text}");
    assert!(text.contains(r#"name="is_reduced" value="true""#), "{text}");
    window
        .clicks_field("Bridge to g7: reset to default")
        .no_longer_sees("Bridge to g7: reset to default");
}

#[test]
fn numbers_tell_what_each_seat_has() {
    let content = own_content();
    let mut window = with_file(content.path(), CROSSING);
    window.clicks("Numbers").sees("What each seat has").sees("Where seats begin");
    for kind in ["Infantry", "Cavalry", "Guard", "Artillery"] {
        window.sees(kind);
    }
}

#[test]
fn a_seat_that_leaves_a_scenario_takes_its_player_along() {
    let content = own_content();
    let file = "maps/conquest/standard.scenario.xml";
    let mut window = with_file(content.path(), file);
    window.sees("Player of Green");
    window.clicks_field("Green").no_longer_sees("Player of Green");
    let text = saved(&mut window, content.path(), file);
    assert!(text.contains(r#"seats="red blue""#) && !text.contains(r#"seat="green""#), "{text}");
    window.clicks_field("Green").sees("Player of Green");
}

#[test]
fn a_piece_is_put_aboard_another_and_taken_ashore() {
    let content = own_content();
    farm::lies_in(content.path());
    let mut window = with_file(content.path(), FARM);
    let field = cell(&mut window, "a1");
    window
        .clicks_place(field, Modifiers::NONE)
        .sees("3. Hen")
        .clicks("Put the selected pieces aboard 1. Ox");
    window.sees("Hen, aboard ox").sees("a1, hill ox, hill hen");
    let text = saved(&mut window, content.path(), FARM);
    assert!(text.contains(r#"<piece kind="ox" owner="hill" name="ox" at="a1"/>"#), "{text}");
    assert!(text.contains(r#"<piece kind="hen" owner="dale" aboard="ox"/>"#), "{text}");
    // It goes with its carrier.
    window.clicks("1. Ox");
    let beside = cell(&mut window, "c1");
    window
        .drags(field, beside)
        .sees("c1, hill ox")
        .clicks("2. Hen")
        .clicks("Unload Hen")
        .sees("c1, hill ox, dale hen");
    window.clicks("1. Ox");
    assert!(window.shows("Put the selected pieces aboard 2. Hen"));
}
