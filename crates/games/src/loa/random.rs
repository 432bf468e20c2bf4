//! Uniformly random moves and playouts.

use treegraft::bits::Cpu;
use treegraft::{Game, Outcome, Playout, Rng};

use super::board::connected;
use super::{Loa, LoaMove};

/// Draws until a piece and direction make a legal move. After many failures, which mean few
/// legal moves or none, it chooses from the list of them: uniformly too, so that the whole is.
#[inline(always)]
fn random_move_on<C: Cpu>(cpu: C, position: &Loa, rng: &mut Rng) -> LoaMove {
    const TRIES: u32 = 64;
    let pairs = 8 * position.own.count_ones();
    for _ in 0..TRIES {
        let pair = rng.below(pairs);
        let from = cpu.nth_bit(position.own, pair >> 3).trailing_zeros();
        if let Some(to) = position.target(from, pair & 7) {
            return LoaMove { from: from as u8, to: to as u8 };
        }
    }
    random_from_list(position, rng)
}

#[cold]
fn random_from_list(position: &Loa, rng: &mut Rng) -> LoaMove {
    let mut moves = arrayvec::ArrayVec::<LoaMove, 96>::new();
    position.for_each_move(|mv| moves.push(mv));
    rng.draw_from(&moves).copied().unwrap_or(LoaMove::PASS)
}

treegraft::dispatch! {
    pub(super) fn random_move(position: &Loa, rng: &mut Rng) -> LoaMove = random_move_on;
}

treegraft::dispatch! {
    pub(super) fn playout(position: &mut Loa, rng: &mut Rng, max_plies: u32) -> Playout = playout_on;
}

#[inline(always)]
fn playout_on<C: Cpu>(cpu: C, start: &mut Loa, rng: &mut Rng, max_plies: u32) -> Playout {
    let mut position = *start;
    let mut plies = 0;
    let mut outcome = position.outcome();
    while outcome.is_none() && plies != max_plies {
        let mv = random_move_on(cpu, &position, rng);
        let before = position.theirs;
        position.play(mv);
        plies += 1;
        // The side that did not move was not connected, and still is not if it lost no piece.
        let own = position.own != before && connected(position.own);
        let theirs = connected(position.theirs);
        outcome = position.ending(own, theirs);
    }
    *start = position;
    Playout { outcome: outcome.unwrap_or(Outcome::Draw), plies, capped: outcome.is_none() }
}

#[cfg(test)]
mod tests {
    use super::super::LoaRules;
    use super::*;

    /// Playouts hardly ever come here, so it has a test of its own.
    #[test]
    fn the_list_is_drawn_from_uniformly() {
        let start = Loa::new(LoaRules::default());
        let mut rng = Rng::new(5);
        let mut counts = std::collections::HashMap::new();
        for _ in 0..36_000 {
            *counts.entry(random_from_list(&start, &mut rng)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 36);
        // Standard deviation about 31: five of them either way.
        assert!(counts.values().all(|n| (845..=1155).contains(n)), "{counts:?}");
    }
}
