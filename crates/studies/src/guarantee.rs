//! What a search guarantees about a position whose value it may not know.

use serde_json::{Value, json};
use treegraft::depth_first::Scores;
use treegraft::{Bounds, EVAL_ONE, Game, Guarantee, Notation, Side};
use treegraft_players::{Board, MoveIndex, Player, Search};

use treegraft_engine::{percent, raw};

/// Bounds on the value of a position and its moves, in the view of the player to move.
#[derive(Debug)]
pub struct StatedGuarantee {
    unit: Unit,
    /// The depth that it rests on; `None` if it holds for the game.
    horizon: Option<u32>,
    ends: Ends,
    moves: Vec<(String, Ends)>,
    mover: &'static str,
}

/// What bounds are bounds of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Margin,
    /// From -1 (lost) to 1 (won).
    Value,
}

/// At least, and at most; `None` if nothing is known.
type Ends = [Option<f64>; 2];

impl StatedGuarantee {
    /// What a search of this position guarantees, in the player's units.
    #[must_use]
    pub fn new(
        position: &Board,
        player: &Player,
        guarantee: Option<Guarantee<MoveIndex>>,
    ) -> Option<StatedGuarantee> {
        let Guarantee { bounds, moves, horizon } = guarantee?;
        let unit = match &player.search {
            Search::Prove(player) if player.config.scores == Scores::Margin => Unit::Margin,
            _ => Unit::Value,
        };
        let side = position.to_move();
        let ends = |bounds| ends(bounds, side, unit);
        let moves =
            moves.into_iter().map(|(mv, bounds)| (position.notation().move_text(mv), ends(bounds)));
        let (moves, mover) = (moves.collect(), position.notation().side_name(side));
        Some(StatedGuarantee { unit, horizon, ends: ends(bounds), moves, mover })
    }

    /// Whether the value lies between its bounds, and not on them.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.ends[0].is_none() || self.ends[0] != self.ends[1]
    }

    /// Whether it is about margins, which are not yet known.
    pub(crate) fn lacks_margin(&self) -> bool {
        self.unit == Unit::Margin && self.is_open()
    }

    /// "the margin is at least 3 and at most 9 for Max".
    #[must_use]
    pub fn text(&self) -> String {
        let what = match self.unit {
            Unit::Margin => "the margin",
            Unit::Value => "the value",
        };
        let known = match self.range(self.ends) {
            Some(range) => format!("{what} is {range} for {}", self.mover),
            None => format!("nothing about {what} yet"),
        };
        match self.horizon {
            Some(depth) if depth < ENDLESS => format!("{known}, looking {depth} plies ahead"),
            Some(_) => format!("{known}, in the part of the tree that was searched"),
            None => known,
        }
    }

    /// What is known of the moves: one line each, at most `top` of them.
    #[must_use]
    pub fn moves_text(&self, top: usize) -> String {
        let known = self.moves.iter().filter_map(|(mv, ends)| Some((mv, self.range(*ends)?)));
        let lines: Vec<String> = known.map(|(mv, range)| format!("{mv}: {range}")).collect();
        let more = lines.len().saturating_sub(top);
        let mut text = lines.iter().take(top).cloned().collect::<Vec<_>>().join("\n");
        if more > 0 {
            text.push_str(&format!("\n... and {more} more"));
        }
        text
    }

    /// "at least 3 and at most 9"; `None` if nothing is known.
    fn range(&self, ends: Ends) -> Option<String> {
        let number = |value: f64| match self.unit {
            Unit::Margin => format!("{value}"),
            Unit::Value => format!("{} ({})", percent(value), raw(value)),
        };
        match ends.map(|end| end.map(number)) {
            [None, None] => None,
            [Some(low), None] => Some(format!("at least {low}")),
            [None, Some(high)] => Some(format!("at most {high}")),
            [Some(low), Some(high)] if low == high => Some(low),
            [Some(low), Some(high)] => Some(format!("at least {low} and at most {high}")),
        }
    }

    /// An object of bounds; null stands for what is not known.
    #[must_use]
    pub fn json(&self) -> Value {
        let about =
            |(mv, [low, high]): &(String, Ends)| json!({"move": mv, "low": low, "high": high});
        json!({
            "unit": match self.unit {
                Unit::Margin => "margin",
                Unit::Value => "value",
            },
            "low": self.ends[0],
            "high": self.ends[1],
            "horizon": self.horizon.filter(|&depth| depth < ENDLESS),
            "holds_for_the_game": self.horizon.is_none(),
            "moves": self.moves.iter().map(about).collect::<Vec<_>>(),
        })
    }
}

/// A depth that stands for the end of the game.
const ENDLESS: u32 = 1000;

fn ends(bounds: Bounds, side: Side, unit: Unit) -> Ends {
    let Bounds { lo, hi } = bounds;
    let one = |end: i64| {
        let is_known = ![i64::MIN, i64::MAX].contains(&end);
        // Without the addition nothing would be -0 for the second player.
        let value = side.sign() as f64 * end as f64 + 0.0;
        match unit {
            Unit::Margin => is_known.then_some(value),
            Unit::Value => is_known.then(|| (value / f64::from(EVAL_ONE)).clamp(-1.0, 1.0)),
        }
    };
    match side {
        Side::First => [one(lo), one(hi)],
        Side::Second => [one(hi), one(lo)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guarantee(side: Side, lo: i64, hi: i64) -> StatedGuarantee {
        let ends = ends(Bounds { lo, hi }, side, Unit::Margin);
        StatedGuarantee { unit: Unit::Margin, horizon: None, ends, moves: Vec::new(), mover: "Min" }
    }

    #[test]
    fn bounds_are_those_of_the_mover() {
        let text = |side, lo, hi| guarantee(side, lo, hi).text();
        let first = Side::First;
        assert_eq!(text(first, -3, 9), "the margin is at least -3 and at most 9 for Min");
        assert_eq!(text(Side::Second, -3, 9), "the margin is at least -9 and at most 3 for Min");
        assert_eq!(text(Side::Second, i64::MIN, 0), "the margin is at least 0 for Min");
        assert_eq!(text(first, i64::MIN, 4), "the margin is at most 4 for Min");
        assert_eq!(text(first, 4, 4), "the margin is 4 for Min");
        assert_eq!(text(first, i64::MIN, i64::MAX), "nothing about the margin yet");
        assert!(guarantee(first, 3, 4).is_open() && !guarantee(first, 4, 4).is_open());
        assert!(guarantee(first, i64::MIN, i64::MAX).is_open());
    }
}
