//! A player's part in luck that can be verified: the numbers that are given when they are asked for, and a check of everything that is drawn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use boardwright_model::{
    LuckNumber, LuckRecord, LuckTerms, NumberChain, SeatId, Seed, Sentence, action_commitment, seed_commitment, sentence, server_number,
};
use boardwright_protocol::{Command, FromHost, Notice, Reply, SeatEvent};

/// What a player keeps of the luck of a match: the secret of the numbers, and how far they were given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuckSecret {
    /// The secret of the chain. Nobody else may know it.
    pub secret: LuckNumber,
    /// What the host had committed to its seed with when the seat was taken.
    pub committed: LuckNumber,
    /// The newest number that was asked for, by index, and what the host had committed to then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<(u32, LuckNumber)>,
}

/// Keeps a secret whenever a number of it was given, before it is.
pub type KeepSecret = Box<dyn FnMut(&LuckSecret) + Send>;

/// The luck of a seat of this client.
struct Own {
    kept: LuckSecret,
    chain: NumberChain,
    keep: KeepSecret,
}

/// What a message of the host calls for.
#[derive(Debug, Default)]
pub struct LuckReaction {
    /// What is to be sent.
    pub requests: Vec<Command>,
    /// What the player is to be told.
    pub messages: Vec<Sentence>,
}

/// Takes a player's part in the luck of a match. It sees every message of the host before anybody else, answers those that ask for numbers, and checks that
/// what is drawn follows from them.
pub struct LuckWatch {
    own: Vec<Own>,
    terms: Option<LuckTerms>,
    record: Option<LuckRecord>,
    /// What the host had committed to before it was given numbers.
    commitments: BTreeMap<u32, LuckNumber>,
    /// The numbers of the host that were seen.
    seen: BTreeMap<u32, LuckNumber>,
    draws: usize,
    /// The newest event in which something was drawn: its position and index, and the seat that was told of it first.
    last: Option<((usize, u32), Option<SeatId>)>,
    /// Whether something was wrong: what follows from it is not told as well.
    is_wrong: bool,
    asks_for_seed: bool,
}

impl std::fmt::Debug for LuckWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LuckWatch({} seats)", self.own.len())
    }
}

impl LuckWatch {
    /// A watch for whoever has these secrets; without any it checks what others do.
    pub fn new(secrets: Vec<(LuckSecret, KeepSecret)>) -> Self {
        let own = secrets.into_iter().map(|(kept, keep)| Own {
            chain: NumberChain::new(kept.secret),
            kept,
            keep,
        });
        Self {
            own: own.collect(),
            terms: None,
            record: None,
            commitments: BTreeMap::new(),
            seen: BTreeMap::new(),
            draws: 0,
            last: None,
            is_wrong: false,
            asks_for_seed: false,
        }
    }

    /// Handles what the host sent.
    pub fn handle(&mut self, message: &FromHost) -> LuckReaction {
        let mut reaction = LuckReaction::default();
        match message {
            FromHost::Notice(Notice::Reveal { index, commitment, heads }) => {
                let numbers = heads
                    .iter()
                    .map(|head| self.number(*head, *index, *commitment, &mut reaction))
                    .collect();
                self.commitments.entry(*index).or_insert(*commitment);
                reaction.requests.push(Command::Reveal { index: *index, numbers });
            }
            FromHost::Answer(answer) => {
                if let Reply::Description(description) = &answer.reply {
                    self.learn_terms(description.luck.as_ref(), &mut reaction);
                    if let (Some(seed), true) = (description.seed, self.terms.is_some()) {
                        self.check_seed(seed, &mut reaction);
                    }
                }
            }
            FromHost::Notice(Notice::Event(event)) => self.check_event(event, &mut reaction),
            FromHost::Notice(_) => {}
        }
        reaction
    }

