//! What moves lose, and which one decided the game.

use treegraft::{Game, MoveReport, Notation, Report, Side};
use treegraft_engine::{Proof, ValueKind};
use treegraft_players::{MoveIndex, Player};

use super::{
    AnnotatedMove, Annotation, Annotator, Decision, INACCURACY, LOST_BELOW, Mark, SideSummary,
    Source,
};

/// Simulations of a move that are enough for its value to be taken as it is: five points of
/// standard error at most.
const ENOUGH_VISITS: u64 = 100;

/// Minimum share of the best move's simulations that it needs besides: a search knows too little
/// about a move that it has abandoned.
const ENOUGH_SHARE: f64 = 0.1;

/// Smaller differences, in standard errors, are noise.
const NOISE: f64 = 2.0;

/// The expected score that a value from -1 to 1 stands for.
pub(super) fn score(value: f64) -> f64 {
    (0.5 * (value + 1.0)).clamp(0.0, 1.0)
}

/// The value of a proven outcome.
fn exact(proof: Proof) -> f64 {
    match proof {
        Proof::Win => 1.0,
        Proof::Draw => 0.0,
        Proof::Loss => -1.0,
    }
}

/// An estimate with the simulations that it rests on, if it does.
#[derive(Clone, Copy)]
struct Estimate {
    value: f64,
    visits: Option<u64>,
}

impl Estimate {
    /// The variance of the expected score.
    fn variance(self) -> f64 {
        let score = score(self.value);
        self.visits.map_or(0.0, |visits| score * (1.0 - score) / visits.max(1) as f64)
    }
}

impl Annotator<'_, '_> {
    pub(super) fn finish(self, player: &Player) -> Annotation {
        let kind = player.search.value_kind();
        let mut moves = Vec::new();
        for at in 0..self.moves.len() {
            let Some(annotated) = self.judge(at, kind) else { break };
            moves.push(annotated);
        }
        let names =
            [Side::First, Side::Second].map(|side| self.positions[0].notation().side_name(side));
        let last = self.positions.len() - 1;
        let proven = self.known.proof(last, Side::First).map(exact);
        let estimate = self.reports[last].as_ref().map(|report| report.value.clamp(-1.0, 1.0));
        let last_value = if self.is_cut_off { Some(0.0) } else { proven.or(estimate) };
        Annotation {
            player: player.to_string(),
            kind,
            side_names: names,
            decision: self.decide(),
            sides: [Side::First, Side::Second].map(|side| summary(&moves, side)),
            is_complete: moves.len() == self.moves.len() && !self.is_cancelled(),
            moves,
            last_value,
        }
    }

    /// What there is to say about a move; `None` if it was not looked at.
    fn judge(&self, at: usize, kind: ValueKind) -> Option<AnnotatedMove> {
        let position = &self.positions[at];
        let side = position.to_move();
        let sign = side.sign() as f64;
        let mv = self.moves[at];
        let report = self.reports[at].as_ref()?;
        let best = report.best_move?;
        let [proof_before, proof_after] = [at, at + 1].map(|at| self.known.proof(at, side));
        let of = |mv: MoveIndex| report.moves.iter().find(|about| about.mv == mv);
        let best_visits =
            of(best).map(|about| about.visits).filter(|_| kind == ValueKind::Simulations);
        let estimate =
            Estimate { value: (sign * report.value).clamp(-1.0, 1.0), visits: best_visits };
        let is_forced = self.known.is_forced(at);
        let (after, source) = match (proof_after, of(mv)) {
            _ if at + 2 == self.positions.len() && self.is_cut_off => {
                (Estimate { value: 0.0, visits: None }, Source::End)
            }
            (Some(proof), _) => (Estimate { value: exact(proof), visits: None }, Source::Proof),
            (None, _) if mv == best || is_forced => (estimate, Source::Best),
            (None, about) => self.value_after(at, about, estimate, kind)?,
        };
        // Proofs are compared with proofs, and estimates with estimates: an estimate of 80 % does not
        // say that a proven win was given away.
        let before = match (proof_before, proof_after) {
            (Some(proof), Some(_)) => Estimate { value: exact(proof), visits: None },
            _ if source == Source::Best => after,
            _ => estimate,
        };
        let drop = score(before.value) - score(after.value);
        let noise = NOISE * (before.variance() + after.variance()).sqrt();
        let is_lost_anyway = proof_before == Some(Proof::Loss) || is_forced;
        let loss = if drop <= noise || is_lost_anyway { 0.0 } else { drop };
        let trap = self.traps[at].clone().filter(|_| !is_lost_anyway);
        Some(AnnotatedMove {
            ply: at,
            side,
            text: position.notation().move_text(mv),
            is_opening: at < self.with.opening_plies,
            before: before.value + 0.0,
            after: after.value + 0.0,
            source,
            proof_before,
            proof_after,
            loss,
            mark: Mark::of(loss),
            best_move: position.notation().move_text(best),
            line: position.line_texts(&report.pv),
            trap,
        })
    }

