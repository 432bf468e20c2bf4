//! The rules of a user's game, as searches ask for them.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pyo3::intern;
use pyo3::prelude::*;
use treegraft::bits::mix;
use treegraft::{
    Charset, EVAL_ONE, Evaluate, Evaluator, Exactness, Game, Knowledge, Limits, Notation, Outcome,
    Side, Speed,
};

use super::{MAX_KEYS, OwnMove, OwnPosition};

impl PartialEq for OwnPosition {
    fn eq(&self, other: &OwnPosition) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.ask(|object| object.eq(other.0.object.bind(object.py())))
    }
}

impl Eq for OwnPosition {}

impl Hash for OwnPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl fmt::Debug for OwnPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ask(|object| Ok(object.repr()?.to_string())))
    }
}

impl Game for OwnPosition {
    type Move = OwnMove;

    fn to_move(&self) -> Side {
        self.once(&self.0.to_move, || {
            self.ask(|object| {
                let answer = object.call_method0(intern!(object.py(), "to_move"))?;
                match answer.extract::<i64>() {
                    Ok(0) => Ok(Side::First),
                    Ok(1) => Ok(Side::Second),
                    _ => Err(self.wrong("to_move", &answer, "0 (the first player) or 1")),
                }
            })
        })
    }

    fn moves(&self, moves: &mut Vec<OwnMove>) {
        moves.extend(self.listed());
    }

    fn play(&mut self, mv: OwnMove) {
        *self = self.ask(|object| {
            let py = object.py();
            let next = object.call_method1(intern!(py, "play"), (self.mv(py, mv)?,))?;
            self.next(object, next)
        });
    }

    fn outcome(&self) -> Option<Outcome> {
        self.once(&self.0.outcome, || {
            self.ask(|object| {
                let answer = object.call_method0(intern!(object.py(), "outcome"))?;
                if answer.is_none() {
                    return Ok(None);
                }
                match answer.extract::<f64>() {
                    Ok(1.0) => Ok(Some(Outcome::Win(Side::First))),
                    Ok(0.0) => Ok(Some(Outcome::Draw)),
                    Ok(-1.0) => Ok(Some(Outcome::Win(Side::Second))),
                    _ => {
                        let expected = "1 (the first player won), 0 (a draw), -1 (the second player \
                                        won), or None while the game goes on";
                        Err(self.wrong("outcome", &answer, expected))
                    }
                }
            })
        })
    }

    fn limits(&self) -> Limits {
        self.0.book.limits
    }

    treegraft::brings!(Speed, Knowledge, Exactness, Notation);
}

impl Speed for OwnPosition {
    fn key(&self) -> u64 {
        self.once(&self.0.key, || {
            self.ask(|object| {
                let keys = self.0.book.keys.bind(object.py());
                if let Some(number) = keys.get_item(object)? {
                    return Ok(mix(number.extract()?));
                }
                let number = keys.len() as u64;
                if keys.len() < MAX_KEYS {
                    keys.set_item(object, number)?;
                    return Ok(mix(number));
                }
                Ok(mix(self.0.book.more_keys.fetch_add(1, Ordering::Relaxed)))
            })
        })
    }

    fn move_slot(&self, mv: OwnMove) -> usize {
        // Numbers count from 0, so that moves share slots only in games with very many.
        mv.0 as usize % self.move_slots()
    }
}

impl Knowledge for OwnPosition {
    fn order_hint(&self, mv: OwnMove) -> i32 {
        if !self.0.book.has.order_hint {
            return 0;
        }
        let hint = self.whole("order_hint", Some(mv));
        hint.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }

    fn evaluators(&self) -> Vec<Evaluator<OwnPosition>> {
        if !self.0.book.has.evaluate {
            return Vec::new();
        }
        vec![Evaluator::shared("evaluate", "the game's method evaluate", OwnEvaluation)]
    }

    fn null_move(&self) -> Option<OwnPosition> {
        self.0.book.has.null_move.then_some(())?;
        self.ask(|object| {
            let next = object.call_method0(intern!(object.py(), "null_move"))?;
            if next.is_none() { Ok(None) } else { self.next(object, next).map(Some) }
        })
    }

    fn loud_moves(&self, moves: &mut Vec<OwnMove>) {
        if self.0.book.has.loud_moves {
            moves.extend(self.ask(|object| self.list(object, "loud_moves")));
        }
    }
}

impl Exactness for OwnPosition {
    fn margin(&self) -> Option<i64> {
        self.0.book.has.margin.then_some(())?;
        self.outcome()?;
        Some(self.whole("margin", None))
    }

    fn margin_bounds(&self) -> Option<(i64, i64)> {
        self.0.book.has.margin_bounds.then_some(())?;
        Some(self.ask(|object| {
            let answer = object.call_method0(intern!(object.py(), "margin_bounds"))?;
            answer.extract().map_err(|_| self.wrong("margin_bounds", &answer, "two whole numbers"))
        }))
    }
}

impl Notation for OwnPosition {
    fn side_name(&self, side: Side) -> &'static str {
        self.0.book.side_names[side.index()]
    }

    fn move_text(&self, mv: OwnMove) -> String {
        let text = self.ask(|object| {
            let py = object.py();
            let mv = self.mv(py, mv)?;
            let text = match self.0.book.has.move_text {
                true => object.call_method1(intern!(py, "move_text"), (mv,))?,
                false => mv.str()?.into_any(),
            };
            text.extract::<String>().map_err(|_| self.wrong("move_text", &text, "a text"))
        });
        if self.0.book.has.move_text {
            return text;
        }
        text.replace(',', ";").split_whitespace().collect()
    }

    fn diagram(&self, charset: Charset) -> String {
        let text = self.ask(|object| Ok(object.str()?.to_string()));
        let text = if text.trim().is_empty() { self.0.book.class.clone() } else { text };
        match charset {
            Charset::Unicode => text,
            Charset::Ascii => text.replace(|c: char| !c.is_ascii(), "?"),
        }
    }
}

/// The method `evaluate` of the position itself.
struct OwnEvaluation;

impl Evaluate<OwnPosition> for OwnEvaluation {
    fn evaluate(&self, position: &OwnPosition) -> i32 {
        position.ask(|object| {
            let answer = object.call_method0(intern!(object.py(), "evaluate"))?;
            let value = answer.extract::<f64>().ok().and_then(points);
            value.ok_or_else(|| position.wrong("evaluate", &answer, VALUE))
        })
    }
}

/// What an evaluation must return.
pub(crate) const VALUE: &str = "a number from -1 (lost for the first player) to 1 (won)";

/// A value from -1 to 1 on the scale of evaluations; `None` if it is not one.
pub(crate) fn points(value: f64) -> Option<i32> {
    // The ends of the scale are kept for finished games.
    let most = f64::from(EVAL_ONE - 1);
    let is_value = (-1.0..=1.0).contains(&value);
    is_value.then(|| (value * f64::from(EVAL_ONE)).round().clamp(-most, most) as i32)
}
