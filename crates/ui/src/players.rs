//! The players of a form: persons, searches, strategies.

use super::texts::text;

#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayerKind {
    /// The word in messages and files.
    pub(crate) word: &'static str,
    pub(crate) title: fn() -> String,
    /// What it does, in a sentence.
    pub(crate) line: fn() -> String,
    /// The levels it has; none for players without.
    pub(crate) levels: Option<(u8, u8)>,
}

const fn kind(word: &'static str, title: fn() -> String, line: fn() -> String, levels: Option<(u8, u8)>) -> PlayerKind {
    PlayerKind { word, title, line, levels }
}

/// The sorts of players that play any ruleset.
pub(crate) const PLAYER_KINDS: [PlayerKind; 5] = [
    kind("human", || text!("player-human"), || text!("player-human-line"), None),
    kind("search", || text!("player-search"), || text!("player-search-line"), Some((1, 9))),
    kind("mcts", || text!("player-mcts"), || text!("player-mcts-line"), Some((1, 9))),
    kind("greedy", || text!("player-greedy"), || text!("player-greedy-line"), None),
    kind("random", || text!("player-random"), || text!("player-random-line"), None),
];

/// The level a computer player begins with.
pub(crate) const DEFAULT_LEVEL: u8 = 4;
/// The level of the computer players in a first match.
pub(crate) const EASY_LEVEL: u8 = 2;
/// The levels that are offered by name.
pub(crate) const NAMED_LEVELS: [u8; 6] = [1, EASY_LEVEL, DEFAULT_LEVEL, 6, 8, 9];

/// The name of a level: "Easy". Two neighbouring levels may share one.
pub(crate) fn level_name(level: u8) -> String {
    match level {
        0 | 1 => text!("level-beginner"),
        2 | 3 => text!("level-easy"),
        4 | 5 => text!("level-medium"),
        6 | 7 => text!("level-hard"),
        8 => text!("level-expert"),
        _ => text!("level-master"),
    }
}

/// The name of a level with its number: "Easy (2)".
pub(crate) fn level_title(level: u8) -> String {
    text!("level-title", name = level_name(level), level = level)
}

/// A player taken apart: `search:5` is the sort `search` at level 5.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word, of [`PLAYER_KINDS`] or the name of a strategy.
    pub(crate) word: String,
    pub(crate) level: Option<u8>,
    /// The most nodes or simulations of a choice, or its time, behind an `@`: `mcts:9@7000`, `mcts:9@500ms`.
    pub(crate) limit: Option<String>,
}

impl Choice {
    /// A player as files and the protocol name it.
    pub fn read(text: &str) -> Self {
        // What stands behind exec: is the program's own.
        let limited = text.rsplit_once('@').filter(|_| !text.starts_with("exec:"));
        let is_limit = |limit: &str| limit.strip_suffix("ms").unwrap_or(limit).parse::<u64>().is_ok();
        let limited = limited.filter(|(_, limit)| is_limit(limit));
        let (text, limit) = limited.map_or((text, None), |(player, limit)| (player, Some(limit.to_owned())));
        let with_level = text.split_once(':').and_then(|(word, level)| Some((word, level.parse().ok()?)));
        let (word, level) = with_level.map_or((text, None), |(word, level)| (word, Some(level)));
        let default = sort(word).and_then(|sort| sort.levels).map(|_| DEFAULT_LEVEL);
        Self {
            word: word.to_owned(),
            level: level.or(default),
            limit,
        }
    }

    /// A person.
    pub fn person() -> Self {
        Self::read("human")
    }

    /// The default computer player.
    pub(crate) fn computer(level: u8) -> Self {
        Self {
            word: "search".to_owned(),
            level: Some(level),
            limit: None,
        }
    }

    /// As files and the protocol name it: `search:5`.
    pub fn text(&self) -> String {
        let mut text = self.word.clone();
        for part in [
            self.level.map(|level| format!(":{level}")),
            self.limit.as_ref().map(|limit| format!("@{limit}")),
        ] {
            text.extend(part);
        }
        text
    }

    /// Whether it is a person.
    pub fn is_person(&self) -> bool {
        self.word == "human"
    }

