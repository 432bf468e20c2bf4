//! The letters of pictures: how wide they are, and their outlines.

use std::sync::LazyLock;

use tiny_skia::PathBuilder;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::lines;

/// DejaVu Sans, the characters that plots need; its licence lies beside it.
static BYTES: &[u8] = include_bytes!("../../assets/fonts/DejaVuSans-subset.ttf");

/// Never `None`: the file is part of the program, and a test reads it.
static FACE: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(BYTES, 0).ok());

/// The width of a text of this size, in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|character| advance(character, size)).sum()
}

/// The text in lines of at most this width, if possible.
pub(super) fn broken(text: &str, width: f64, size: f64) -> Vec<String> {
    lines::broken(text, width, |character| advance(character, size))
}

/// How far the next character is away.
fn advance(character: char, size: f64) -> f64 {
    let Some(face) = FACE.as_ref() else { return 0.6 * size };
    let units = face.glyph_hor_advance(glyph(face, character)).unwrap_or(0);
    f64::from(units) * size / f64::from(face.units_per_em())
}

/// Adds the outline of each character to a path, in pixels; the baseline begins at the origin.
pub(super) fn outlines(text: &str, size: f64, path: &mut PathBuilder) {
    let Some(face) = FACE.as_ref() else { return };
    let scale = (size / f64::from(face.units_per_em())) as f32;
    let mut x = 0.0;
    for character in text.chars() {
        let mut letter = Letter { path, scale, x: x as f32 };
        face.outline_glyph(glyph(face, character), &mut letter);
        x += advance(character, size);
    }
}

/// The glyph of a character; an empty box for those that the font does not have.
fn glyph(face: &Face<'_>, character: char) -> GlyphId {
    face.glyph_index(character).unwrap_or(GlyphId(0))
}

/// Moves and scales an outline, whose y grows upwards; that of pictures grows downwards.
struct Letter<'a> {
    path: &'a mut PathBuilder,
    scale: f32,
    x: f32,
}

impl Letter<'_> {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Letter<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2)) = (self.place(x1, y1), self.place(x2, y2));
        let (x, y) = self.place(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_plots_need() {
        let face = FACE.as_ref().expect("the font is read");
        let needed = (' '..='~').chain("éßŁÅαωΔ±–—−∞½×·≤≥≈→…⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars());
        for character in needed {
            assert!(face.glyph_index(character).is_some(), "{character}");
        }
        assert!(width("W", 12.0) > 2.0 * width("i", 12.0));
        assert!((width("ab", 24.0) - 2.0 * width("ab", 12.0)).abs() < 1e-9);
        assert!(width("棋", 12.0) > 0.0);
    }
}
