//! The alpha-beta player: it deepens iteratively until the budget is spent.

use super::alpha_beta_search::{MOST_PLIES, Search};
use super::iterative_deepening::{deepen, root_actions};
use super::legal_action_cache::LegalActionCache;
use super::move_ordering::HistoryHeuristic;
use super::rules_cache::RulesKey;
use super::transposition_table::TranspositionTable;
use super::value;
use super::{Budget, Choice, Decision, Level, Player, PlayerError, Thinking};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Evaluation, Rejection, Sentence, State, sentence};
use boardwright_rules::{Generator, Rules};

/// How an [`AlphaBeta`] player searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// The memory of its transposition table, in megabytes (2^20 bytes).
    pub table_mb: usize,
    /// Whether it looks further where pieces are taken or questions open, and less far at actions that seem poor. Without
    /// it the score is that of plain minimax at the same depth.
    pub is_selective: bool,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            table_mb: 64,
            is_selective: true,
        }
    }
}

/// Searches by alpha-beta. Plays by any rules for two seats without luck and without anything hidden.
#[derive(Debug)]
pub struct AlphaBeta {
    level: Level,
    settings: SearchSettings,
    generator: Generator,
    table: TranspositionTable,
    entries: u64,
    history: HistoryHeuristic,
    legal_actions: LegalActionCache,
    about: Option<RulesKey>,
}

impl AlphaBeta {
    /// The memory for lists of actions that scripts made, in megabytes.
    const LEGAL_ACTIONS_MB: usize = 32;
    /// Room in the table, in entries for each node of a choice. A node leaves two at most, the value and the score; the rest is what earlier
    /// choices left.
    const ENTRIES_A_NODE: u64 = 16;

    /// A player of a level. The seed decides between actions of equal value, and when low levels blunder.
    pub fn new(level: Level, seed: u64) -> Self {
        Self::with_settings(level, SearchSettings::default(), seed)
    }

    /// A player with settings of its own.
    pub fn with_settings(level: Level, settings: SearchSettings, seed: u64) -> Self {
        Self {
            level,
            settings,
            generator: Generator::new(seed),
            table: TranspositionTable::new(0),
            entries: 0,
            history: HistoryHeuristic::new(),
            legal_actions: LegalActionCache::new(Self::LEGAL_ACTIONS_MB),
            about: None,
        }
    }

    fn unsuitable(&self, reason: Sentence) -> PlayerError {
        PlayerError::Unsuitable {
            player: self.name(),
            reason: reason.into(),
        }
    }

    fn explain(&self, rejection: Rejection) -> PlayerError {
        match rejection.fault() {
            Some(fault) if fault.code == Code::LuckForbidden => {
                self.unsuitable(sentence!("it cannot handle chance, and these rules roll or draw"))
            }
            _ => rejection.into(),
        }
    }

    /// Empties what was learned under other rules, and makes room in the table.
    fn prepare(&mut self, rules: &dyn Rules, state: &State, budget: &Budget) {
        let entries = budget.nodes.unwrap_or(u64::MAX).saturating_mul(Self::ENTRIES_A_NODE);
        if entries > self.entries {
            self.table = TranspositionTable::for_entries(self.settings.table_mb, entries);
            self.entries = entries;
        }
        let is_same = self.about.as_ref().is_some_and(|about| about.holds_for(rules, state));
        if is_same {
            self.history.fade();
            self.table.grow_older();
        } else {
            if self.about.is_some() {
                self.table.clear();
            }
            self.history = HistoryHeuristic::new();
            self.legal_actions.clear();
            self.about = Some(RulesKey::of(rules, state));
        }
    }
}

impl Player for AlphaBeta {
    fn name(&self) -> String {
        format!("search:{}", self.level)
    }

    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let Decision {
            rules,
            state,
            seat,
            budget,
        } = decision;
        if state.declarations().seats.len() != 2 {
            return Err(self.unsuitable(sentence!(
                "it plays between two seats, and here are {count}",
                count = state.declarations().seats.len()
            )));
        }
        if state.may_hide() {
            return Err(self.unsuitable(sentence!("it has to see everything, and these rules may hide something")));
        }
        let budget = self.level.within(budget);
        let shared = budget.shared();
        let is_blunder = self.level.blunders(&mut self.generator);
        let actions = root_actions(rules, state, seat, &mut self.generator)?;
        let Some(first) = actions.first() else {
            return Err(PlayerError::no_action(state, seat));
        };
        let mut choice = Choice::of(first.action.clone());
        choice.evaluation = Some(Evaluation::Points(value::of_state(rules, state, seat)?));
        self.prepare(rules, state, &budget);
        let most = if actions.len() == 1 {
            0
        } else {
            budget.depth.unwrap_or(u32::MAX).min(MOST_PLIES as u32 / 2)
        };
        let mut search = Search::new(
            rules,
            state,
            seat,
            shared.for_thread(),
            self.settings.is_selective,
            (&mut self.table, &mut self.history, &mut self.legal_actions),
        );
        let generator = is_blunder.then_some(&mut self.generator);
        let result = deepen(&mut search, actions, (&budget, most), generator, &mut choice, report);
        // What the search has claimed of the budget and not used is given back first.
        drop(search);
        (choice.nodes, choice.elapsed) = (shared.nodes(), shared.elapsed());
        match result {
            Ok(()) => Ok(choice),
            Err(rejection) => Err(self.explain(rejection)),
        }
    }
}