    /// The value of a move that is not the best, in the view of the side that played it: from the
    /// same search if that knows it well enough, otherwise from the search of the position after
    /// it.
    fn value_after(
        &self,
        at: usize,
        about: Option<&MoveReport<MoveIndex>>,
        best: Estimate,
        kind: ValueKind,
    ) -> Option<(Estimate, Source)> {
        let side = self.positions[at].to_move();
        let sign = side.sign() as f64;
        let seen = |value: f64| (sign * value).clamp(-1.0, 1.0);
        if let Some(about) = about {
            let enough = best.visits.map_or(0.0, |visits| ENOUGH_SHARE * visits as f64);
            let is_known = kind != ValueKind::Simulations
                || about.visits >= ENOUGH_VISITS && about.visits as f64 >= enough;
            if let (Some(value), true) = (about.value, is_known) {
                let visits = (kind == ValueKind::Simulations).then_some(about.visits);
                return Some((Estimate { value: seen(value), visits }, Source::Own));
            }
            let least = match side {
                Side::First => about.bounds[0],
                Side::Second => about.bounds[1],
            };
            if let Some(least) = least.map(seen)
                && score(best.value) - score(least) < INACCURACY
            {
                let value = least.min(best.value);
                return Some((Estimate { value, visits: None }, Source::Bound));
            }
        }
        let report = self.reports[at + 1].as_ref()?;
        let Estimate { value, visits } = whole(report, kind);
        Some((Estimate { value: seen(value), visits }, Source::Search))
    }

    /// The last move before which the loser was not lost.
    ///
    /// Only the loser's own moves are looked at: a side that is lost after a move of the opponent
    /// was lost before it.
    fn decide(&self) -> Decision {
        let Some(loser) = self.loser else { return Decision::NoLoser };
        let mut is_proven = true;
        for at in (0..self.moves.len()).rev() {
            if self.positions[at].to_move() != loser {
                continue;
            }
            is_proven &= self.known.is_lost(at + 1, loser) == Some(true);
            let is_lost = match (self.known.is_lost(at, loser), &self.reports[at]) {
                (Some(is_lost), _) => is_lost,
                (None, Some(report)) => {
                    is_proven = false;
                    score(loser.sign() as f64 * report.value) < LOST_BELOW
                }
                (None, None) => return Decision::Unknown,
            };
            if !is_lost {
                return Decision::Move { ply: at, is_proven };
            }
        }
        is_proven &= self.known.is_lost(0, loser) == Some(true);
        Decision::FromTheStart { is_proven }
    }
}

/// The value of a whole position in the first player's view, comparable with that of a move that
/// leads to it: for simulations the mean of all of them, not of those of the best move alone.
fn whole(report: &Report<MoveIndex>, kind: ValueKind) -> Estimate {
    let visits: u64 = report.moves.iter().map(|about| about.visits).sum();
    if kind != ValueKind::Simulations || visits == 0 || report.proof.is_some() {
        return Estimate { value: report.value, visits: None };
    }
    let weighted = |about: &MoveReport<MoveIndex>| about.value.map(|it| it * about.visits as f64);
    let sum: f64 = report.moves.iter().filter_map(weighted).sum();
    Estimate { value: sum / visits as f64, visits: Some(visits) }
}

/// What a side did, without the opening.
fn summary(moves: &[AnnotatedMove], side: Side) -> SideSummary {
    let own = || moves.iter().filter(|mv| mv.side == side && !mv.is_opening);
    let count = own().count();
    let marked = |mark: Mark| own().filter(|mv| mv.mark == Some(mark)).count();
    let total: f64 = own().map(|mv| mv.loss).sum();
    SideSummary {
        moves: count,
        inaccuracies: marked(Mark::Inaccuracy),
        mistakes: marked(Mark::Mistake),
        blunders: marked(Mark::Blunder),
        traps: own().filter(|mv| mv.trap.is_some()).count(),
        mean_loss: (count > 0).then(|| total / count as f64),
    }
}