    /// The next number of a chain, if it is asked for as was agreed on.
    fn number(&mut self, head: LuckNumber, index: u32, commitment: LuckNumber, reaction: &mut LuckReaction) -> Option<LuckNumber> {
        let own = self.own.iter_mut().find(|own| own.chain.head() == head)?;
        let is_next = match own.kept.asked {
            None => index == 0,
            Some((newest, known)) => (index == newest && commitment == known) || Some(index) == newest.checked_add(1),
        };
        if !is_next {
            reaction.messages.push(match own.kept.asked {
                Some((newest, _)) if newest == index => sentence!(
                    "number {index} of your luck is asked for again, for another action: whoever runs the server may have known what it would bring. It is not given"
                ),
                _ => sentence!("number {index} of your luck is asked for, and it is not the next one. It is not given"),
            });
            self.is_wrong = true;
            return None;
        }
        own.kept.asked = Some((index, commitment));
        (own.keep)(&own.kept);
        own.chain.number(index)
    }

    fn learn_terms(&mut self, terms: Option<&LuckTerms>, reaction: &mut LuckReaction) {
        if self.terms.as_ref() == terms && (terms.is_some() || self.own.is_empty()) {
            return;
        }
        let is_known = self.terms.is_some();
        let has = |own: &Own| terms.is_some_and(|terms| terms.seed == own.kept.committed && terms.heads.contains(&Some(own.chain.head())));
        if is_known || !self.own.iter().all(has) {
            self.tell(
                sentence!("what the luck of this match follows from is not what was agreed on before it began"),
                reaction,
            );
        }
        self.record = terms.map(LuckRecord::of_late_comer);
        self.terms = terms.cloned();
    }

    /// Tells of the first thing that is wrong.
    fn tell(&mut self, message: Sentence, reaction: &mut LuckReaction) {
        if !std::mem::replace(&mut self.is_wrong, true) {
            reaction.messages.push(message);
        }
    }

    fn check_event(&mut self, event: &SeatEvent, reaction: &mut LuckReaction) {
        let (Some(terms), Some(record)) = (&self.terms, &mut self.record) else {
            return;
        };
        let ends = event.outcome.is_some();
        let wrong: Option<String> = match &event.luck {
            None if event.draws.is_empty() => None,
            None => Some(sentence!("it has no numbers of the players").into()),
            // A client with several seats is told of the event for each.
            Some(luck)
                if self
                    .last
                    .is_some_and(|(at, viewer)| at == (event.at, luck.numbers.index) && viewer != event.seat) =>
            {
                None
            }
            Some(luck) => {
                let index = luck.numbers.index;
                self.last = Some(((event.at, index), event.seat));
                let is_left_out = self.own.iter().any(|own| {
                    let seat = terms.heads.iter().position(|head| *head == Some(own.chain.head()));
                    let given = own.kept.asked.filter(|(asked, _)| *asked == index);
                    let number = seat.and_then(|seat| luck.numbers.numbers.get(seat).copied().flatten());
                    given.is_some() && number != own.chain.number(index)
                });
                let added = record.add(&luck.numbers);
                let other_action = || {
                    let committed = self.commitments.get(&index)?;
                    let action = serde_json::to_string(event.action.as_ref()?).ok()?;
                    Some(action_commitment(luck.host?, &action) != *committed)
                };
                let wrong_draw = || luck.numbers.find_wrong_draw(&terms.match_id, luck.host?, &event.draws);
                let wrong = match added {
                    Err(fault) => Some(fault.to_string()),
                    Ok(()) if is_left_out => Some(sentence!("the number that you have given was left out").into()),
                    Ok(()) if other_action() == Some(true) => Some(
                        sentence!("it is another action than the one that was committed to, or the number of the server is another").into(),
                    ),
                    Ok(()) => {
                        wrong_draw().map(|draw| sentence!("draw {number} does not follow from the numbers", number = draw + 1).into())
                    }
                };
                if let Some(host) = luck.host {
                    self.seen.insert(index, host);
                    self.draws += event.draws.len();
                }
                wrong
            }
        };
        if let Some(why) = wrong {
            let place = event.entry.event;
            self.tell(
                sentence!("what was drawn in event {place} is not as was agreed on: {why}"),
                reaction,
            );
        }
        if ends && !std::mem::replace(&mut self.asks_for_seed, true) {
            reaction.requests.push(Command::Describe);
        }
    }

