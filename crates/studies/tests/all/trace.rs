//! Traces: what the events alone say is what the search reports.

use treegraft::observe::Event;
use treegraft::{Budget, Charset, Game, Report, Request};
use treegraft_players::{MoveIndex, Player, Registry, Start};
use treegraft_studies::trace::{Scale, SearchTrace, TracePicture, exact_player};

/// The tree of figure 3.1 in Weinstein et al. (own numbers).
const WORKED: &str = "tree:((((4 1) (5 0)) ((0 0) (8 8))) (((9 7) (2 1)) ((7 4) (2 2))))";

struct Traced {
    start: Start,
    player: Player,
    trace: SearchTrace,
    report: Report<MoveIndex>,
}

fn traced(registry: &Registry, game: &str, text: &str, limit: u64) -> Traced {
    let start = registry.start(game).unwrap();
    let player = registry.player(text).unwrap();
    let player = exact_player(start.board(), &player, text).unwrap_or(player);
    let most = Budget { nodes: Some(20_000), ..Budget::iterations(3_000) };
    let request = Request::new(player.budget_or(most), 3);
    let mut trace = SearchTrace::new(start.board(), Scale::of(&player), limit, Charset::Unicode);
    let mut observer = |event: Event<MoveIndex>| trace.see(&event);
    let report = registry.trace(&start, &player, start.board(), request, &mut observer).unwrap();
    Traced { start, player, trace, report }
}

impl Traced {
    /// The leaves of a binary tree of height 4 in the order in which they were visited, numbered
    /// from left to right.
    fn order(&self) -> Vec<u32> {
        let number = |path: &[MoveIndex]| path.iter().fold(0, |all, mv| 2 * all + mv.0);
        self.trace.tree.leaves().iter().map(|leaf| number(&leaf.path)).collect()
    }

    fn picture(&self) -> String {
        let (tree, scale) = (&self.trace.tree, self.trace.scale);
        let (title, root) = (self.start.text(), self.start.board());
        TracePicture { title, subtitle: "", root, tree, scale }.draw(None)
    }
}

/// The numbers of the leaves from left to right, the last one being that of the legend.
fn numbers(svg: &str) -> Vec<u64> {
    let texts = svg.split("class=\"order\"").skip(1);
    texts.map(|text| text.split(['>', '<']).nth(1).unwrap().parse().unwrap()).collect()
}

#[test]
fn the_worked_example_has_the_known_order() {
    let registry = Registry::standard();
    let left_to_right: Vec<u32> = traced(&registry, WORKED, "alpha-beta", 9999).order();
    assert_eq!(left_to_right.len(), 14);
    assert!(left_to_right.is_sorted());
    for (player, expected) in [
        ("rollout-ab", left_to_right.clone()),
        ("alphabeta2", left_to_right.clone()),
        ("ab(table=false,pvs=false,killers=false,history=false)", left_to_right.clone()),
        ("mt-inf", vec![0, 2, 8, 10, 9, 12, 13, 14, 3, 1]),
        ("fsss", vec![0, 2, 8, 9, 12, 13, 14, 3]),
    ] {
        let it = traced(&registry, WORKED, player, 9999);
        assert_eq!(it.order(), expected, "{player}");
        assert_eq!(it.report.margin, Some(4), "{player}");
        // The picture has the same order, and as many leaves that were cut off as are missing.
        let svg = it.picture();
        let mut from_left: Vec<(u32, u64)> = expected.iter().copied().zip(1..).collect();
        from_left.sort_unstable();
        let mut drawn = numbers(&svg);
        assert_eq!(drawn.pop(), Some(1));
        assert_eq!(
            drawn,
            from_left.iter().map(|(_, order)| *order).collect::<Vec<_>>(),
            "{player}"
        );
        // A box for each of the 31 nodes and two in the legend, on a white ground.
        assert_eq!(svg.matches("<rect").count(), 31 + 2 + 1, "{player}");
    }
}

