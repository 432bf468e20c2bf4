//! Engines that speak our own protocol.

use treegraft::{Game, Notation, Playthrough, Work};
use treegraft_players::{Board, MoveIndex, Start};

use super::super::foreign::Writing;
use super::super::protocol::{VERSION, go_line, note_work};
use super::{Dialect, Talk, fault};
use crate::seat::{FaultKind, NoAnswer};

pub(super) struct Tgp(pub(super) Start);

impl Tgp {
    pub(super) fn position_line(&self, game: &Playthrough<Board>) -> String {
        let start = game.start();
        // Engines cannot repeat how we draw a random board from a seed.
        let is_known = start == self.0.board() && !self.0.is_random();
        let text = match start.notation().position_text() {
            Some(text) if !is_known => format!("text {text}"),
            _ => "startpos".to_owned(),
        };
        let line = format!("position {text} moves {}", game.move_texts().join(" "));
        line.trim_end().to_owned()
    }
}

impl Dialect for Tgp {
    fn hello(&mut self) -> String {
        format!("tgp {VERSION}")
    }

    fn answer(
        &mut self,
        talk: &mut Talk<'_, '_>,
        game: &Playthrough<Board>,
    ) -> Result<(MoveIndex, Work), NoAnswer> {
        if !talk.is_ready {
            talk.wait_for("tgpok", |_| {})?;
            talk.send(&format!("newgame {}", self.0.text()));
        }
        // Leftover output about the last move, even a second `bestmove`, comes before this answer.
        talk.send("isready");
        talk.wait_for("readyok", |_| {})?;
        talk.is_ready = true;
        talk.send(&self.position_line(game));
        talk.send(&go_line(talk.request.budget, talk.request.seed));
        let (text, work) = talk.best_move(note_work)?;
        let mv = Writing::Own.read(game.position(), &text);
        Ok((mv.map_err(|problem| fault(FaultKind::IllegalMove, problem))?, work))
    }
}

#[cfg(test)]
mod tests {
    use treegraft::Notation;
    use treegraft_players::Registry;

    use super::*;

    fn line(game: &str, position: Option<&str>, moves: &str) -> String {
        let start = Registry::standard().start(game).unwrap();
        let board = position.map(|text| start.board().notation().parse_position(text).unwrap());
        let mut playthrough = Playthrough::new(board.unwrap_or(start.board().clone()));
        playthrough.play_text(moves).unwrap();
        Tgp(start).position_line(&playthrough)
    }

    #[test]
    fn the_program_is_told_where_the_game_began() {
        assert_eq!(line("connect4", None, ""), "position startpos moves");
        assert_eq!(line("connect4", None, "445"), "position startpos moves 4 4 5");
        assert_eq!(line("connect4", Some("445"), "3"), "position text 445 moves 3");
    }

    #[test]
    fn random_boards_are_written_out() {
        let text = "kalah:random-start=5";
        let board = Registry::standard().start(text).unwrap();
        let expected =
            format!("position text {} moves", board.board().notation().position_text().unwrap());
        assert_eq!(line(text, None, ""), expected);
    }
}
