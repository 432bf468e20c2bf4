//! A search of a registry is the search itself: nothing is lost on the way through a board.

use treegraft::depth_first::{self, DepthFirst};
use treegraft::rollout::prove::{self, Prover};
use treegraft::rollout::{self, Rollout, Select, Solver};
use treegraft::{
    Budget, Game, Guarantee, IntervalReport, Knowledge, Notation, Playthrough, Report, Request,
    Searcher, Side, TreeListener, TreeNode, Work,
};
use treegraft_games::{Connect4, Kalah};
use treegraft_players::{Board, MoveIndex, Registry, Search, bridge};

use crate::common::{Nim, analyst, player, start};

/// What a report says, in words where it has moves.
#[derive(Debug, PartialEq)]
struct Said {
    best: Option<String>,
    pv: Vec<String>,
    moves: Vec<(String, u64, Option<f64>)>,
    facts: String,
}

fn said<G: Game>(position: &G, report: &Report<G::Move>) -> Said {
    let mut line = Playthrough::new(position.clone());
    report.pv.iter().for_each(|&mv| line.play(mv));
    // No two runs take the same time.
    let work = Work { time: Default::default(), ..report.work };
    let Report { value, proof, margin, depth, stop, digest, .. } = report;
    Said {
        best: report.best_move.map(|mv| position.notation().move_text(mv)),
        pv: line.move_texts(),
        moves: report
            .moves
            .iter()
            .map(|of| (position.notation().move_text(of.mv), of.visits, of.value))
            .collect(),
        facts: format!("{value} {proof:?} {margin:?} {depth} {work:?} {stop:?} {digest:x}"),
    }
}

/// A tree in words, a line for every node.
fn tree_text<G: Game>(position: &G, node: &TreeNode<G::Move>, above: &str, text: &mut String) {
    let TreeNode { visits, value, proof, hidden, .. } = node;
    *text += &format!("{above}: {visits} {value:?} {proof:?} {hidden}\n");
    for child in &node.children {
        let mv = child.mv.expect("only the root has none");
        let mut next = position.clone();
        next.play(mv);
        tree_text(&next, child, &format!("{above} {}", position.notation().move_text(mv)), text);
    }
}

fn tree_of<G: Game>(position: &G, searcher: &dyn Searcher<G>) -> Option<String> {
    let root = searcher.tree(4, 5)?;
    let mut text = String::new();
    tree_text(position, &root, "", &mut text);
    Some(text)
}

/// What a search promises, in words where it has moves.
fn promises<G: Game>(position: &G, known: Guarantee<G::Move>) -> String {
    let of_move = |(mv, bounds)| format!("{}: {bounds:?}", position.notation().move_text(mv));
    let moves: Vec<String> = known.moves.into_iter().map(of_move).collect();
    format!("{:?} {:?} {moves:?}", known.bounds, known.horizon)
}

/// Requests some moves of a game from both, with what they remember.
fn compare<G>(game: &str, text: &str, mut direct: Box<dyn Searcher<G>>, budget: Budget)
where
    G: Game + Send + Sync + 'static,
{
    let registry = Registry::standard();
    let start = start(&registry, game);
    let mut through = analyst(&registry, game, text);
    for round in 0..2 {
        let mut board: Board = start.board().clone();
        through.new_game();
        direct.new_game();
        for seed in 0..6 {
            let position: G = board.downcast::<G>().expect(game).clone();
            let seed = seed + 10 * round;
            let report = through.search(&board, Request::new(budget, seed));
            let expected = direct.search(&position, Request::new(budget, seed));
            let what = format!("{game} {text} {board:?}");
            assert_eq!(report.digest, expected.digest, "{what}");
            assert_eq!(said(&board, &report), said(&position, &expected), "{what}");
            assert_eq!(report.pv.len(), expected.pv.len(), "{what}");
            assert_eq!(tree_of(&board, &*through), tree_of(&position, &*direct), "{what}");
            let ours = through.guarantee().map(|known| promises(&board, known));
            let theirs = direct.guarantee().map(|known| promises(&position, known));
            assert_eq!(ours, theirs, "{what}");
            let Some(best) = report.best_move else { break };
            board.play(best);
        }
    }
}

fn searches_are_the_same<G>(game: &str)
where
    G: Game + Send + Sync + 'static,
    G::Move: Send + Sync,
{
    let registry = Registry::standard();
    let start = start(&registry, game);
    let position: &G = start.board().downcast().expect(game);
    let constants = start.info().constants;
    let eval = position.knowledge().evaluators().into_iter().next();

    let config = rollout::Config {
        select: Select::Ucb1Tuned,
        solver: Solver::Wins,
        c: constants.ucb1_tuned,
        ..rollout::Config::default()
    };
    // A search with random playouts does not care for the slope of an evaluation.
    let slope = eval.as_ref().map_or(0.0, |eval| eval.slope);
    let informed = rollout::Informed { slope, ..config.informed };
    let config = rollout::Config { informed, ..config };
    let direct = Box::new(Rollout::with_evaluator(config, eval.clone()).unwrap());
    compare::<G>(game, "mcts-solver", direct, Budget::iterations(300));

    let direct = Box::new(DepthFirst::new(depth_first::Config::default(), eval.clone()).unwrap());
    compare::<G>(game, "ab", direct, Budget::nodes(3000));

    let Search::Prove(fsss) = player(&registry, "fsss").search else { panic!("fsss proves") };
    assert_eq!(fsss.config.method, prove::Method::Fsss);
    let direct = Box::new(Prover::new(fsss.config, eval).unwrap());
    compare::<G>(game, "fsss", direct, Budget::nodes(2000));
}

