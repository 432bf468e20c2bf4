//! Which moves were played, by side and slot.

use crate::MAX_SLOTS;
use crate::bits::set_bits;
use crate::{Game, Side, Speed};

/// The moves of a playout, for searches that collect statistics about moves wherever they are played
/// (AMAF): for each side a set of [slots](Speed::move_slot).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// By side, a bit a slot.
    words: [Vec<u64>; 2],
}

impl Trace {
    /// An empty trace for a game with `slots` slots; more than the contract allows are ignored.
    #[must_use]
    pub fn new(slots: usize) -> Trace {
        let words = vec![0; slots.min(MAX_SLOTS).div_ceil(64)];
        Trace { words: [words.clone(), words] }
    }

    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.words.iter_mut().for_each(|words| words.fill(0));
    }

    /// Adds the move that a side plays. A slot that the game does not have is ignored.
    #[inline(always)]
    pub fn add(&mut self, side: Side, slot: usize) {
        if let Some(word) = self.words[side.index()].get_mut(slot / 64) {
            *word |= 1 << (slot % 64);
        }
    }

    /// Adds a move that is about to be played.
    #[inline(always)]
    pub fn add_move<G: Game>(&mut self, position: &G, mv: G::Move) {
        self.add(position.to_move(), position.speed().move_slot(mv));
    }

    /// Adds the slots `64 * word` and so on, one for each bit that is set, the lowest first: a fast way
    /// for games on bitboards.
    #[inline(always)]
    pub fn add_word(&mut self, side: Side, word: usize, bits: u64) {
        if let Some(word) = self.words[side.index()].get_mut(word) {
            *word |= bits;
        }
    }

    /// Whether a side has played a slot.
    #[must_use]
    pub fn contains(&self, side: Side, slot: usize) -> bool {
        let word = self.words[side.index()].get(slot / 64);
        word.is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// The slots that a side has played, in ascending order.
    #[inline(always)]
    pub fn slots(&self, side: Side) -> impl Iterator<Item = usize> {
        let words = self.words[side.index()].iter().enumerate();
        words.flat_map(|(at, &word)| set_bits(word).map(move |bit| 64 * at + bit))
    }

    /// The words of the moves of a side.
    pub(crate) fn words(&self, side: Side) -> &[u64] {
        &self.words[side.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_a_set_for_each_side() {
        let mut trace = Trace::new(130);
        for slot in [129, 3, 64, 3, 191, 192, 9999] {
            trace.add(Side::First, slot);
        }
        trace.add_word(Side::Second, 1, 0b101);
        trace.add_word(Side::Second, 3, 1);
        let of = |side| trace.slots(side).collect::<Vec<_>>();
        assert_eq!(of(Side::First), [3, 64, 129, 191]);
        assert_eq!(of(Side::Second), [64, 66]);
        assert!(trace.contains(Side::Second, 66) && !trace.contains(Side::Second, 65));
        assert!(!trace.contains(Side::First, 9999) && !trace.contains(Side::First, 66));
        trace.clear();
        assert_eq!(trace, Trace::new(130));
    }
}
