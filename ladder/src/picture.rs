//! The atlas as a picture: a square for each search in each game, the darker the more accurate.

use std::fmt::Display;

use treegraft_pictures::svg::{Px, Svg};

/// Rows and columns of shares.
pub(crate) struct HeatMap {
    pub(crate) title: String,
    /// What the columns are, in groups.
    pub(crate) groups: Vec<(String, Vec<String>)>,
    /// The name of each row, and a share for each column.
    pub(crate) rows: Vec<(String, Vec<Option<f64>>)>,
}

/// Attributes of a text.
type Look<'a> = [(&'a str, &'a dyn Display); 3];

const CELL: (f64, f64) = (42.0, 20.0);
const NAMES: f64 = 120.0;
const TOP: f64 = 130.0;
const GAP: f64 = 16.0;
const INK: &str = "#222222";

impl HeatMap {
    pub(crate) fn svg(&self) -> String {
        let columns: usize = self.groups.iter().map(|(_, names)| names.len()).sum();
        let gaps = GAP * self.groups.len().saturating_sub(1) as f64;
        let width = NAMES + CELL.0 * columns as f64 + gaps + 60.0;
        let height = TOP + CELL.1 * self.rows.len() as f64 + 20.0;
        let mut svg = Svg::new(width, height);
        svg.text(10.0, 22.0, &self.title, &[("font-size", &15), ("fill", &INK)]);
        let mut lefts = Vec::new();
        let mut x = NAMES;
        for (group, names) in &self.groups {
            let bold: Look<'_> = [("font-size", &12), ("font-weight", &"bold"), ("fill", &INK)];
            svg.text(x, 46.0, group, &bold);
            for name in names {
                let at = (x + 0.5 * CELL.0, TOP - 8.0);
                let turn = format!("rotate(-40 {} {})", Px(at.0), Px(at.1));
                let turned: Look<'_> = [("font-size", &11), ("transform", &turn), ("fill", &INK)];
                svg.text(at.0, at.1, name, &turned);
                lefts.push(x);
                x += CELL.0;
            }
            x += GAP;
        }
        for (i, (name, shares)) in self.rows.iter().enumerate() {
            let y = TOP + CELL.1 * i as f64;
            let base = y + 0.5 * CELL.1 + 4.0;
            let right: Look<'_> = [("font-size", &11), ("text-anchor", &"end"), ("fill", &INK)];
            svg.text(NAMES - 8.0, base, name, &right);
            for (&left, share) in lefts.iter().zip(shares) {
                cell(&mut svg, left, y, base, *share);
            }
        }
        svg.finish()
    }
}

fn cell(svg: &mut Svg, left: f64, y: f64, base: f64, share: Option<f64>) {
    let (fill, ink) = share.map_or(("#ffffff".to_owned(), INK), colours);
    let (x, y, width, height) = (Px(left), Px(y), Px(CELL.0 - 1.0), Px(CELL.1 - 1.0));
    let place = [("x", &x), ("y", &y), ("width", &width), ("height", &height)];
    let place = place.map(|(name, value)| (name, value as &dyn Display));
    svg.element("rect", &[&place[..], &[("fill", &fill)]].concat());
    let text = share.map_or("–".to_owned(), |share| format!("{:.0}", 100.0 * share));
    let middle: Look<'_> = [("font-size", &11), ("text-anchor", &"middle"), ("fill", &ink)];
    svg.text(left + 0.5 * CELL.0, base, &text, &middle);
}

/// White at 30 % and below, dark blue at 100 %; and the colour of numbers upon it.
fn colours(share: f64) -> (String, &'static str) {
    const WORST: f64 = 0.3;
    let part = ((share - WORST) / (1.0 - WORST)).clamp(0.0, 1.0);
    // Differences between good players are small: they get more of the scale.
    let part = part * part;
    let channel = |end: f64| (255.0 + part * (end - 255.0)).round() as u8;
    let fill = format!("#{:02x}{:02x}{:02x}", channel(0.0), channel(84.0), channel(150.0));
    (fill, if part > 0.55 { "#ffffff" } else { INK })
}
