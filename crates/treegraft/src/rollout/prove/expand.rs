//! Expansion: a node that is visited for the first time becomes a leaf with a value, or gets
//! children.

use std::cmp::Reverse;

use super::arena::{Id, ROOT};
use super::{Config, Worker};
use crate::bits::mix;
use crate::depth_first::{Scores, WIN};
use crate::observe::Observer;
use crate::report::fold;
use crate::{Bounds, Exactness, Game, Knowledge as _, Limit, Outcome, Rng, Speed, Stop};

/// Larger margins are not distinguished: FSSS doubles them, which must not overflow.
const LARGEST: i64 = 1 << 61;

/// What a visit to a node finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visit {
    /// A leaf, whose value is known from now on.
    Leaf,
    /// Children.
    Inner,
    /// Children, whose bounds say more about the node than was known.
    News,
    /// There is no room for its children: the search has to stop.
    NoRoom,
}

/// What is known of a value before anything is searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Knowledge {
    /// Nothing.
    Nothing,
    /// No value is better than a won game, or worse than a lost one.
    Outcomes,
    /// The game gives bounds at every position. With a horizon, the value 0 of positions there is
    /// possible too.
    Game { has_horizon: bool },
}

/// What may be known of the values of a search.
pub(super) fn knowledge<G: Game>(config: &Config, root: &G) -> Knowledge {
    let has_horizon = config.depth.is_some() || config.deepening;
    let has_bounds = root.exactness().margin_bounds().is_some();
    match config.scores {
        Scores::Outcome | Scores::Margin if !config.bounds => Knowledge::Nothing,
        Scores::Outcome if has_horizon || !has_bounds => Knowledge::Outcomes,
        Scores::Margin if !has_bounds => Knowledge::Nothing,
        Scores::Outcome | Scores::Margin => Knowledge::Game { has_horizon },
    }
}

const OUTCOMES: Bounds = Bounds { lo: -WIN, hi: WIN };

fn scaled(bounds: Bounds, scale: i64) -> Bounds {
    let one = |end: i64| {
        if [i64::MIN, i64::MAX].contains(&end) { end } else { end.clamp(-LARGEST, LARGEST) * scale }
    };
    Bounds { lo: one(bounds.lo), hi: one(bounds.hi) }
}

impl Knowledge {
    /// The bounds of the root. Those that the game gives for it are not used: its bounds must
    /// follow from its children's, or the value could be known before any move that has it.
    pub(super) fn of_root(self, scale: i64) -> Bounds {
        match self {
            Knowledge::Outcomes => scaled(OUTCOMES, scale),
            Knowledge::Nothing | Knowledge::Game { .. } => Bounds::MARGIN,
        }
    }

