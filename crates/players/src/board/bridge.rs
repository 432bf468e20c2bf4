//! A search of one game as a search of boards.

use treegraft::{
    Game, Guarantee, MoveReport, Report, Request, Searcher, Spends, TreeListener, TreeNode,
    legal_moves, played,
};

use super::position::index_of;
use super::{Board, MoveIndex};

/// A searcher of boards of one game, with its memory.
pub type Analyst = Box<dyn Searcher<Board> + Send>;

/// A search of positions of the type `G` as one of boards with such positions.
///
/// The search runs in its own code; only what it reports is put into numbers of moves. An own
/// search becomes a player with it; see [`SearchEntry`](crate::SearchEntry).
///
/// # Panics
///
/// The analyst panics if it is passed a board of another game.
pub fn bridge<G, S>(searcher: S) -> Analyst
where
    G: Game + Send + 'static,
    S: Searcher<G> + Send + 'static,
{
    bridge_boxed(Box::new(searcher))
}

/// The same of a search whose type is hidden.
pub(super) fn bridge_boxed<G>(searcher: Box<dyn Searcher<G> + Send>) -> Analyst
where
    G: Game + Send + 'static,
{
    Box::new(Bridge { searcher, at: None })
}

struct Bridge<G: Game> {
    searcher: Box<dyn Searcher<G> + Send>,
    /// The position that was searched last.
    at: Option<G>,
}

impl<G: Game + 'static> Searcher<Board> for Bridge<G> {
    fn search(&mut self, board: &Board, request: Request<'_, MoveIndex>) -> Report<MoveIndex> {
        let position: &G = board.downcast().expect("a board of the game that was searched before");
        let moves = legal_moves(position);
        let Request { budget, seed, lines, cancel, progress, tree } = request;
        let asked = Request { budget, seed, lines, cancel, ..Request::default() };
        let report = match progress {
            None => self.searcher.search(position, asked),
            Some(listen) => {
                let mut tell = |so_far: &Report<G::Move>| {
                    listen(&in_numbers(position, &moves, so_far.clone()));
                };
                let mut listener = tree;
                let size = listener.as_ref().map(|it| (it.depth, it.width));
                let mut show = |root: TreeNode<G::Move>| {
                    if let Some(listener) = &mut listener {
                        (listener.show)(node(position, root, None));
                    }
                };
                let tree =
                    size.map(|(depth, width)| TreeListener { depth, width, show: &mut show });
                let request = Request { progress: Some(&mut tell), tree, ..asked };
                self.searcher.search(position, request)
            }
        };
        self.at = Some(position.clone());
        in_numbers(position, &moves, report)
    }

    fn new_game(&mut self) {
        self.at = None;
        self.searcher.new_game();
    }

    fn spends(&self) -> Spends {
        self.searcher.spends()
    }

    fn guarantee(&self) -> Option<Guarantee<MoveIndex>> {
        let moves = legal_moves(self.at.as_ref()?);
        let Guarantee { bounds, moves: known, horizon } = self.searcher.guarantee()?;
        let known = known.into_iter().map(|(mv, bounds)| (index_of(&moves, mv), bounds)).collect();
        Some(Guarantee { bounds, moves: known, horizon })
    }

    fn tree(&self, depth: u32, width: usize) -> Option<TreeNode<MoveIndex>> {
        let root = self.searcher.tree(depth, width)?;
        Some(node(self.at.as_ref()?, root, None))
    }
}

/// A report on a position with these moves, in numbers.
fn in_numbers<G: Game>(
    position: &G,
    moves: &[G::Move],
    report: Report<G::Move>,
) -> Report<MoveIndex> {
    let of_move = |report: MoveReport<G::Move>| MoveReport {
        mv: index_of(moves, report.mv),
        visits: report.visits,
        value: report.value,
        bounds: report.bounds,
        proof: report.proof,
        pv: line(position, &report.pv),
    };
    Report {
        best_move: report.best_move.map(|mv| index_of(moves, mv)),
        pv: line(position, &report.pv),
        value: report.value,
        proof: report.proof,
        margin: report.margin,
        moves: report.moves.into_iter().map(of_move).collect(),
        depth: report.depth,
        work: report.work,
        stop: report.stop,
        digest: report.digest,
        strategies: report.strategies,
    }
}

/// A line of play in numbers, up to the first move that is not legal.
fn line<G: Game>(position: &G, moves: &[G::Move]) -> Vec<MoveIndex> {
    let mut at = position.clone();
    let mut line = Vec::with_capacity(moves.len());
    for &mv in moves {
        let index = index_of(&legal_moves(&at), mv);
        if index == MoveIndex::ILLEGAL {
            break;
        }
        line.push(index);
        at.play(mv);
    }
    line
}

/// A node in numbers; `position` is the position there.
fn node<G: Game>(
    position: &G,
    node: TreeNode<G::Move>,
    mv: Option<MoveIndex>,
) -> TreeNode<MoveIndex> {
    let moves = legal_moves(position);
    let child = |below: TreeNode<G::Move>| {
        let mv = below.mv?;
        let index = index_of(&moves, mv);
        let is_legal = index != MoveIndex::ILLEGAL;
        is_legal.then(|| self::node(&played(position, mv), below, Some(index)))
    };
    TreeNode {
        mv,
        visits: node.visits,
        value: node.value,
        bounds: node.bounds,
        channels: node.channels,
        interval: node.interval,
        amaf: node.amaf,
        proof: node.proof,
        children: node.children.into_iter().filter_map(child).collect(),
        hidden: node.hidden,
    }
}
