//! The pieces of a board: discs, pawns, tiles and seeds.

use treegraft::Side;
use treegraft::picture::{Cell, Colour, Kind, Piece, Shape};

use super::Attributes;
use super::board::Canvas;

/// The shades of a player's pieces.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) fill: &'static str,
    /// Around the piece.
    edge: &'static str,
    /// A line inside it, to give it shape.
    shade: &'static str,
    /// What is written on it, and on a promoted one.
    ink: [&'static str; 2],
}

impl Look {
    pub(super) fn of(colour: Colour) -> Look {
        let (fill, edge, shade, ink) = match colour {
            Colour::White => ("#fdfbf5", "#222222", "#c9c3b4", ["#222222", "#c8272d"]),
            Colour::Black => ("#2b2b30", "#000000", "#66666e", ["#ffffff", "#ff8f87"]),
            Colour::Yellow => ("#f7d038", "#6d5600", "#c49f12", ["#222222", "#a01218"]),
            Colour::Red => ("#bf2329", "#5c0b0f", "#8c1318", ["#ffffff", "#ffd9d6"]),
            Colour::Blue => ("#0072b2", "#00405f", "#00588a", ["#ffffff", "#ffd9d6"]),
            Colour::Orange => ("#e69f00", "#7a5400", "#b87f00", ["#222222", "#a01218"]),
        };
        Look { fill, edge, shade, ink }
    }

    /// Of pieces that belong to neither side.
    const NEUTRAL: Look =
        Look { fill: "#d8d8d4", edge: "#555555", shade: "#a9a9a4", ink: ["#222222", "#a01218"] };
}

/// Draws a piece, or several, on its cell.
pub(super) fn draw_piece(
    canvas: &mut Canvas<'_>,
    piece: &Piece,
    cell: &Cell,
    colours: [Colour; 2],
) {
    let look = piece.owner.map_or(Look::NEUTRAL, |side| Look::of(colours[side.index()]));
    match piece.kind {
        Kind::Disc => draw_disc(canvas, cell, look),
        Kind::Pawn => draw_pawn(canvas, cell, look),
        Kind::Tile { letter, promoted } => {
            let points_down = piece.owner == Some(Side::Second);
            draw_tile(canvas, cell, look, letter, promoted, points_down);
        }
        Kind::Seeds => return draw_seeds(canvas, cell, piece.count),
    }
    if piece.count > 1 {
        draw_count(canvas, cell, piece.count);
    }
}

/// The shorter of a cell's two lengths.
fn room(cell: &Cell) -> f64 {
    cell.width.min(cell.height)
}

fn draw_disc(canvas: &mut Canvas<'_>, cell: &Cell, look: Look) {
    let share = match cell.shape {
        Shape::Square => 0.4,
        Shape::Hexagon => 0.38,
        Shape::Round => 0.46,
    };
    let radius = share * room(cell);
    let (edge, line) = (canvas.px(0.035), canvas.px(0.04));
    let paint: Attributes<'_> =
        &[("fill", &look.fill), ("stroke", &look.edge), ("stroke-width", &edge)];
    canvas.circle(cell.x, cell.y, radius, paint);
    let paint: Attributes<'_> =
        &[("fill", &"none"), ("stroke", &look.shade), ("stroke-width", &line)];
    canvas.circle(cell.x, cell.y, 0.72 * radius, paint);
}

fn draw_pawn(canvas: &mut Canvas<'_>, cell: &Cell, look: Look) {
    let edge = canvas.px(0.035);
    let paint: Attributes<'_> = &[
        ("fill", &look.fill),
        ("stroke", &look.edge),
        ("stroke-width", &edge),
        ("stroke-linejoin", &"round"),
    ];
    let size = room(cell);
    let at = |x: f64, y: f64| canvas.point(cell.x + x * size, cell.y + y * size);
    // The right half from the neck to the foot, and back up on the left.
    let body = format!(
        "M{} C{} {} {} L{} L{} L{} C{} {} {} Z",
        at(0.09, -0.12),
        at(0.1, 0.08),
        at(0.24, 0.1),
        at(0.26, 0.27),
        at(0.26, 0.36),
        at(-0.26, 0.36),
        at(-0.26, 0.27),
        at(-0.24, 0.1),
        at(-0.1, 0.08),
        at(-0.09, -0.12),
    );
    let foot = format!("M{} L{}", at(-0.21, 0.27), at(0.21, 0.27));
    canvas.path(&body, paint);
    canvas.path(&foot, &[("stroke", &look.shade), ("stroke-width", &edge)]);
    canvas.circle(cell.x, cell.y - 0.2 * size, 0.155 * size, paint);
}

fn draw_tile(
    canvas: &mut Canvas<'_>,
    cell: &Cell,
    look: Look,
    letter: char,
    promoted: bool,
    points_down: bool,
) {
    const CORNERS: [[f64; 2]; 5] =
        [[0.0, -0.43], [0.31, -0.27], [0.37, 0.39], [-0.37, 0.39], [-0.31, -0.27]];
    let down = if points_down { -1.0 } else { 1.0 } * room(cell);
    let corners = CORNERS.map(|[x, y]| [cell.x + x * room(cell), cell.y + y * down]);
    let edge = canvas.px(0.035);
    let paint: Attributes<'_> = &[
        ("fill", &look.fill),
        ("stroke", &look.edge),
        ("stroke-width", &edge),
        ("stroke-linejoin", &"round"),
    ];
    canvas.polygon(&corners, paint);
    let text = if promoted { format!("+{letter}") } else { letter.to_string() };
    let ink = look.ink[usize::from(promoted)];
    let paint: Attributes<'_> = &[("font-weight", &"bold"), ("fill", &ink)];
    canvas.text(cell.x, cell.y + 0.05 * down, 0.4 * room(cell), &text, paint);
}

/// How many pieces there are, in the lower right corner.
fn draw_count(canvas: &mut Canvas<'_>, cell: &Cell, count: u32) {
    let (x, y) = (cell.x + 0.32 * cell.width, cell.y + 0.32 * cell.height);
    let paint: Attributes<'_> = &[("fill", &"#ffffff"), ("stroke", &"#222222")];
    canvas.circle(x, y, 0.17, paint);
    let paint: Attributes<'_> = &[("font-weight", &"bold"), ("fill", &"#222222")];
    canvas.text(x, y, 0.24, &count.to_string(), paint);
}

/// Seeds in a spiral like those of a sunflower; beyond some number they could not be distinguished.
fn draw_seeds(canvas: &mut Canvas<'_>, cell: &Cell, count: u32) {
    const MOST: u32 = 48;
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    const SEED: f64 = 0.085;
    let shown = f64::from(count.min(MOST));
    let edge = canvas.px(0.02);
    let paint: Attributes<'_> =
        &[("fill", &"#fbf3df"), ("stroke", &"#4a3115"), ("stroke-width", &edge)];
    // A few seeds lie close together, many fill the pit.
    let spread = (0.13 * shown.sqrt()).min(room(cell) / 2.0 - SEED - 0.04);
    let stretch = (shown / 20.0).clamp(1.0, cell.height / cell.width);
    for seed in 0..count.min(MOST) {
        let seed = f64::from(seed);
        let radius = if shown > 1.0 { spread * ((seed + 0.5) / shown).sqrt() } else { 0.0 };
        let (sin, cos) = libm::sincos(seed * GOLDEN_ANGLE);
        canvas.circle(cell.x + radius * cos, cell.y + radius * sin * stretch, SEED, paint);
    }
}