    /// What the game knows about a position.
    fn of<G: Game>(self, position: &G, scores: Scores) -> Bounds {
        match (self, scores) {
            (Knowledge::Nothing, _) => Bounds::MARGIN,
            (Knowledge::Outcomes, _) => OUTCOMES,
            (Knowledge::Game { has_horizon }, _) => {
                let Some((lo, hi)) = position.exactness().margin_bounds() else {
                    return Bounds::MARGIN;
                };
                match scores {
                    Scores::Outcome => Bounds { lo: lo.signum() * WIN, hi: hi.signum() * WIN },
                    Scores::Margin if has_horizon => Bounds { lo: lo.min(0), hi: hi.max(0) },
                    Scores::Margin => Bounds { lo, hi },
                }
            }
        }
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// Visits a node whose value is not known, `ply` plies from the root.
    #[inline(always)]
    pub(super) fn visit(&mut self, node: Id, position: &G, ply: usize) -> Visit {
        let children = self.arena.children(node);
        if !children.is_empty() {
            // Whoever selects among them looks at all of them.
            self.meter.charge(children.len());
            return Visit::Inner;
        }
        self.deepest = self.deepest.max(ply as u32);
        if let Some(outcome) = position.outcome() {
            let value = self.score(position, outcome);
            return self.value(node, position, value);
        }
        if ply as u32 == self.depth {
            self.met_horizon = true;
            self.arena.set_unproven(node);
            let value = match (self.shared.config.scores, &self.shared.evaluator) {
                (Scores::Outcome, Some(evaluator)) => i64::from(evaluator.evaluate(position)),
                (Scores::Outcome, None) | (Scores::Margin, _) => 0,
            };
            return self.value(node, position, value);
        }
        self.expand(node, position)
    }

    /// The value of a finished game in the first player's view.
    fn score(&mut self, position: &G, outcome: Outcome) -> i64 {
        let (score, is_margin) = self.shared.config.scores.of(position, outcome);
        self.has_margins |= is_margin;
        score
    }

    /// Notes the value of a leaf.
    #[inline(always)]
    fn value(&mut self, node: Id, position: &G, value: i64) -> Visit {
        (self.leaf)(position);
        self.see_leaf(position, value);
        self.work.evaluations += 1;
        self.leaves[self.root_move] += 1;
        self.digest = fold(self.digest, value as u64 ^ u64::from(node) << 32);
        let bounds = self.arena.bounds(node);
        let value = value.clamp(-LARGEST, LARGEST) * self.scale;
        // A game that goes on for ever may be cut off with a value that it cannot end with.
        let value = value.min(bounds.hi).max(bounds.lo);
        self.arena.set_bounds(node, Bounds::exactly(value));
        Visit::Leaf
    }

    /// Gives a node its children.
    fn expand(&mut self, node: Id, position: &G) -> Visit {
        self.buffer.clear();
        position.moves(&mut self.buffer);
        self.order_moves(position);
        if let Some(k) = self.shared.config.k
            && self.buffer.len() > k as usize
        {
            self.buffer.truncate(k as usize);
            self.arena.set_unproven(node);
        }
        let known = self.knowledge.of(position, self.shared.config.scores);
        if !self.arena.add_children(node, &self.buffer, scaled(known, self.scale)) {
            self.stop = Some(Stop::Spent(Limit::Memory));
            return Visit::NoRoom;
        }
        self.work.nodes += self.buffer.len() as u64;
        self.see_expand(position);
        if node == ROOT {
            self.leaves.resize(self.buffer.len(), 0);
        }
        self.alarm.expect(self.buffer.len());
        if !matches!(self.knowledge, Knowledge::Game { .. }) {
            return Visit::Inner;
        }
        for child in self.arena.children(node) {
            let mut next = position.clone();
            next.play(self.arena.mv(child));
            self.work.transitions += 1;
            // The end of a game is left open: it becomes a leaf, and is counted, when it is
            // visited.
            if next.outcome().is_none() {
                let known = known.and(self.knowledge.of(&next, self.shared.config.scores));
                self.arena.set_bounds(child, scaled(known, self.scale));
            }
        }
        let has_news = self.back_up(node, position.to_move());
        if has_news {
            self.see_narrow(node, None);
        }
        if has_news { Visit::News } else { Visit::Inner }
    }

    /// Orders the moves in the buffer as depth-first search does: by the game's hints, ties in the
    /// game's order or shuffled.
    #[inline(always)]
    fn order_moves(&mut self, position: &G) {
        if self.buffer.len() == 1 {
            return;
        }
        if self.shared.config.shuffle {
            Rng::new(mix(self.seed ^ position.speed().key())).shuffle(&mut self.buffer);
        }
        if self.shared.config.hints {
            self.ranked.clear();
            self.ranked
                .extend(self.buffer.iter().map(|&mv| (position.knowledge().order_hint(mv), mv)));
            self.ranked.sort_by_key(|&(hint, _)| Reverse(hint));
            self.buffer.clear();
            self.buffer.extend(self.ranked.iter().map(|&(_, mv)| mv));
        }
    }
}
