//! The top of a search tree in the words of its game, as JSON and as a picture. Values are in the
//! view of the player to move at the root.

use serde_json::{Value, json};
use treegraft::rollout::Channel;
use treegraft::{Charset, Game, IntervalReport, Notation, Side, TreeNode};
use treegraft_players::{Board, MoveIndex};

use treegraft_engine::{Proof, percent, value_or_bounds};
use treegraft_pictures::grouped;
use treegraft_pictures::svg::{Branch, TreePicture};

use crate::json::merged;

/// A node with its words.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeView {
    /// The move that leads here; `start` at the root.
    pub label: String,
    /// Simulations that went through it; for searches that prove, leaves with a value.
    pub visits: u64,
    /// Its value in the view of the player to move at the root; `None` if unknown.
    pub value: Option<f64>,
    /// At least and at most, where the value itself is unknown and the search keeps bounds.
    pub bounds: [Option<f64>; 2],
    /// The value in the first player's view; between bounds, their middle.
    pub value_first: Option<f64>,
    /// Its values in the channels in the view of the player to move at the root, where it has them.
    pub channels: [Option<f64>; Channel::ALL.len()],
    /// What the alpha-beta rollouts of MCTS-αβ know of it at one depth, in the view of the player to
    /// move at the root.
    pub interval: Option<IntervalReport>,
    /// The AMAF value of its move in the view of the player to move at the root, and the simulations it
    /// is the mean of, if the search keeps it.
    pub amaf: Option<(f64, u64)>,
    /// `win`, `draw` or `loss` for the player to move at the root, if that is proven.
    pub proof: Option<&'static str>,
    /// What comes next, the most visited move first.
    pub children: Vec<TreeView>,
    /// How many more moves have been tried from here.
    pub hidden: usize,
}

impl TreeView {
    /// `node` is the root of the tree, and `position` the position there.
    #[must_use]
    pub fn new(position: &Board, node: &TreeNode<MoveIndex>) -> TreeView {
        build(position, node, "start".to_owned(), position.to_move())
    }

    /// Leaves out all but the `most` most visited nodes, the root among them, and counts the children
    /// that are left out as hidden.
    pub fn keep_most_visited(&mut self, most: usize) {
        let mut visits = Vec::new();
        self.each(&mut |node| visits.push(node.visits));
        if visits.len() <= most {
            return;
        }
        visits.sort_unstable_by(|a, b| b.cmp(a));
        // All with as few visits as the first that is left out are left out too.
        let limit = visits[most];
        self.prune(limit);
    }

    fn each(&self, see: &mut impl FnMut(&TreeView)) {
        see(self);
        self.children.iter().for_each(|child| child.each(see));
    }

    fn prune(&mut self, limit: u64) {
        let before = self.children.len();
        self.children.retain(|child| child.visits > limit);
        self.hidden += before - self.children.len();
        self.children.iter_mut().for_each(|child| child.prune(limit));
    }

    /// The tree as nested JSON objects.
    #[must_use]
    pub fn json(&self) -> Value {
        let begin = json!({
            "move": if self.label == "start" { Value::Null } else { self.label.clone().into() },
            "visits": self.visits,
            "value": self.value,
            "at_least": self.bounds[0],
            "at_most": self.bounds[1],
        });
        let channels = Channel::ALL.iter().zip(self.channels);
        let channels = channels.map(|(channel, value)| json!({channel.words().key: value}));
        let rest = json!({
            "interval": self.interval.map(|IntervalReport { depth, bounds: [low, high] }| {
                json!({"depth": depth, "at_least": low, "at_most": high})
            }),
            "amaf": self.amaf.map(|(value, _)| value),
            "amaf_count": self.amaf.map(|(_, count)| count),
            "proof": self.proof,
            "children": self.children.iter().map(TreeView::json).collect::<Vec<_>>(),
            "hidden": self.hidden,
        });
        merged([begin].into_iter().chain(channels).chain([rest]))
    }

