//! Errors in the texts of players, with suggestions.

use treegraft::ConfigError;

use crate::player::Player;

/// A text that is not a player, or a player that cannot play a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player {text:?}: {problem}; expected {expected}")]
pub struct PlayerError {
    /// The text, shortened if it is long.
    pub text: String,
    /// What is wrong: it names the label, option or value.
    pub problem: String,
    /// What would be right.
    pub expected: String,
}

impl PlayerError {
    pub(crate) fn of(player: &Player, complaint: Complaint) -> PlayerError {
        PlayerError::new(&player.to_string(), complaint)
    }

    pub(crate) fn new(text: &str, complaint: Complaint) -> PlayerError {
        let Complaint { problem, expected } = complaint;
        PlayerError { text: shorten(text), problem, expected }
    }
}

/// An error whose place is known to the caller.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{problem}; expected {expected}")]
pub(crate) struct Complaint {
    problem: String,
    expected: String,
}

impl Complaint {
    pub(crate) fn new(problem: impl Into<String>, expected: impl Into<String>) -> Complaint {
        Complaint { problem: problem.into(), expected: expected.into() }
    }

    pub(crate) fn twice(name: &str) -> Complaint {
        Complaint::new(format!("{name} is given twice"), "every option once")
    }

    /// `what`, such as "there is no player", with the word, the one that may have been meant, and
    /// all possible ones.
    pub(crate) fn unknown(what: &str, word: &str, possible: &[&str]) -> Complaint {
        let problem = format!("{what} {:?}{}", shorten(word), meant(word, possible));
        Complaint::new(problem, one_of(possible))
    }
}

impl From<ConfigError> for Complaint {
    fn from(ConfigError { problem, expected }: ConfigError) -> Complaint {
        Complaint { problem, expected }
    }
}

/// The word that may have been meant, as an error says it; empty if there is none.
pub(crate) fn meant(word: &str, possible: &[&str]) -> String {
    let nearest = nearest(word, possible.iter().copied());
    nearest.map_or(String::new(), |meant| format!(" (did you mean {meant}?)"))
}

/// "one of a, b, c".
pub(crate) fn one_of(words: &[&str]) -> String {
    match words {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        [a, b] => format!("{a} or {b}"),
        _ => format!("one of {}", words.join(", ")),
    }
}

/// The text, cut after 80 characters so that an error stays readable.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// The candidate most similar to `text`, if at most a third of it is misspelt.
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let text = shorten(text).to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::levenshtein(&text, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= candidate.chars().count().div_ceil(3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_nonsense_is_not() {
        let words = ["mcts", "mcts-solver", "random", "ab"];
        assert_eq!(nearest("mtcs-solver", words), Some("mcts-solver"));
        assert_eq!(nearest("MCTS", words), Some("mcts"));
        assert_eq!(nearest("rnadom", words), Some("random"));
        assert_eq!(nearest("stockfish", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(nearest(&"🦁".repeat(100_000), words), None);
    }
}
