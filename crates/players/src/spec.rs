//! Who sits at a seat, in one word.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    AutoPlayer, Debugger, Greedy, Level, LimitedPlayer, MaxN, MonteCarlo, MonteCarloSettings, OpponentModel, Player, PlayerError,
    PlayerLimit, Random, Strategist,
};
use boardwright_rules::{RulesSource, Settings};

/// Who sits at a seat. Written, and kept in files, as `human`, `random`, `greedy`, `search:5`, `mcts:3`, `maxn:2`, `paranoid:2`,
/// `expectimax:2`, the name of a strategy of the ruleset (`cautious`), with parameters that differ from those in its file
/// (`cautious+patience=3`), or `exec:COMMAND` for another program. Behind `@` stands how much it may search for a choice, in nodes or
/// simulations or in time: `search:9@2000`, `mcts:9@500`, `mcts:9@200ms`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// A person.
    Human,
    /// Any legal action.
    Random,
    /// The best action, one action ahead.
    Greedy,
    /// The search that suits the rules: alpha-beta, or expectimax among many seats and where something is drawn or hidden.
    Search(Level),
    /// Max-n: each seat does what is best for itself.
    MaxN(Level),
    /// Paranoid search: all other seats are against one.
    Paranoid(Level),
    /// Expectimax: minimax between two seats, max-n among more, with chance nodes.
    Expectimax(Level),
    /// Monte Carlo tree search.
    MonteCarlo(Level),
    /// A strategy written for the ruleset.
    Strategy {
        /// Its name.
        name: Arc<str>,
        /// Parameters that stand at something else than in its file, as they were written.
        settings: Vec<(Arc<str>, Arc<str>)>,
    },
    /// Another program, which speaks the protocol.
    Program(Arc<str>),
    /// One of these with a limit for each of its choices.
    Limited {
        /// The player: neither a person nor a program, and not limited itself.
        player: Box<Self>,
        /// Its time, its nodes, or its simulations where it is a Monte Carlo player.
        limit: PlayerLimit,
    },
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nothing is written.
    #[error(
        "no player is named: write human, random, greedy, search, mcts, maxn, paranoid, expectimax, the name of a strategy, or exec:COMMAND"
    )]
    Empty,
    /// The level is none.
    #[error("`{0}` is no level: levels go from {low} to {high}", low = Level::LOWEST, high = Level::HIGHEST)]
    Level(String),
    /// A level is given to a player that has none.
    #[error("{0} has no levels: write just `{0}`")]
    NoLevels(&'static str),
    /// What stands behind the name of a strategy is no parameter.
    #[error("`{0}` is no parameter of a strategy: write them behind its name, as in `cautious+patience=3`")]
    Setting(String),
    /// What stands behind `@` is no limit.
    #[error(
        "`{0}` is no limit of a player: write a number of nodes or simulations behind the @, as in `mcts:9@7000`, or a time, as in `mcts:9@500ms`"
    )]
    Limit(String),
    /// A limit is given to a person.
    #[error("a person has no limit: write just `human`")]
    NoLimit,
    /// A limit is given to a program.
    #[error("a program has no limit: write just `{0}`")]
    NoProgramLimit(String),
    /// `exec:` without a command.
    #[error("exec: needs the command to run, as in `exec:./my-player --fast`")]
    NoCommand,
    /// The name cannot be that of a strategy.
    #[error("`{0}` is no name of a player: names are letters, digits, `_` and `-`, and begin with a letter")]
    Name(String),
}

impl PlayerSpec {
    /// Whether a person sits there.
    pub fn is_human(&self) -> bool {
        *self == Self::Human
    }

    /// Whether another program is started for it.
    pub fn is_program(&self) -> bool {
        matches!(self.unlimited(), Self::Program(_))
    }

    /// The player without its limit.
    pub fn unlimited(&self) -> &Self {
        match self {
            Self::Limited { player, .. } => player,
            spec => spec,
        }
    }

