//! How large a plot is and where its parts stand.

use super::axis::{Ruler, Tick, is_drawable};
use super::legend::Legend;
use super::{Axis, Plot, Point, Scale, Style, font};

/// Sizes of letters in pixels.
pub(super) const TITLE: f64 = 16.0;
pub(super) const LABEL: f64 = 13.0;
pub(super) const SMALL: f64 = 12.0;

pub(super) const MARGIN: f64 = 16.0;
/// From an axis to the labels of its ticks.
pub(super) const TICK_GAP: f64 = 9.0;
/// From one line of small letters to the next, and of the title.
pub(super) const LINE: f64 = 15.0;
const TITLE_LINE: f64 = 21.0;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 360.0;
/// The area of values beside names at the left, and how wide those may be.
const SIDEWAYS_WIDTH: f64 = 440.0;
const NAMES_WIDTH: f64 = 330.0;
/// Maximum number of lines of a category's name.
const NAME_LINES: usize = 3;

/// A plot with everything measured.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    /// Whether the x axis runs down at the left.
    pub(super) is_sideways: bool,
    pub(super) x: Ruler,
    pub(super) y: Ruler,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    /// The names of categories in lines.
    pub(super) names: Vec<Vec<String>>,
    pub(super) title: Vec<String>,
    pub(super) title_left: f64,
    pub(super) legend: Legend,
}

impl Layout {
    pub(super) fn new(plot: &Plot) -> Layout {
        let (x, y) = rulers(plot);
        let names = match &plot.x.scale {
            Scale::Categories(names) => names.as_slice(),
            Scale::Linear | Scale::Log => &[],
        };
        let is_categorical = matches!(plot.x.scale, Scale::Categories(_));
        let is_sideways = is_categorical && (plot.is_sideways || !fit_side_by_side(names));
        let legend = Legend::new(plot);
        let (area_width, names) = if is_sideways {
            (SIDEWAYS_WIDTH, in_lines(names, NAMES_WIDTH))
        } else {
            (WIDTH, in_lines(names, slot(names.len())))
        };
        let area_height =
            if is_sideways { names.len().max(1) as f64 * row_height(plot, &names) } else { HEIGHT };
        let x = x.between(0.0, if is_sideways { area_height } else { area_width });
        let y = y.between(0.0, if is_sideways { area_width } else { area_height });
        let x_ticks = if is_categorical { Vec::new() } else { fitting_ticks(&x) };
        let y_ticks = if is_sideways { fitting_ticks(&y) } else { y.ticks(7) };

        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| font::width(text, SMALL)).fold(0.0, f64::max)
        };
        let beside = if is_sideways {
            widest(&mut names.iter().flatten())
        } else {
            widest(&mut y_ticks.iter().map(|tick| &tick.label))
        };
        let label = |axis: &Axis| if axis.label.is_empty() { 0.0 } else { LABEL + 9.0 };
        let (left_label, bottom_label) = match is_sideways {
            true => (label(&plot.x), label(&plot.y)),
            false => (label(&plot.y), label(&plot.x)),
        };
        let left = (MARGIN + left_label + beside + TICK_GAP).round();
        let right = left + area_width;
        let labels = plot.references.iter().map(|reference| &reference.label);
        let reference = widest(&mut labels.filter(|_| !is_sideways));
        let reference = if reference > 0.0 { reference + 8.0 } else { 0.0 };
        let last_tick = x_ticks.iter().chain(&y_ticks).map(|tick| font::width(&tick.label, SMALL));
        let overhang = last_tick.fold(0.0, f64::max) / 2.0;
        let width = right + reference.max(overhang).max(legend.width_beside(reference)) + MARGIN;

        let title_left = if is_sideways { MARGIN } else { left };
        let title = match plot.title.is_empty() {
            true => Vec::new(),
            false => font::broken(&plot.title, width - MARGIN - title_left, TITLE),
        };
        let named = plot.references.iter().any(|reference| !reference.label.is_empty());
        let above = if is_sideways && named { LINE + 4.0 } else { 0.0 };
        let top = MARGIN + TITLE_LINE * title.len() as f64 + 8.0 + above;
        let bottom = top + area_height;
        let tick_lines = match is_sideways {
            true => 1,
            false => names.iter().map(Vec::len).max().unwrap_or(1),
        };
        let end = bottom + TICK_GAP + LINE * tick_lines as f64 + bottom_label;
        let legend = legend.placed(width, right + reference, top, end);
        let height = legend.bottom().max(end) + MARGIN;

        let (x, y) = match is_sideways {
            true => (x.between(top, bottom), y.between(left, right)),
            false => (x.between(left, right), y.between(bottom, top)),
        };
        Layout {
            width,
            height,
            left,
            top,
            right,
            bottom,
            is_sideways,
            x,
            y,
            x_ticks,
            y_ticks,
            names,
            title,
            title_left,
            legend,
        }
    }

    /// Where the title's line begins.
    pub(super) fn title_at(&self, line: usize) -> (f64, f64) {
        (self.title_left, MARGIN + TITLE + TITLE_LINE * line as f64)
    }
}

