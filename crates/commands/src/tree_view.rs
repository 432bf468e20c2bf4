//! The top of a search tree as text.

use treegraft::Charset;
use treegraft::rollout::Channel;
use treegraft_engine::{ValueKind, percent, raw, value_or_bounds};
use treegraft_pictures::table::{Cell, Column, Table};
use treegraft_studies::TreeView;

use crate::output::{LINE, column_if, grouped};
use crate::search::visits_word;

/// One row per node, indented by its depth. Channels and AMAF values have columns if there are any.
pub(crate) fn tree_text(tree: &TreeView, kind: ValueKind, charset: Charset) -> String {
    let has_amaf = tree.children.iter().any(|child| child.amaf.is_some());
    let mut columns = vec![Column::text("tree")];
    columns.extend([visits_word(kind), "share", "value", "raw"].map(Column::number));
    let channels = Channel::ALL.iter().zip(tree.channels);
    columns.extend(channels.map(|(it, value)| column_if(value.is_some(), it.words().key)));
    columns.extend(["AMAF", "simulations"].map(|name| column_if(has_amaf, name)));
    columns.push(Column::text("proof"));
    let mut table = Table::new("", columns);
    push_rows(tree, 0, tree.visits, charset, &mut table.rows);
    table.text(LINE)
}

fn push_rows(
    node: &TreeView,
    depth: usize,
    parent: u64,
    charset: Charset,
    rows: &mut Vec<Vec<Cell>>,
) {
    let indent = "| ".repeat(depth);
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let known = |written| or_dash(value_or_bounds(node.value, node.bounds, written, charset));
    let begin = [
        format!("{indent}{}", node.label),
        grouped(node.visits),
        format!("{:.1} %", 100.0 * node.visits as f64 / parent.max(1) as f64),
        known(percent),
        known(raw),
    ];
    let channels = node.channels.map(|value| or_dash(value.map(raw)));
    let rest = [
        or_dash(node.amaf.map(|(value, _)| raw(value))),
        or_dash(node.amaf.map(|(_, count)| grouped(count))),
        node.proof.unwrap_or_default().to_owned(),
    ];
    rows.push(begin.into_iter().chain(channels).chain(rest).map(Cell::Text).collect());
    for child in &node.children {
        push_rows(child, depth + 1, node.visits, charset, rows);
    }
    if node.hidden > 0 && !node.children.is_empty() {
        rows.push(vec![Cell::Text(format!("{indent}| ... {} more", node.hidden))]);
    }
}
