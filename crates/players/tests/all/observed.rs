//! A traced search is the search that players make, and its events are what it counts.

use treegraft::observe::{Event, What};
use treegraft::{
    Budget, Evaluator, GameInfo, GuidedEnd, GuidedPlayout, Outcome, Report, Request, Side,
};
use treegraft_players::{GameEntry, MoveIndex, Player, Registry, Start};

use crate::common::Nim;

const GAMES: [&str; 11] = [
    "connect4",
    "breakthrough",
    "breakthrough:6x6",
    "othello:6",
    "lion",
    "hex:5",
    "hex:9",
    "kalah",
    "loa",
    "tree:((3 5) (2 -9 4))",
    "tree:branching=3,height=6",
];

const VARIANTS: [&str; 26] = [
    "uct(expand=all,expand-at=3,reuse)",
    "mcts-solver(expand=all,final=secure)",
    "mcts-mr-2(mr-tree=off)",
    "mcts-mr-2(mr-tree=expand)",
    "mcts-mr-2(mr-tree=prove)",
    "mcts-bl(im=0.4,np)",
    "uct(expand=all,im=0.4)",
    "mcts-solver(hb=0.4,maxbp=20,playout-from=node)",
    "mcts-solver(cb=0.3,det=0.4)",
    "uct(rave,rave-untried)",
    "mcts-solver(grave=20)",
    "uct(mast)",
    "uct(ir=0,ties=first)",
    "uct(ir=0.2)",
    "uct(ir=0.3,ic=4)",
    "mcts-bl(ir=0.1,det=0.3)",
    "mcts(ipp,ir=0.1,det=0.5,det-every=4,im=0.4,eval=efMS)",
    "mcts(ipp,ic=4,eval=efLH)",
    "uct(switch=all)",
    "uct(switch=all,switch-sides)",
    "mcts-sb(im=0.4)",
    "ab(k=4,null,multi-cut,quiescence,etc,shuffle)",
    "ab(scores=margin,glance=false)",
    "alpha-beta(depth=4)",
    "mtd(inf)",
    "mtd(-inf)",
];

fn budget() -> Budget {
    Budget { nodes: Some(300), evaluations: Some(300), ..Budget::iterations(40) }
}

/// The events, and the reports with and without an observer.
type Observed = (Vec<Event<MoveIndex>>, Report<MoveIndex>, Report<MoveIndex>);

/// The events of a search and its report, and the report of the search that players make.
fn both(registry: &Registry, start: &Start, player: &Player, budget: Budget) -> Option<Observed> {
    let mut analyst = registry.searcher(start, player).ok()?;
    let usual = analyst.search(start.board(), Request::new(budget, 7));
    let mut events = Vec::new();
    let mut observer = |event| events.push(event);
    let request = Request::new(budget, 7);
    let traced = registry.trace(start, player, start.board(), request, &mut observer).ok()?;
    Some((events, traced, usual))
}

fn count(events: &[Event<MoveIndex>], is_one: impl Fn(&What<MoveIndex>) -> bool) -> u64 {
    events.iter().filter(|event| is_one(&event.what)).count() as u64
}