    /// The name for people: "Computer, level 5".
    pub fn title(&self) -> String {
        let name = sort(&self.word).map_or_else(|| text!("player-strategy", name = &*self.word), |sort| (sort.title)());
        let title = match self.level {
            Some(level) => text!("player-with-level", player = name, level = level),
            None => name,
        };
        match &self.limit {
            Some(limit) => text!("player-with-limit", player = title, limit = limit.replace("ms", " ms")),
            None => title,
        }
    }

    /// The same with another word; the level is kept where there are levels.
    #[must_use]
    pub(crate) fn with_word(&self, word: &str) -> Self {
        let has_levels = sort(word).is_some_and(|sort| sort.levels.is_some());
        Self {
            word: word.to_owned(),
            level: has_levels.then(|| self.level.unwrap_or(DEFAULT_LEVEL)),
            limit: self.limit.clone().filter(|_| has_levels),
        }
    }
}

pub(crate) fn sort(word: &str) -> Option<&'static PlayerKind> {
    PLAYER_KINDS.iter().find(|sort| sort.word == word)
}

/// What people call a player that a file names: `search:4` is "Search, level 4".
pub fn player_title(player: &str) -> String {
    Choice::read(player).title()
}

/// The players that a scenario may name, as files write them: people, searches by level, and the strategies of a ruleset.
pub fn offered_players(strategies: &[String]) -> Vec<String> {
    let levels = NAMED_LEVELS.map(|level| Choice::computer(level).text());
    let others = PLAYER_KINDS.iter().filter(|kind| kind.levels.is_none() && kind.word != "human");
    let playouts = Choice::computer(DEFAULT_LEVEL).with_word("mcts").text();
    let mut offered = vec!["human".to_owned()];
    offered.extend(levels);
    offered.push(playouts);
    offered.extend(others.map(|kind| kind.word.to_owned()));
    offered.extend(strategies.iter().cloned());
    offered
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_players::{Level, PlayerSpec};

    #[test]
    fn players_are_taken_apart_and_put_together_again() {
        for text in [
            "human",
            "greedy",
            "search:7",
            "cautious",
            "cautious:2",
            "exec:./my-player --fast",
            "exec:./me@7",
            "mcts:9@7000",
            "mcts:9@500ms",
            "greedy@5",
        ] {
            assert_eq!(Choice::read(text).text(), text);
        }
        assert_eq!(Choice::read("search").text(), "search:4");
        assert_eq!(Choice::read("search:7").title(), "Computer, level 7");
        assert_eq!(Choice::read("search:7@500").title(), "Computer, level 7, at most 500 a move");
        assert_eq!(Choice::read("search:7@500ms").title(), "Computer, level 7, at most 500 ms a move");
        assert_eq!(Choice::read("search:7@500").with_word("human").text(), "human");
        assert_eq!(Choice::read("search:7").with_word("human").text(), "human");
    }

    #[test]
    fn levels_are_named_from_the_lowest_to_the_highest() {
        let titles: Vec<String> = (1..=9).map(level_title).collect();
        assert_eq!((&*titles[0], &*titles[2], &*titles[8]), ("Beginner (1)", "Easy (3)", "Master (9)"));
        let names: std::collections::BTreeSet<String> = NAMED_LEVELS.map(level_name).into();
        assert_eq!(names.len(), NAMED_LEVELS.len(), "no name is offered twice");
    }

    #[test]
    fn every_offered_player_is_one_the_host_knows() {
        for sort in PLAYER_KINDS {
            let (low, high) = sort.levels.unwrap_or((0, 0));
            for level in low..=high {
                let text = if sort.levels.is_some() {
                    format!("{}:{level}", sort.word)
                } else {
                    sort.word.to_owned()
                };
                let spec: PlayerSpec = text.parse().unwrap();
                assert_eq!(spec.to_string(), text);
                assert!(spec.is_human() || spec.build(1).is_ok());
            }
        }
        assert_eq!(
            sort("search").unwrap().levels,
            Some((Level::LOWEST.number(), Level::HIGHEST.number()))
        );
    }
}