#[test]
fn the_value_follows_from_the_events() {
    let registry = Registry::standard();
    let mut games: Vec<String> = (0..40)
        .map(|seed| {
            let (branching, height) = (2 + seed % 2, 2 + seed % 4);
            let irregular = if seed % 3 == 0 { ",irregular=true" } else { "" };
            format!(
                "tree:branching={branching},height={height},leaves=-9..9{irregular},seed={seed}"
            )
        })
        .collect();
    games.extend(["connect4:4x4", "breakthrough:5x5", "kalah:3,2", "othello:4"].map(str::to_owned));
    let mut compared = 0;
    for game in &games {
        for player in [
            "alpha-beta(depth=4)",
            "ab(depth=4)",
            "ab(depth=4,etc,shuffle)",
            "k-best(depth=4)",
            "mtd(depth=4)",
            "mtd(inf,depth=4)",
            "mtd(-inf,depth=4)",
            "sss(depth=4)",
            "dual(depth=4)",
            "fsss(depth=3)",
            "rollout-ab(depth=3)",
            "rollout-sss(depth=3)",
            "rollout-random(depth=3)",
            "alphabeta2(depth=3)",
            "mt-sss(depth=3)",
            "mt-inf(depth=3)",
            "uct@60it",
            "mcts@60it",
            "mcts-solver@60it",
            "mcts-sb@60it",
            "mcts-mr-1@60it",
            "mcts-ms-2-visit-1@60it",
            "mcts-mb-2@60it",
        ] {
            let it = traced(&registry, game, player, u64::MAX);
            let value = it.trace.tree.value(it.trace.scale, it.report.best_move);
            let label = format!("{game} {}: {value:?} {:?}", it.player, it.report.value);
            let value = value.unwrap_or_else(|| panic!("{label}"));
            assert!((value - it.report.value).abs() < 1e-6, "{label}");
            assert_eq!(it.trace.lines.len(), it.trace.json.len());
            assert_eq!(it.trace.left_out(), 0);
            compared += 1;
        }
    }
    assert!(compared > 900);
}

/// Nothing is left out in silence.
#[test]
fn every_node_that_is_not_visited_was_cut_off() {
    let registry = Registry::standard();
    for seed in 0..60 {
        let game = format!("tree:branching=3,height=4,leaves=0..9,seed={seed}");
        for player in ["alpha-beta", "fsss", "rollout-ab", "rollout-sss", "alphabeta2", "mt-inf"] {
            let it = traced(&registry, &game, player, u64::MAX);
            let tree = &it.trace.tree;
            for node in tree.nodes().iter().filter(|node| node.is_visited && !node.is_over) {
                let mut moves = Vec::new();
                let mut position = it.start.board().clone();
                node.path.iter().for_each(|&mv| position.play(mv));
                position.moves(&mut moves);
                for mv in moves {
                    let path: Vec<MoveIndex> = node.path.iter().copied().chain([mv]).collect();
                    let is_visited = tree.node(&path).is_some_and(|child| child.is_visited);
                    assert!(is_visited || node.cut.contains(&mv), "{game} {player} {path:?}");
                }
            }
        }
    }
}

#[test]
fn events_beyond_the_limit_are_counted() {
    let registry = Registry::standard();
    let all = traced(&registry, "connect4", "mcts-solver@30it", u64::MAX);
    let some = traced(&registry, "connect4", "mcts-solver@30it", 25);
    assert_eq!((some.trace.lines.len(), some.trace.is_full()), (25, true));
    assert_eq!(some.trace.lines, &all.trace.lines[..25]);
    assert_eq!(some.trace.left_out(), all.trace.lines.len() as u64 - 25);
    assert_eq!(some.report.digest, all.report.digest);
}

/// Large trees are drawn as far as they were visited, and not without end.
#[test]
fn pictures_of_large_games_stay_small() {
    let registry = Registry::standard();
    for player in ["ab(depth=5)", "mcts-solver@500it", "fsss(depth=4)", "mcts-ab@300it"] {
        let it = traced(&registry, "breakthrough:5x5", player, u64::MAX);
        let svg = it.picture();
        let boxes = svg.matches("<rect").count();
        assert!((10..=1500).contains(&boxes), "{player}: {boxes}");
        assert!(svg.contains(" more<") || it.trace.tree.nodes().len() < 400, "{player}");
    }
}
