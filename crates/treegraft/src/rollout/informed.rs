//! Evaluations inside the simulations: MCTS-IR, MCTS-IC and MCTS-IP (Baier & Winands 2014); and
//! playouts by the game's hints (Baier 2018).

use super::tree::Id;
use super::{Config, Playouts, Run};
use crate::depth_first::Shallow;
use crate::game::best_hints_first;
use crate::game::sort_by_hint;
use crate::report::fold;
use crate::{EVAL_ONE, Evaluator, Game, Outcome};

/// What is asked of the evaluation, and the search that asks it.
#[derive(Debug)]
pub(super) struct Judge<G: Game> {
    /// Whether playouts are not played to their end at random: MCTS-IR, MCTS-IC, or by hints.
    pub(super) guides_playouts: bool,
    /// MCTS-IP: the visits from which on a node's children have priors; no node has the largest
    /// number.
    pub(super) prior_at: u32,
    slope: f64,
    pub(super) search: Shallow<G>,
    /// The priors of a family.
    values: Vec<f64>,
    /// What was asked, for tests.
    #[cfg(test)]
    pub(super) log: Vec<Event<G>>,
}

/// A use of the evaluation, as tests see it.
#[cfg(test)]
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event<G: Game> {
    /// A playout begins here.
    Start(G),
    /// A playout move was chosen; whether by its value.
    Playout(G, G::Move, bool),
    /// A playout was cut off: the position and the reward.
    Cut(G, f64),
    /// The children of a node were given priors: its row and its visits.
    Priors(Id, u32),
}

