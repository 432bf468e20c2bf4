//! What a search has found out, and what it cost.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::bits::mix;
use crate::rollout::{Arm, Channel};
use crate::{Bounds, Budget, Exactness, Game, Outcome, Side, Speed, Spends, Stop};

/// Work done by a search, in units that can be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Rollouts, or completed depths of iterative deepening.
    pub iterations: u64,
    /// Positions visited (alpha-beta) or added to the tree (rollouts).
    pub nodes: u64,
    /// Static evaluations and playouts. Where a game has a fast way to greedy moves, the positions that
    /// these are compared by are not counted.
    pub evaluations: u64,
    /// Moves played in playouts.
    pub playout_plies: u64,
    /// Playouts that reached their limit on plies.
    pub capped_playouts: u64,
    /// Moves played outside playouts, including those of embedded searches.
    pub transitions: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// Bytes of tree or table in use at the end.
    pub memory: u64,
}

/// What a search is passed besides the position. `M` is the type of moves.
///
/// ```
/// # use treegraft::{Game, Outcome, Side};
/// # #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// # struct Nim { heap: u8, mover: Side }
/// # impl Game for Nim {
/// #     type Move = u8;
/// #     fn to_move(&self) -> Side { self.mover }
/// #     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.heap.min(3)) }
/// #     fn play(&mut self, take: u8) { self.heap -= take; self.mover = self.mover.other(); }
/// #     fn outcome(&self) -> Option<Outcome> {
/// #         (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
/// #     }
/// # }
/// use std::time::Duration;
/// use treegraft::rollout::{Config, Rollout};
/// use treegraft::{Budget, Report, Request, Searcher, Stop};
///
/// // Watch a search think for a while.
/// let nim = Nim { heap: 50, mover: Side::First };
/// let mut heard = 0;
/// let mut progress = |so_far: &Report<u8>| {
///     println!("{:?} after {} simulations", so_far.pv, so_far.work.iterations);
///     assert_eq!(so_far.stop, Stop::NotYet);
///     heard += 1;
/// };
/// let budget = Budget::time(Duration::from_millis(350));
/// let request = Request { progress: Some(&mut progress), ..Request::new(budget, 1) };
/// let report = Rollout::new(Config::default())?.search(&nim, request);
/// assert!(report.stop != Stop::NotYet && heard <= 3);
/// # Ok::<(), treegraft::ConfigError>(())
/// ```
pub struct Request<'a, M> {
    /// What it may spend.
    pub budget: Budget,
    /// The seed of all its random numbers.
    pub seed: u64,
    /// How many of the best moves are to have an exact value and a line of best play; the best one has
    /// them in any case. Searches that prune spend more on it; others know all values anyway.
    pub lines: u32,
    /// Set from another thread, it makes the search stop soon with what it has.
    pub cancel: Option<&'a AtomicBool>,
    /// Called about ten times a second with what the search would report if it stopped now.
    pub progress: Option<Listener<'a, M>>,
    /// Called just before [`progress`](Request::progress), and only if that is set, with
    /// the top of the tree as it is then. Searches that keep no tree never call it.
    pub tree: Option<TreeListener<'a, M>>,
}

/// A function that is called on the way with what a search has found.
pub type Listener<'a, M> = &'a mut dyn FnMut(&Report<M>);

/// A listener that is shown the top of a search tree while it grows.
pub struct TreeListener<'a, M> {
    /// How many plies of it.
    pub depth: u32,
    /// How many of the most visited children at each node.
    pub width: usize,
    /// The function that is called with it.
    pub show: &'a mut dyn FnMut(TreeNode<M>),
}

impl<'a, M> Request<'a, M> {
    /// A request with this budget and seed, and nothing else.
    #[must_use]
    pub fn new(budget: Budget, seed: u64) -> Request<'a, M> {
        Request { budget, seed, ..Request::default() }
    }
}

impl<M> Default for Request<'_, M> {
    fn default() -> Self {
        Request {
            budget: Budget::default(),
            seed: 0,
            lines: 1,
            cancel: None,
            progress: None,
            tree: None,
        }
    }
}

impl<M> std::fmt::Debug for Request<'_, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = f.debug_struct("Request");
        fields.field("budget", &self.budget).field("seed", &self.seed).field("lines", &self.lines);
        fields.finish_non_exhaustive()
    }
}

