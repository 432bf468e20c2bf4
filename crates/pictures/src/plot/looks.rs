//! Colours that colour-blind people can distinguish (Okabe and Ito 2008), with a marker for each.

use super::Style;
use super::scene::{Outline, Pen, Place, Scene, Shape};

pub(super) const INK: &str = "#222222";
pub(super) const FAINT: &str = "#666666";
pub(super) const GRID: &str = "#e4e4e4";

/// Without their yellow, which is hard to see on white.
const COLOURS: [&str; 7] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#000000"];

/// The colour and the marker of a series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) colour: &'static str,
    marker: usize,
}

const MARKERS: usize = 7;

impl Look {
    /// As many looks as there are colours times markers; each round of the colours has the markers
    /// shifted by one.
    pub(super) fn new(number: usize) -> Look {
        let round = number / COLOURS.len();
        Look { colour: COLOURS[number % COLOURS.len()], marker: (number + round) % MARKERS }
    }

    /// The pen for the lines of a style, if it has any.
    pub(super) fn pen(self, style: Style) -> Option<Pen> {
        match style {
            Style::Line | Style::Steps | Style::Curve => Some(Pen::new(self.colour, 1.8)),
            Style::Dashed => Some(Pen { dash: Some([6.0, 4.0]), ..Pen::new(self.colour, 1.6) }),
            Style::Points | Style::Bars => None,
        }
    }

    /// Draws the marker; all of them cover about the same area.
    pub(super) fn mark(self, scene: &mut Scene, class: &'static str, at: Place, radius: f64) {
        let corners = |corners: &[(f64, f64)], size: f64| {
            let size = size * radius;
            let places = corners.iter().map(|(x, y)| (at.0 + size * x, at.1 + size * y));
            Outline::Polygon(places.collect())
        };
        const SQUARE: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        const UP: [(f64, f64); 3] = [(0.0, -1.1), (1.0, 0.7), (-1.0, 0.7)];
        const DOWN: [(f64, f64); 3] = [(0.0, 1.1), (1.0, -0.7), (-1.0, -0.7)];
        const DIAMOND: [(f64, f64); 4] = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
        const PLUS: [(f64, f64); 12] = [
            (-0.4, -1.0),
            (0.4, -1.0),
            (0.4, -0.4),
            (1.0, -0.4),
            (1.0, 0.4),
            (0.4, 0.4),
            (0.4, 1.0),
            (-0.4, 1.0),
            (-0.4, 0.4),
            (-1.0, 0.4),
            (-1.0, -0.4),
            (-0.4, -0.4),
        ];
        const HOURGLASS: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        let outline = match self.marker {
            0 => Outline::Circle(at, radius),
            1 => corners(&SQUARE, 0.9),
            2 => corners(&UP, 1.25),
            3 => corners(&DIAMOND, 1.3),
            4 => corners(&DOWN, 1.25),
            5 => corners(&PLUS, 1.15),
            _ => corners(&HOURGLASS, 1.05),
        };
        let edge = Some(Pen::new("#ffffff", 0.8));
        scene.shapes.push(Shape::Area { class, outline, fill: self.colour, edge });
    }
}