    /// Checks the seed, which is told when the match has ended.
    fn check_seed(&mut self, seed: Seed, reaction: &mut LuckReaction) {
        let Some(terms) = &self.terms else { return };
        let follow = |(index, host): (&u32, &LuckNumber)| server_number(seed, *index) == *host;
        if terms.seed != seed_commitment(seed) || !self.seen.iter().all(follow) {
            self.tell(
                sentence!("the seed of this match is not the one that the server had committed to"),
                reaction,
            );
        } else if self.asks_for_seed && !self.is_wrong {
            reaction.messages.push(sentence!(
                "the luck of this match was as agreed on: {count} draws were checked while it was played, and the seed is the one that the server had committed to",
                count = self.draws
            ));
        }
        self.asks_for_seed = false;
    }
}

#[cfg(test)]
mod tests {
    use boardwright_model::{Action, ActionId, Draw, DrawKind, EventLuck, Generator, Picks, draw_seed};
    use boardwright_protocol::{Answer, HistoryEntry, SeatLuck};

    use super::*;

    const SEED: Seed = Seed::Secret([8; 32]);

    /// A server that is honest, unless a test makes it otherwise.
    struct Host {
        watch: LuckWatch,
        chains: [NumberChain; 2],
        terms: LuckTerms,
    }

    fn secret(number: u8) -> LuckSecret {
        LuckSecret {
            secret: LuckNumber([number; 32]),
            committed: seed_commitment(SEED),
            asked: None,
        }
    }

    fn action(number: u8) -> Action {
        Action {
            seat: SeatId(0),
            action: ActionId(number),
            picks: Picks::new(),
        }
    }

    impl Host {
        fn new() -> Self {
            let chains = [1, 2].map(|number| NumberChain::new(LuckNumber([number; 32])));
            Self {
                watch: LuckWatch::new(vec![(secret(1), Box::new(|_| {}))]),
                terms: LuckTerms {
                    match_id: "match".to_owned(),
                    seed: seed_commitment(SEED),
                    heads: chains.iter().map(|chain| Some(chain.head())).collect(),
                },
                chains,
            }
        }

        /// A match that has begun, with its description read.
        fn begun() -> Self {
            let mut host = Self::new();
            assert!(host.asks(0, "begin").is_some());
            assert_eq!(host.describes(None), Vec::<String>::new());
            host
        }

        fn says(&mut self, message: &FromHost) -> LuckReaction {
            self.watch.handle(message)
        }

        /// Asks for a number; gives what was answered.
        fn asks(&mut self, index: u32, action: &str) -> Option<LuckNumber> {
            let reaction = self.says(&FromHost::Notice(Notice::Reveal {
                index,
                commitment: action_commitment(server_number(SEED, index), action),
                heads: vec![self.chains[0].head()],
            }));
            let [Command::Reveal { numbers, .. }] = reaction.requests.as_slice() else {
                panic!("no answer")
            };
            numbers[0]
        }