    /// The name of the strategy, and what is set for it; none for other players.
    pub fn strategy(&self) -> Option<(&Arc<str>, Settings)> {
        match self.unlimited() {
            Self::Strategy { name, settings } => {
                let written = settings.iter().map(|(name, value)| (&**name, &**value));
                Some((name, Settings::read(written)))
            }
            _ => None,
        }
    }

    /// The level, for players that have one.
    pub fn level(&self) -> Option<Level> {
        match self.unlimited() {
            Self::Search(level) | Self::MaxN(level) | Self::Paranoid(level) | Self::Expectimax(level) | Self::MonteCarlo(level) => {
                Some(*level)
            }
            Self::Human | Self::Random | Self::Greedy | Self::Strategy { .. } | Self::Program(_) | Self::Limited { .. } => None,
        }
    }

    /// Makes the player, on one thread. The seed gives it its luck.
    ///
    /// # Errors
    /// For people and programs, which are not made here.
    pub fn build(&self, seed: u64) -> Result<Box<dyn Player>, PlayerError> {
        self.build_with(&PlayerContext::new(seed))
    }

    /// Makes the player.
    ///
    /// # Errors
    /// For people and programs, which are not made here.
    pub fn build_with(&self, context: &PlayerContext) -> Result<Box<dyn Player>, PlayerError> {
        let seed = context.seed;
        let looks_ahead = |level, opponents| Ok(Box::new(MaxN::new(level, opponents, seed)) as Box<dyn Player>);
        match self {
            Self::Random => Ok(Box::new(Random::new(seed))),
            Self::Greedy => Ok(Box::new(Greedy::new(seed))),
            Self::Search(level) => Ok(Box::new(AutoPlayer::new(*level, seed))),
            Self::MaxN(level) => looks_ahead(*level, OpponentModel::SelfInterested),
            Self::Paranoid(level) => looks_ahead(*level, OpponentModel::Paranoid),
            Self::Expectimax(level) => looks_ahead(*level, OpponentModel::BySeats),
            Self::MonteCarlo(level) => {
                let settings = MonteCarloSettings {
                    memory_mb: context.memory_mb,
                    ..MonteCarloSettings::default()
                };
                let player = MonteCarlo::with_settings(*level, settings, seed);
                Ok(Box::new(match &context.source {
                    Some(source) => player.on_threads(context.threads, source),
                    None => player,
                }))
            }
            Self::Strategy { name, .. } => {
                let settings = self.strategy().map(|(_, settings)| settings).unwrap_or_default();
                let strategist = Strategist::new(name, settings, self.to_string(), seed);
                Ok(Box::new(strategist.with_debugger(context.debugger.clone())))
            }
            Self::Limited { player, limit } => Ok(Box::new(LimitedPlayer::new(
                player.build_with(context)?,
                *limit,
                matches!(**player, Self::MonteCarlo(_)),
            ))),
            Self::Human | Self::Program(_) => Err(PlayerError::Unknown(self.to_string())),
        }
    }
}

/// What players are made with.
#[derive(Clone)]
pub struct PlayerContext {
    /// The seed of the player's luck.
    pub seed: u64,
    /// What further threads make their rules from; without it there is one thread.
    pub source: Option<Arc<dyn RulesSource>>,
    /// On how many threads a player may think, where it can use several.
    pub threads: usize,
    /// The memory of a search, in megabytes (2^20 bytes).
    pub memory_mb: usize,
    /// Who may follow it line by line while it decides, where it is a strategy.
    pub debugger: Option<Arc<Debugger>>,
}

impl PlayerContext {
    /// All cores but one, with rules from a source, and the default memory.
    pub fn on_all_cores(source: &Arc<dyn RulesSource>, seed: u64) -> Self {
        Self {
            source: Some(Arc::clone(source)),
            threads: std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1)),
            ..Self::new(seed)
        }
    }

    /// One thread, and the default memory.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            source: None,
            threads: 1,
            memory_mb: MonteCarloSettings::default().memory_mb,
            debugger: None,
        }
    }
}

