//! A small writer of SVG pictures, and what Treegraft draws with it.

mod board;
#[cfg(test)]
mod board_tests;
mod pieces;
mod position;
mod tree;

use std::fmt::{Display, Write};

use crate::printable::on_one_line;

pub use board::{board_padding, board_svg, diagram_svg};
pub use position::position_svg;
pub use tree::{Branch, TreePicture};

/// A picture in the making: elements are drawn in the order in which they are added.
#[derive(Clone, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Attributes of an element: names and values.
pub type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

impl Svg {
    /// A white picture of this size in pixels.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Svg {
        let mut svg = Svg { width, height, body: String::new() };
        svg.element("rect", &[("width", &"100%"), ("height", &"100%"), ("fill", &"white")]);
        svg
    }

    /// An element without content, such as `rect` or `path`.
    pub fn element(&mut self, name: &str, attributes: Attributes<'_>) {
        self.open(name, attributes);
        self.body.push_str("/>\n");
    }

    /// A rectangle: its left and upper ends, its width and its height.
    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], attributes: Attributes<'_>) {
        let (x, y, width, height) = (Px(x), Px(y), Px(width), Px(height));
        let place: Attributes<'_> = &[("x", &x), ("y", &y), ("width", &width), ("height", &height)];
        self.element("rect", &[place, attributes].concat());
    }

    /// A title and a line below it, `margin` away from the left and upper edges.
    pub fn heading(&mut self, margin: f64, title: &str, subtitle: &str) {
        let bold: Attributes<'_> = &[("font-size", &17), ("font-weight", &"bold"), ("fill", &INK)];
        self.text(margin, margin + 14.0, title, bold);
        self.text(margin, margin + 36.0, subtitle, &[("font-size", &13), ("fill", &"#777777")]);
    }

    /// A line of text centred on a point, with this size and weight.
    pub fn middle(&mut self, x: f64, y: f64, text: &str, size: f64, weight: &str, ink: &str) {
        let look: Attributes<'_> = &[
            ("font-size", &size),
            ("font-weight", &weight),
            ("text-anchor", &"middle"),
            ("fill", &ink),
        ];
        self.text(x, y, text, look);
    }

    /// A line of text whose baseline begins at the point, unless the attributes say otherwise.
    pub fn text(&mut self, x: f64, y: f64, text: &str, attributes: Attributes<'_>) {
        self.open("text", &[("x", &Px(x)), ("y", &Px(y))]);
        self.attributes(attributes);
        self.body.push('>');
        self.body.push_str(&escape(text));
        self.body.push_str("</text>\n");
    }

    /// The whole picture as a file of its own.
    #[must_use]
    pub fn finish(&self) -> String {
        let (width, height) = (Px(self.width), Px(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">\n{}</svg>\n",
            self.body
        )
    }

    fn open(&mut self, name: &str, attributes: Attributes<'_>) {
        self.body.push('<');
        self.body.push_str(name);
        self.attributes(attributes);
    }

    fn attributes(&mut self, attributes: Attributes<'_>) {
        for (name, value) in attributes {
            // Writing to a string cannot fail.
            let _ = write!(self.body, " {name}=\"{}\"", escape(&value.to_string()));
        }
    }
}

/// The colour of texts.
pub const INK: &str = "#222222";

const FONT: &str = "system-ui, 'DejaVu Sans', Arial, sans-serif";

/// A length in pixels, written with one decimal at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Px(pub f64);

impl Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", (self.0 * 10.0).round() / 10.0)
    }
}

/// The colour of a value in the first player's view: blue where the first player wins (1), orange
/// where the second one does (-1), white between. Colour-blind people can distinguish the two as
/// well.
#[must_use]
pub fn value_colour(value: f64) -> String {
    const FIRST: [f64; 3] = [0.0, 114.0, 178.0];
    const SECOND: [f64; 3] = [230.0, 159.0, 0.0];
    let end = if value >= 0.0 { FIRST } else { SECOND };
    // Never the full colour, on which text could not be read.
    let part = value.abs().min(1.0) * 0.7;
    let [r, g, b] = end.map(|channel| (255.0 + part * (channel - 255.0)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The text with what XML reserves written out, and without what it forbids.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in on_one_line(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_well_formed() {
        let mut svg = Svg::new(100.0, 50.25);
        svg.element("circle", &[("r", &Px(1.0 / 3.0)), ("fill", &"<red>")]);
        svg.text(1.0, 2.0, "a < b & \"c\"\u{1}", &[("font-size", &11)]);
        // What XML forbids must not be in it, not even in an attribute.
        svg.text(1.0, 9.0, "\u{fffe}\u{ffff}\u{1b}", &[("class", &"\u{fffe}\u{0}")]);
        let text = svg.finish();
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height"));
        assert!(text.contains("height=\"50.3\" viewBox=\"0 0 100 50.3\""), "{text}");
        assert!(text.contains("<circle r=\"0.3\" fill=\"&lt;red&gt;\"/>\n"), "{text}");
        assert!(
            text.contains(">a &lt; b &amp; &quot;c&quot; </text>\n")
                && text.contains("<text x=\"1\" y=\"2\" font-size=\"11\">"),
            "{text}"
        );
        let allowed = |c: char| !matches!(c, '\u{fffe}' | '\u{ffff}') && (c == '\n' || c >= ' ');
        assert!(text.chars().all(allowed), "{text:?}");
        assert!(text.ends_with(">\u{fffd}\u{fffd} </text>\n</svg>\n"), "{text}");
    }

    #[test]
    fn colours_run_from_one_side_to_the_other() {
        assert_eq!(value_colour(0.0), "#ffffff");
        assert_eq!(value_colour(1.0), value_colour(7.0));
        assert_ne!(value_colour(1.0), value_colour(-1.0));
        assert_ne!(value_colour(0.5), value_colour(1.0));
    }
}
