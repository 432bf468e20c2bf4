//! Labels and the library's presets are the same searches.

use treegraft::depth_first::{self, Driver};
use treegraft::rollout::{self, prove};
use treegraft::{Constants, presets};
use treegraft_players::{Eval, Registry, Search};

/// The choices of any of the library's searches.
#[derive(Debug, PartialEq)]
enum Config {
    Rollout(Box<rollout::Config>),
    DepthFirst(depth_first::Config),
    Prove(prove::Config),
}

/// What a text stands for in a game with the usual constants.
fn config_of(text: &str) -> Config {
    match Registry::default().player(text).expect("a player").search {
        Search::Rollout(player) => {
            // The players of Lanctot et al. have evaluations of their own.
            let is_named = text.starts_with("mcts-bl") || text.starts_with("mcts-loa");
            assert_eq!(player.eval != Eval::Usual, is_named, "{text}");
            assert_eq!(player.slope, None, "{text}");
            Config::Rollout(Box::new(player.config_for(&Constants::USUAL)))
        }
        Search::DepthFirst(player) => {
            assert_eq!(player.eval, Eval::Usual, "{text}");
            Config::DepthFirst(player.config)
        }
        Search::Prove(player) => {
            assert_eq!(player.eval, Eval::Usual, "{text}");
            Config::Prove(player.config)
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// Every label of a search, some with numbers, and its preset.
fn presets() -> Vec<(&'static str, Config)> {
    use Config::{DepthFirst, Prove};
    let rollout = |config| Config::Rollout(Box::new(config));
    vec![
        ("uct", rollout(presets::uct())),
        ("mcts", rollout(presets::mcts())),
        ("mcts-solver", rollout(presets::mcts_solver())),
        ("mcts-mr", rollout(presets::mcts_mr(1))),
        ("mcts-mr-3", rollout(presets::mcts_mr(3))),
        ("mcts-ms", rollout(presets::mcts_ms(2, 2))),
        ("mcts-ms-4-visit-50", rollout(presets::mcts_ms(4, 50))),
        ("mcts-mb", rollout(presets::mcts_mb(2))),
        ("mcts-mb-5", rollout(presets::mcts_mb(5))),
        ("mcts-ir-e", rollout(presets::mcts_ir_e())),
        ("mcts-ir-m", rollout(presets::mcts_ir_m())),
        ("mcts-ic-e", rollout(presets::mcts_ic_e())),
        ("mcts-ic-m", rollout(presets::mcts_ic_m())),
        ("mcts-ip-e", rollout(presets::mcts_ip_e())),
        ("mcts-ip-m", rollout(presets::mcts_ip_m())),
        ("mcts-bl", rollout(presets::mcts_bl())),
        ("mcts-bl2", rollout(presets::mcts_bl2())),
        ("mcts-loa", rollout(presets::mcts_loa())),
        ("mcts-loa-ab", rollout(presets::mcts_loa_ab())),
        ("mcts-loa-pb", rollout(presets::mcts_loa_pb())),
        ("mcts-ab", rollout(presets::mcts_ab())),
        ("mcts-ab-ic", rollout(presets::mcts_ab_ic())),
        ("mcts-sb", rollout(presets::mcts_sb())),
        ("alpha-beta", DepthFirst(presets::alpha_beta())),
        ("k-best", DepthFirst(presets::k_best(10))),
        ("k-best-3", DepthFirst(presets::k_best(3))),
        ("ab", DepthFirst(presets::ab())),
        ("mtd", DepthFirst(presets::mtd())),
        ("mtd(inf)", DepthFirst(depth_first::Config { driver: Driver::MtdPlus, ..presets::mtd() })),
        ("sss", DepthFirst(presets::sss())),
        ("dual", DepthFirst(presets::dual())),
        ("fsss", Prove(presets::fsss())),
        ("rollout-ab", Prove(presets::rollout_ab())),
        ("rollout-sss", Prove(presets::rollout_sss())),
        ("rollout-random", Prove(presets::rollout_random())),
        ("alphabeta2", Prove(presets::alphabeta2())),
        ("mt-sss", Prove(presets::mt_sss())),
        ("mt-inf", Prove(presets::mt_inf())),
    ]
}

#[test]
fn every_label_is_a_preset() {
    let presets = presets();
    for (text, preset) in &presets {
        assert_eq!(config_of(text), *preset, "{text}");
    }
    for info in Registry::default().players() {
        // These make no search of the library.
        let needs_none = ["random", "greedy", "best", "engine"].contains(&info.label);
        let has_one = presets.iter().any(|(text, _)| *text == info.label);
        assert!(has_one != needs_none, "{}", info.label);
    }
}

/// Two presets that differ in nothing would be one.
#[test]
fn presets_differ() {
    let presets = presets();
    for (i, (text, preset)) in presets.iter().enumerate() {
        let same = presets[..i].iter().find(|(_, other)| other == preset);
        assert_eq!(same.map(|(other, _)| *other), None, "{text}");
    }
}
