//! What is drawn, before it is decided whether as SVG or as PNG.

use std::fmt::Display;

use crate::svg::{Attributes, Px, Svg};

/// A place: to the right and down, in pixels.
pub(super) type Place = (f64, f64);

/// All shapes, in the order in which they are drawn on white.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shapes: Vec<Shape>,
}

#[derive(Debug)]
pub(super) enum Shape {
    /// Lines that need not be connected with one another.
    Lines { class: &'static str, lines: Vec<Vec<Place>>, pen: Pen },
    /// A filled area.
    Area { class: &'static str, outline: Outline, fill: &'static str, edge: Option<Pen> },
    /// One line of text.
    Text { text: String, at: Place, size: f64, anchor: Anchor, colour: &'static str, turned: bool },
}

#[derive(Debug)]
pub(super) enum Outline {
    Circle(Place, f64),
    Polygon(Vec<Place>),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) colour: &'static str,
    pub(super) width: f64,
    /// Lengths of dashes and of the gaps between them.
    pub(super) dash: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Pen {
    pub(super) fn new(colour: &'static str, width: f64) -> Pen {
        Pen { colour, width, dash: None }
    }
}

impl Scene {
    pub(super) fn lines(&mut self, class: &'static str, lines: Vec<Vec<Place>>, pen: Pen) {
        self.shapes.push(Shape::Lines { class, lines, pen });
    }

    pub(super) fn text(
        &mut self,
        text: impl Into<String>,
        at: Place,
        size: f64,
        anchor: Anchor,
        colour: &'static str,
    ) {
        let (text, turned) = (text.into(), false);
        self.shapes.push(Shape::Text { text, at, size, anchor, colour, turned });
    }

    pub(super) fn svg(&self) -> String {
        let mut svg = Svg::new(self.width, self.height);
        for shape in &self.shapes {
            shape.svg(&mut svg);
        }
        svg.finish()
    }
}

impl Shape {
    fn svg(&self, svg: &mut Svg) {
        match self {
            Shape::Lines { class, lines, pen } => {
                let dashes = pen.dash.map(|[dash, gap]| format!("{dash} {gap}"));
                let kind: (&str, &dyn Display) = match &dashes {
                    Some(dashes) => ("stroke-dasharray", dashes),
                    None => ("stroke-linejoin", &"round"),
                };
                let attributes: Attributes<'_> = &[
                    ("class", class),
                    ("d", &commands(lines, "")),
                    ("fill", &"none"),
                    ("stroke", &pen.colour),
                    ("stroke-width", &pen.width),
                    kind,
                ];
                svg.element("path", attributes);
            }
            Shape::Area { class, outline, fill, edge } => {
                let edge = edge.unwrap_or(Pen::new("none", 0.0));
                let colours: Attributes<'_> =
                    &[("fill", fill), ("stroke", &edge.colour), ("stroke-width", &edge.width)];
                let colours = if edge.width > 0.0 { colours } else { &colours[..1] };
                let mut draw = |name: &str, place: Attributes<'_>| {
                    svg.element(
                        name,
                        &[&[("class", class as &dyn Display)], place, colours].concat(),
                    );
                };
                match outline {
                    Outline::Circle((x, y), radius) => {
                        draw("circle", &[("cx", &Px(*x)), ("cy", &Px(*y)), ("r", &Px(*radius))]);
                    }
                    Outline::Polygon(places) => {
                        draw("path", &[("d", &commands(std::slice::from_ref(places), "Z"))]);
                    }
                }
            }
            Shape::Text { text, at: (x, y), size, anchor, colour, turned } => {
                let turn = format!("rotate(-90 {} {})", Px(*x), Px(*y));
                let mut attributes: Vec<(&str, &dyn Display)> =
                    vec![("font-size", size), ("fill", colour)];
                match anchor {
                    Anchor::Start => {}
                    Anchor::Middle => attributes.push(("text-anchor", &"middle")),
                    Anchor::End => attributes.push(("text-anchor", &"end")),
                }
                if *turned {
                    attributes.push(("transform", &turn));
                }
                svg.text(*x, *y, text, &attributes);
            }
        }
    }
}

/// Lines as the commands of a path, with another one after each.
fn commands(lines: &[Vec<Place>], end: &str) -> String {
    let mut text = String::new();
    for line in lines {
        for (i, (x, y)) in line.iter().enumerate() {
            let command = if i == 0 { "M" } else { "L" };
            text.push_str(&format!("{command}{} {}", Px(*x), Px(*y)));
        }
        text.push_str(end);
    }
    text
}
