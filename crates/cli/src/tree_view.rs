//! The top of a search tree as text, as JSON and as a picture. Values are in the view of the player
//! to move at the root.

use serde_json::{Value, json};
use treegraft::{Game, Side, TreeNode};
use treegraft_lab::svg::{Branch, TreePicture};

use crate::output::{grouped, table};
use crate::search::{Scale, verdict};

/// A node with its words.
#[derive(Debug)]
pub(crate) struct TreeView {
    label: String,
    visits: u64,
    value: Option<f64>,
    /// In the first player's view.
    value_first: Option<f64>,
    proof: Option<&'static str>,
    children: Vec<TreeView>,
    hidden: usize,
}

impl TreeView {
    /// `node` is the root of the tree, and `position` the position there.
    pub(crate) fn new<G: Game>(position: &G, node: &TreeNode<G::Move>) -> TreeView {
        build(position, node, "start".to_owned(), position.to_move())
    }

    /// A row a node, indented by its depth.
    pub(crate) fn text(&self) -> String {
        let mut rows = Vec::new();
        self.rows(0, self.visits, &mut rows);
        table(["tree", "visits", "share", "value", "proof"], rows, &[1, 2, 3])
    }

    fn rows(&self, depth: usize, parent: u64, rows: &mut Vec<[String; 5]>) {
        let indent = "| ".repeat(depth);
        rows.push([
            format!("{indent}{}", self.label),
            grouped(self.visits),
            format!("{:.1} %", 100.0 * share(self.visits, parent)),
            self.value.map_or_else(|| "-".to_owned(), |value| Scale::Percent.text(value)),
            self.proof.unwrap_or_default().to_owned(),
        ]);
        for child in &self.children {
            child.rows(depth + 1, self.visits, rows);
        }
        if self.hidden > 0 && !self.children.is_empty() {
            let more = format!("{indent}| ... {} more", self.hidden);
            rows.push([more, String::new(), String::new(), String::new(), String::new()]);
        }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "move": if self.label == "start" { Value::Null } else { self.label.clone().into() },
            "visits": self.visits,
            "value": self.value,
            "proof": self.proof,
            "children": self.children.iter().map(TreeView::json).collect::<Vec<_>>(),
            "hidden": self.hidden,
        })
    }

    /// The tree as SVG.
    pub(crate) fn svg(&self, title: String, subtitle: String, sides: [&str; 2]) -> String {
        let sides = sides.map(str::to_owned);
        TreePicture { title, subtitle, sides, root: self.branch(self.visits) }.draw()
    }

    fn branch(&self, parent: u64) -> Branch {
        let value = self.value.map(|value| format!(" · {}", Scale::Percent.text(value)));
        let proof = self.proof.map(|proof| format!(" · {proof}"));
        Branch {
            label: self.label.clone(),
            note: grouped(self.visits) + &proof.or(value).unwrap_or_default(),
            value: self.value_first,
            share: share(self.visits, parent),
            is_proven: self.proof.is_some(),
            children: self.children.iter().map(|child| child.branch(self.visits)).collect(),
            hidden: self.hidden,
        }
    }
}

fn build<G: Game>(position: &G, node: &TreeNode<G::Move>, label: String, root: Side) -> TreeView {
    let below = |child: &TreeNode<G::Move>| {
        let mut next = position.clone();
        let mut label = String::new();
        if let Some(mv) = child.mv {
            label = position.move_text(mv);
            next.play(mv);
        }
        build(&next, child, label, root)
    };
    TreeView {
        label,
        visits: node.visits,
        // Without the addition a draw would be -0 for the second player.
        value: node.value.map(|value| root.sign() as f64 * value + 0.0),
        value_first: node.value,
        proof: node.proof.map(|outcome| verdict(outcome, root)),
        children: node.children.iter().map(below).collect(),
        hidden: node.hidden,
    }
}

fn share(visits: u64, parent: u64) -> f64 {
    visits as f64 / parent.max(1) as f64
}
