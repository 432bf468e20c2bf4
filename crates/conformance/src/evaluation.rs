//! The laws of static evaluations.

use std::collections::{BTreeMap, HashSet};

use super::book::{Book, Spot, Walk, ensure};
use super::statistics::correlation;
use super::subject::EvaluatorCard;
use super::subject::Subject;
use treegraft::{EVAL_ONE, Part, Rng, Side, is_evaluation_name};

/// For every evaluation and either side to move: what it said at one position of a game, and how
/// the game ended.
pub(super) type Views = Vec<[Vec<(f64, f64)>; 2]>;

/// For every evaluation: its values by the sum of its parts, in millionths of a point.
pub(super) type Curves = Vec<BTreeMap<i64, i32>>;

/// Tests along a walk, and adds to the views and the curves.
pub(super) fn check<G: Subject>(
    book: &mut Book,
    rng: &mut Rng,
    walk: &Walk<G>,
    views: &mut Views,
    curves: &mut Curves,
) {
    for at in walk.spots() {
        let mut evaluators = 0;
        book.test("evaluators", &at, &mut || {
            let (here, there) =
                (at.position().tested().evaluator_cards(), walk.start().tested().evaluator_cards());
            evaluators = here.len();
            ensure(here == there, || format!("{here:?}, but {there:?} at the start"))?;
            well_named(&here)
        });
        if at.position().outcome().is_some() || book.failed("evaluators") {
            continue;
        }
        for number in 0..evaluators {
            book.test("evaluation", &at, &mut || {
                let value = at.position().tested().evaluate(number);
                ensure(value.unsigned_abs() < EVAL_ONE as u32, || {
                    let name = &at.position().tested().evaluator_cards()[number].name;
                    format!("{name:?} returns {value}, but a won game is {EVAL_ONE}")
                })
            });
            if !book.stopped && !book.failed("evaluation") {
                check_parts(book, &at, number, curves);
            }
        }
    }
    if !book.stopped && !book.failed("evaluators") && !book.failed("evaluation") {
        add_views(rng, walk, views);
    }
}

fn well_named(cards: &[EvaluatorCard]) -> Result<(), String> {
    let mut names = HashSet::new();
    for EvaluatorCard { name, slope, .. } in cards {
        ensure(is_evaluation_name(name), || {
            format!(
                "{name:?} cannot be written: expected up to 40 letters, digits, dashes, dots and \
                 underscores, and neither auto nor none"
            )
        })?;
        ensure(names.insert(name), || format!("two are called {name:?}"))?;
        ensure(slope.is_finite() && *slope >= 0.0, || {
            format!("the slope of {name:?} is {slope}: expected a number from 0 on")
        })?;
    }
    Ok(())
}

/// Tests what an evaluation is made of, where it reports that.
fn check_parts<G: Subject>(book: &mut Book, at: &Spot<G>, number: usize, curves: &mut Curves) {
    let (position, start) = (at.position(), at.walk.start());
    let name = || position.tested().evaluator_cards()[number].name.clone();
    let given = book.ask("parts", at, || {
        let parts = position.tested().parts(number);
        // A game that is over at its start has nothing to compare with.
        match start.outcome() {
            None => (parts, start.tested().parts(number)),
            Some(_) => (parts.clone(), parts),
        }
    });
    let Some((parts, first)) = given.filter(|(here, there)| !here.is_empty() || !there.is_empty())
    else {
        return;
    };
    book.test("parts", at, &mut || well_made(&name(), &parts, &first));
    if book.failed("parts") {
        return;
    }
    curves.resize_with(curves.len().max(number + 1), BTreeMap::new);
    let (curve, points, value) =
        (&mut curves[number], Part::sum(&parts), position.tested().evaluate(number));
    book.test("parts-sum", at, &mut || {
        /// Floats may make a difference of one when a value is rounded.
        const ROUNDING: i32 = 1;
        let sum = (points * 1e6).round() as i64;
        let below = curve.range(..=sum).next_back().filter(|below| *below.1 > value + ROUNDING);
        let above = curve.range(sum..).next().filter(|above| *above.1 < value - ROUNDING);
        if let Some((&other, said)) = below.or(above) {
            let (name, [here, other]) = (name(), [sum, other].map(|sum| sum as f64 / 1e6));
            return Err(format!(
                "the parts of {name:?} add up to {here} and it says {value}, but elsewhere they \
                 add up to {other} and it says {said}"
            ));
        }
        curve.insert(sum, value);
        Ok(())
    });
}

fn well_made(name: &str, parts: &[Part], first: &[Part]) -> Result<(), String> {
    let names = |parts: &[Part]| -> Vec<String> {
        parts.iter().map(|part| part.name.clone().into_owned()).collect()
    };
    let (here, there) = (names(parts), names(first));
    ensure(here == there, || format!("{name:?} has {here:?}, but {there:?} at the start"))?;
    let mut once = HashSet::new();
    for part in parts {
        ensure(!part.name.trim().is_empty(), || format!("a part of {name:?} has no name"))?;
        ensure(once.insert(&part.name), || {
            format!("two parts of {name:?} are called {:?}", part.name)
        })?;
        // Finite factors can have an infinite product.
        let numbers = [part.amounts[0], part.amounts[1], part.weight, part.points()];
        ensure(numbers.iter().all(|number| number.is_finite()), || {
            format!("a number of {name:?} is not finite: {part:?}")
        })?;
    }
    Ok(())
}

/// Notes what the evaluations say in the second half of a finished game, once for either side to
/// move: positions of one game are too much alike to count more than once.
fn add_views<G: Subject>(rng: &mut Rng, walk: &Walk<G>, views: &mut Views) {
    let end = walk.end();
    let Some(outcome) = end.position().outcome() else { return };
    views.resize_with(walk.start().tested().evaluator_cards().len(), Default::default);
    for side in [Side::First, Side::Second] {
        let late = end.ply() / 2..end.ply();
        let plies: Vec<usize> =
            late.filter(|&ply| walk.at(ply).position().to_move() == side).collect();
        let Some(&ply) = rng.draw_from(&plies) else { continue };
        for (number, view) in views.iter_mut().enumerate() {
            let value = walk.at(ply).position().tested().evaluate(number);
            view[side.index()].push((f64::from(value), outcome.value() as f64));
        }
    }
}

/// Compares what evaluations say with the outcomes of random games, once all have been played.
///
/// A poor evaluation may have nothing to do with them, or even be wrong more often than right. But
/// if it is right with one side to move and wrong with the other, it takes the mover's view.
pub(super) fn compare<G: Subject>(book: &mut Book, walks: &[Walk<G>], views: &Views) {
    /// In standard errors. By chance, both are exceeded once in 10^10 evaluations.
    const SUSPICIOUS: f64 = 4.4;
    let Some(walk) = walks.first() else { return };
    for (number, view) in views.iter().enumerate() {
        let [Some(first), Some(second)] = [0, 1].map(|side| correlation(&view[side])) else {
            continue;
        };
        book.test("evaluation-view", &walk.at(0), &mut || {
            let is_turned = first.errors * second.errors < 0.0
                && first.errors.abs().min(second.errors.abs()) > SUSPICIOUS;
            ensure(!is_turned, || {
                let name = &walk.start().tested().evaluator_cards()[number].name;
                format!(
                    "{name:?} goes with the first player's wins by {:.2} with the first player to \
                     move, but by {:.2} with the second: is it in the mover's view?",
                    first.r, second.r
                )
            })
        });
    }
}
