//! Running a journal again and reporting the first difference.

use std::sync::Arc;

use super::forced_dice::ForcedDice;
use super::matches::{draw_notation, forfeit_notation};
use super::rulebooks::Rulebooks;
use super::{Cause, Event, Journal, Variation};
use boardwright_model::{Draw, Effect, Fingerprint, Seed, State, draw_seed, server_number};
use boardwright_rules::{Generator, Luck, Request, RequestKind, RulesSource, Transaction, agree_draw, flow, forfeit};

/// The first place at which a journal, run again, goes another way.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("event {event} ({notation}): {what}")]
pub struct Difference {
    /// The event, from 0.
    pub event: usize,
    /// Its notation.
    pub notation: Arc<str>,
    /// What differs.
    pub what: String,
}

/// What running a journal again showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many events were run again under their own rules with the same result.
    pub repeated: usize,
    /// How many could only be applied and compared by digest: their rules are not at hand, or they are reloads or changes by
    /// hand.
    pub applied: usize,
}

/// Runs all events of a journal and of its variations again from a setup, under the rules each was made with, as far as their sources are
/// at hand. With the seed of the match its luck is drawn again and compared as well; without it what was drawn is taken from the record.
///
/// # Errors
/// The first difference: in what changed, in luck, or in what an event says about itself (round, notation, rules).
pub fn verify(setup: State, journal: &Journal, sources: &[Arc<dyn RulesSource>], seed: Option<Seed>) -> Result<Verified, Difference> {
    let mut again = Again {
        books: Rulebooks::new(sources),
        transaction: Transaction::new(Arc::new(setup), Luck::Forbidden),
        generator: seed.map(Generator::new),
        seed,
        match_id: journal
            .events()
            .first()
            .and_then(|event| Some(event.luck.as_ref()?.terms.as_ref()?.match_id.clone())),
        knows_position: true,
        rules: None,
        line: Vec::new(),
        forced_dice: ForcedDice::default(),
    };
    let mut verified = Verified::default();
    again.run(journal.events(), journal.variations(), &mut verified)?;
    Ok(verified)
}

/// A match on its way through its journal for a second time.
struct Again {
    /// The events so far.
    line: Vec<Arc<Event>>,
    forced_dice: ForcedDice,
    books: Rulebooks,
    transaction: Transaction,
    /// The luck of the match, if its seed is known.
    generator: Option<Generator>,
    seed: Option<Seed>,
    /// The id of the match, where its luck follows from numbers of its players as well.
    match_id: Option<String>,
    /// Whether it is known how far the generator has come: not behind an event that could not be repeated.
    knows_position: bool,
    rules: Option<Fingerprint>,
}

impl Again {
    /// The same match, to go another way from here.
    fn branch(&self) -> Self {
        Self {
            line: self.line.clone(),
            forced_dice: self.forced_dice.clone(),
            books: self.books.clone(),
            transaction: Transaction::new(Arc::clone(self.transaction.state()), Luck::Forbidden),
            generator: self.generator.clone(),
            match_id: self.match_id.clone(),
            ..*self
        }
    }

    /// Runs the events of a line again, and the variations that leave it.
    fn run(&mut self, events: &[Arc<Event>], variations: &[Variation], verified: &mut Verified) -> Result<(), Difference> {
        let length = self.line.len() + events.len();
        if let Some(stray) = variations
            .iter()
            .find(|variation| !(self.line.len()..=length).contains(&variation.at))
        {
            return Err(Difference {
                event: stray.at,
                notation: Arc::from(""),
                what: format!("a variation begins here, and the line it leaves has {length} events"),
            });
        }
        for event in events.iter().map(Some).chain([None]) {
            for variation in variations.iter().filter(|variation| variation.at == self.line.len()) {
                self.branch().run(&variation.events, &variation.variations, verified)?;
            }
            let Some(event) = event else { break };
            let index = self.line.len();
            self.step(index, event, verified).map_err(|what| Difference {
                event: index,
                notation: Arc::clone(&event.notation),
                what,
            })?;
        }
        Ok(())
    }

    fn step(&mut self, index: usize, event: &Arc<Event>, verified: &mut Verified) -> Result<(), String> {
        self.check_order(index, event)?;
        let is_repeated = self.repeat(event)?;
        self.forced_dice.push(event);
        self.line.push(Arc::clone(event));
        if is_repeated {
            verified.repeated += 1;
        } else {
            self.apply(event)?;
            self.force_dice(event);
            verified.applied += 1;
        }
        let digest = self.transaction.state().digest();
        if digest != event.digest {
            return Err(format!("the digest is {digest:016x}, recorded was {:016x}", event.digest));
        }
        Ok(())
    }

    /// What an event says of itself has to follow from those before it.
    fn check_order(&mut self, index: usize, event: &Event) -> Result<(), String> {
        if (index == 0) != matches!(event.cause, Cause::Begin) {
            return Err("a match has one beginning, and that comes first".to_owned());
        }
        let rules = self.rules.replace(event.fingerprint);
        let is_reload = matches!(event.cause, Cause::Reload { .. });
        if let Some(rules) = rules.filter(|rules| !is_reload && *rules != event.fingerprint) {
            let (rules, recorded) = (rules.short(), event.fingerprint.short());
            return Err(format!("the rules {rules} are in force, recorded was {recorded}"));
        }
        let Some(generator) = self.generator.as_mut().filter(|_| self.match_id.is_none()) else {
            return Ok(());
        };
        if self.knows_position && generator.position() != event.generator {
            let (now, then) = (generator.position(), event.generator);
            return Err(format!("the generator is at {now}, recorded was {then}"));
        }
        generator.set_position(event.generator);
        Ok(())
    }

