//! What is asked of any rules, with small games.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::sync::Arc;

use boardwright_fixtures::{Race, Rows};
use boardwright_model::{
    Action, ActionId, CellId, CellSet, Declarations, Domain, Fingerprint, KindId, Pick, Refusal, RefusalCode, Rejection, SeatId, State,
    Visibility, ZoneId,
};
use boardwright_rules::{
    Generator, Guidance, Luck, PlayoutBuffers, PlayoutWeights, RandomActionSampler, Rules, Transaction, WeightFor, determinize,
    draw_action, flow, read_action,
};

fn begun() -> (Race, Arc<State>) {
    let rules = Race::default();
    let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(3)));
    flow::begin(&rules, &mut transaction).unwrap();
    let state = transaction.state().clone();
    (rules, state)
}

fn reading(text: &str) -> Result<String, Refusal> {
    let (rules, state) = begun();
    let read = read_action(&rules, &state, SeatId(0), text);
    read.map(|action| rules.notation(&state, &action))
        .map_err(|rejection| rejection.refusal().cloned().unwrap())
}

#[test]
fn every_legal_action_reads_back_from_its_plain_words() {
    let (rules, state) = begun();
    let legal = flow::legal(&rules, &state, SeatId(0)).unwrap();
    assert!(legal.len() >= 2);
    for action in legal {
        let words = rules.notation(&state, &action);
        assert_eq!(read_action(&rules, &state, SeatId(0), &words).unwrap(), action, "{words}");
    }
}

#[test]
fn a_piece_may_be_named_by_its_kind_and_the_action_left_out() {
    let card = reading("play card").unwrap();
    assert!(card.starts_with("play #"));
    assert_eq!(reading("card").unwrap(), card);
    assert_eq!(reading(" RUN ").unwrap(), "run");
}

#[test]
fn what_is_missing_or_too_much_is_said() {
    assert_eq!(reading("play").unwrap_err().code, RefusalCode::Unfinished);
    assert!(reading("run fast").unwrap_err().reason.contains("\"fast\" is too much"));
    let unknown = reading("fly").unwrap_err();
    assert_eq!(unknown.code, RefusalCode::UnknownAction);
    assert!(unknown.reason.contains("run, play, bar"), "{}", unknown.reason);
}

#[test]
fn first_come_random_actions_and_then_every_action_once() {
    let rules = Rows::new(3, 3, 3);
    let state = rules.begun("rb. ... ...").unwrap();
    let seat = state.acting().first().unwrap();
    let (mut sampler, mut generator) = (RandomActionSampler::default(), Generator::new(3));
    let mut next = || sampler.next(&rules, &state, seat, &mut generator).unwrap();
    for _ in 0..10 {
        flow::check(&rules, &state, &next().unwrap()).unwrap();
    }
    let mut rest: Vec<Action> = std::iter::from_fn(next).collect();
    rest.sort_unstable();
    assert_eq!(rest, flow::legal(&rules, &state, seat).unwrap());
}

#[test]
fn a_determinization_has_the_hidden_cards_and_what_is_seen_stays() {
    let rules = Race::default();
    let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(1)));
    flow::begin(&rules, &mut transaction).unwrap();
    let seat = SeatId(0);
    let view = transaction.state().project(&Visibility::new(Some(seat), None));
    let cards = |state: &State| state.pieces().filter(|piece| piece.kind == KindId(1)).count();
    assert_eq!((cards(&view), cards(transaction.state())), (1, 6));
    let world = determinize(&rules, &view, seat, &mut Generator::new(2)).unwrap().unwrap();
    assert_eq!(cards(&world), 6);
    for zone in 0..3 {
        let count = |state: &State| state.zone(ZoneId(zone)).unwrap().count();
        assert_eq!(count(&world), count(&view), "zone {zone}");
        assert_eq!(world.zone(ZoneId(zone)).unwrap().pieces().len(), count(&world));
    }
    assert_eq!(world.digest(), world.digest_from_scratch());
}

/// Rows with a weight for one cell.
struct Weighted(Rows, u32);

impl Rules for Weighted {
    fn declarations(&self) -> &Arc<Declarations> {
        Rules::declarations(&self.0)
    }

    fn fingerprint(&self) -> Fingerprint {
        Rules::fingerprint(&self.0)
    }

    fn domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Domain, Rejection> {
        self.0.domain(state, seat, action, picked)
    }

    fn carry_out(&self, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
        self.0.carry_out(transaction, action)
    }

    fn guidance(&self) -> &dyn Guidance {
        self
    }
}

impl Guidance for Weighted {
    fn playout_weights(&self, state: &Arc<State>, _seat: SeatId, _action: ActionId) -> Result<Option<PlayoutWeights>, Rejection> {
        let cells = CellSet::from_cells(state.board().cell_count(), [CellId(4)]);
        Ok(Some(PlayoutWeights::default().with(WeightFor::Cells(cells), self.1)))
    }
}

#[test]
fn actions_are_sampled_in_proportion_to_their_weight() {
    let rows = Rows::new(3, 3, 3);
    let state = rows.begun("").unwrap();
    let rules = Weighted(rows, 7);
    let (mut generator, mut room) = (Generator::new(1), PlayoutBuffers::default());
    let mut middle = 0;
    for _ in 0..1_600 {
        let action = draw_action(&rules, &state, &mut generator, &mut room).unwrap().unwrap();
        middle += i32::from(action.picks.first() == Some(&Pick::Cell(CellId(4))));
    }
    // A weight of 8 of 16: 800 of 1,600, with a standard deviation of 20.
    assert!((700..900).contains(&middle), "{middle}");
}
