//! `treegraft show`: a position, whose turn it is, and what can be played.

use std::path::PathBuf;

use treegraft::{Charset, Game, Notation, Playthrough};
pub(crate) use treegraft_lab::ending_text as result;
use treegraft_lab::json;
use treegraft_pictures::svg::position_svg;
use treegraft_players::Board;

use crate::prelude::*;

/// Show a position: the board, whose turn it is, the legal moves
///
/// Begins at the start of the game or at --position, plays --moves, and shows the resulting
/// position. The line "position" can be passed to --position.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft show <GAME> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft show connect4
  treegraft show connect4 --moves 4453
  treegraft show connect4:5x4 --position 1122 --moves 3 --ascii
  treegraft show othello --moves f5d6c3 --svg board.svg")]
pub(crate) struct Show {
    #[command(flatten)]
    at: PositionArgs,

    /// Draw the board with plain ASCII characters
    #[arg(long)]
    ascii: bool,

    /// Draw the board into an SVG file, with the last move marked
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print JSON: one object, without the board
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.at.game)?;
        let game = self.at.playthrough(&start)?;
        if let Some(path) = &self.svg {
            let mut files = OutputFiles::default();
            files.plan([path], FileKind::SVG)?;
            let svg = position_svg(&game, start.text());
            files.put(path, FileKind::SVG, &svg)?;
        }
        Ok(if self.json {
            self.to_json(start.text(), &game)
        } else {
            self.to_text(start.text(), &game)
        })
    }

    fn to_json(&self, name: &str, game: &Playthrough<Board>) -> Output {
        Output::json("treegraft.show/1", &json::shown(name, game))
    }

    fn to_text(&self, name: &str, game: &Playthrough<Board>) -> Output {
        let position = game.position();
        let charset = if self.ascii { Charset::Ascii } else { Charset::Unicode };
        let mut lines = vec![("game", name.to_owned())];
        if !game.moves().is_empty() {
            lines.push(("played", wrap(&game.move_texts().join(" "))));
        }
        match game.ending() {
            Some(ending) => lines.push(("result", result(position, ending))),
            None => {
                lines.push(turn(position));
                lines.push(("moves", wrap(&legal_texts(game).join(" "))));
            }
        }
        // In one line, so that it can be copied; the start of some games is the empty text.
        if let Some(text) = game.position_text().filter(|text| !text.is_empty()) {
            lines.push(("position", text));
        }
        if let Some(path) = &self.svg {
            lines.push(("drawn in", path.display().to_string()));
        }
        Output::text(format!("{}\n\n{}", position.notation().diagram(charset), labelled(&lines)))
    }
}

pub(super) fn legal_texts(game: &Playthrough<Board>) -> Vec<String> {
    game.legal_moves().into_iter().map(|mv| game.position().notation().move_text(mv)).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::{Value, json};
    use treegraft::{Exactness, Limits, Outcome, Side};

    use super::*;

    /// Steps left or right; three to one side win, and a margin is kept. It can go on for ever.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Tug(i64);

    impl Game for Tug {
        type Move = i64;

        fn to_move(&self) -> Side {
            Side::First
        }

        fn moves(&self, moves: &mut Vec<i64>) {
            moves.extend([-1, 1]);
        }

        fn play(&mut self, mv: i64) {
            self.0 += mv;
        }

        fn outcome(&self) -> Option<Outcome> {
            (self.0.abs() == 3).then(|| Outcome::from_margin(self.0))
        }

        fn limits(&self) -> Limits {
            Limits { repetitions: Some(3), plies: Some(5), ..Limits::default() }
        }

        treegraft::brings!(Exactness);
    }

    impl Exactness for Tug {
        fn margin(&self) -> Option<i64> {
            self.outcome().map(|_| self.0)
        }
    }

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        show: Show,
    }

    fn shown(moves: &[i64]) -> (String, Value) {
        let mut game = Playthrough::new(Board::new(Tug(0)));
        moves.iter().for_each(|&mv| game.play_text(&mv.to_string()).unwrap());
        let show = Arguments::parse_from(["show", "tug"]).show;
        let json = show.to_json("tug", &game).text;
        (show.to_text("tug", &game).text, serde_json::from_str(&json).unwrap())
    }

    #[test]
    fn every_ending_is_told() {
        let cases = [
            (&[1, 1, 1][..], "First wins by 3, by the rules of the game", "first", "rules"),
            (&[-1, -1, -1], "Second wins by 3, by the rules of the game", "second", "rules"),
            (
                &[1, -1, 1, -1],
                "a draw, by repetition: the position has occurred 3 times",
                "draw",
                "repetition",
            ),
            (
                &[1, 1, -1, -1, -1],
                "a draw, because the game is too long: it ends after 5 moves",
                "draw",
                "too-long",
            ),
        ];
        for (moves, words, outcome, reason) in cases {
            let (text, json) = shown(moves);
            assert!(text.contains(&format!("result  {words}\n")), "{text}");
            assert_eq!((&json["outcome"], &json["reason"]), (&outcome.into(), &reason.into()));
            assert_eq!((&json["to_move"], &json["side"]), (&Value::Null, &Value::Null));
            assert_eq!(json["moves"], json!([]));
            let margin = if reason == "rules" { json!(3 * moves[0]) } else { Value::Null };
            assert_eq!(json["margin"], margin);
        }
    }

    #[test]
    fn a_game_without_notation_for_positions_is_shown() {
        let (text, json) = shown(&[1]);
        assert_eq!(
            text,
            "Tug(1)\n\ngame    tug\nplayed  1\nturn    First, the first player\nmoves   -1 1\n"
        );
        assert_eq!((&json["position"], &json["side"]), (&Value::Null, &"First".into()));
    }
}
