//! Positions as SVG: boards with their pieces, or text where a game has no picture.

use std::fmt::Display;

use treegraft::picture::{BoardArea, Cell, Line, Picture, Role, Shape, TextLabel, Tint};

use super::pieces::{Look, draw_piece};
use super::{Attributes, INK, Px, Svg};

const PADDING: f64 = 12.0;
const HEADER: f64 = 34.0;
const TITLE_SIZE: f64 = 17.0;
const FAINT: &str = "#666666";
/// Of marked cells: light between dark lines, to be seen on wood, felt and plastic, also in greys.
const MARK: &str = "#ff9f1a";
const MARK_EDGE: &str = "#4a2300";

/// A position as an SVG file. Cells with a place in `marked`, such as those of the last move, are
/// highlighted; without a title there is no room for one.
#[must_use]
pub fn board_svg(picture: &Picture, title: &str, marked: &[usize]) -> String {
    let unit = unit(picture);
    let (mut svg, [x, y]) = page(title, [picture.width * unit, picture.height * unit]);
    let mut canvas = Canvas { svg: &mut svg, x, y, unit };
    if let Some(board) = &picture.board {
        draw_board(&mut canvas, board);
    }
    for line in &picture.lines {
        draw_line(&mut canvas, line, picture);
    }
    let on_blue = picture.board.is_some_and(|board| board.tint == Tint::Blue);
    for cell in &picture.cells {
        let (fill, stroke) = cell_colours(cell.tint, on_blue);
        let width = canvas.px(0.025);
        canvas.outline(
            cell,
            0.0,
            &[("fill", &fill), ("stroke", &stroke), ("stroke-width", &width)],
        );
    }
    for cell in marked.iter().filter_map(|&place| picture.cells.get(place)) {
        mark(&mut canvas, cell);
    }
    for piece in &picture.pieces {
        if let Some(cell) = picture.cells.get(piece.cell) {
            draw_piece(&mut canvas, piece, cell, picture.colours);
        }
    }
    for label in &picture.labels {
        write_label(&mut canvas, label);
    }
    svg.finish()
}

/// The text diagram of a position as an SVG file, for games without a picture.
#[must_use]
pub fn diagram_svg(diagram: &str, title: &str) -> String {
    const SIZE: f64 = 15.0;
    const LINE: f64 = 20.0;
    let lines: Vec<&str> = diagram.lines().collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (mut svg, [x, y]) = page(title, [0.62 * SIZE * longest as f64, LINE * lines.len() as f64]);
    for (i, line) in lines.iter().enumerate() {
        let attributes: Attributes<'_> = &[
            ("font-family", &"'DejaVu Sans Mono', Menlo, Consolas, monospace"),
            ("font-size", &SIZE),
            ("fill", &INK),
            // Readers differ in which of the two they know.
            ("xml:space", &"preserve"),
            ("style", &"white-space: pre"),
        ];
        svg.text(x, y + LINE * i as f64 + SIZE, line, attributes);
    }
    svg.finish()
}

/// A page with a title and room for something of this size, and where that begins.
fn page(title: &str, [width, height]: [f64; 2]) -> (Svg, [f64; 2]) {
    let header = if title.is_empty() { 0.0 } else { HEADER };
    let title_width = 0.6 * TITLE_SIZE * title.chars().count() as f64;
    let page_width = width.max(title_width) + 2.0 * PADDING;
    let mut svg = Svg::new(page_width, height + header + 2.0 * PADDING);
    if !title.is_empty() {
        svg.middle(page_width / 2.0, PADDING + TITLE_SIZE, title, TITLE_SIZE, "bold", INK);
    }
    (svg, [(page_width - width) / 2.0, PADDING + header])
}

/// The room around a picture without a title, in units of one cell: for whatever is laid over it.
#[must_use]
pub fn board_padding(picture: &Picture) -> f64 {
    PADDING / unit(picture)
}

/// Pixels a cell: large boards have small ones.
fn unit(picture: &Picture) -> f64 {
    (900.0 / picture.width.max(picture.height).max(1.0)).clamp(28.0, 56.0)
}

/// The part of the page that a picture is drawn on.
pub(super) struct Canvas<'a> {
    pub(super) svg: &'a mut Svg,
    x: f64,
    y: f64,
    unit: f64,
}

