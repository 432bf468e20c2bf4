//! The letters of pictures: how wide they are, and their outlines.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// DejaVu Sans, the characters that plots need; its licence lies beside it.
static BYTES: &[u8] = include_bytes!("../../assets/fonts/DejaVuSans-subset.ttf");

/// `None` cannot be: the file is part of the program, and a test reads it.
static FACE: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(BYTES, 0).ok());

/// The width of a text of this size, in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|character| advance(character, size)).sum()
}

/// How far the next character is away.
pub(super) fn advance(character: char, size: f64) -> f64 {
    let Some(face) = FACE.as_ref() else { return 0.6 * size };
    let units = face.glyph_hor_advance(glyph(face, character)).unwrap_or(0);
    f64::from(units) * size / f64::from(face.units_per_em())
}

/// Calls back with the outline of each character: in pixels, to the right and up from the beginning
/// of the baseline.
pub(super) fn outlines(text: &str, size: f64, builder: &mut dyn OutlineBuilder) {
    let Some(face) = FACE.as_ref() else { return };
    let scale = (size / f64::from(face.units_per_em())) as f32;
    let mut x = 0.0;
    for character in text.chars() {
        let mut placed = Placed { builder, scale, x: x as f32 };
        face.outline_glyph(glyph(face, character), &mut placed);
        x += advance(character, size);
    }
}

/// The glyph of a character; an empty box for those that the font does not have.
fn glyph(face: &Face<'_>, character: char) -> GlyphId {
    face.glyph_index(character).unwrap_or(GlyphId(0))
}

/// Moves and scales outlines.
struct Placed<'a> {
    builder: &'a mut dyn OutlineBuilder,
    scale: f32,
    x: f32,
}

impl OutlineBuilder for Placed<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.builder.move_to(self.x + x * self.scale, y * self.scale);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.builder.line_to(self.x + x * self.scale, y * self.scale);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (dx, scale) = (self.x, self.scale);
        self.builder.quad_to(dx + x1 * scale, y1 * scale, dx + x * scale, y * scale);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (dx, s) = (self.x, self.scale);
        self.builder.curve_to(dx + x1 * s, y1 * s, dx + x2 * s, y2 * s, dx + x * s, y * s);
    }

    fn close(&mut self) {
        self.builder.close();
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