    /// The tree as SVG.
    #[must_use]
    pub fn svg(&self, title: String, subtitle: String, sides: [&str; 2]) -> String {
        let sides = sides.map(str::to_owned);
        TreePicture { title, subtitle, sides, root: self.branch(self.visits) }.draw()
    }

    fn branch(&self, parent: u64) -> Branch {
        let known = value_or_bounds(self.value, self.bounds, percent, Charset::Unicode);
        let known = known.map(|known| format!(" · {known}"));
        let value = self.value.map(|value| {
            let channels = self.channels.iter().flatten().map(|&value| percent(value));
            let values: Vec<String> = [percent(value)].into_iter().chain(channels).collect();
            format!(" · {}", values.join(" / "))
        });
        let proof = self.proof.map(|proof| format!(" · {proof}"));
        Branch {
            label: self.label.clone(),
            note: grouped(self.visits) + &proof.or(value).or(known).unwrap_or_default(),
            value: self.value_first,
            share: self.visits as f64 / parent.max(1) as f64,
            is_proven: self.proof.is_some(),
            children: self.children.iter().map(|child| child.branch(self.visits)).collect(),
            hidden: self.hidden,
        }
    }
}

fn build(position: &Board, node: &TreeNode<MoveIndex>, label: String, root: Side) -> TreeView {
    let below = |child: &TreeNode<MoveIndex>| {
        let mut next = position.clone();
        let mut label = String::new();
        if let Some(mv) = child.mv {
            label = position.notation().move_text(mv);
            next.play(mv);
        }
        build(&next, child, label, root)
    };
    // Without the addition a draw would be -0 for the second player.
    let seen = |value: f64| root.sign() as f64 * value + 0.0;
    let turned = |bounds: [Option<f64>; 2]| match (root, bounds.map(|end| end.map(seen))) {
        (Side::First, ends) => ends,
        (Side::Second, [low, high]) => [high, low],
    };
    TreeView {
        label,
        visits: node.visits,
        value: node.value.map(seen),
        bounds: turned(node.bounds),
        channels: node.channels.map(|value| value.map(seen)),
        interval: node.interval.map(|it| IntervalReport { bounds: turned(it.bounds), ..it }),
        amaf: node.amaf.map(|amaf| (seen(amaf.mean), amaf.count)),
        value_first: node.value.or(match node.bounds {
            [None, None] => None,
            [low, high] => Some(f64::midpoint(low.unwrap_or(-1.0), high.unwrap_or(1.0))),
        }),
        proof: node.proof.map(|outcome| Proof::of(outcome, root).word()),
        children: node.children.iter().map(below).collect(),
        hidden: node.hidden,
    }
}

#[cfg(test)]
mod tests {
    use treegraft::Request;
    use treegraft_players::Registry;

    use super::*;

    #[test]
    fn the_most_visited_nodes_are_kept_and_the_others_counted() {
        let registry = Registry::standard();
        let start = registry.start("connect4").expect("a game");
        let player = registry.player("mcts@500it").expect("a player");
        let mut analyst = registry.searcher(&start, &player).expect("a searcher");
        analyst.search(start.board(), Request::new(player.budget, 1));
        let whole = TreeView::new(start.board(), &analyst.tree(3, 7).expect("a tree"));
        let count = |tree: &TreeView| {
            let (mut nodes, mut hidden, mut least) = (0, 0, u64::MAX);
            tree.each(&mut |node| {
                (nodes, hidden) = (nodes + 1, hidden + node.hidden);
                least = least.min(node.visits);
            });
            (nodes, hidden, least)
        };
        let mut kept = whole.clone();
        kept.keep_most_visited(30);
        let (all, _, _) = count(&whole);
        let (nodes, hidden, least) = count(&kept);
        assert!(all > 30 && nodes > 1 && nodes <= 30 && hidden > 0, "{nodes} of {all}");
        let mut left_out = Vec::new();
        whole.each(&mut |node| left_out.extend((node.visits >= least).then_some(node.visits)));
        assert_eq!(left_out.len(), nodes, "nothing with more visits is left out");
        let mut same = whole.clone();
        same.keep_most_visited(all);
        assert_eq!(same, whole);
    }
}