impl Canvas<'_> {
    /// A length in cells, in pixels.
    pub(super) fn px(&self, length: f64) -> Px {
        Px(length * self.unit)
    }

    /// `x,y` of a point, for paths and lists of points.
    pub(super) fn point(&self, x: f64, y: f64) -> String {
        format!("{},{}", Px(self.x + x * self.unit), Px(self.y + y * self.unit))
    }

    /// A closed polygon.
    pub(super) fn polygon(&mut self, corners: &[[f64; 2]], paint: Attributes<'_>) {
        let points: Vec<String> = corners.iter().map(|&[x, y]| self.point(x, y)).collect();
        self.draw("polygon", &[("points", &points.join(" "))], paint);
    }

    pub(super) fn circle(&mut self, x: f64, y: f64, radius: f64, paint: Attributes<'_>) {
        let (x, y) = (Px(self.x + x * self.unit), Px(self.y + y * self.unit));
        let radius = self.px(radius);
        self.draw("circle", &[("cx", &x), ("cy", &y), ("r", &radius)], paint);
    }

    /// A path whose commands are in pixels already.
    pub(super) fn path(&mut self, commands: &str, paint: Attributes<'_>) {
        self.draw("path", &[("d", &commands)], paint);
    }

    /// Text in letters of a size, its middle at a point.
    pub(super) fn text(&mut self, x: f64, y: f64, size: f64, text: &str, paint: Attributes<'_>) {
        // Capitals and digits are about 0.72 of the size high.
        let (x, y) = (self.x + x * self.unit, self.y + (y + 0.36 * size) * self.unit);
        let size = self.px(size);
        let mut attributes: Vec<(&str, &dyn Display)> =
            vec![("font-size", &size), ("text-anchor", &"middle")];
        attributes.extend(paint);
        self.svg.text(x, y, text, &attributes);
    }

    fn rectangle(&mut self, area: [f64; 4], radius: f64, paint: Attributes<'_>) {
        let [x, y, width, height] = area.map(|length| length * self.unit);
        let radius: Attributes<'_> = &[("rx", &self.px(radius))];
        self.svg.rect([self.x + x, self.y + y, width, height], &[radius, paint].concat());
    }

    /// The outline of a cell, or of a smaller one inside it.
    fn outline(&mut self, cell: &Cell, inset: f64, paint: Attributes<'_>) {
        let (width, height) = (cell.width - 2.0 * inset, cell.height - 2.0 * inset);
        let (right, down) = (width / 2.0, height / 2.0);
        let area = [cell.x - right, cell.y - down, width, height];
        match cell.shape {
            Shape::Square => self.rectangle(area, 0.0, paint),
            Shape::Round => self.rectangle(area, right.min(down), paint),
            Shape::Hexagon => {
                let half = [[0.0, -down], [right, -down / 2.0], [right, down / 2.0]];
                let other = half.map(|[x, y]| [-x, -y]);
                let corners = [half, other].concat();
                let corners: Vec<[f64; 2]> =
                    corners.iter().map(|[x, y]| [cell.x + x, cell.y + y]).collect();
                self.polygon(&corners, paint);
            }
        }
    }

    fn draw(&mut self, name: &str, place: Attributes<'_>, paint: Attributes<'_>) {
        self.svg.element(name, &[place, paint].concat());
    }
}

fn draw_board(canvas: &mut Canvas<'_>, board: &BoardArea) {
    let fill = match board.tint {
        Tint::Light => "#e6c592",
        Tint::Dark => "#6f4a2a",
        Tint::Green => "#1f5c39",
        Tint::Blue => "#3b78cf",
        Tint::Hollow | Tint::Plain => "#eeeeee",
    };
    let area = [board.x, board.y, board.width, board.height];
    let edge = canvas.px(0.03);
    let paint: Attributes<'_> = &[("fill", &fill), ("stroke", &"#3a2a1a"), ("stroke-width", &edge)];
    canvas.rectangle(area, 0.1, paint);
}

/// Fill and edge of a cell.
fn cell_colours(tint: Tint, on_blue: bool) -> (&'static str, &'static str) {
    match tint {
        Tint::Light => ("#f2dcb6", "#8a6238"),
        Tint::Dark => ("#c08f62", "#8a6238"),
        Tint::Green => ("#2f8554", "#174a2c"),
        Tint::Blue => ("#3b78cf", "#1d4484"),
        Tint::Hollow if on_blue => ("#e9eff9", "#1d4484"),
        Tint::Hollow => ("#b07f4c", "#6f4a2a"),
        Tint::Plain => ("#f7f7f5", "#9aa5ad"),
    }
}

fn draw_line(canvas: &mut Canvas<'_>, line: &Line, picture: &Picture) {
    let points: Vec<String> = line.points.iter().map(|&[x, y]| canvas.point(x, y)).collect();
    let path = format!("M{}", points.join(" L"));
    let mut stroke = |colour: &str, width: f64| {
        let width = canvas.px(width);
        let paint: Attributes<'_> = &[
            ("fill", &"none"),
            ("stroke", &colour),
            ("stroke-width", &width),
            ("stroke-linejoin", &"round"),
            ("stroke-linecap", &"round"),
        ];
        canvas.path(&path, paint);
    };
    match line.owner {
        None => stroke("#9aa5ad", 0.04),
        Some(side) => {
            stroke(INK, 0.42);
            stroke(Look::of(picture.colours[side.index()]).fill, 0.36);
        }
    }
}

fn mark(canvas: &mut Canvas<'_>, cell: &Cell) {
    let (edge, ring) = (canvas.px(0.16), canvas.px(0.07));
    let dark: Attributes<'_> =
        &[("fill", &"none"), ("stroke", &MARK_EDGE), ("stroke-width", &edge)];
    // A piece nearly fills a round cell: the ring goes around both.
    let inset = if cell.shape == Shape::Round { -0.02 } else { 0.07 };
    canvas.outline(cell, inset, dark);
    let fill: Attributes<'_> =
        &[("fill", &MARK), ("fill-opacity", &0.35), ("stroke", &MARK), ("stroke-width", &ring)];
    canvas.outline(cell, inset, fill);
}

fn write_label(canvas: &mut Canvas<'_>, label: &TextLabel) {
    let (size, weight, fill) = match label.role {
        Role::Coordinate => (0.32, "normal", FAINT),
        Role::Count => (0.36, "bold", INK),
        Role::Note => (0.34, "normal", INK),
    };
    canvas.text(label.x, label.y, size, &label.text, &[("font-weight", &weight), ("fill", &fill)]);
}
