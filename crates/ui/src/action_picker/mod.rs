//! How clicks become an action: a state machine without a window.
//!
//! It asks the rules what may be picked next ([`ActionPicker::queries`]), takes the answers ([`ActionPicker::answer`]) and clicks. All
//! declared actions are followed side by side as far as the clicks fit them, so that nobody has to say first what they want to do.

mod attempt;
mod clicks;
mod offers;
mod poses;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::attempt::Attempt;
use boardwright_model::{ActionId, CellId, Domain, PickMark, Picks, Pose, Refusal, SeatId};

/// A declared action and how many picks it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    pub action: ActionId,
    pub picks: usize,
    /// Whether it is only meant where nothing else can be: people confirm it when all is picked, or it stands beside the play.
    pub gives_way: bool,
}

/// What has to be asked of the rules: the domain of the next pick of an action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DomainQuery {
    pub action: ActionId,
    pub picks: Picks,
}

#[derive(Clone, Debug, PartialEq)]
enum Reply {
    Asked,
    /// Nothing can be picked, with the reason if the rules have given one.
    Closed(Option<Box<Refusal>>),
    /// Nothing is left to pick.
    Whole,
    Open(Domain, Arc<str>, Vec<PickMark>),
}

impl Reply {
    fn is_closed(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clicked {
    Picked,
    TakenBack,
    /// The choice began again with this click.
    StartedOver,
    Nothing,
}

/// A step that a panel has to offer, because no cell stands for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub action: ActionId,
    pub prompt: Arc<str>,
    pub domain: Domain,
    /// Which of the action's picks it is.
    pub place: usize,
    /// Whether what is picked so far may be taken as it is, to go on to the next pick.
    pub may_go_on: bool,
    /// Whether nothing has been picked of a set that may be empty.
    pub may_be_none: bool,
    /// Whether it is the last pick of the action.
    pub is_last: bool,
    /// What the rules say of what may be picked.
    pub marks: Vec<PickMark>,
}

/// The choice of an action by a seat.
#[derive(Clone, Debug)]
pub struct ActionPicker {
    seat: SeatId,
    offered: Vec<Offered>,
    replies: BTreeMap<DomainQuery, Reply>,
    attempts: Vec<Attempt>,
    /// The action the player wants, if they said so.
    wanted: Option<ActionId>,
    /// How pieces that have a shape are turned and mirrored, as far as they can be.
    pose: Pose,
    /// The cell on which a piece lay before it was turned: it is to lie there again if it fits.
    held: Option<CellId>,
}

impl ActionPicker {
    pub fn new(seat: SeatId, offered: Vec<Offered>) -> Self {
        let attempts = offered.iter().copied().map(Attempt::new).collect();
        Self {
            seat,
            offered,
            replies: BTreeMap::new(),
            attempts,
            wanted: None,
            pose: Pose::UPRIGHT,
            held: None,
        }
    }

    pub fn seat(&self) -> SeatId {
        self.seat
    }

    /// What has to be asked now; each query is given out once.
    pub fn queries(&mut self) -> Vec<DomainQuery> {
        let mut needed: Vec<DomainQuery> = self.attempts.iter().filter_map(Attempt::query).collect();
        // Of an action without picks the rules are asked whether it may be done.
        needed.extend(self.offered.iter().filter(|offered| offered.picks == 0).map(first_query));
        needed.retain(|query| !self.replies.contains_key(query));
        self.replies.extend(needed.iter().cloned().map(|query| (query, Reply::Asked)));
        needed
    }

    /// The domain of a query. Actions that turn out to have nothing to pick are given up.
    pub fn answer(&mut self, query: DomainQuery, domain: Option<Domain>, prompt: Arc<str>, marks: Vec<PickMark>) {
        let is_whole = |offered: &Offered| offered.action == query.action && offered.picks == query.picks.len();
        let reply = match domain {
            Some(domain) if !domain.is_empty() => Reply::Open(domain, prompt, marks),
            None if self.offered.iter().any(is_whole) => Reply::Whole,
            _ => Reply::Closed(None),
        };
        self.replies.insert(query, reply);
        self.give_up_closed();
    }

    /// The rules do not allow what was asked about.
    pub fn refuse(&mut self, query: DomainQuery, refusal: Option<Refusal>) {
        self.replies.insert(query, Reply::Closed(refusal.map(Box::new)));
        self.give_up_closed();
    }

    fn give_up_closed(&mut self) {
        let replies = &self.replies;
        let is_closed = |query: &DomainQuery| replies.get(query).is_some_and(Reply::is_closed);
        self.attempts.retain(|attempt| !attempt.query().as_ref().is_some_and(is_closed));
        if self.attempts.is_empty() {
            self.restart();
        }
    }

    fn restart(&mut self) {
        let is_open = |offered: &Offered| offered.picks == 0 || !self.first_reply(*offered).is_some_and(Reply::is_closed);
        let open = self.offered.iter().copied().filter(is_open);
        self.attempts = open.map(Attempt::new).collect();
    }

    /// What is known of the first pick of an action.
    fn first_reply(&self, offered: Offered) -> Option<&Reply> {
        self.replies.get(&first_query(&offered))
    }

    /// Why the rules refuse an action in which nothing is picked, if they do.
    pub fn refusal_of(&self, action: ActionId) -> Option<&Refusal> {
        let offered = self.offered.iter().find(|offered| offered.action == action && offered.picks == 0)?;
        match self.first_reply(*offered)? {
            Reply::Closed(refusal) => refusal.as_deref(),
            Reply::Asked | Reply::Whole | Reply::Open(..) => None,
        }
    }

    /// Whether the rules are known to refuse an action in which nothing is picked.
    fn is_refused(&self, offered: Offered) -> bool {
        offered.picks == 0 && self.first_reply(offered).is_some_and(Reply::is_closed)
    }

    fn domain(&self, attempt: &Attempt) -> Option<&Domain> {
        match self.replies.get(&attempt.query()?)? {
            Reply::Open(domain, ..) => Some(domain),
            Reply::Asked | Reply::Closed(_) | Reply::Whole => None,
        }
    }

    /// What the rules say of things that can be picked next.
    pub fn marks(&self) -> impl Iterator<Item = &PickMark> {
        self.considered()
            .filter_map(|attempt| match self.replies.get(&attempt.query()?)? {
                Reply::Open(.., marks) => Some(marks),
                Reply::Asked | Reply::Closed(_) | Reply::Whole => None,
            })
            .flatten()
    }

    fn considered(&self) -> impl Iterator<Item = &Attempt> {
        self.attempts
            .iter()
            .filter(|attempt| self.wanted.is_none_or(|wanted| wanted == attempt.offered.action))
    }

    /// Whether the rules have answered what was asked so far.
    pub fn is_settled(&self) -> bool {
        self.considered()
            .filter_map(Attempt::query)
            .all(|query| self.replies.get(&query).is_some_and(|reply| *reply != Reply::Asked))
    }

    /// Whether what is being picked is a set, so that its order means nothing.
    pub fn is_set(&self) -> bool {
        self.considered().any(Attempt::is_set)
    }

    pub fn has_picked(&self) -> bool {
        self.attempts
            .iter()
            .any(|attempt| !attempt.picks.is_empty() || attempt.part.is_some())
    }
}

/// What is asked of an action of which nothing is picked.
fn first_query(offered: &Offered) -> DomainQuery {
    DomainQuery {
        action: offered.action,
        picks: Picks::new(),
    }
}

#[cfg(test)]
mod tests;
