//! Leaves of exact searches on random trees, beside numbers from an independent implementation.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use treegraft::rollout::prove::Prover;
use treegraft::{Exactness, Game, Request};
use treegraft_games::tree::Leaves;
use treegraft_games::{SyntheticTree, Tree};
use treegraft_studies::Watch;
use treegraft_studies::trees::{
    Heights, MethodSummary, TreeError, TreeMethod, TreeResult, TreeStudy, TreeSummary, alpha_beta,
    minimax, study_trees, tree_plots, tree_rows, tree_tables,
};

use crate::common::start;

const BEST: [TreeMethod; 4] =
    [TreeMethod::AlphaBeta, TreeMethod::Mtd, TreeMethod::Sss, TreeMethod::Fsss];

fn study(heights: &str, trees: u32) -> TreeStudy {
    let heights = heights.parse().unwrap();
    TreeStudy { heights, trees, methods: BEST.to_vec(), ..TreeStudy::default() }
}

fn results(study: &TreeStudy) -> Vec<TreeResult> {
    study_trees(study, Watch::default()).unwrap()
}

fn summary(study: &TreeStudy) -> TreeSummary {
    let summary = TreeSummary::new(study, &results(study), None);
    assert_eq!(summary.failures(), Vec::<String>::new());
    assert!(summary.complete);
    summary
}

fn at(summary: &TreeSummary, height: u16, method: TreeMethod) -> &MethodSummary {
    let at = summary.heights.iter().find(|at| at.height == height).unwrap();
    at.methods.iter().find(|of| of.method == method).unwrap()
}

/// Means within four of their standard errors, and one percent for the errors of the other side.
#[test]
fn leaves_are_those_of_an_independent_implementation() {
    let summary = summary(&study("2..10:2", 1000));
    for (height, leaves, shares) in [
        (2, [3.67, 3.34, 3.34], [0.0, 0.0]),
        (4, [12.05, 9.92, 10.03], [0.18, 0.09]),
        (6, [37.18, 28.49, 28.90], [0.38, 0.18]),
        (8, [109.6, 79.6, 80.6], [0.52, 0.25]),
        (10, [315.5, 221.0, 223.3], [0.61, 0.29]),
    ] {
        let methods = [TreeMethod::AlphaBeta, TreeMethod::Fsss, TreeMethod::Mtd];
        for (method, expected) in methods.into_iter().zip(leaves) {
            let leaves = at(&summary, height, method).leaves;
            let tolerance = 2.0 * leaves.error.unwrap() + 0.01 * expected;
            let difference = leaves.mean - expected;
            assert!(difference.abs() < tolerance, "{height} {method}: {leaves:?}, not {expected}");
        }
        // Three standard errors of a share of 1,000 trees are at most 0.047.
        let here = summary.heights.iter().find(|at| at.height == height).unwrap();
        let found = [here.fsss_below_mtd.unwrap().share, here.mtd_below_fsss.unwrap().share];
        for (found, expected) in found.into_iter().zip(shares) {
            assert!((found - expected).abs() < 0.05, "{height}: {found}, not {expected}");
        }
    }
}

/// Low trees grow a little faster than high ones: the independent implementation has the bases
/// 1.695 and 1.661 from height 6 to 12, the paper 1.68 and 1.65 up to higher ones. The standard
/// error of a base is 0.003 here.
#[test]
fn leaves_grow_nearly_as_in_the_paper() {
    let summary = summary(&TreeStudy { seed: 2, ..study("4..12", 600) });
    assert_eq!(summary.fits[0].heights.to_string(), "6..12");
    for (method, base, papers) in
        [(TreeMethod::AlphaBeta, 1.695, 1.68), (TreeMethod::Fsss, 1.661, 1.65)]
    {
        let fit = summary.fits.iter().find(|fit| fit.method == method).unwrap();
        assert_eq!(fit.paper.unwrap().curve.b, papers);
        assert!((fit.curve.b - base).abs() < 0.012, "{fit:?}");
    }
    // Other trees are none of the paper's.
    let binary = TreeStudy { leaves: Leaves::Binary(500_000), ..study("6..8", 10) };
    let binary = TreeSummary::new(&binary, &results(&binary), None);
    assert!(binary.fits.iter().all(|fit| fit.paper.is_none()));
}

