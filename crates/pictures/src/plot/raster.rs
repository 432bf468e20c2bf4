//! Scenes as PNG.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

use super::scene::{Anchor, Outline, Pen, Place, Scene, Shape};
use super::{PlotError, font};

/// Maximum length of a side of a picture. No picture has more pixels than the square of a quarter
/// of it.
const LONGEST: u32 = 40_000;

pub(super) fn png(scene: &Scene, scale: f64) -> Result<Vec<u8>, PlotError> {
    if !(0.1..=10.0).contains(&scale) {
        return Err(PlotError::Scale(scale));
    }
    let [width, height] = [scene.width, scene.height].map(|side| (side * scale).ceil() as u32);
    let most = u64::from(LONGEST / 4).pow(2);
    let fits = width.max(height) <= LONGEST && u64::from(width) * u64::from(height) <= most;
    let pixmap = if fits { Pixmap::new(width, height) } else { None };
    let mut pixmap = pixmap.ok_or(PlotError::Size { width, height })?;
    pixmap.fill(Color::WHITE);
    let transform = Transform::from_scale(scale as f32, scale as f32);
    for shape in &scene.shapes {
        draw(&mut pixmap, shape, transform);
    }
    pixmap.encode_png().map_err(|error| PlotError::Png(error.to_string()))
}

fn draw(pixmap: &mut Pixmap, shape: &Shape, transform: Transform) {
    match shape {
        Shape::Lines { lines, pen, .. } => {
            let mut path = PathBuilder::new();
            for line in lines {
                trace(&mut path, line);
            }
            stroke(pixmap, path, *pen, transform);
        }
        Shape::Area { outline, fill, edge, .. } => {
            let path = || {
                let mut path = PathBuilder::new();
                match outline {
                    Outline::Circle((x, y), radius) => {
                        path.push_circle(*x as f32, *y as f32, *radius as f32);
                    }
                    Outline::Polygon(places) => {
                        trace(&mut path, places);
                        path.close();
                    }
                }
                path
            };
            self::fill(pixmap, path(), fill, transform);
            if let Some(pen) = edge {
                stroke(pixmap, path(), *pen, transform);
            }
        }
        Shape::Text { text, at: (x, y), size, anchor, colour, turned } => {
            let width = font::width(text, *size);
            let before = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => width / 2.0,
                Anchor::End => width,
            };
            let mut letters = PathBuilder::new();
            font::outlines(text, *size, &mut letters);
            let turn = if *turned { -90.0 } else { 0.0 };
            let place = transform
                .pre_concat(Transform::from_translate(*x as f32, *y as f32))
                .pre_concat(Transform::from_rotate(turn))
                .pre_translate(-before as f32, 0.0);
            fill(pixmap, letters, colour, place);
        }
    }
}

fn trace(path: &mut PathBuilder, places: &[Place]) {
    for (i, (x, y)) in places.iter().enumerate() {
        match i {
            0 => path.move_to(*x as f32, *y as f32),
            _ => path.line_to(*x as f32, *y as f32),
        }
    }
}

fn fill(pixmap: &mut Pixmap, path: PathBuilder, colour: &str, transform: Transform) {
    // An empty path, such as that of a blank, cannot be built.
    if let Some(path) = path.finish() {
        pixmap.fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
    }
}

fn stroke(pixmap: &mut Pixmap, path: PathBuilder, pen: Pen, transform: Transform) {
    let Some(path) = path.finish() else { return };
    let dash = pen.dash.map(|lengths| lengths.map(|length| length as f32).to_vec());
    let stroke = Stroke {
        width: pen.width as f32,
        line_cap: LineCap::Butt,
        line_join: LineJoin::Round,
        dash: dash.and_then(|dash| StrokeDash::new(dash, 0.0)),
        ..Stroke::default()
    };
    pixmap.stroke_path(&path, &paint(pen.colour), &stroke, transform, None);
}

/// A paint of a colour such as `#0072b2`.
fn paint(colour: &str) -> Paint<'static> {
    let channel = |at: usize| {
        let digits = colour.get(at..at + 2).unwrap_or("00");
        u8::from_str_radix(digits, 16).unwrap_or(0)
    };
    let mut paint = Paint::default();
    paint.set_color_rgba8(channel(1), channel(3), channel(5), 255);
    paint
}
