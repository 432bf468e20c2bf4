//! A node of a tree as a picture, with the children below it.

use treegraft::picture::{Cell, Colour, Kind, Line, Picture, Role, Shape, Tint};
use treegraft::{Exactness, Game};

/// Children that are drawn, and in one row.
const MAX_CHILDREN: u32 = 64;
const MAX_IN_A_ROW: u32 = 16;
/// Middles of the note, of the node, and of the first row of its children; from row to row.
const NOTE: f64 = 0.4;
const NODE: f64 = 1.35;
const CHILDREN: f64 = 3.1;
const PITCH: f64 = 1.75;
/// The most characters of a note; what is said last matters most.
const LONGEST_NOTE: usize = 90;

/// The node of a tree with a disc in the colour of whoever moves there, or the number of a leaf;
/// below it its children likewise. The first cell is the node's, the others are numbered like the
/// children.
pub(super) fn picture<G: Game<Move = u32>>(node: &G, children: u32, note: &str) -> Picture {
    let drawn = children.min(MAX_CHILDREN);
    let nodes: Vec<G> = (0..drawn).map(|child| after(node, child)).collect();
    let numbers = nodes.iter().chain([node]).filter_map(|node| node.exactness().margin());
    let longest = numbers.map(|number| number.to_string().len()).max().unwrap_or(0);
    let cell_width = (0.26 * longest as f64 + 0.35).max(1.0);
    let pitch = cell_width + 0.3;

    let note = shortened(note, children - drawn);
    let in_a_row = drawn.clamp(1, MAX_IN_A_ROW);
    let row_width = f64::from(in_a_row) * pitch;
    let width = row_width.max(0.2 * note.chars().count() as f64) + 0.6;
    let rows = drawn.div_ceil(MAX_IN_A_ROW);
    let height = NODE + 0.8 + PITCH * f64::from(rows);
    let mut picture = Picture::new(width, height, [Colour::Blue, Colour::Orange]);
    picture.write(note, width / 2.0, NOTE, Role::Note);
    add_node(&mut picture, node, "node".to_owned(), [width / 2.0, NODE], cell_width);
    for (child, next) in (0..drawn).zip(&nodes) {
        let (row, column) = (child / MAX_IN_A_ROW, child % MAX_IN_A_ROW);
        let x = width / 2.0 + (f64::from(column) - f64::from(in_a_row - 1) / 2.0) * pitch;
        let y = CHILDREN + f64::from(row) * PITCH;
        if row == 0 {
            let points = vec![[width / 2.0, NODE + 0.5], [x, y - 0.5]];
            picture.lines.push(Line { owner: None, points });
        }
        let name = (child + 1).to_string();
        picture.write(name.clone(), x, y + 0.75, Role::Coordinate);
        add_node(&mut picture, next, name, [x, y], cell_width);
    }
    picture
}

fn after<G: Game<Move = u32>>(node: &G, child: u32) -> G {
    let mut next = node.clone();
    next.play(child);
    next
}

fn add_node<G: Game>(picture: &mut Picture, node: &G, name: String, [x, y]: [f64; 2], width: f64) {
    let cell = picture.cells.len();
    let (shape, tint) = (Shape::Round, Tint::Plain);
    picture.cells.push(Cell { name, x, y, width, height: 1.0, shape, tint });
    match node.exactness().margin() {
        Some(number) => picture.write(number.to_string(), x, y, Role::Count),
        None => picture.put(cell, node.to_move(), Kind::Disc),
    }
}

/// The end of a long note, and how many children are not drawn.
fn shortened(note: &str, hidden: u32) -> String {
    let length = note.chars().count();
    let end: String = note.chars().skip(length.saturating_sub(LONGEST_NOTE)).collect();
    let start = if length > LONGEST_NOTE { "…" } else { "" };
    let more = if hidden > 0 { format!(", {hidden} not shown") } else { String::new() };
    format!("{start}{end}{more}")
}

/// The child's cell, if it is drawn.
pub(super) fn move_cells(child: u32) -> Vec<usize> {
    (child < MAX_CHILDREN).then_some(child as usize + 1).into_iter().collect()
}
