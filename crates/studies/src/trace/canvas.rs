//! Boxes, branches and marks of the picture of a trace.

use treegraft::Side;
use treegraft_pictures::svg::{Attributes, INK, Px, Svg, value_colour};

use super::picture::Drawn;

const HEIGHT: f64 = 34.0;

const FAINT: &str = "#777777";
const PALE: &str = "#b8bec3";
const LINES: &str = "#6b7780";
const CUT: &str = "#c0392b";
const HERE: &str = "#b3009e";

/// How places in the tree become places in the picture.
pub(super) struct Layout {
    /// Whether the tree grows downwards.
    pub(super) is_down: bool,
    box_width: f64,
    /// From one leaf to the next, and from one ply to the next.
    pitch: (f64, f64),
    pub(super) size: (f64, f64),
}

impl Layout {
    /// The layout of a tree with `columns` leaves.
    pub(super) fn new(nodes: &[Drawn], columns: f64, is_down: bool) -> Layout {
        let widest = |of: fn(&Drawn) -> &str| {
            7.4 * nodes.iter().map(|node| of(node).chars().count()).max().unwrap_or(0) as f64
        };
        let box_width = (widest(|node| &node.note) + 18.0).max(46.0);
        let depth = nodes.iter().map(|node| node.along).fold(0.0, f64::max);
        if is_down {
            let pitch @ (across, along) = (box_width + 22.0, HEIGHT + 58.0);
            let size = (columns * across, depth * along + HEIGHT + 26.0);
            return Layout { is_down, box_width, pitch, size };
        }
        // With room for the moves on the branches.
        let gap = widest(|node| &node.label) + 40.0;
        let pitch @ (across, along) = (HEIGHT + 12.0, box_width + gap);
        let size = (depth * along + box_width + 60.0, columns * across);
        Layout { is_down, box_width, pitch, size }
    }
}

/// A picture in the making.
pub(super) struct Canvas {
    pub(super) svg: Svg,
    pub(super) layout: Layout,
    /// Where the tree begins.
    pub(super) left: f64,
    pub(super) top: f64,
}

impl Canvas {
    /// The middle of a node.
    fn middle(&self, node: &Drawn) -> (f64, f64) {
        let Layout { is_down, box_width, pitch: (across, along), .. } = self.layout;
        let (across, along) = (node.across * across, node.along * along);
        match is_down {
            true => (self.left + across, self.top + along + HEIGHT / 2.0),
            false => (self.left + along + box_width / 2.0, self.top + across),
        }
    }

    /// The branches to all nodes but the root.
    pub(super) fn branches(&mut self, nodes: &[Drawn]) {
        for node in nodes {
            let Some(parent) = node.parent else { continue };
            let ((x, y), (to_x, to_y)) = (self.middle(&nodes[parent]), self.middle(node));
            let half = self.layout.box_width / 2.0;
            let (from, to) = match self.layout.is_down {
                true => ((x, y + HEIGHT / 2.0), (to_x, to_y - HEIGHT / 2.0)),
                false => ((x + half, y), (to_x - half, to_y)),
            };
            line(&mut self.svg, from, to, !node.is_visited);
            if node.is_cut {
                mark(&mut self.svg, from, to);
            }
            let fill = if node.is_visited { INK } else { FAINT };
            // Near the child, where branches are apart, on a white ground.
            let part = if self.layout.is_down { 0.72 } else { 0.82 };
            let (at_x, at_y) = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
            self.svg.text(
                at_x,
                at_y + 4.0,
                &node.label,
                &[
                    ("font-size", &12),
                    ("text-anchor", &"middle"),
                    ("fill", &fill),
                    ("stroke", &"white"),
                    ("stroke-width", &5),
                    ("stroke-linejoin", &"round"),
                    ("paint-order", &"stroke"),
                ],
            );
        }
    }

    /// A ring around the box of a node: the search is there.
    fn ring(&mut self, x: f64, y: f64) {
        const GAP: f64 = 4.0;
        let (width, height) = (self.layout.box_width + 2.0 * GAP, HEIGHT + 2.0 * GAP);
        self.svg.element(
            "rect",
            &[
                ("class", &"here"),
                ("x", &Px(x - width / 2.0)),
                ("y", &Px(y - height / 2.0)),
                ("width", &Px(width)),
                ("height", &Px(height)),
                ("rx", &Px(6.0)),
                ("fill", &"none"),
                ("stroke", &HERE),
                ("stroke-width", &Px(3.0)),
            ],
        );
    }

