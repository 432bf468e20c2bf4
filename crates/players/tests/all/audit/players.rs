//! Random players.

use treegraft::Rng;
use treegraft_players::Registry;

/// Values that options are tried with; those that an option refuses are not used.
const VALUES: [&str; 30] = [
    "true", "false", "off", "on", "auto", "0", "1", "2", "3", "5", "12", "0.3", "0.95", "1:1",
    "2:2", "1:8", "all", "wins", "draws", "margins", "margin", "outcome", "value", "hints", "hint",
    "secure", "expand", "prove", "ipp", "node",
];

/// The searches that prove everything, given time.
const EXACT: [&str; 6] = ["ab", "mtd", "sss", "dual", "fsss", "rollout-ab"];

fn label(player: &str) -> &str {
    player.split('(').next().unwrap_or_default()
}

/// Whether a player's search ends by itself with a proof, if the game ends.
pub(super) fn is_exact(player: &str) -> bool {
    EXACT.contains(&label(player))
}

/// Whether it comes to the end of a chain soon: without room for a tree, and without multi-cut, which
/// searches every node twice.
pub(super) fn is_quick_in_chains(player: &str) -> bool {
    ["ab", "mtd", "sss", "dual"].contains(&label(player)) && !player.contains("multi-cut")
}

/// A label with up to three random options.
pub(super) fn random_player(registry: &Registry, rng: &mut Rng) -> String {
    let mut labels = registry.players();
    labels.retain(|info| !["engine", "random", "greedy"].contains(&info.label));
    if rng.below(2) == 0 {
        labels.retain(|info| EXACT.contains(&info.label));
    }
    let label = labels.swap_remove(rng.below(labels.len() as u32) as usize);
    let mut text = label.label.to_owned();
    if label.options.is_empty() {
        return text;
    }
    let mut options: Vec<String> = Vec::new();
    for i in 0..rng.below(4) {
        let mut name = label.options[rng.below(label.options.len() as u32) as usize].name;
        let mut value = VALUES[rng.below(VALUES.len() as u32) as usize];
        match i {
            // An exact margin claims more than a won game.
            0 if rng.below(3) == 0 => (name, value) = ("scores", "margin"),
            1 if rng.below(3) == 0 => (name, value) = ("reuse", "true"),
            1 if rng.below(3) == 0 => (name, value) = ("solver", "draws"),
            _ => {}
        }
        if options.iter().any(|option| option.starts_with(&format!("{name}="))) {
            continue;
        }
        options.push(format!("{name}={value}"));
        let with = format!("{}({})", label.label, options.join(","));
        if registry.player(&with).is_ok() {
            text = with;
        } else {
            options.pop();
        }
    }
    text
}