    /// Runs an event again. Returns whether it could be: it is no reload and no edit, and its rules are at hand.
    fn repeat(&mut self, event: &Event) -> Result<bool, String> {
        if matches!(event.cause, Cause::Reload { .. }) || event.is_manual_edit() {
            return Ok(false);
        }
        let transaction = &mut self.transaction;
        let rules = self.books.rules(&event.fingerprint, transaction.state());
        let Some(rules) = rules.map_err(|fault| fault.to_string())? else {
            return Ok(false);
        };
        let _request = Request::begin(&*rules, RequestKind::Replay);
        let round = transaction.state().sequence().mark.round.max(1);
        if round != event.round {
            return Err(format!("it is round {round}, recorded was {}", event.round));
        }
        let notation: Arc<str> = match &event.cause {
            Cause::Action(action) => rules.notation(transaction.state(), action).into(),
            Cause::Forfeit { why, .. } => forfeit_notation(*why),
            Cause::Draw => draw_notation(),
            _ => Arc::default(),
        };
        if notation != event.notation {
            return Err(format!("the rules write it as {notation:?}"));
        }
        transaction.set_luck(match (&self.generator, &self.match_id, &event.luck) {
            (Some(_), Some(match_id), Some(luck)) => {
                let server = server_number(self.seed.unwrap_or_default(), luck.index);
                Luck::Roll(Generator::new(draw_seed(match_id, luck.index, server, &luck.numbers)))
            }
            (Some(generator), _, _) => Luck::Roll(generator.clone()),
            (None, _, _) => Luck::Replay(event.draws.iter().map(|draw| draw.result.to_vec()).collect()),
        });
        let run = match &event.cause {
            Cause::Action(action) => flow::perform(&*rules, transaction, action),
            Cause::Forfeit { seat, why } => forfeit(&*rules, transaction, *seat, *why),
            Cause::Draw => agree_draw(transaction),
            _ => flow::begin_scenario(&*rules, transaction),
        };
        run.map_err(|rejection| rejection.to_string())?;
        if let Luck::Roll(rolled) = transaction.set_luck(Luck::Forbidden)
            && self.match_id.is_none()
        {
            self.generator = Some(rolled);
        }
        self.knows_position = true;
        let (effects, draws) = transaction.take_record();
        compare(transaction.state(), (&effects, &event.effects), (&draws, &event.draws))?;
        Ok(true)
    }

    /// Forces the dice of the newest event, which was not run again, without those that came in it.
    fn force_dice(&mut self, event: &Event) {
        let is_about_dice = matches!(event.cause, Cause::Dice { .. }) || !event.draws.is_empty();
        if let Some(generator) = self.generator.as_mut().filter(|_| is_about_dice) {
            generator.force_dice(self.forced_dice.after(self.line.len()));
        }
    }

    /// Applies what an event that cannot be run again is said to have changed.
    fn apply(&mut self, event: &Event) -> Result<(), String> {
        let brings = |effect: &Effect| matches!(effect, Effect::Rules { new, .. } if *new == event.fingerprint);
        let is_reload = matches!(event.cause, Cause::Reload { .. });
        if is_reload && !event.effects.iter().any(brings) {
            return Err("the rules it names are not those it brings".to_owned());
        }
        // A change of rules draws nothing, and dice that are laid change nothing.
        let draws_nothing = is_reload || matches!(event.cause, Cause::Dice { .. });
        self.knows_position &= draws_nothing;
        if draws_nothing && !event.draws.is_empty() {
            return Err("nothing is drawn for it".to_owned());
        }
        if matches!(event.cause, Cause::Dice { .. }) && !event.effects.is_empty() {
            return Err("dice that are laid change nothing".to_owned());
        }
        self.transaction.replay(&event.effects).map_err(|error| error.to_string())?;
        if is_reload && self.transaction.state().sequence().mark.round.max(1) != event.round {
            return Err(format!("recorded was round {}", event.round));
        }
        Ok(())
    }
}

/// Compares effects and draws, as they are now, with those that were recorded.
fn compare(state: &State, effects: (&[Effect], &[Effect]), draws: (&[Draw], &[Draw])) -> Result<(), String> {
    let text = |draw: Option<&Draw>| {
        draw.map_or_else(
            || "nothing".to_owned(),
            |draw| {
                let result: Vec<String> = draw.result.iter().map(ToString::to_string).collect();
                format!("{} for {}: {}", draw.kind, draw.purpose, result.join(", "))
            },
        )
    };
    let longest = draws.0.len().max(draws.1.len());
    if let Some(index) = (0..longest).find(|index| draws.0.get(*index) != draws.1.get(*index)) {
        let (now, then) = (text(draws.0.get(index)), text(draws.1.get(index)));
        return Err(format!("luck gives {now}; recorded was {then}"));
    }
    let mut pairs = effects.0.iter().zip(effects.1).enumerate();
    if let Some((index, (now, then))) = pairs.find(|(_, (now, then))| now != then) {
        let (now, then) = (state.effect_text(now), state.effect_text(then));
        return Err(format!("change {}: {now}; recorded was: {then}", index + 1));
    }
    if effects.0.len() != effects.1.len() {
        return Err(format!("{} things change, recorded were {}", effects.0.len(), effects.1.len()));
    }
    Ok(())
}
