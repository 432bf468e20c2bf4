//! RAVE's statistics, counted again from recorded simulations: in Hex, where a playout fills the board,
//! in Othello with its passes, and in Kalah with its extra turns.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use treegraft::rollout::{Config, Rave, Rollout};
use treegraft::{Budget, Game, Outcome, Playout, Request, Rng, Searcher, Side, Speed, Trace};

use crate::common::board;

/// A simulation: the moves in the tree, those of the playout, and who won.
struct Simulation<M> {
    steps: Vec<(Side, usize, M)>,
    playout: Trace,
    reward: f64,
}

/// A game that records the simulations of a search.
#[derive(Clone)]
struct Recorded<G: Game> {
    game: G,
    steps: Vec<(Side, usize, G::Move)>,
    log: Rc<RefCell<Vec<Simulation<G::Move>>>>,
}

impl<G: Game> std::fmt::Debug for Recorded<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.game.fmt(f)
    }
}

impl<G: Game> PartialEq for Recorded<G> {
    fn eq(&self, other: &Recorded<G>) -> bool {
        self.game == other.game
    }
}

impl<G: Game> Eq for Recorded<G> {}

impl<G: Game> Hash for Recorded<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.game.hash(state);
    }
}

impl<G: Game> Game for Recorded<G> {
    type Move = G::Move;

    fn to_move(&self) -> Side {
        self.game.to_move()
    }

    fn moves(&self, moves: &mut Vec<G::Move>) {
        self.game.moves(moves);
    }

    fn play(&mut self, mv: G::Move) {
        self.steps.push((self.to_move(), self.game.speed().move_slot(mv), mv));
        self.game.play(mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        mut trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        let slots = self.move_slots();
        assert_eq!(trace.as_deref(), Some(&Trace::new(slots)), "every playout has its own trace");
        let played = trace.as_deref_mut();
        let playout = treegraft::playout(&mut self.game, rng, &mut Vec::new(), max_plies, played);
        let (steps, reward) = (self.steps.clone(), playout.outcome.value() as f64);
        let trace = trace.as_deref().cloned().unwrap_or_default();
        self.log.borrow_mut().push(Simulation { steps, playout: trace, reward });
        Some(playout)
    }

    treegraft::brings!(Speed);
}

impl<G: Game> Speed for Recorded<G> {
    fn move_slots(&self) -> usize {
        self.game.speed().move_slots()
    }

    fn move_slot(&self, mv: G::Move) -> usize {
        self.game.speed().move_slot(mv)
    }
}

/// Compares every node of the tree that has children with the simulations that went through it.
fn check<G: Game>(start: &G, iterations: u64) -> (usize, usize) {
    let log = Rc::new(RefCell::new(Vec::new()));
    let root = Recorded { game: start.clone(), steps: Vec::new(), log: Rc::clone(&log) };
    let config = Config { rave: Some(Rave::default()), c: 0.3, ..Config::default() };
    let mut search = Rollout::new(config).unwrap();
    search.search(&root, Request::new(Budget::iterations(iterations), 7));
    let tree = search.tree(9, 999).expect("a tree");
    let log = log.borrow();
    assert_eq!(log.len() as u64, iterations, "every simulation had a playout");
    let (mut compared, mut later) = (0, 0);
    let mut open = vec![(&tree, start.clone(), Vec::<G::Move>::new())];
    while let Some((node, position, path)) = open.pop() {
        let mover = position.to_move();
        let goes_through = |simulation: &&Simulation<G::Move>| {
            let steps = simulation.steps.iter().map(|step| step.2);
            simulation.steps.len() >= path.len() && steps.take(path.len()).eq(path.iter().copied())
        };
        // The first simulation through any node but the root made it, without children.
        let skipped = usize::from(!path.is_empty());
        let through: Vec<_> = log.iter().filter(goes_through).skip(skipped).collect();
        for child in &node.children {
            let mv = child.mv.expect("a move");
            let slot = position.speed().move_slot(mv);
            let (mut count, mut sum) = (0, 0.0);
            for simulation in &through {
                let own = simulation.steps[path.len()..].iter().filter(|step| step.0 == mover);
                let mut played: BTreeSet<usize> = own.map(|step| step.1).collect();
                let in_tree = played.contains(&slot);
                played.extend(simulation.playout.slots(mover));
                if played.contains(&slot) {
                    count += 1;
                    sum += simulation.reward;
                    later += usize::from(!in_tree);
                }
            }
            let amaf = child.amaf.expect("its own simulation at least");
            assert_eq!(amaf.count, count, "{position:?} {mv:?}");
            assert!((amaf.mean - sum / count as f64).abs() < 1e-5, "{position:?} {mv:?}");
            compared += 1;
            let mut next = position.clone();
            next.play(mv);
            open.push((child, next, [&path[..], &[mv]].concat()));
        }
    }
    (compared, later)
}

#[test]
fn counts_are_those_of_the_recorded_simulations() {
    // White has to pass soon in many lines of the small Othello board.
    let games = [("hex:5,swap=true", 400), ("othello", 400), ("othello:4", 60), ("kalah", 400)];
    let checked = games.map(|(game, iterations)| check(&board(game), iterations));
    for (compared, later) in checked {
        assert!(compared > 50 && later > 200, "{checked:?}");
    }
}
