//! The text protocol of a ruleset: the hooks `read_line` and `write_lines`.

use std::sync::Arc;

use rhai::{Array, Dynamic, ImmutableString, Map};

use super::super::api::call_context::CallContext;
use super::super::api::convert;
use super::super::api::handles::{Seat, View};
use super::super::hooks::BoundHook;
use super::ScriptRules;
use boardwright_model::{Action, Draw, Rejection, SeatId, State};
use boardwright_rules::{LineNews, LineRequest, LoginFailure, TextProtocol};

/// The two hooks: one without the other is no protocol.
pub(super) struct TextHooks {
    pub(super) read: BoundHook,
    pub(super) write: BoundHook,
}

fn text_of(map: &Map, key: &str) -> Option<String> {
    let value = map.get(key)?;
    convert::text(value).map(|text| text.to_string())
}

fn has(map: &Map, key: &str) -> bool {
    map.get(key).and_then(|value| value.as_bool().ok()).unwrap_or(false)
}

impl ScriptRules {
    /// What the map of `read_line` asks for; says what it would have to be if it is nothing of the kind.
    fn line_request(&self, seat: Option<SeatId>, map: &Map) -> Result<LineRequest, String> {
        const KEYS: [&str; 9] = ["login", "ready", "leave", "option", "value", "say", "to", "play", "picks"];
        if let Some(other) = map.keys().find(|key| !KEYS.contains(&key.as_str()) && key.as_str() != "again") {
            return Err(format!(
                "a map without the key `{other}`: its keys are {} and again",
                KEYS.join(", ")
            ));
        }
        if let Some(name) = text_of(map, "login") {
            return Ok(LineRequest::Login { name });
        }
        if has(map, "ready") {
            return Ok(LineRequest::Ready);
        }
        if has(map, "leave") {
            return Ok(LineRequest::Leave);
        }
        if let Some(name) = text_of(map, "option") {
            let value = text_of(map, "value").ok_or("a text as `value` of an option")?;
            return Ok(LineRequest::SetOption { name, value });
        }
        if let Some(text) = text_of(map, "say") {
            let to = map.get("to").filter(|to| !to.is_unit());
            let to = to.map(|to| convert::seat_id(to).ok_or("a seat as `to`")).transpose()?;
            return Ok(LineRequest::Say { text, to });
        }
        let name = text_of(map, "play").ok_or("a map with login, ready, leave, option, say or play")?;
        let id = self
            .declarations
            .find_action(&name)
            .ok_or_else(|| format!("a declared action, not `{name}`"))?;
        let seat = seat.ok_or("an action of a client that has a seat")?;
        let none = Map::new();
        let picks = map.get("picks").and_then(convert::map_entries).unwrap_or(none);
        Ok(LineRequest::Play {
            action: convert::action_of(&self.declarations, seat, id, &picks)?,
            is_read_again: has(map, "again"),
        })
    }

    /// What `write_lines` is given.
    fn news_map(&self, state: &State, seat: Option<SeatId>, news: &LineNews) -> Map {
        let of_seat = |seat: SeatId| Dynamic::from(Seat::new(&self.context, seat));
        let text = |text: &str| Dynamic::from(ImmutableString::from(text));
        let or_unit = |seat: Option<SeatId>| seat.map_or(Dynamic::UNIT, of_seat);
        let (what, entries): (&str, Vec<(&str, Dynamic)>) = match news {
            LineNews::LoggedIn => ("logged_in", vec![("seat", or_unit(seat))]),
            LineNews::LoginFailed(why) => {
                let why = match why {
                    LoginFailure::BadName => "bad_name",
                    LoginFailure::NameTaken => "name_taken",
                    LoginFailure::Full => "full",
                };
                ("login_failed", vec![("why", text(why))])
            }
            LineNews::Joined { seat, name } => ("joined", vec![("seat", of_seat(*seat)), ("name", text(name))]),
            LineNews::Left { seat } => ("left", vec![("seat", of_seat(*seat))]),
            LineNews::Said { from, to, text: said } => ("said", vec![("from", of_seat(*from)), ("to", or_unit(*to)), ("text", text(said))]),
            LineNews::Began => ("began", Vec::new()),
            LineNews::Played { before, action, draws } => ("played", self.played(state, (before, seat), action.as_ref(), draws)),
            LineNews::Ended(outcome) => {
                let places: Array = outcome.places.iter().map(|place| Dynamic::from_int(i64::from(*place))).collect();
                (
                    "ended",
                    vec![("places", Dynamic::from_array(places)), ("reason", text(&outcome.reason))],
                )
            }
            LineNews::Refused { line, rule, reason } => {
                let rule = rule.as_deref().map_or(Dynamic::UNIT, text);
                ("refused", vec![("line", text(line)), ("rule", rule), ("reason", text(reason))])
            }
        };
        let entries = entries.into_iter().chain([("what", text(what))]);
        entries.map(|(key, value)| (key.into(), value)).collect()
    }

    fn played(
        &self,
        state: &State,
        (before, seat): (&Arc<State>, Option<SeatId>),
        action: Option<&Action>,
        draws: &[Draw],
    ) -> Vec<(&'static str, Dynamic)> {
        let name = action.and_then(|action| self.declarations.action(action.action));
        let name = name.map_or("", |declared| &*declared.name);
        let picked = action.map(|action| self.picked(state, action.action, &action.picks));
        let draw_map = |draw: &Draw| {
            let result: Array = draw.result.iter().map(|face| Dynamic::from_int(i64::from(*face))).collect();
            let entries = [
                ("purpose", Dynamic::from(ImmutableString::from(&*draw.purpose))),
                ("result", Dynamic::from_array(result)),
            ];
            Dynamic::from_map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
        };
        let draws: Array = draws.iter().map(draw_map).collect();
        let acted = action.map(|action| Dynamic::from(Seat::new(&self.context, action.seat)));
        vec![
            ("seat", acted.unwrap_or(Dynamic::UNIT)),
            ("action", Dynamic::from(ImmutableString::from(name))),
            ("picked", Dynamic::from_map(picked.unwrap_or_default())),
            ("draws", Dynamic::from_array(draws)),
            ("before", Dynamic::from(View::new(&CallContext::showing(Arc::clone(before), seat)))),
        ]
    }
}

impl TextProtocol for ScriptRules {
    fn read_line(&self, state: &Arc<State>, seat: Option<SeatId>, line: &str) -> Result<LineRequest, Rejection> {
        let Some(hooks) = &self.hooks.text else {
            return Ok(LineRequest::Nothing);
        };
        let line = ImmutableString::from(line);
        let value = self.read(state, seat, &hooks.read, (self.view(), line))?;
        if value.is_unit() {
            return Ok(LineRequest::Nothing);
        }
        let map = convert::map_entries(&value).ok_or_else(|| self.wrong_result(&hooks.read, &value))?;
        self.line_request(seat, &map)
            .map_err(|expected| self.expected_result(&hooks.read, &expected))
    }

    fn write_lines(&self, state: &Arc<State>, seat: Option<SeatId>, news: &LineNews) -> Result<Vec<String>, Rejection> {
        let Some(hooks) = &self.hooks.text else { return Ok(Vec::new()) };
        let map = self.news_map(state, seat, news);
        let value = self.read(state, seat, &hooks.write, (self.view(), map))?;
        let lines = convert::list_of(&value, |line| convert::text(line).map(|text| text.to_string()));
        lines.ok_or_else(|| self.wrong_result(&hooks.write, &value))
    }
}