impl<G: Game> Judge<G> {
    pub(super) fn new(config: &Config, evaluator: Option<Evaluator<G>>) -> Judge<G> {
        let informed = &config.informed;
        let mut search = Shallow::new(evaluator);
        (search.k, search.order) = (config.embed.k, config.embed.order);
        let ip = informed.ip.filter(|ip| ip.weight > 0);
        Judge {
            guides_playouts: informed.ir.is_some()
                || informed.ic.is_some()
                || config.playouts != Playouts::Random,
            prior_at: ip.map_or(u32::MAX, |ip| ip.visits),
            slope: informed.slope,
            search,
            values: Vec::new(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// A value as a reward from -1 to 1.
    pub(super) fn reward(&self, value: i64) -> f64 {
        if value.abs() >= Shallow::<G>::WIN {
            return value.signum() as f64;
        }
        let x = value as f64 / f64::from(EVAL_ONE);
        // The logistic curve, for values and rewards from -1 to 1. The standard library asks the
        // system for its tangent, and systems differ in the last digit.
        if self.slope > 0.0 { libm::tanh(self.slope / 4.0 * x) } else { x }
    }
}

impl<G: Game> Run<'_, G> {
    /// A playout with moves by their value (MCTS-IR) or by hints, or one that is cut off (MCTS-IC),
    /// or both. Returns the reward.
    pub(super) fn informed_playout(&mut self, position: &mut G, limit: u32) -> f64 {
        let cut = self.config.informed.ic.unwrap_or(u32::MAX);
        let mut plies = 0;
        #[cfg(test)]
        self.informed.log.push(Event::Start(position.clone()));
        let reward = loop {
            if let Some(outcome) = position.outcome() {
                self.work.evaluations += 1;
                break outcome.value() as f64;
            }
            if plies == cut {
                let reward = self.judge(position, self.config.informed.ic_depth);
                #[cfg(test)]
                self.informed.log.push(Event::Cut(position.clone(), reward));
                break reward;
            }
            if plies == limit {
                self.work.evaluations += 1;
                self.work.capped_playouts += 1;
                break 0.0;
            }
            let mv = self.playout_move(position);
            position.play(mv);
            plies += 1;
        };
        self.work.playout_plies += u64::from(plies);
        reward
    }

    /// A playout move: MCTS-MR's if that wins, else of those it leaves MCTS-IR's.
    fn playout_move(&mut self, position: &G) -> G::Move {
        let mr = self.minimax.playouts;
        let Some(epsilon) = self.config.informed.ir else {
            return match mr {
                None => self.default_move(position),
                Some(depth) => self.minimax_move(position, depth),
            };
        };
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
        let is_greedy = self.rng.unit() >= epsilon && !self.minimax.gave_up;
        let mv = if is_greedy { self.best_move(position) } else { self.any_move(position) };
        #[cfg(test)]
        self.informed.log.push(Event::Playout(position.clone(), mv, is_greedy));
        mv
    }

    /// A move of the default policy.
    #[inline(always)]
    fn default_move(&mut self, position: &G) -> G::Move {
        match self.config.playouts {
            Playouts::Random => position.random_move(&mut self.rng, &mut self.buffer),
            Playouts::Hints => {
                let mv = position.hinted_move(&mut self.rng, &mut self.buffer);
                #[cfg(test)]
                self.informed.log.push(Event::Playout(position.clone(), mv, false));
                mv
            }
        }
    }

    /// Of the moves in `buffer`, one that the default policy would play.
    #[inline]
    pub(super) fn any_move(&mut self, position: &G) -> G::Move {
        let choice = match self.config.playouts {
            Playouts::Random => self.buffer.len(),
            Playouts::Hints => best_hints_first(position, &mut self.buffer),
        };
        self.buffer[self.rng.below(choice as u32) as usize]
    }

    /// Of the moves in `buffer`, one with the best value for the mover, uniformly.
    fn best_move(&mut self, position: &G) -> G::Move {
        let depth = self.config.informed.ir_depth.max(1);
        // The first of the best in random order is a random one.
        self.rng.shuffle(&mut self.buffer);
        if let Some(k) = self.config.embed.k
            && self.buffer.len() > k as usize
        {
            sort_by_hint(position, &mut self.buffer);
            self.buffer.truncate(k as usize);
            self.rng.shuffle(&mut self.buffer);
        }
        let mover = position.to_move();
        let (mut best, mut best_value) = (self.buffer[0], -Shallow::<G>::WIN);
        for i in 0..self.buffer.len() {
            let mut next = position.clone();
            next.play(self.buffer[i]);
            self.work.transitions += 1;
            let search = &mut self.informed.search;
            let value = search.value_above(best_value, &next, depth - 1, mover, &self.alarm);
            self.count_work();
            let Some(value) = value else {
                self.minimax.gave_up = true;
                return self.any_move(position);
            };
            if value > best_value {
                (best, best_value) = (self.buffer[i], value);
                if value == Shallow::<G>::WIN {
                    break;
                }
            }
        }
        best
    }

    /// The reward for reaching an unfinished position: its value `depth` plies deep, or its
    /// evaluation if the time is over.
    fn judge(&mut self, position: &G, depth: u32) -> f64 {
        let (search, mover) = (&mut self.informed.search, position.to_move());
        let mut value = None;
        if depth > 0 && !self.minimax.gave_up {
            let lowest = -Shallow::<G>::WIN;
            value = search.value_above(lowest, position, depth, mover, &self.alarm);
            self.minimax.gave_up = value.is_none();
        }
        let value = match value {
            Some(value) => mover.sign() * value,
            None => search.evaluate(position),
        };
        self.count_work();
        self.informed.reward(value)
    }

    /// Work inside counts at once: it may be what the budget limits.
    pub(super) fn count_work(&mut self) {
        let search = &mut self.informed.search;
        self.work.evaluations += std::mem::take(&mut search.evaluations);
        self.work.transitions += std::mem::take(&mut search.transitions);
    }

    /// MCTS-IP: puts all children into the tree, with visits that never were. Returns the outcome if
    /// looking at them decides the node.
    #[cold]
    pub(super) fn give_priors(&mut self, node: Id, position: &G) -> Option<Outcome> {
        // Children stand in random order, as if they had been tried one by one.
        let (tried, children) = (self.tree.tried(node), self.tree.children(node));
        for at in tried.end..children.end {
            let drawn = at + self.rng.below((children.end - at) as u32) as usize;
            self.tree.swap_untried(children.start, at, drawn);
        }
        let mut values = std::mem::take(&mut self.informed.values);
        values.clear();
        for child in children.clone() {
            let mut next = position.clone();
            next.play(self.tree.moves[child]);
            self.work.transitions += 1;
            if let Some(outcome) = next.outcome() {
                self.mark_finished(child, &next, outcome);
            }
            let value = match next.outcome().or(self.tree.bounds(child).outcome()) {
                Some(outcome) => outcome.value() as f64,
                None => self.judge(&next, self.config.informed.ip_depth),
            };
            self.digest = fold(self.digest, value.to_bits());
            values.push(value);
        }
        #[cfg(test)]
        self.informed.log.push(Event::Priors(node, self.tree.rows[node as usize].visits));
        for (child, &value) in children.clone().zip(&values) {
            self.tree.add_prior(child, value);
        }
        self.informed.values = values;
        self.work.nodes += (children.end - tried.end) as u64;
        let row = &mut self.tree.rows[node as usize];
        row.tried = row.count;
        row.set_primed();
        if self.set_bounds(node, position.to_move()) {
            self.note_news();
        }
        let bounds = self.tree.bounds(node as usize);
        bounds.is_exact().then(|| Outcome::from_margin(bounds.lo))
    }
}
