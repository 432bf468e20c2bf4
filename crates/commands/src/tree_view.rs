//! The top of a search tree as text.

use treegraft::Charset;
use treegraft_engine::{ValueKind, percent, raw, value_or_bounds};
use treegraft_studies::TreeView;

use crate::output::{grouped, table};
use crate::search::visits_word;

/// One row per node, indented by its depth. Implicit and AMAF values have columns if there are any.
pub(crate) fn tree_text(tree: &TreeView, kind: ValueKind, charset: Charset) -> String {
    let mut rows = Vec::new();
    push_rows(tree, 0, tree.visits, charset, &mut rows);
    if tree.children.iter().any(|child| child.amaf.is_some()) {
        if tree.implicit.is_some() {
            let heads = [
                "tree",
                "visits",
                "share",
                "value",
                "raw",
                "implicit",
                "AMAF",
                "simulations",
                "proof",
            ];
            return table(heads, rows, &[1, 2, 3, 4, 5, 6, 7]);
        }
        let heads = ["tree", "visits", "share", "value", "raw", "AMAF", "simulations", "proof"];
        let rows = rows.into_iter().map(
            |[tree, visits, share, value, raw, _, amaf, simulations, proof]| {
                [tree, visits, share, value, raw, amaf, simulations, proof]
            },
        );
        return table(heads, rows, &[1, 2, 3, 4, 5, 6]);
    }
    if tree.implicit.is_some() {
        let heads = ["tree", "visits", "share", "value", "raw", "implicit", "proof"];
        let rows =
            rows.into_iter().map(|[tree, visits, share, value, raw, implicit, _, _, proof]| {
                [tree, visits, share, value, raw, implicit, proof]
            });
        return table(heads, rows, &[1, 2, 3, 4, 5]);
    }
    let rows = rows.into_iter().map(|[tree, visits, share, value, raw, _, _, _, proof]| {
        [tree, visits, share, value, raw, proof]
    });
    let visits = visits_word(kind);
    table(["tree", visits, "share", "value", "raw", "proof"], rows, &[1, 2, 3, 4])
}

fn push_rows(
    node: &TreeView,
    depth: usize,
    parent: u64,
    charset: Charset,
    rows: &mut Vec<[String; 9]>,
) {
    let indent = "| ".repeat(depth);
    let or_dash =
        |value: Option<f64>, text: fn(f64) -> String| value.map_or_else(|| "-".to_owned(), text);
    let known = |written| {
        value_or_bounds(node.value, node.bounds, written, charset).unwrap_or("-".to_owned())
    };
    rows.push([
        format!("{indent}{}", node.label),
        grouped(node.visits),
        format!("{:.1} %", 100.0 * node.visits as f64 / parent.max(1) as f64),
        known(percent),
        known(raw),
        or_dash(node.implicit, raw),
        or_dash(node.amaf.map(|(value, _)| value), raw),
        node.amaf.map_or_else(|| "-".to_owned(), |(_, count)| grouped(count)),
        node.proof.unwrap_or_default().to_owned(),
    ]);
    for child in &node.children {
        push_rows(child, depth + 1, node.visits, charset, rows);
    }
    if node.hidden > 0 && !node.children.is_empty() {
        let more = format!("{indent}| ... {} more", node.hidden);
        let mut row = <[String; 9]>::default();
        row[0] = more;
        rows.push(row);
    }
}