impl fmt::Debug for PlayerContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerContext({} threads, {} MB)", self.threads, self.memory_mb)
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        // What stands behind exec: is the program's own.
        if let Some((player, limit)) = text.rsplit_once('@').filter(|_| !text.starts_with("exec:")) {
            return limited(player.parse()?, limit.trim());
        }
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name.trim_end(), Some(rest.trim())),
            None => (text, None),
        };
        let level = || match rest {
            None => Ok(Level::default()),
            Some(rest) => rest
                .parse()
                .ok()
                .and_then(Level::new)
                .ok_or_else(|| SpecError::Level(rest.to_owned())),
        };
        let without_levels = |spec, word| if rest.is_some() { Err(SpecError::NoLevels(word)) } else { Ok(spec) };
        match name {
            "" => Err(SpecError::Empty),
            "human" => without_levels(Self::Human, "human"),
            "random" => without_levels(Self::Random, "random"),
            "greedy" => without_levels(Self::Greedy, "greedy"),
            "search" => level().map(Self::Search),
            "maxn" => level().map(Self::MaxN),
            "paranoid" => level().map(Self::Paranoid),
            "expectimax" => level().map(Self::Expectimax),
            "mcts" => level().map(Self::MonteCarlo),
            "exec" => match rest {
                Some(command) if !command.is_empty() => Ok(Self::Program(Arc::from(command))),
                _ => Err(SpecError::NoCommand),
            },
            _ if is_strategy(text) => strategy(text),
            _ => Err(SpecError::Name(name.to_owned())),
        }
    }
}

fn limited(player: PlayerSpec, limit: &str) -> Result<PlayerSpec, SpecError> {
    match (player, limit.parse()) {
        (PlayerSpec::Human, _) => Err(SpecError::NoLimit),
        // Written down, the limit would be read as a part of its command.
        (player @ PlayerSpec::Program(_), _) => Err(SpecError::NoProgramLimit(player.to_string())),
        (player @ PlayerSpec::Limited { .. }, _) => Err(SpecError::Limit(format!("{player}@{limit}"))),
        (_, Err(())) => Err(SpecError::Limit(limit.to_owned())),
        (player, Ok(limit)) => Ok(PlayerSpec::Limited {
            player: Box::new(player),
            limit,
        }),
    }
}

fn is_strategy(text: &str) -> bool {
    text.split(['+', ':']).next().map(str::trim_end).is_some_and(is_name)
}

/// The name of a strategy, and behind it its parameters; a level is the parameter of that name.
fn strategy(text: &str) -> Result<PlayerSpec, SpecError> {
    let mut parts = text.split('+').map(str::trim);
    let first = parts.next().unwrap_or_default();
    let (name, level) = match first.split_once(':') {
        Some((name, level)) => (name.trim_end(), Some(level.trim())),
        None => (first, None),
    };
    let level = level.map(|level| match level.parse().ok().and_then(Level::new) {
        Some(_) => Ok((Arc::from("level"), Arc::from(level))),
        None => Err(SpecError::Level(level.to_owned())),
    });
    let setting = |part: &str| match part.split_once('=') {
        Some((name, value)) if is_parameter(name.trim()) && !value.trim().is_empty() => {
            Ok((Arc::from(name.trim()), Arc::from(value.trim())))
        }
        _ => Err(SpecError::Setting(part.to_owned())),
    };
    Ok(PlayerSpec::Strategy {
        name: Arc::from(name),
        settings: level.into_iter().chain(parts.map(setting)).collect::<Result<_, _>>()?,
    })
}

/// The name of a parameter, or of one for a single thing: `value.North Shore`.
fn is_parameter(text: &str) -> bool {
    text.split('.').next().is_some_and(is_name)
}