/// Shares of trees with fewer leaves than alpha-beta's: within 0.05, three standard errors of 1,000
/// trees.
#[test]
fn binary_leaves_have_the_parity_effect() {
    let leaves = Leaves::Binary(500_000);
    let summary = summary(&TreeStudy { leaves, ..study("2..9", 1000) });
    for (height, fsss, mtd, sss) in [
        (2, 0.253, 0.129, 0.253),
        (3, 0.186, 0.139, 0.186),
        (4, 0.512, 0.292, 0.496),
        (5, 0.466, 0.407, 0.456),
        (6, 0.656, 0.405, 0.634),
        (7, 0.749, 0.729, 0.749),
        (8, 0.673, 0.444, 0.670),
        (9, 0.943, 0.940, 0.943),
    ] {
        let expected = [(TreeMethod::Fsss, fsss), (TreeMethod::Mtd, mtd), (TreeMethod::Sss, sss)];
        for (method, expected) in expected {
            let share = at(&summary, height, method).better.share;
            assert!((share - expected).abs() < 0.05, "{height} {method}: {share}, not {expected}");
        }
        // On binary leaves MTD(+∞) is never better than FSSS.
        let here = summary.heights.iter().find(|at| at.height == height).unwrap();
        assert_eq!(here.mtd_below_fsss.unwrap().count, 0);
    }
    let pooled: u32 = summary.parity.iter().map(|of| of.better.of).sum();
    assert_eq!(pooled, 8 * 1000 * BEST.len() as u32);
    assert_eq!(tree_tables(&summary).iter().filter(|t| t.title.ends_with(" heights")).count(), 2);
}

#[test]
fn no_search_errs_on_trees_of_any_form() {
    let leaves = [Leaves::Range(-3, 3), Leaves::Binary(300_000), Leaves::UNIFORM];
    for (i, leaves) in leaves.into_iter().enumerate() {
        for (branching, heights, irregular) in [(3, "1..6", false), (4, "1..7", true)] {
            let methods = TreeMethod::ALL.to_vec();
            let seed = i as u64;
            let study =
                TreeStudy { branching, irregular, leaves, seed, methods, ..study(heights, 60) };
            for tree in results(&study) {
                let of = |method| {
                    let place = TreeMethod::ALL.iter().position(|&known| known == method);
                    tree.methods[place.unwrap()]
                };
                for method in TreeMethod::ALL {
                    assert!(
                        !of(method).is_wrong,
                        "{method} {}",
                        study.game(tree.height, tree.number)
                    );
                    let is_inside = of(method).outside == 0;
                    assert!(is_inside || method == TreeMethod::Random || method == TreeMethod::Mtd);
                }
                assert_eq!(of(TreeMethod::AlphaBeta).leaves, tree.alpha_beta);
                assert_eq!(of(TreeMethod::AlphaBeta2).leaves, tree.alpha_beta);
                assert_eq!(of(TreeMethod::MtSss), of(TreeMethod::Sss));
                assert!(of(TreeMethod::Fsss).leaves <= tree.alpha_beta);
            }
        }
    }
}

#[test]
fn a_leaf_counts_once_and_a_tree_can_be_looked_at_again() {
    let study = TreeStudy { methods: vec![TreeMethod::Mtd, TreeMethod::Fsss], ..study("7", 20) };
    for tree in results(&study) {
        let game = start(&study.game(7, tree.number));
        let Some(&Tree::Synthetic(root)) = game.board().downcast() else {
            panic!("a synthetic tree");
        };
        assert_eq!((minimax(&root), alpha_beta(&root, &mut |_| ())), (tree.value, tree.value));
        for (method, counted) in study.methods.iter().zip(&tree.methods) {
            let mut leaves = HashSet::new();
            let mut leaf = |leaf: &SyntheticTree| {
                assert!(
                    leaf.exactness().margin().is_some() && leaves.insert(*leaf),
                    "{method}: {leaf:?}"
                );
            };
            let mut prover = Prover::new(method.config(), None).unwrap();
            let report = prover.search_watched(&root, Request::default(), &mut leaf);
            assert_eq!(report.margin, Some(tree.value));
            assert_eq!(leaves.len(), counted.leaves as usize);
        }
    }
}

#[test]
fn numbers_depend_on_the_seed_and_on_nothing_else() {
    let methods = vec![TreeMethod::AlphaBeta, TreeMethod::Random];
    let one = TreeStudy { jobs: 1, methods, ..study("5,8", 30) };
    let all = results(&one);
    assert_eq!(results(&TreeStudy { jobs: 3, ..one.clone() }), all);
    assert_ne!(results(&TreeStudy { seed: 2, ..one.clone() }), all);
    // Fewer heights and trees are a part of more of them.
    let part = results(&TreeStudy { heights: Heights::new([8]).unwrap(), trees: 10, ..one });
    assert_eq!(part, all[30..40]);
}

