//! Plots drawn as shapes.

use super::axis::Ruler;
use super::layout::{LABEL, LINE, Layout, MARGIN, SMALL, TICK_GAP, TITLE, is_visible};
use super::looks::{FAINT, GRID, INK, Look};
use super::scene::{Anchor, Outline, Pen, Place, Scene, Shape};
use super::{Plot, Point, Series, Style, font};

/// From the middle of small letters down to their baseline.
const MIDDLE: f64 = 0.36 * SMALL;

pub(super) fn scene(plot: &Plot) -> Scene {
    let layout = Layout::new(plot);
    let scene = Scene { width: layout.width, height: layout.height, shapes: Vec::new() };
    let mut picture = Picture { plot, layout, scene };
    picture.draw_grid();
    picture.draw_references();
    picture.draw_series();
    picture.draw_axes();
    picture.draw_texts();
    picture.scene
}

struct Picture<'a> {
    plot: &'a Plot,
    layout: Layout,
    scene: Scene,
}

/// How the points of a series stand beside those of others.
struct Slot {
    /// Away from the place of the x value.
    shift: f64,
    /// Half the width of a bar, and of the end of a whisker.
    bar: f64,
    cap: f64,
    radius: f64,
}

impl Picture<'_> {
    /// The place of a point with these positions along the x axis and the y axis.
    fn place(&self, x: f64, y: f64) -> Place {
        if self.layout.is_sideways { (y, x) } else { (x, y) }
    }

    /// A line across the area at a place of the y axis.
    fn across(&self, y: f64) -> Vec<Place> {
        let Ruler { from, to, .. } = self.layout.x;
        vec![self.place(from, y), self.place(to, y)]
    }

    fn draw_grid(&mut self) {
        let pen = Pen::new(GRID, 1.0);
        let y_ticks = self.layout.y_ticks.iter();
        let mut lines = y_ticks
            .map(|tick| self.across(crisp(self.layout.y.at(tick.value))))
            .collect::<Vec<_>>();
        let Ruler { from, to, .. } = self.layout.y;
        let rows = if self.layout.is_sideways { self.layout.names.len() } else { 0 };
        let ticks = self.layout.x_ticks.iter().map(|tick| tick.value);
        for value in ticks.chain((0..rows).map(|row| row as f64)) {
            let x = crisp(self.layout.x.at(value));
            lines.push(vec![self.place(x, from), self.place(x, to)]);
        }
        self.scene.lines("grid", lines, pen);
    }

    fn draw_references(&mut self) {
        let pen = Pen { dash: Some([5.0, 4.0]), ..Pen::new(FAINT, 1.2) };
        // The ends of the labels that stand already.
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for reference in &self.plot.references {
            if !super::axis::is_drawable(&self.plot.y, reference.value) {
                continue;
            }
            let y = crisp(self.layout.y.at(reference.value));
            self.scene.lines("reference", vec![self.across(y)], pen);
            let half = match self.layout.is_sideways {
                true => font::width(&reference.label, SMALL) / 2.0 + 4.0,
                false => LINE / 2.0,
            };
            if taken.iter().any(|(from, to)| y - half < *to && y + half > *from) {
                continue;
            }
            taken.push((y - half, y + half));
            let (at, anchor) = match self.layout.is_sideways {
                true => ((y, self.layout.top - 6.0), Anchor::Middle),
                false => ((self.layout.right + 6.0, y + MIDDLE), Anchor::Start),
            };
            self.scene.text(&reference.label, at, SMALL, anchor, FAINT);
        }
    }

    fn draw_series(&mut self) {
        let plot = self.plot;
        let is_bars = |series: &Series| series.style == Style::Bars;
        // What fills areas is drawn below what does not.
        for below in [true, false] {
            for (i, series) in plot.series.iter().enumerate() {
                if is_bars(series) == below {
                    let look = Look::new(series.look.unwrap_or(i));
                    let slot = self.slot(i);
                    self.draw_one(series, look, &slot);
                }
            }
        }
    }

    fn draw_one(&mut self, series: &Series, look: Look, slot: &Slot) {
        let Ruler { from, to, .. } = self.layout.x;
        let places = series.points.iter().map(|point| {
            is_visible(self.plot, point).then(|| {
                let x = self.layout.x.at(point.x) + slot.shift;
                (x.clamp(from.min(to), from.max(to)), self.layout.y.at(point.y))
            })
        });
        let places = places.collect::<Vec<_>>();
        if series.style == Style::Bars {
            for (x, y) in places.iter().flatten() {
                self.draw_bar(*x, *y, look, slot);
            }
        }
        if let Some(pen) = look.pen(series.style) {
            let lines = self.connected(&places, series.style);
            self.scene.lines("line", lines, pen);
        }
        let ink = if series.style == Style::Bars { INK } else { look.colour };
        for (point, place) in series.points.iter().zip(&places) {
            if let Some((x, y)) = place {
                self.draw_whisker(point, (*x, *y), Pen::new(ink, 1.5), slot.cap);
            }
        }
        let is_marked = match series.style {
            // So many markers would be a thick line.
            Style::Line => places.len() <= 120,
            Style::Points => true,
            Style::Bars | Style::Steps | Style::Curve | Style::Dashed => false,
        };
        if is_marked {
            for (x, y) in places.iter().flatten() {
                let at = self.place(*x, *y);
                look.mark(&mut self.scene, "point", at, slot.radius);
            }
        }
    }

    /// The lines through the points; a point that cannot be drawn is a gap.
    fn connected(&self, places: &[Option<Place>], style: Style) -> Vec<Vec<Place>> {
        let mut lines = Vec::new();
        for run in places.split(Option::is_none) {
            let mut line: Vec<Place> = Vec::new();
            let mut before: Option<f64> = None;
            for (x, y) in run.iter().flatten() {
                if let (Style::Steps, Some(before)) = (style, before) {
                    line.push(self.place(*x, before));
                }
                line.push(self.place(*x, *y));
                before = Some(*y);
            }
            if line.len() > 1 {
                lines.push(line);
            }
        }
        lines
    }

    fn draw_bar(&mut self, x: f64, y: f64, look: Look, slot: &Slot) {
        let Ruler { from, to, .. } = self.layout.x;
        let (left, right) = (from.min(to), from.max(to));
        let sides = [x - slot.bar, x + slot.bar].map(|side| side.clamp(left, right));
        let base = self.layout.y.base();
        let corners = [(sides[0], base), (sides[0], y), (sides[1], y), (sides[1], base)];
        let corners = corners.map(|(x, y)| self.place(x, y)).to_vec();
        self.scene.shapes.push(Shape::Area {
            class: "bar",
            outline: Outline::Polygon(corners),
            fill: look.colour,
            edge: Some(Pen::new("#ffffff", 0.8)),
        });
    }

    /// The interval of a point: an end that is infinite, or beyond a logarithm, has no cap.
    fn draw_whisker(&mut self, point: &Point, (x, y): Place, pen: Pen, cap: f64) {
        let ends = [point.low, point.high].map(|end| end.filter(|end| !end.is_nan()));
        if ends == [None, None] {
            return;
        }
        let ruler = &self.layout.y;
        let [low, high] = ends.map(|end| end.map_or(y, |end| ruler.at(end)));
        let mut lines = vec![vec![self.place(x, low), self.place(x, high)]];
        for (end, at) in ends.into_iter().zip([low, high]) {
            if end.is_some_and(|end| super::axis::is_drawable(&self.plot.y, end)) {
                lines.push(vec![self.place(x - cap, at), self.place(x + cap, at)]);
            }
        }
        self.scene.lines("whisker", lines, pen);
    }

    /// Series with the same x values stand side by side, so that none hides another: bars in full,
    /// markers on categories, and whiskers by a few pixels.
    fn slot(&self, number: usize) -> Slot {
        let series = &self.plot.series[number];
        let spacing = self.spacing();
        let is_categorical = !self.layout.names.is_empty();
        let has_whiskers =
            |series: &Series| series.points.iter().any(|p| p.low.or(p.high).is_some());
        // A point beside the curve through it would look wrong.
        let has_curves = self.plot.series.iter().any(|series| series.style == Style::Curve);
        let is_free = |style| matches!(style, Style::Curve | Style::Dashed | Style::Steps);
        let is_shifted = |other: &Series| match (series.style, other.style) {
            (a, b) if is_free(a) || is_free(b) => false,
            (Style::Bars, other) => other == Style::Bars,
            (_, Style::Bars) => false,
            _ => is_categorical || !has_curves && has_whiskers(series) && has_whiskers(other),
        };
        let beside = (0..self.plot.series.len()).filter(|&i| is_shifted(&self.plot.series[i]));
        let beside = beside.collect::<Vec<_>>();
        let count = beside.len().max(1) as f64;
        let place = beside.iter().position(|&i| i == number).unwrap_or(0) as f64;
        let step = match series.style {
            Style::Bars => 0.8 * spacing / count,
            _ if is_categorical => (0.7 * spacing / count).min(14.0),
            _ => (0.5 * spacing / count).min(5.0),
        };
        let radius = match series.points.len() {
            0..=40 => 4.2,
            41..=120 => 3.0,
            _ => 2.2,
        };
        Slot {
            shift: (place - (count - 1.0) / 2.0) * step,
            bar: step / 2.0,
            cap: (0.3 * spacing).min(4.0),
            radius,
        }
    }

    /// The smallest distance between different places on the x axis.
    fn spacing(&self) -> f64 {
        let length = (self.layout.x.to - self.layout.x.from).abs();
        if !self.layout.names.is_empty() {
            return length / self.layout.names.len() as f64;
        }
        let is_measured = |series: &&Series| !matches!(series.style, Style::Curve | Style::Dashed);
        let points = self.plot.series.iter().filter(is_measured);
        let points = points.flat_map(|series| &series.points);
        let visible = points.filter(|point| is_visible(self.plot, point));
        let mut places = visible.map(|point| self.layout.x.at(point.x)).collect::<Vec<_>>();
        places.sort_by(f64::total_cmp);
        let steps = places.windows(2).map(|pair| pair[1] - pair[0]);
        steps.filter(|step| *step > 0.01).fold(length / 4.0, f64::min)
    }

    fn draw_axes(&mut self) {
        const TICK: f64 = 4.0;
        let Layout { left, right, top, bottom, .. } = self.layout;
        let (left, bottom) = (crisp(left), crisp(bottom));
        let mut lines = vec![vec![(left, top), (left, bottom), (right, bottom)]];
        let (across, ticks) = match self.layout.is_sideways {
            true => (&self.layout.y, &self.layout.y_ticks),
            false => (&self.layout.x, &self.layout.x_ticks),
        };
        for tick in ticks {
            let x = crisp(across.at(tick.value));
            lines.push(vec![(x, bottom), (x, bottom + TICK)]);
            let at = (x, bottom + TICK_GAP + 0.75 * SMALL);
            self.scene.text(&tick.label, at, SMALL, Anchor::Middle, INK);
        }
        if !self.layout.is_sideways {
            for tick in &self.layout.y_ticks {
                let y = crisp(self.layout.y.at(tick.value));
                lines.push(vec![(left - TICK, y), (left, y)]);
                let at = (left - TICK_GAP, y + MIDDLE);
                self.scene.text(&tick.label, at, SMALL, Anchor::End, INK);
            }
        }
        self.scene.lines("axis", lines, Pen::new(INK, 1.0));
    }

    fn draw_texts(&mut self) {
        let Layout { left, right, top, bottom, .. } = self.layout;
        for (i, line) in self.layout.title.iter().enumerate() {
            let at = self.layout.title_at(i);
            self.scene.text(line, at, TITLE, Anchor::Start, INK);
        }
        for (i, lines) in self.layout.names.iter().enumerate() {
            let middle = self.layout.x.at(i as f64);
            let height = LINE * (lines.len() - 1) as f64;
            for (j, line) in lines.iter().enumerate() {
                let down = LINE * j as f64;
                let (at, anchor) = match self.layout.is_sideways {
                    true => ((left - TICK_GAP, middle - height / 2.0 + down + MIDDLE), Anchor::End),
                    false => ((middle, bottom + TICK_GAP + 0.75 * SMALL + down), Anchor::Middle),
                };
                self.scene.text(line, at, SMALL, anchor, INK);
            }
        }
        let (beside, below) = match self.layout.is_sideways {
            true => (&self.plot.x.label, &self.plot.y.label),
            false => (&self.plot.y.label, &self.plot.x.label),
        };
        if !beside.is_empty() {
            self.scene.shapes.push(Shape::Text {
                text: beside.clone(),
                at: (MARGIN + 0.75 * LABEL, (top + bottom) / 2.0),
                size: LABEL,
                anchor: Anchor::Middle,
                colour: INK,
                turned: true,
            });
        }
        if !below.is_empty() {
            let names = if self.layout.is_sideways { &[][..] } else { &self.layout.names };
            let lines = names.iter().map(Vec::len).max().unwrap_or(1) as f64;
            let at = ((left + right) / 2.0, bottom + TICK_GAP + LINE * lines + LABEL + 3.0);
            self.scene.text(below, at, LABEL, Anchor::Middle, INK);
        }
        self.layout.legend.draw(&mut self.scene);
    }
}

/// The middle of a pixel, where a line of one pixel is sharp.
fn crisp(place: f64) -> f64 {
    place.floor() + 0.5
}