fn is_name(text: &str) -> bool {
    let is_inner = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    text.starts_with(char::is_alphabetic) && text.chars().all(is_inner)
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::Search(level) => write!(f, "search:{level}"),
            Self::MaxN(level) => write!(f, "maxn:{level}"),
            Self::Paranoid(level) => write!(f, "paranoid:{level}"),
            Self::Expectimax(level) => write!(f, "expectimax:{level}"),
            Self::MonteCarlo(level) => write!(f, "mcts:{level}"),
            Self::Strategy { name, settings } => {
                f.write_str(name)?;
                settings.iter().try_for_each(|(name, value)| write!(f, "+{name}={value}"))
            }
            Self::Program(command) => write!(f, "exec:{command}"),
            Self::Limited { player, limit } => write!(f, "{player}@{limit}"),
        }
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<PlayerSpec> for String {
    fn from(spec: PlayerSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_the_same() {
        for text in [
            "human",
            "random",
            "greedy",
            "search:1",
            "search:9",
            "mcts:4",
            "maxn:2",
            "paranoid:3",
            "expectimax:1",
            "cautious",
            "cautious+patience=2+value.North Shore=-3",
            "exec:./bot --seed 3:4",
            "exec:./bot me@7",
            "mcts:9@7000",
            "search:3@200",
            "mcts:9@500ms",
            "cautious+patience=2@50",
        ] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(serde_json::to_string(&spec).unwrap(), format!("{text:?}"));
            assert_eq!(serde_json::from_str::<PlayerSpec>(&format!("{text:?}")).unwrap(), spec);
        }
    }

    #[test]
    fn a_level_of_a_strategy_is_the_parameter_of_that_name() {
        assert_eq!("cautious:2".parse::<PlayerSpec>().unwrap().to_string(), "cautious+level=2");
        for (wrong, why) in [
            ("cautious:77", "`77` is no level"),
            ("cautious+patience", "`patience` is no parameter"),
            ("cautious+=2", "is no parameter"),
        ] {
            let error = wrong.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(why), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_limit_is_a_time_or_a_number_of_what_a_computer_searches() {
        let error = |text: &str| text.parse::<PlayerSpec>().unwrap_err();
        assert_eq!(error("search:9@many"), SpecError::Limit("many".to_owned()));
        assert_eq!(error("mcts@0"), SpecError::Limit("0".to_owned()));
        assert_eq!(error("mcts@0ms"), SpecError::Limit("0ms".to_owned()));
        assert_eq!(error("mcts@5s"), SpecError::Limit("5s".to_owned()));
        assert_eq!(error("human@5"), SpecError::NoLimit);
        assert_eq!(error("exec :./bot@5"), SpecError::NoProgramLimit("exec:./bot".to_owned()));
        assert_eq!(error("exec\t:./bot@5@6"), SpecError::NoProgramLimit("exec:./bot".to_owned()));
        assert!(matches!(error("mcts@5@6"), SpecError::Limit(_)));
        assert_eq!(error("mcts:12@5"), SpecError::Level("12".to_owned()));
        let spec: PlayerSpec = "mcts:9@7000".parse().unwrap();
        assert_eq!(
            (spec.level(), spec.unlimited().to_string()),
            (Some(Level::HIGHEST), "mcts:9".to_owned())
        );
    }

    #[test]
    fn a_search_without_a_level_plays_at_the_middle_one() {
        assert_eq!(" search ".parse::<PlayerSpec>().unwrap().level(), Some(Level::default()));
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| text.parse::<PlayerSpec>().unwrap_err();
        assert_eq!(error(""), SpecError::Empty);
        assert_eq!(error("search:0"), SpecError::Level("0".to_owned()));
        assert_eq!(error("search:"), SpecError::Level(String::new()));
        assert_eq!(error("greedy:3"), SpecError::NoLevels("greedy"));
        assert_eq!(error("exec:"), SpecError::NoCommand);
        assert_eq!(error("two words"), SpecError::Name("two words".to_owned()));
        assert_eq!(error("search:12").to_string(), "`12` is no level: levels go from 1 to 9");
        assert!(serde_json::from_str::<PlayerSpec>("\"search:10\"").is_err());
    }
}
