//! The legend: beside the plot if its names are short, otherwise below; never above points.

use super::layout::{LINE, MARGIN, SMALL};
use super::looks::{FAINT, INK, Look};
use super::scene::{Anchor, Outline, Pen, Scene, Shape};
use super::{Plot, Style, font};

/// Names that are wider stand below the plot.
const WIDEST_BESIDE: f64 = 190.0;
/// The sample of a line, and from there to the name.
const SAMPLE: f64 = 26.0;
const GAP: f64 = 8.0;
const PITCH: f64 = 20.0;

pub(super) struct Legend {
    entries: Vec<Entry>,
    left: f64,
    top: f64,
}

struct Entry {
    name: String,
    lines: Vec<String>,
    style: Style,
    look: Look,
}

impl Legend {
    pub(super) fn new(plot: &Plot) -> Legend {
        let named = plot.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
        let entries = named.map(|(i, series)| Entry {
            name: series.name.clone(),
            lines: Vec::new(),
            style: series.style,
            look: Look::new(series.look.unwrap_or(i)),
        });
        Legend { entries: entries.collect(), left: 0.0, top: 0.0 }
    }

    fn widest(&self) -> f64 {
        self.entries.iter().map(|entry| font::width(&entry.name, SMALL)).fold(0.0, f64::max)
    }

    fn is_beside(&self) -> bool {
        self.widest() <= WIDEST_BESIDE
    }

    /// How much room it needs to the right of the area, with what stands there already.
    pub(super) fn width_beside(&self, before: f64) -> f64 {
        if self.entries.is_empty() || !self.is_beside() {
            return 0.0;
        }
        before + MARGIN + SAMPLE + GAP + self.widest()
    }

    /// Beside the area from `right` and `top` on, or below `end`, within a picture of this width.
    pub(super) fn placed(self, width: f64, right: f64, top: f64, end: f64) -> Legend {
        let is_beside = self.is_beside();
        let left = if is_beside { right + MARGIN } else { MARGIN };
        let room = width - MARGIN - left - SAMPLE - GAP;
        let entries = self.entries.into_iter().map(|entry| {
            // Rounding must not break a name for which there is room.
            let lines = font::broken(&entry.name, room + 0.5, SMALL);
            Entry { lines, ..entry }
        });
        let top = if is_beside { top } else { end + 10.0 };
        Legend { entries: entries.collect(), left, top }
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.entries.iter().map(Entry::height).sum::<f64>()
    }

    pub(super) fn draw(&self, scene: &mut Scene) {
        let mut y = self.top + LINE / 2.0;
        for entry in &self.entries {
            entry.draw_sample(scene, self.left, y);
            for (i, line) in entry.lines.iter().enumerate() {
                let at = (self.left + SAMPLE + GAP, y + 0.36 * SMALL + LINE * i as f64);
                scene.text(line, at, SMALL, Anchor::Start, INK);
            }
            y += entry.height();
        }
    }
}

impl Entry {
    fn height(&self) -> f64 {
        PITCH + LINE * self.lines.len().saturating_sub(1) as f64
    }

    fn draw_sample(&self, scene: &mut Scene, left: f64, y: f64) {
        let line = vec![vec![(left, y), (left + SAMPLE, y)]];
        let middle = (left + SAMPLE / 2.0, y);
        if let Some(pen) = self.look.pen(self.style) {
            scene.lines("sample", line, pen);
        }
        match self.style {
            Style::Line | Style::Points => self.look.mark(scene, "sample", middle, 4.2),
            Style::Steps | Style::Curve | Style::Dashed => {}
            Style::Bars => {
                let (left, right, top, bottom) = (left + 6.0, left + 20.0, y - 6.0, y + 6.0);
                let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
                scene.shapes.push(Shape::Area {
                    class: "sample",
                    outline: Outline::Polygon(corners),
                    fill: self.look.colour,
                    edge: Some(Pen::new(FAINT, 0.5)),
                });
            }
        }
    }
}