/// What a search says about one move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// Simulations that went through it; for alpha-beta the nodes spent on it.
    pub visits: u64,
    /// Its value in the first player's view, from -1 (lost) to 1 (won); `None` if unknown.
    pub value: Option<f64>,
    /// At least and at most, in the first player's view, where the value itself is unknown: a
    /// search that prunes need not find out how much worse than the best a move is.
    pub bounds: [Option<f64>; 2],
    /// Its exact outcome, if that is proven.
    pub proof: Option<Outcome>,
    /// Best play after it as far as the search knows it; begins with the move itself. Empty but for
    /// the requested [`lines`](Request::lines).
    pub pv: Vec<M>,
}

impl<M> MoveReport<M> {
    /// A move of which nothing is known.
    #[must_use]
    pub fn new(mv: M) -> MoveReport<M> {
        MoveReport { mv, visits: 0, value: None, bounds: [None; 2], proof: None, pv: Vec::new() }
    }

    /// The bounds of a value that is not exactly known, without those that say nothing.
    pub(crate) fn bounds_between(low: f64, high: f64) -> [Option<f64>; 2] {
        [Some(low).filter(|&low| low > -1.0), Some(high).filter(|&high| high < 1.0)]
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The move to play; `None` if the game is over.
    pub best_move: Option<M>,
    /// Best play for both sides as far as the search knows it; begins with the best move.
    pub pv: Vec<M>,
    /// The value of the position in the first player's view, from -1 (lost) to 1 (won).
    pub value: f64,
    /// The exact outcome of the position, if that is proven.
    pub proof: Option<Outcome>,
    /// The exact final margin in the first player's view, if that is proven.
    pub margin: Option<i64>,
    /// Every legal move, in the game's order.
    pub moves: Vec<MoveReport<M>>,
    /// The deepest completed iteration (alpha-beta) or the deepest node (rollouts), in plies.
    pub depth: u32,
    /// What it cost.
    pub work: Work,
    /// Why it ended.
    pub stop: Stop,
    /// A number that is equal for equal searches, computed from the whole tree or all visited
    /// nodes.
    pub digest: u64,
    /// The strategies for playouts of a search that switches them; of no other search.
    pub strategies: Vec<StrategyReport>,
}

/// What a search says about one of its strategies for playouts.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyReport {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The side whose moves it chose; `None`: both.
    pub side: Option<Side>,
    /// The playouts that it was chosen for.
    pub playouts: u64,
    /// The mean reward of these playouts from -1 to 1, for the side at the root, or for the side whose
    /// moves it chose; `None` if there was none.
    pub mean: Option<f64>,
    /// Its playouts so far and the sum of their rewards, after equal parts of all playouts.
    pub course: Vec<Arm>,
}

impl<M: Copy> Report<M> {
    /// The report on the way of a search that reports its work and nothing else.
    pub(crate) fn of_work(work: Work) -> Report<M> {
        Report {
            best_move: None,
            pv: Vec::new(),
            value: 0.0,
            proof: None,
            margin: None,
            moves: Vec::new(),
            depth: 0,
            work,
            stop: Stop::NotYet,
            digest: 0,
            strategies: Vec::new(),
        }
    }

    /// The report of a player that does not search: a move, nothing proven, nothing spent. The
    /// digest is that of the move. In a finished game there is no move, and the outcome is
    /// reported.
    #[must_use]
    pub fn of_move<G: Game<Move = M>>(position: &G, best: Option<M>) -> Report<M> {
        let outcome = position.outcome();
        Report {
            best_move: best,
            pv: best.into_iter().collect(),
            value: outcome.map_or(0.0, |outcome| outcome.value() as f64),
            proof: outcome,
            margin: position.exactness().margin(),
            stop: Stop::Done,
            digest: best.map_or(0, |mv| mix(position.speed().move_slot(mv) as u64)),
            ..Report::of_work(Work::default())
        }
    }

    /// The report on a game that is over, which took this time.
    pub(crate) fn finished<G: Game<Move = M>>(position: &G, time: Duration) -> Report<M> {
        let work = Work { time, ..Work::default() };
        Report { work, ..Report::of_move(position, None) }
    }
}

