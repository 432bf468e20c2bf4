//! The top of a search tree as text.

use treegraft_lab::{TreeView, percent, raw};

use crate::output::{grouped, table};

/// One row per node, indented by its depth.
pub(crate) fn tree_text(tree: &TreeView) -> String {
    let mut rows = Vec::new();
    push_rows(tree, 0, tree.visits, &mut rows);
    table(["tree", "visits", "share", "value", "raw", "proof"], rows, &[1, 2, 3, 4])
}

fn push_rows(node: &TreeView, depth: usize, parent: u64, rows: &mut Vec<[String; 6]>) {
    let indent = "| ".repeat(depth);
    rows.push([
        format!("{indent}{}", node.label),
        grouped(node.visits),
        format!("{:.1} %", 100.0 * node.visits as f64 / parent.max(1) as f64),
        node.value.map_or_else(|| "-".to_owned(), percent),
        node.value.map_or_else(|| "-".to_owned(), raw),
        node.proof.unwrap_or_default().to_owned(),
    ]);
    for child in &node.children {
        push_rows(child, depth + 1, node.visits, rows);
    }
    if node.hidden > 0 && !node.children.is_empty() {
        let more = format!("{indent}| ... {} more", node.hidden);
        let mut row = <[String; 6]>::default();
        row[0] = more;
        rows.push(row);
    }
}