#[test]
fn a_traced_search_is_the_same_search() {
    let registry = Registry::standard();
    let labels: Vec<&str> = registry.players().into_iter().map(|info| info.label).collect();
    let mut compared = 0;
    for game in GAMES {
        let start = registry.start(game).unwrap();
        for text in labels.iter().chain(&VARIANTS) {
            let Ok(player) = registry.player(text) else { continue };
            let Some((events, traced, usual)) = both(&registry, &start, &player, budget()) else {
                continue;
            };
            let label = format!("{game} {text}");
            assert_eq!(traced.digest, usual.digest, "{label}");
            assert_eq!(traced.value, usual.value, "{label}");
            assert_eq!(traced.best_move, usual.best_move, "{label}");
            assert_eq!(traced.pv, usual.pv, "{label}");
            assert_eq!(traced.moves, usual.moves, "{label}");
            assert_eq!(traced.proof, usual.proof, "{label}");
            assert_eq!(traced.strategies, usual.strategies, "{label}");
            let work = |report: &Report<MoveIndex>| {
                let work = report.work;
                let counts = [work.iterations, work.nodes, work.evaluations, work.transitions];
                (counts, work.playout_plies, work.capped_playouts)
            };
            assert_eq!(work(&traced), work(&usual), "{label}");
            assert!(!events.is_empty(), "{label}");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn as_many_events_as_the_search_counts() {
    let registry = Registry::standard();
    for game in GAMES {
        let start = registry.start(game).unwrap();
        for text in ["ab", "alpha-beta(depth=3)", "mtd", "sss", "dual", "k-best"] {
            let player = registry.player(text).unwrap();
            let Some((events, report, _)) = both(&registry, &start, &player, budget()) else {
                continue;
            };
            let label = format!("{game} {text}");
            assert_eq!(count(&events, |it| matches!(it, What::Enter { .. })), report.work.nodes);
            let horizon = |it: &What<_>| {
                matches!(it, What::Leaf { end: treegraft::observe::LeafEnd::Horizon, .. })
            };
            let evaluations = report.work.evaluations;
            assert!(evaluations == 0 || count(&events, horizon) == evaluations, "{label}");
        }
        for text in [
            "fsss",
            "rollout-ab",
            "rollout-sss",
            "rollout-random",
            "alphabeta2",
            "mt-sss",
            "mt-inf",
        ] {
            let player = registry.player(text).unwrap();
            let Some((events, report, _)) = both(&registry, &start, &player, budget()) else {
                continue;
            };
            let label = format!("{game} {text}");
            let leaves = count(&events, |it| matches!(it, What::Leaf { .. }));
            assert_eq!(leaves, report.work.evaluations, "{label}");
            let added = |event: &Event<_>| match &event.what {
                What::Deepen { .. } => 1,
                What::Expand { moves } => moves.len() as u64,
                _ => 0,
            };
            assert_eq!(events.iter().map(added).sum::<u64>(), report.work.nodes, "{label}");
        }
        for text in ["uct", "mcts-solver", "mcts-mr-1", "mcts-ms-2-visit-1", "mcts-mb-2"] {
            let player = registry.player(text).unwrap();
            let Some((events, report, _)) = both(&registry, &start, &player, budget()) else {
                continue;
            };
            let label = format!("{game} {text}");
            let simulations = count(&events, |it| matches!(it, What::Simulation { .. }));
            assert_eq!(simulations, report.work.iterations, "{label}");
            let playouts = count(&events, |it| matches!(it, What::Playout { .. }));
            assert_eq!(playouts, report.work.evaluations, "{label}");
            let rewards = events.iter().filter(|event| matches!(event.what, What::Reward { .. }));
            let at_root = rewards.filter(|event| event.path.is_empty()).count() as u64;
            assert_eq!(at_root, simulations, "{label}");
        }
    }
}

/// Each variant of the papers shows what it is known for.
#[test]
fn what_makes_a_search_is_seen() {
    let registry = Registry::standard();
    let sees = |game: &str, text: &str, is_one: fn(&What<MoveIndex>) -> bool| {
        let (start, player) = (registry.start(game).unwrap(), registry.player(text).unwrap());
        let (events, ..) =
            both(&registry, &start, &player, Budget::iterations(3000)).expect("a search");
        assert!(count(&events, is_one) > 0, "{game} {text}");
    };
    let small = "connect4:4x4";
    sees(small, "ab(depth=5)", |it| matches!(it, What::NullWindow { .. }));
    sees("connect4", "ab(depth=5)", |it| matches!(it, What::Again { .. }));
    sees(small, "ab(depth=5)", |it| matches!(it, What::Table { is_enough: true, .. }));
    sees(small, "mtd(depth=4)", |it| matches!(it, What::Pass { .. }));
    sees(small, "mcts-solver", |it| matches!(it, What::Narrow { .. }));
    sees(small, "mcts-mr-2", |it| matches!(it, What::Playout { depth: Some(2), .. }));
    sees(small, "mcts-ms-2-visit-1", |it| {
        matches!(it, What::Minimax { phase: treegraft::observe::Phase::Selection, .. })
    });
    sees(small, "mcts-mb-2", |it| {
        matches!(it, What::Minimax { phase: treegraft::observe::Phase::BackUp, .. })
    });
    sees("breakthrough:6x6", "mcts-ab", |it| matches!(it, What::Bonus { .. }));
    sees("breakthrough:6x6", "mcts-ab", |it| matches!(it, What::Narrow { depth: Some(_), .. }));
    sees("breakthrough:6x6", "mcts(im=0.4)", |it| {
        matches!(it, What::Channel { channel: treegraft::rollout::Channel::Implicit, .. })
    });
    sees("breakthrough:6x6", "mcts-ip-e", |it| matches!(it, What::Priors { .. }));
}

#[test]
fn players_without_a_search_are_refused() {
    let registry = Registry::standard();
    let start = registry.start("connect4").unwrap();
    for text in ["random", "greedy", "engine:\"./mine\""] {
        let player = registry.player(text).unwrap();
        let error = registry
            .trace(&start, &player, start.board(), Request::default(), &mut |_| ())
            .unwrap_err();
        assert!(error.to_string().contains("such as ab, fsss or mcts-solver"), "{error}");
        assert_eq!(registry.check_trace(&start, &player), Err(error));
    }
}

/// Evaluations that were registered are found, with their own way to make playouts.
#[test]
fn own_games_and_evaluations_are_traced() {
    let mut registry = Registry::standard();
    let info = GameInfo::new("nim", "Take one, two or three; whoever takes the last one wins.");
    registry.add_game(GameEntry::new(info, Nim { heap: 21, mover: Side::First })).unwrap();
    // Such playouts are unlike any that are made move by move.
    let own = Evaluator::plain("own", "nothing", |_: &Nim| 0).with_playouts(|_, _, _| {
        let end = GuidedEnd::Over(Outcome::Win(Side::Second));
        Some(GuidedPlayout { end, plies: 1, evaluations: 0 })
    });
    registry.add_evaluation(own).unwrap();
    let start = registry.start("nim").unwrap();
    for text in ["uct(ic=2,eval=own)", "ab(depth=4,eval=own)", "fsss"] {
        let player = registry.player(text).unwrap();
        let (events, traced, usual) = both(&registry, &start, &player, budget()).unwrap();
        assert_eq!((traced.digest, traced.value), (usual.digest, usual.value), "{text}");
        assert_eq!(traced.work.playout_plies, usual.work.playout_plies, "{text}");
        assert!(!events.is_empty());
    }
    let player = registry.player("uct(ic=2,eval=own)").unwrap();
    let (_, report, _) = both(&registry, &start, &player, budget()).unwrap();
    assert_eq!(report.value, -1.0);
}