/// What a search knows of a move from all simulations in which it was played at some time (AMAF).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AmafReport {
    /// How many simulations.
    pub count: u64,
    /// Their mean reward in the first player's view, from -1 to 1.
    pub mean: f64,
}

/// What the alpha-beta rollouts of MCTS-αβ know of a node at one depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalReport {
    /// The depth in plies to which the node is being searched.
    pub depth: u32,
    /// At least and at most, in the first player's view, from -1 to 1: an evaluation that holds for
    /// this depth, and no proof.
    pub bounds: [Option<f64>; 2],
}

/// A node of a search tree, for people to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode<M> {
    /// The move that leads here; `None` at the root.
    pub mv: Option<M>,
    /// Simulations that went through it; for searches that prove, leaves with a value.
    pub visits: u64,
    /// Its value in the first player's view, from -1 (lost) to 1 (won); `None` if unknown.
    pub value: Option<f64>,
    /// At least and at most, where the value itself is unknown and the search keeps bounds.
    pub bounds: [Option<f64>; 2],
    /// Its values in the first player's view beside the mean of its simulations, in the order of
    /// [`Channel::ALL`]; `None` where the search does not keep them.
    pub channels: [Option<f64>; Channel::ALL.len()],
    /// MCTS-αβ: what alpha-beta rollouts know of it at the depth that is its turn; `None` where they
    /// have not been, and in other searches.
    pub interval: Option<IntervalReport>,
    /// RAVE: the results of simulations with its move there or later; `None` at the root, where no
    /// simulation had it, and in other searches.
    pub amaf: Option<AmafReport>,
    /// Its exact outcome, if that is proven.
    pub proof: Option<Outcome>,
    /// What comes next, the most visited move first; of equally visited ones, the better first.
    pub children: Vec<TreeNode<M>>,
    /// How many more moves have been tried from here.
    pub hidden: usize,
}

impl<M> TreeNode<M> {
    /// The same with the best of these children, each with what it is ranked by and its number:
    /// `width` of them, or none where `depth` is 0.
    pub(crate) fn with_children(
        self,
        mut children: Vec<(u64, f64, u32)>,
        depth: u32,
        width: usize,
        below: impl Fn(u32) -> TreeNode<M>,
    ) -> TreeNode<M> {
        sort_children(&mut children);
        let shown = if depth == 0 { 0 } else { children.len().min(width) };
        let hidden = children.len() - shown;
        let children = children[..shown].iter().map(|&(.., child)| below(child)).collect();
        TreeNode { children, hidden, ..self }
    }
}

/// The first number decides, then the second; equals stay in their order. Not generic, so that sorting
/// is compiled once and not for every game.
fn sort_children(children: &mut [(u64, f64, u32)]) {
    children.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
}

/// The bounds that a search can vouch for, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Guarantee<M> {
    /// The value lies between these bounds, both included, in the first player's view. Values are
    /// margins or evaluations, as the search has them; unknown ends are those of
    /// [`Bounds::MARGIN`].
    pub bounds: Bounds,
    /// The bounds of the moves that it has looked at, in its order.
    pub moves: Vec<(M, Bounds)>,
    /// The horizon in plies on which all this rests, or `None` if it holds for the whole game.
    pub horizon: Option<u32>,
}

/// A search that can be called again and again. It may keep memory and knowledge between moves.
pub trait Searcher<G: Game> {
    /// Searches `position`.
    ///
    /// A finished game gives a report without a move.
    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move>;

    /// Forgets everything about earlier positions.
    fn new_game(&mut self) {}

    /// Which limits of a budget it spends. A budget of others would not end the search.
    fn spends(&self) -> Spends {
        Spends::ALL
    }

    /// What the last search can vouch for at its position. `None` for searches without bounds.
    fn guarantee(&self) -> Option<Guarantee<G::Move>> {
        None
    }

    /// The top of the tree that the last search has left: `depth` plies of it, and at each node the
    /// `width` most visited children. `None` for searches that keep no tree.
    fn tree(&self, depth: u32, width: usize) -> Option<TreeNode<G::Move>> {
        let _ = (depth, width);
        None
    }
}

/// Folds numbers into a digest, order included.
#[inline]
pub(crate) fn fold(digest: u64, number: u64) -> u64 {
    mix(digest.rotate_left(7) ^ number)
}
