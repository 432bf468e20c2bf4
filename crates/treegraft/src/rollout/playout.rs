//! The playout: the reward of a new leaf is that of a game played to its end from there.
//!
//! Its moves come from a policy: random (the game's own fast playout), the best by the game's hints
//! (Baier 2018), by the game's weights (Lanctot et al. 2014), MCTS-MR's, MCTS-IR's or MAST's; or a
//! strategy chooses them (`switch`). MCTS-IC and dynamic early termination cut it off.

#[cfg(test)]
use super::informed::Event;
use super::shared::{PlayoutKind, Policy};
use super::{Playouts, Worker};
use crate::evaluate::in_scale;
use crate::observe::Observer;
use crate::weights::{best_first, draw_by_weight, most_urgent_first};
use crate::{Game, Guide, GuidedEnd, GuidedPlayout, Knowledge, Playout, Speed, playout};

/// Plies between two checks of the alarm in a playout that is made move by move.
const PLIES_AT_ONCE: u32 = 64;

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// The reward of a playout from a new leaf.
    #[inline(always)]
    pub(super) fn playout(&mut self, policy: &Policy<G>, position: &mut G) -> f64 {
        if self.trace.is_some() {
            return self.traced_playout(policy, position);
        }
        match policy.kind {
            // Without MR, evaluations and MAST: MCTS-MS and MCTS-MB too.
            PlayoutKind::Random => {
                let limit = position.limits().playout_plies;
                let playout = playout(position, &mut self.rng, &mut self.buffer, limit, None);
                self.count_playout(playout)
            }
            PlayoutKind::Minimax(depth) => {
                self.move_by_move::<false>(policy, position, false, Some(depth))
            }
            PlayoutKind::Guided => self.guided_playout(policy, position),
            PlayoutKind::Switched => self.switched_playout(position),
        }
    }

    /// The same, with its moves added to the trace.
    #[inline(never)]
    fn traced_playout(&mut self, policy: &Policy<G>, position: &mut G) -> f64 {
        match (policy.kind, &mut self.trace) {
            (PlayoutKind::Random, Some(trace)) => {
                let limit = position.limits().playout_plies;
                let playout =
                    playout(position, &mut self.rng, &mut self.buffer, limit, Some(trace));
                self.count_playout(playout)
            }
            (PlayoutKind::Switched, _) => self.switched_playout(position),
            (PlayoutKind::Random | PlayoutKind::Minimax(_) | PlayoutKind::Guided, _) => {
                self.move_by_move::<true>(policy, position, true, None)
            }
        }
    }

    // Not inlined: its loop is larger than the rest of a simulation.
    #[inline(never)]
    fn guided_playout(&mut self, policy: &Policy<G>, position: &mut G) -> f64 {
        if let Some((evaluator, guide)) = &policy.whole {
            let guide = Guide { max_plies: position.limits().playout_plies, ..*guide };
            if let Some(playout) = evaluator.guided_playout(position, &guide, &mut self.rng) {
                return self.count_guided(playout);
            }
        }
        #[cfg(test)]
        self.informed.log.push(Event::Start(position.clone()));
        self.move_by_move::<false>(policy, position, true, None)
    }

    /// Counts a guided playout that the game has made, and returns its reward.
    fn count_guided(&mut self, GuidedPlayout { end, plies, evaluations }: GuidedPlayout) -> f64 {
        self.work.playout_plies += u64::from(plies);
        self.work.evaluations += u64::from(evaluations);
        match end {
            GuidedEnd::Cut(value) => self.shared.reward(i64::from(in_scale(value))),
            GuidedEnd::Mercy(side) => side.sign() as f64,
            GuidedEnd::Over(outcome) => {
                self.work.evaluations += 1;
                outcome.value() as f64
            }
            GuidedEnd::Capped => {
                self.work.evaluations += 1;
                self.work.capped_playouts += 1;
                0.0
            }
        }
    }

    /// Counts a playout that the game has made, and returns its reward.
    #[inline(always)]
    fn count_playout(&mut self, playout: Playout) -> f64 {
        self.work.evaluations += 1;
        self.work.playout_plies += u64::from(playout.plies);
        self.work.capped_playouts += u64::from(playout.capped);
        playout.outcome.value() as f64
    }

    /// A playout, which may be cut off. With `minimax`, all moves are MCTS-MR's, searched to that
    /// depth: this case is compiled into the loop of all simulations.
    #[inline(always)]
    fn move_by_move<const TRACED: bool>(
        &mut self,
        policy: &Policy<G>,
        position: &mut G,
        may_be_cut: bool,
        minimax: Option<u32>,
    ) -> f64 {
        let limit = position.limits().playout_plies;
        let mut plies = 0;
        // Where the loop is left for a moment, to check the alarm.
        let mut pause = limit.min(PLIES_AT_ONCE);
        let reward = loop {
            if let Some(outcome) = position.outcome() {
                self.work.evaluations += 1;
                break outcome.value() as f64;
            }
            if may_be_cut && let Some(reward) = self.cut_off(position, plies) {
                break reward;
            }
            if plies == pause {
                if plies == limit {
                    self.work.evaluations += 1;
                    self.work.capped_playouts += 1;
                    break 0.0;
                }
                if self.alarm.rings_before(PLIES_AT_ONCE as usize) {
                    break self.finish_at_random(position, limit - plies);
                }
                pause = limit.min(pause + PLIES_AT_ONCE);
            }
            let mv = match minimax {
                Some(depth) => self.minimax_move(policy, position, depth),
                None => self.playout_move(policy, position),
            };
            if TRACED {
                self.trace.get_or_insert_default().add_move(position, mv);
            }
            self.observer.down(mv);
            position.play(mv);
            plies += 1;
        };
        self.work.playout_plies += u64::from(plies);
        reward
    }

    /// The quickest end of a playout, once the time is over.
    #[cold]
    #[inline(never)]
    fn finish_at_random(&mut self, position: &mut G, limit: u32) -> f64 {
        let playout = playout(position, &mut self.rng, &mut self.buffer, limit, None);
        self.count_playout(playout)
    }

    /// A playout move: MAST's; or MCTS-MR's if it wins, else MCTS-IR's among those that MCTS-MR leaves.
    #[inline(always)]
    pub(super) fn playout_move(&mut self, policy: &Policy<G>, position: &G) -> G::Move {
        let mr = self.shared.schedule.playouts;
        if let Some(epsilon) = policy.mast {
            let is_greedy = self.rng.unit() >= epsilon && !self.alarm.has_rung();
            return if is_greedy {
                self.best_by_mast(policy, position)
            } else {
                self.default_move(policy, position)
            };
        }
        let Some(epsilon) = policy.ir else {
            return match mr {
                None => self.default_move(policy, position),
                Some(depth) => self.minimax_move(policy, position, depth),
            };
        };
        if let Some(evaluator) = &policy.greedy {
            let is_greedy = self.rng.unit() >= epsilon && !self.alarm.has_rung();
            let ipp = policy.playouts.improved();
            if is_greedy && let Some(mv) = evaluator.greedy_move(position, ipp, &mut self.rng) {
                #[cfg(test)]
                self.informed.log.push(Event::Playout(position.clone(), mv, true));
                return mv;
            }
            return self.default_move(policy, position);
        }
        let won = match mr {
            Some(depth) => self.moves_left(position, depth),
            None => {
                self.buffer.clear();
                position.moves(&mut self.buffer);
                None
            }
        };
        if let Some(won) = won {
            return won;
        }
        if let Playouts::Improved(ipp) = policy.playouts {
            let urgent = most_urgent_first(position, ipp, &mut self.buffer);
            self.buffer.truncate(urgent);
        }
        let is_greedy = self.rng.unit() >= epsilon && !self.alarm.has_rung();
        let mv = if is_greedy {
            self.best_move(policy, position)
        } else {
            self.any_move(policy, position)
        };
        #[cfg(test)]
        self.informed.log.push(Event::Playout(position.clone(), mv, is_greedy));
        mv
    }

    /// A move of the default policy.
    #[inline(always)]
    fn default_move(&mut self, policy: &Policy<G>, position: &G) -> G::Move {
        match policy.playouts {
            Playouts::Random => position.speed().random_move(&mut self.rng, &mut self.buffer),
            Playouts::Hints => {
                let mv = position.speed().guided_move(None, &mut self.rng, &mut self.buffer);
                #[cfg(test)]
                self.informed.log.push(Event::Playout(position.clone(), mv, false));
                mv
            }
            Playouts::Improved(ipp) => {
                let mv = position.speed().guided_move(Some(ipp), &mut self.rng, &mut self.buffer);
                #[cfg(test)]
                self.informed.log.push(Event::Playout(position.clone(), mv, false));
                mv
            }
        }
    }

    /// One of the moves in `buffer`, by the default policy.
    #[inline]
    pub(super) fn any_move(&mut self, policy: &Policy<G>, position: &G) -> G::Move {
        let among = match policy.playouts {
            Playouts::Random => self.buffer.len(),
            Playouts::Hints => {
                best_first(&mut self.buffer, i32::MIN, |mv| position.knowledge().order_hint(mv))
            }
            Playouts::Improved(ipp) => {
                return draw_by_weight(position, ipp, &mut self.buffer, &mut self.rng);
            }
        };
        self.buffer[self.rng.below(among as u32) as usize]
    }
}