#[test]
fn a_study_can_be_ended() {
    let cancel = AtomicBool::new(false);
    let progress = |done: u64| {
        if done >= 25 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let watch = Watch { progress: Some(&progress), cancel: Some(&cancel) };
    let study = TreeStudy { jobs: 2, ..study("4..7", 1000) };
    let found = study_trees(&study, watch).unwrap();
    // Trees that were searched by then count, and there are few of them: threads wait to be heard.
    assert!((25..75).contains(&found.len()), "{}", found.len());
    let summary = TreeSummary::new(&study, &found, None);
    assert!(!summary.complete);
    // About as many of each height.
    assert!(summary.heights.len() == 4 && summary.heights.iter().all(|at| at.trees >= 4));
    cancel.store(true, Ordering::Relaxed);
    assert!(study_trees(&study, watch).unwrap().is_empty());
    let nothing = TreeSummary::new(&study, &[], None);
    assert!(nothing.heights.is_empty() && nothing.fits.is_empty());
    assert!(!tree_tables(&nothing).is_empty() && !tree_plots(&nothing).is_empty());
}

#[test]
fn failures_are_named() {
    let study = study("3,4", 5);
    let mut found = results(&study);
    found[7].methods[3].outside = 2;
    found[8].methods[1].is_wrong = true;
    // MTD(+∞) is not proven to stay inside.
    found[9].methods[1].outside = 1;
    let summary = TreeSummary::new(&study, &found, None);
    assert_eq!(
        summary.failures(),
        [
            "MTD(+∞) found a wrong value for 1 of 5 trees of height 4",
            "FSSS expanded leaves that alpha-beta does not expand, in 1 of 5 trees of height 4"
        ]
    );
    assert_eq!(at(&summary, 4, TreeMethod::Mtd).violations, 1);
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let refused = |study: TreeStudy| study_trees(&study, Watch::default()).unwrap_err();
    let error = refused(study("4..60", 5));
    assert!(matches!(error, TreeError::TooLarge { highest: 28, .. }), "{error}");
    let text = refused(TreeStudy { branching: 100, ..study("10", 5) }).to_string();
    assert!(text.contains("branching 100 and height 10 are too large"), "{text}");
    let error = refused(TreeStudy { leaves: Leaves::Range(5, 1), ..study("4", 5) });
    assert_eq!(error.to_string(), "no tree has branching 2, height 4 and leaves 5..1");
    assert!(matches!(refused(study("200", 5)), TreeError::Impossible { height: 200, .. }));
    // Irregular trees of this height are small.
    let tall = TreeStudy { irregular: true, ..study("60", 5) };
    assert_eq!(results(&tall).len(), 5);
}

#[test]
fn curves_go_through_the_heights_asked_for() {
    let study = study("4..8", 20);
    let found = results(&study);
    let fitted = |fit: Option<&str>| {
        let fit = fit.map(|text| text.parse().unwrap());
        let fits = TreeSummary::new(&study, &found, fit.as_ref()).fits;
        fits.first().map(|fit| fit.heights.to_string())
    };
    assert_eq!(fitted(None).as_deref(), Some("6..8"));
    assert_eq!(fitted(Some("4..6")).as_deref(), Some("4..6"));
    assert_eq!(fitted(Some("8")), None);
    let low = TreeStudy { heights: "3..6".parse().unwrap(), ..study.clone() };
    let fits = TreeSummary::new(&low, &results(&low), None).fits;
    assert_eq!(fits[0].heights.to_string(), "3..6");
}

#[test]
fn every_tree_has_a_line() {
    let study = study("3,5", 4);
    let csv = tree_rows(&study, &results(&study)).render(treegraft_pictures::table::Format::Csv);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 9);
    assert!(lines[0].starts_with("height,number,tree,value,alpha_beta,alpha_beta_outside,mtd,"));
    assert!(lines[5].starts_with("5,0,\"tree:height=5,seed="), "{}", lines[5]);
}

#[test]
fn methods_are_kept_as_their_texts() {
    let json = serde_json::to_string(&TreeMethod::MtSss).unwrap();
    assert_eq!(json, "\"mt-sss\"");
    assert_eq!(serde_json::from_str::<TreeMethod>(&json).unwrap(), TreeMethod::MtSss);
    assert!(serde_json::from_str::<TreeMethod>("\"nonsense\"").is_err());
}