#[test]
fn searches_of_connect4_are_the_same_through_boards() {
    searches_are_the_same::<Connect4>("connect4");
}

#[test]
fn searches_of_kalah_are_the_same_through_boards() {
    searches_are_the_same::<Kalah>("kalah");
}

#[test]
#[should_panic(expected = "a board of the game that was searched before")]
fn a_board_of_another_game_is_a_mistake() {
    let registry = Registry::standard();
    let mut analyst = analyst(&registry, "connect4", "random");
    analyst.search(start(&registry, "kalah").board(), Request::default());
}

/// Reports a move that is not legal, and a line that goes on with one.
struct Cheat;

impl Searcher<Nim> for Cheat {
    fn search(&mut self, nim: &Nim, _: Request<'_, u8>) -> Report<u8> {
        Report { pv: vec![2, 3, 9, 1], ..Report::of_move(nim, Some(7)) }
    }
}

#[test]
fn moves_that_are_not_legal_are_known_as_such() {
    use treegraft_players::MoveIndex;
    let nim = Board::new(Nim { heap: 20, mover: Side::First });
    let report = bridge(Cheat).search(&nim, Request::default());
    assert_eq!(report.best_move, Some(MoveIndex::ILLEGAL));
    assert_eq!(report.pv, [MoveIndex(1), MoveIndex(2)]);
}

#[test]
fn the_tree_is_shown_while_it_grows() {
    fn check_node(node: &TreeNode<MoveIndex>, depth: u32, width: usize) {
        assert!(node.children.len() <= width && (depth > 0 || node.children.is_empty()));
        node.children.iter().for_each(|child| check_node(child, depth - 1, width));
    }
    let registry = Registry::standard();
    for (game, text, has_tree) in [
        ("connect4", "mcts-solver@400ms", true),
        ("connect4", "mcts-ab@400ms", true),
        ("othello", "fsss@400ms", true),
        ("othello", "ab@400ms", false),
    ] {
        let (start, player) = (start(&registry, game), player(&registry, text));
        let mut analyst = analyst(&registry, game, text);
        let mut visits = Vec::new();
        let mut heard = 0;
        let mut show = |root: TreeNode<MoveIndex>| {
            check_node(&root, 3, 2);
            visits.push(root.visits);
        };
        let mut progress = |_: &Report<MoveIndex>| heard += 1;
        let request = Request {
            progress: Some(&mut progress),
            tree: Some(TreeListener { depth: 3, width: 2, show: &mut show }),
            ..Request::new(player.budget, 1)
        };
        analyst.search(start.board(), request);
        assert!(heard > 0 && visits.len() <= heard, "{text}: {heard} reports, {visits:?}");
        assert_eq!(!visits.is_empty(), has_tree, "{text}");
        // FSSS begins anew at every depth.
        assert!(text.starts_with("fsss") || visits.is_sorted(), "{text}: {visits:?}");
    }
}

#[test]
fn alpha_beta_rollouts_tell_their_intervals() {
    let registry = Registry::standard();
    let (start, player) =
        (start(&registry, "breakthrough:5x5"), player(&registry, "mcts-ab@500it"));
    let mut analyst = analyst(&registry, "breakthrough:5x5", "mcts-ab@500it");
    analyst.search(start.board(), Request::new(player.budget, 1));
    let root = analyst.tree(2, 5).expect("a tree");
    let told: Vec<_> = root.children.iter().filter_map(|child| child.interval).collect();
    // The root is searched to the first depth alone: what is reported is known exactly.
    let is_exact = |it: IntervalReport| it.bounds[0].is_some() && it.bounds[0] == it.bounds[1];
    assert!(root.interval.is_some_and(|it| it.depth == 1 && is_exact(it)), "{root:?}");
    assert!(!told.is_empty(), "{root:?}");
    for it in told {
        let [low, high] = [it.bounds[0].unwrap_or(-1.0), it.bounds[1].unwrap_or(1.0)];
        assert!(low <= high && (-1.0..=1.0).contains(&low), "{it:?}");
    }
    // Once a node has been searched to all depths, it reports what it knows of the last one.
    let mut done = crate::common::analyst(&registry, "breakthrough:5x5", "mcts-ab(l=2)@2000it");
    done.search(start.board(), Request::new("2000it".parse().expect("a budget"), 1));
    let root = done.tree(3, 50).expect("a tree");
    assert!(root.interval.is_some_and(is_exact), "{root:?}");
    fn deepest(node: &TreeNode<MoveIndex>) -> u32 {
        let below = node.children.iter().map(deepest).max().unwrap_or(0);
        below.max(node.interval.map_or(0, |it| it.depth))
    }
    assert_eq!(deepest(&root), 2);
    let plain = analyst_tree(&registry, "mcts-solver@500it");
    assert!(plain.interval.is_none() && plain.children.iter().all(|it| it.interval.is_none()));
}

/// The top of the tree that a player grows in Breakthrough.
fn analyst_tree(registry: &Registry, text: &str) -> TreeNode<MoveIndex> {
    let (start, player) = (start(registry, "breakthrough:5x5"), player(registry, text));
    let mut analyst = analyst(registry, "breakthrough:5x5", text);
    analyst.search(start.board(), Request::new(player.budget, 1));
    analyst.tree(2, 5).expect("a tree")
}