        fn describes(&mut self, seed: Option<Seed>) -> Vec<String> {
            let text = include_str!("../../../docs/protocol.md");
            let line = text.lines().find(|line| line.contains(r#""reply": "description""#)).unwrap();
            let mut answer: Answer = serde_json::from_str(line).unwrap();
            if let Reply::Description(description) = &mut answer.reply {
                description.luck = Some(self.terms.clone());
                description.seed = seed;
            }
            let reaction = self.says(&FromHost::Answer(answer));
            reaction.messages.into_iter().map(String::from).collect()
        }

        fn event(&self, index: u32) -> SeatEvent {
            let numbers: Vec<_> = self.chains.iter().map(|chain| chain.number(index)).collect();
            let kind = DrawKind::Dice { count: 3, sides: 6 };
            let result = Generator::new(draw_seed("match", index, server_number(SEED, index), &numbers)).draw(&kind);
            SeatEvent {
                seat: None,
                at: index as usize + 1,
                entry: HistoryEntry {
                    event: index as usize,
                    round: 1,
                    seat: None,
                    cause: boardwright_protocol::EntryCause::Action,
                    notation: "roll".into(),
                    plain: None,
                    sentence: "".into(),
                    contest: None,
                    cell: None,
                    remarks: Vec::new(),
                    next_turn: Vec::new(),
                },
                action: Some(action(1)),
                draws: vec![Draw {
                    kind,
                    purpose: "test".into(),
                    result: result.into(),
                    next_turn: None,
                }],
                luck: Some(SeatLuck {
                    host: Some(server_number(SEED, index)),
                    numbers: EventLuck {
                        index,
                        numbers,
                        terms: None,
                    },
                }),
                effects: Vec::new(),
                position: 0,
                outcome: None,
            }
        }

        /// What the player is told of an event.
        fn plays(&mut self, event: SeatEvent) -> Vec<String> {
            let reaction = self.says(&FromHost::Notice(Notice::Event(Box::new(event))));
            reaction.messages.into_iter().map(String::from).collect()
        }
    }

    fn text(action: &Action) -> String {
        serde_json::to_string(action).unwrap()
    }

    #[test]
    fn an_honest_server_is_told_each_number_and_nothing_is_wrong() {
        let mut host = Host::begun();
        for index in 1..4 {
            let given = host.asks(index, &text(&action(1)));
            assert_eq!(given, host.chains[0].number(index));
            // Asked again, as after a lost connection, it gives the same.
            assert_eq!(host.asks(index, &text(&action(1))), given);
            let event = host.event(index);
            assert_eq!(host.plays(event), Vec::<String>::new());
        }
        let mut last = host.event(4);
        host.asks(4, &text(&action(1)));
        last.outcome = serde_json::from_str(r#"{"places": [1, 2], "rule": "1", "reason": ""}"#).unwrap();
        assert_eq!(host.plays(last), Vec::<String>::new());
        let told = host.describes(Some(SEED));
        assert!(told[0].contains("as agreed on: 4 draws"), "{told:?}");
    }

    /// What the player is told of the first event when it is not what it should be.
    fn told_of(change: impl FnOnce(&mut SeatEvent)) -> String {
        let mut host = Host::begun();
        host.asks(1, &text(&action(1)));
        let mut event = host.event(1);
        change(&mut event);
        host.plays(event).join("; ")
    }

    #[test]
    fn whatever_a_server_changes_is_noticed_at_once() {
        let changed = |event: &mut SeatEvent| {
            let other = event.draws[0].result.iter().map(|face| face % 6 + 1).collect();
            event.draws[0].result = other;
        };
        assert!(told_of(changed).contains("draw 1 does not follow"));
        assert!(told_of(|event| event.luck = None).contains("no numbers of the players"));
        let luck = |event: &mut SeatEvent, change: &dyn Fn(&mut SeatLuck)| change(event.luck.as_mut().unwrap());
        assert!(told_of(|event| luck(event, &|luck| luck.numbers.numbers[0] = None)).contains("was left out"));
        assert!(told_of(|event| luck(event, &|luck| luck.numbers.numbers.swap(0, 1))).contains("not the one that its player"));
        assert!(
            told_of(|event| luck(event, &|luck| luck.host = Some(LuckNumber([4; 32])))).contains("the number of the server is another")
        );
        assert!(told_of(|event| event.action = Some(action(2))).contains("another action"));
    }

    #[test]
    fn numbers_are_given_in_their_order_and_for_one_action_each() {
        let mut host = Host::begun();
        assert_eq!(host.asks(5, "x"), None, "numbers before it would be known with it");
        assert!(host.asks(1, "x").is_some());
        assert_eq!(host.asks(1, "y"), None, "what x brings may be known");
        assert_eq!(Host::new().asks(1, "x"), None);
    }

    #[test]
    fn terms_and_a_seed_that_were_not_agreed_on_are_told() {
        let mut host = Host::new();
        host.terms.seed = LuckNumber([1; 32]);
        assert!(host.describes(None)[0].contains("not what was agreed on"));
        let mut host = Host::new();
        host.terms.heads[0] = host.terms.heads[1];
        assert!(host.describes(None)[0].contains("not what was agreed on"));
        let mut host = Host::begun();
        host.asks(1, &text(&action(1)));
        let event = host.event(1);
        host.plays(event);
        assert!(host.describes(Some(Seed::Secret([1; 32])))[0].contains("the seed of this match is not"));
    }
}