/// Whether the point can be drawn.
pub(super) fn is_visible(plot: &Plot, point: &Point) -> bool {
    let is_place = match &plot.x.scale {
        Scale::Categories(names) => point.x >= 0.0 && point.x <= names.len() as f64 - 1.0,
        Scale::Linear | Scale::Log => is_drawable(&plot.x, point.x),
    };
    is_place && is_drawable(&plot.y, point.y)
}

/// The axes, with all points and their intervals on them.
fn rulers(plot: &Plot) -> (Ruler, Ruler) {
    let points = plot.series.iter().flat_map(|series| &series.points);
    let points = points.filter(|point| is_visible(plot, point));
    let has_bars = plot.series.iter().any(|series| series.style == Style::Bars);
    let x = match &plot.x.scale {
        Scale::Categories(names) => Ruler::categories(names.len()),
        Scale::Linear | Scale::Log => {
            let mut places = points.clone().map(|point| point.x).collect::<Vec<_>>();
            if has_bars && plot.x.scale == Scale::Linear {
                // The outermost bars are as wide as the others.
                places.sort_by(f64::total_cmp);
                let steps = places.windows(2).map(|pair| pair[1] - pair[0]);
                let step = steps.filter(|step| *step > 0.0).fold(f64::INFINITY, f64::min);
                if let ([first, .., last], true) = (&places[..], step.is_finite()) {
                    places = vec![first - step / 2.0, last + step / 2.0];
                }
            }
            Ruler::new(&plot.x, places.into_iter())
        }
    };
    let values = points.flat_map(|point| [Some(point.y), point.low, point.high]).flatten();
    let references = plot.references.iter().map(|reference| reference.value);
    let mut axis = plot.y.clone();
    if has_bars && axis.scale == Scale::Linear {
        let [low, high] = axis.range.unwrap_or([0.0, 0.0]);
        axis.range = Some([low.min(0.0), high.max(0.0)]);
    }
    (x, Ruler::new(&axis, values.chain(references)))
}

/// As many ticks as have room side by side.
fn fitting_ticks(ruler: &Ruler) -> Vec<Tick> {
    const GAP: f64 = 14.0;
    let fits = |ticks: &[Tick]| {
        ticks.windows(2).all(|pair| {
            let [first, second] = [&pair[0], &pair[1]]
                .map(|tick| (ruler.at(tick.value), font::width(&tick.label, SMALL) / 2.0));
            (second.0 - first.0).abs() >= first.1 + second.1 + GAP
        })
    };
    let mut tried = (2..=10).rev().map(|most| ruler.ticks(most));
    tried.find(|ticks| fits(ticks)).unwrap_or_else(|| ruler.ticks(1))
}

/// The width of a name among this many side by side.
fn slot(names: usize) -> f64 {
    WIDTH / names.max(1) as f64 - 8.0
}

fn fit_side_by_side(names: &[String]) -> bool {
    let slot = slot(names.len());
    let word_fits = |word: &str| font::width(word, SMALL) <= slot;
    names.iter().all(|name| {
        let lines = font::broken(name, slot, SMALL);
        lines.len() <= NAME_LINES && name.split(' ').all(word_fits)
    })
}

/// The names in lines of at most this width; three dots stand for what has no room.
fn in_lines(names: &[String], width: f64) -> Vec<Vec<String>> {
    let in_lines = |name: &String| {
        let mut lines = font::broken(name, width, SMALL);
        if lines.len() > NAME_LINES {
            lines.truncate(NAME_LINES);
            if let Some(last) = lines.last_mut() {
                last.push('…');
            }
        }
        lines
    };
    names.iter().map(in_lines).collect()
}

/// How far the categories at the left are apart: enough for their names, and for one marker or bar
/// for each series.
fn row_height(plot: &Plot, names: &[Vec<String>]) -> f64 {
    let lines = names.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let series = plot.series.len() as f64;
    (lines * LINE + 9.0).max(series * 14.0 + 8.0)
}
