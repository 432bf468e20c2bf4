//! Plots of results: points with intervals, lines, bars and steps, as SVG and PNG.
//!
//! The same plot is the same bytes. Pictures as PNG need no font of the machine; those as SVG use
//! what the reader has.
//!
//! ```
//! use treegraft_pictures::plot::{Axis, Plot, Point, Series, Style};
//!
//! let points = (1..=5).map(|i| Point::new(f64::from(i), 0.1 * f64::from(i)));
//! let plot = Plot::new("Score", Axis::new("c"), Axis::new("score").percent())
//!     .with(Series::new("uct", Style::Line, points))
//!     .reference(0.5, "50 %");
//! assert!(plot.svg().starts_with("<svg "));
//! assert!(plot.png(2.0)?.starts_with(b"\x89PNG"));
//! # Ok::<(), treegraft_pictures::plot::PlotError>(())
//! ```

mod axis;
mod draw;
mod font;
mod layout;
mod legend;
mod looks;
mod raster;
mod scene;

use serde::{Deserialize, Serialize};

/// A plot: series of points over two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// What is drawn.
    pub title: String,
    /// The axis of what was varied.
    pub x: Axis,
    /// The axis of what was measured.
    pub y: Axis,
    /// The points; the later ones are drawn above the earlier ones.
    pub series: Vec<Series>,
    /// Values of the y axis to compare with.
    pub references: Vec<Reference>,
    /// Whether the categories of the x axis stand below one another at the left. They also do so if
    /// their names have no room side by side; an axis of numbers is always horizontal.
    pub is_sideways: bool,
}

/// What an axis measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Axis {
    /// What stands beside it.
    pub label: String,
    /// How values become places.
    pub scale: Scale,
    /// Values that must be on the axis; it grows to hold all points.
    pub range: Option<[f64; 2]>,
    /// Whether values are shares from 0 to 1, shown as percentages.
    pub is_percent: bool,
}

/// How values become places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal factors are equally far apart; values that are not positive are left out.
    Log,
    /// Names at the places 0, 1, 2, …; for the x axis only.
    Categories(Vec<String>),
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Series {
    /// What the legend says; without a name it says nothing.
    pub name: String,
    /// The points, in the order in which lines connect them.
    pub points: Vec<Point>,
    /// How they are drawn.
    pub style: Style,
    /// The number of its colour and marker; `None`: its place among the series.
    pub look: Option<usize>,
}

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Point {
    /// What was varied, or the number of a category.
    pub x: f64,
    /// What was measured. A point without a finite value is left out.
    pub y: f64,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end of its interval.
    pub high: Option<f64>,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Style {
    /// Markers, connected.
    Line,
    /// A line without markers: a fit.
    Curve,
    /// A dashed line without markers: a theory, the result of others.
    Dashed,
    /// Markers.
    Points,
    /// Bars from zero, or on a logarithmic axis from its lower end.
    Bars,
    /// A line that keeps each value until the next point.
    Steps,
}

/// A value to compare with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// The value.
    pub value: f64,
    /// What stands at its end.
    pub label: String,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// The scale is unusable.
    #[error("scale is {0}; expected a number from 0.1 to 10")]
    Scale(f64),
    /// The picture would be too large.
    #[error("the picture would have {width} x {height} pixels; choose a smaller scale")]
    Size {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The picture could not be written as PNG.
    #[error("cannot write the picture as PNG: {0}")]
    Png(String),
}

impl Plot {
    /// A plot without points.
    #[must_use]
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Plot {
        let title = title.into();
        Plot { title, x, y, series: Vec::new(), references: Vec::new(), is_sideways: false }
    }

    /// A forest plot: a row for each name, with its value, the interval of it as whiskers.
    #[must_use]
    pub fn forest(
        title: impl Into<String>,
        value: Axis,
        rows: impl IntoIterator<Item = (String, f64, Option<[f64; 2]>)>,
    ) -> Plot {
        let mut names = Vec::new();
        let mut points = Vec::new();
        for (i, (name, value, interval)) in rows.into_iter().enumerate() {
            let point = Point::new(i as f64, value);
            points.push(interval.map_or(point, |[low, high]| point.between(low, high)));
            names.push(name);
        }
        let plot = Plot::new(title, Axis::categories("", names), value);
        Plot { is_sideways: true, ..plot.with(Series::new("", Style::Points, points)) }
    }

    /// The plot with one more series.
    #[must_use]
    pub fn with(mut self, series: Series) -> Plot {
        self.series.push(series);
        self
    }

    /// The plot with a line at this value of the y axis.
    #[must_use]
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> Plot {
        self.references.push(Reference { value, label: label.into() });
        self
    }

    /// The picture as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::scene(self).svg()
    }

    /// The picture as PNG, `scale` times as large as the SVG.
    ///
    /// # Errors
    ///
    /// If the scale is not from 0.1 to 10, or the picture is too large.
    pub fn png(&self, scale: f64) -> Result<Vec<u8>, PlotError> {
        raster::png(&draw::scene(self), scale)
    }
}

impl Axis {
    /// A linear axis.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear, range: None, is_percent: false }
    }

    /// An axis of names.
    pub fn categories(label: impl Into<String>, names: Vec<String>) -> Axis {
        Axis { scale: Scale::Categories(names), ..Axis::new(label) }
    }

    /// The axis with a logarithmic scale.
    pub fn log(self) -> Axis {
        Axis { scale: Scale::Log, ..self }
    }

    /// The axis with shares shown as percentages.
    pub fn percent(self) -> Axis {
        Axis { is_percent: true, ..self }
    }

    /// The axis from at most `low` to at least `high`.
    pub fn range(self, low: f64, high: f64) -> Axis {
        Axis { range: Some([low, high]), ..self }
    }
}

impl Series {
    /// A series that looks like no other one.
    pub fn new(
        name: impl Into<String>,
        style: Style,
        points: impl IntoIterator<Item = Point>,
    ) -> Series {
        Series { name: name.into(), points: points.into_iter().collect(), style, look: None }
    }

    /// The series with this colour and marker, such as those of the points that it is a fit of.
    pub fn look(self, look: usize) -> Series {
        Series { look: Some(look), ..self }
    }
}

impl Point {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, low: None, high: None }
    }

    /// The point with its interval; an infinite end runs to the end of the axis.
    pub fn between(self, low: f64, high: f64) -> Point {
        Point { low: Some(low), high: Some(high), ..self }
    }
}