    pub(super) fn node(&mut self, node: &Drawn) {
        let (x, y) = self.middle(node);
        let width = self.layout.box_width;
        // What was cut off together has no box of its own.
        if !node.note.is_empty() || !node.label.contains(' ') {
            frame(&mut self.svg, [x - width / 2.0, y - HEIGHT / 2.0, width, HEIGHT], node);
            if node.is_here {
                self.ring(x, y);
            }
            let weight = if node.is_exact { "bold" } else { "normal" };
            let ink = if node.is_visited { INK } else { PALE };
            self.svg.middle(x, y + 5.0, &node.note, 14.0, weight, ink);
        }
        if let Some(leaf) = node.leaf {
            match self.layout.is_down {
                true => number(&mut self.svg, x, y + HEIGHT / 2.0 + 13.0, leaf),
                false => number(&mut self.svg, x + width / 2.0 + 14.0, y, leaf),
            }
        }
    }
}

fn stroke(
    svg: &mut Svg,
    class: Attributes<'_>,
    [(x1, y1), (x2, y2)]: [(f64, f64); 2],
    pen: Attributes<'_>,
) {
    let place: Attributes<'_> =
        &[("x1", &Px(x1)), ("y1", &Px(y1)), ("x2", &Px(x2)), ("y2", &Px(y2))];
    svg.element("line", &[class, place, pen].concat());
}

pub(super) fn line(svg: &mut Svg, from: (f64, f64), to: (f64, f64), is_pale: bool) {
    let (colour, width, dashes) = if is_pale { (PALE, 1.2, "4 4") } else { (LINES, 1.6, "none") };
    let pen: Attributes<'_> =
        &[("stroke", &colour), ("stroke-width", &Px(width)), ("stroke-dasharray", &dashes)];
    stroke(svg, &[], [from, to], pen);
}

/// Two short strokes across a branch: it was cut off.
pub(super) fn mark(svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (along, across) = ((dx / length, dy / length), (-dy / length, dx / length));
    for part in [-2.5, 2.5] {
        let middle = (
            f64::midpoint(from.0, to.0) - 0.1 * dx + part * along.0,
            f64::midpoint(from.1, to.1) - 0.1 * dy + part * along.1,
        );
        let end = |side: f64| (middle.0 + side * across.0, middle.1 + side * across.1);
        let pen: Attributes<'_> = &[("stroke", &CUT), ("stroke-width", &Px(2.0))];
        stroke(svg, &[("class", &"cut")], [end(-7.0), end(7.0)], pen);
    }
}

/// The number of a leaf in a circle.
pub(super) fn number(svg: &mut Svg, x: f64, y: f64, number: u64) {
    svg.element("circle", &[("cx", &Px(x)), ("cy", &Px(y)), ("r", &Px(9.5)), ("fill", &INK)]);
    svg.text(
        x,
        y + 4.0,
        &number.to_string(),
        &[
            ("class", &"order"),
            ("font-size", &if number < 100 { 11 } else { 9 }),
            ("font-weight", &"bold"),
            ("text-anchor", &"middle"),
            ("fill", &"white"),
        ],
    );
}

/// The box of a node: with corners for the first player, round for the second.
pub(super) fn frame(svg: &mut Svg, area: [f64; 4], node: &Drawn) {
    let fill = match (node.is_visited, node.value) {
        (true, Some(value)) => value_colour(value),
        (true, None) => "#f4f4f4".to_owned(),
        (false, _) => "#ffffff".to_owned(),
    };
    let (stroke, thickness) = match (node.is_visited, node.is_exact) {
        (false, _) => (PALE, 1.0),
        (true, true) => (INK, 2.2),
        (true, false) => (LINES, 1.2),
    };
    let radius = if node.mover == Side::First { 0.0 } else { area[3] / 2.0 };
    let dashes = if node.is_visited { "none" } else { "4 4" };
    svg.rect(
        area,
        &[
            ("rx", &Px(radius)),
            ("fill", &fill),
            ("stroke", &stroke),
            ("stroke-width", &Px(thickness)),
            ("stroke-dasharray", &dashes),
        ],
    );
}
