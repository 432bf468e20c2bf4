//! Positions written as the moves that lead to them.

use treegraft::{Game, NotationError, Playthrough};

/// The position after the moves in `text`, played from `start`; `expected` is an example.
pub(crate) fn parse<G: Game>(start: G, text: &str, expected: &str) -> Result<G, NotationError> {
    let mut game = Playthrough::new(start);
    game.play_text(text).map_err(|error| {
        let problem = format!("{:?}, {}", error.text, error.problem);
        NotationError::of_position(text, problem, expected)
    })?;
    Ok(game.position().clone())
}
