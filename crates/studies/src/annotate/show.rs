//! Annotated games as JSON and as a curve.

use serde_json::{Value, json};
use treegraft::Side;
use treegraft_engine::Thought;
use treegraft_pictures::plot::{Axis, Plot, Point, Series, Style};

use super::judge::score;
use super::{AnnotatedMove, Annotation, BLUNDER, Decision, INACCURACY, LOST_BELOW, MISTAKE, Mark};

impl Annotation {
    /// The move that decided the game, if one did.
    #[must_use]
    pub fn deciding_move(&self) -> Option<&AnnotatedMove> {
        match self.decision {
            Decision::Move { ply, .. } => self.moves.get(ply),
            _ => None,
        }
    }

    /// The members of a JSON object: `docs/schemas/annotate.json`.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "player": self.player,
            "complete": self.is_complete,
            "inaccuracy": INACCURACY,
            "mistake": MISTAKE,
            "blunder": BLUNDER,
            "lost_below": LOST_BELOW,
            "moves": self.moves.iter().map(move_json).collect::<Vec<_>>(),
            "last_value_first": self.last_value,
            "decision": decision_json(self.decision),
            "first": self.sides[0],
            "second": self.sides[1],
        })
    }

    /// The expected score of the first player over the course of the game, with the marked moves,
    /// and with what the players themselves thought where that is known.
    #[must_use]
    pub fn plot(&self, title: &str, thoughts: &[Thought]) -> Plot {
        let first = |side: Side, value: f64| score(side.sign() as f64 * value);
        let at = |mv: &AnnotatedMove| Point::new(mv.ply as f64, first(mv.side, mv.before));
        let last = self.last_value.filter(|_| self.is_complete);
        let last = last.map(|value| Point::new(self.moves.len() as f64, score(value)));
        let curve = self.moves.iter().map(at).chain(last);
        let y = Axis::new(format!("expected score of {}", self.side_names[0]));
        let mut plot = Plot::new(title, Axis::new("moves played"), y.percent().range(0.0, 1.0))
            .with(Series::new(self.player.as_str(), Style::Curve, curve))
            .reference(0.5, "50 %");
        for side in [Side::First, Side::Second] {
            let own = thoughts.iter().filter_map(|thought| {
                let mv = self.moves.get(thought.ply as usize).filter(|mv| mv.side == side)?;
                Some(Point::new(f64::from(thought.ply), first(mv.side, thought.value?)))
            });
            let own: Vec<Point> = own.collect();
            if !own.is_empty() {
                let name = format!("{} during the game", self.side_names[side.index()]);
                plot = plot.with(Series::new(name, Style::Points, own));
            }
        }
        for mark in [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder] {
            let marked = self.moves.iter().filter(|mv| mv.mark == Some(mark));
            // Where the move has led to.
            let led =
                |mv: &AnnotatedMove| Point::new(mv.ply as f64 + 1.0, first(mv.side, mv.after));
            let marked: Vec<Point> = marked.map(led).collect();
            if !marked.is_empty() {
                plot = plot.with(Series::new(mark.sign(), Style::Points, marked));
            }
        }
        plot
    }
}

fn move_json(mv: &AnnotatedMove) -> Value {
    let sign = mv.side.sign() as f64;
    json!({
        "ply": mv.ply + 1,
        "side": mv.side,
        "move": mv.text,
        "opening": mv.is_opening,
        "before": mv.before,
        "after": mv.after,
        "before_first": sign * mv.before + 0.0,
        "source": mv.source,
        "proof_before": mv.proof_before,
        "proof_after": mv.proof_after,
        "loss": mv.loss,
        "mark": mv.mark.map(Mark::sign),
        "best_move": mv.best_move,
        "line": mv.line,
        "trap": mv.trap,
    })
}

fn decision_json(decision: Decision) -> Value {
    let (kind, ply, proven) = match decision {
        Decision::Move { ply, is_proven } => ("move", Some(ply + 1), Some(is_proven)),
        Decision::FromTheStart { is_proven } => ("from-the-start", None, Some(is_proven)),
        Decision::NoLoser => ("no-loser", None, None),
        Decision::Unknown => ("unknown", None, None),
    };
    json!({"kind": kind, "ply": ply, "proven": proven})
}
