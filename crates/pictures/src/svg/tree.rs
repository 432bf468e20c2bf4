//! A search tree as a picture: from left to right, the thicker a branch the more of the search
//! went there, and the colour of a node its value.

use super::{Attributes, INK, Px, Svg, value_colour};

/// A node of the picture and the branch that leads to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The first line: the move.
    pub label: String,
    /// The second line: visits and value.
    pub note: String,
    /// Its value in the first player's view, from -1 to 1; `None` if unknown.
    pub value: Option<f64>,
    /// The share of its parent's visits that went here, from 0 to 1.
    pub share: f64,
    /// Whether the value is proven.
    pub is_proven: bool,
    /// What comes next.
    pub children: Vec<Branch>,
    /// How many more children there are.
    pub hidden: usize,
}

/// A tree with what stands around it.
#[derive(Clone, Debug, PartialEq)]
pub struct TreePicture {
    /// What is drawn.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The names of the first and the second player, for the legend.
    pub sides: [String; 2],
    /// The tree.
    pub root: Branch,
}

const MARGIN: f64 = 24.0;
const HEADER: f64 = 64.0;
const FOOTER: f64 = 52.0;
const BOX_HEIGHT: f64 = 36.0;
const GAP: f64 = 56.0;
/// From one leaf to the next, and from a leaf to the line that says how many more there are.
const PITCH: f64 = 44.0;
const MORE_PITCH: f64 = 22.0;

const FAINT: &str = "#777777";
const LINES: &str = "#9aa5ad";

impl TreePicture {
    /// The picture as SVG.
    #[must_use]
    pub fn draw(&self) -> String {
        let mut next = MARGIN + HEADER;
        let root = place(&self.root, &mut next);
        let box_width = box_width(&self.root);
        let columns = depth(&self.root) as f64;
        let tree_width = columns * (box_width + GAP) + box_width;
        let widest_line = [&self.title, &self.subtitle].map(|line| line.chars().count());
        let header_width = 9.0 * widest_line[0].max(widest_line[1]) as f64;
        let width = 2.0 * MARGIN + tree_width.max(header_width).max(420.0);
        let height = next + FOOTER;
        let mut svg = Svg::new(width, height);
        svg.heading(MARGIN, &self.title, &self.subtitle);
        draw_branches(&mut svg, &root, MARGIN, box_width);
        draw_nodes(&mut svg, &root, MARGIN, box_width);
        self.draw_legend(&mut svg, height - MARGIN);
        svg.finish()
    }

    fn draw_legend(&self, svg: &mut Svg, y: f64) {
        const STEPS: u32 = 21;
        const STEP: f64 = 6.0;
        let write = |svg: &mut Svg, x: f64, text: &str| {
            svg.text(x, y, text, &[("font-size", &12), ("fill", &INK)]);
        };
        let [first, second] = &self.sides;
        let second = format!("{second} wins");
        let mut x = MARGIN;
        write(svg, x, &second);
        x += 7.0 * second.chars().count() as f64 + 10.0;
        let bar = x;
        for step in 0..STEPS {
            let value = f64::from(step) / f64::from(STEPS - 1) * 2.0 - 1.0;
            svg.rect([x, y - 11.0, STEP + 0.5, 14.0], &[("fill", &value_colour(value))]);
            x += STEP;
        }
        svg.rect([bar, y - 11.0, x - bar, 14.0], &[("fill", &"none"), ("stroke", &LINES)]);
        write(svg, x + 8.0, &format!("{first} wins"));
        x += 7.0 * (first.chars().count() + 5) as f64 + 32.0;
        frame(svg, [x, y - 11.0, 22.0, 14.0], "white", true);
        write(svg, x + 30.0, "proven");
    }
}

/// A branch, and the height of its middle.
struct Placed<'a> {
    branch: &'a Branch,
    y: f64,
    children: Vec<Placed<'a>>,
    /// Where it is said that there are more.
    more: Option<f64>,
}

/// Leaves below one another, parents beside the middle of their children.
fn place<'a>(branch: &'a Branch, next: &mut f64) -> Placed<'a> {
    let begin = *next;
    let children: Vec<Placed<'a>> =
        branch.children.iter().map(|child| place(child, next)).collect();
    let (Some(top), Some(bottom)) = (children.first(), children.last()) else {
        *next += PITCH;
        return Placed { branch, y: begin + PITCH / 2.0, children, more: None };
    };
    let y = f64::midpoint(top.y, bottom.y);
    let more = (branch.hidden > 0).then(|| {
        *next += MORE_PITCH;
        *next - MORE_PITCH / 2.0
    });
    Placed { branch, y, children, more }
}

fn depth(branch: &Branch) -> usize {
    branch.children.iter().map(|child| depth(child) + 1).max().unwrap_or(0)
}

/// Room for the longest texts.
fn box_width(branch: &Branch) -> f64 {
    let label = 9.0 * branch.label.chars().count() as f64;
    let note = 6.6 * branch.note.chars().count() as f64;
    let here = label.max(note) + 20.0;
    branch.children.iter().map(box_width).fold(here, f64::max)
}

fn draw_branches(svg: &mut Svg, placed: &Placed<'_>, x: f64, box_width: f64) {
    let (from, to) = (x + box_width, x + box_width + GAP);
    let curve = |svg: &mut Svg, y: f64, thickness: f64, dashes: &str| {
        let [from, middle, to] = [from, f64::midpoint(from, to), to].map(Px);
        let [start, y] = [placed.y, y].map(Px);
        let path = format!("M{from} {start} C{middle} {start} {middle} {y} {to} {y}");
        svg.element(
            "path",
            &[
                ("d", &path),
                ("fill", &"none"),
                ("stroke", &LINES),
                ("stroke-width", &Px(thickness)),
                ("stroke-dasharray", &dashes),
            ],
        );
    };
    if let Some(y) = placed.more {
        curve(svg, y, 1.0, "3 3");
        let more = format!("{} more", placed.branch.hidden);
        svg.text(to + 4.0, y + 4.0, &more, &[("font-size", &11), ("fill", &FAINT)]);
    }
    for child in &placed.children {
        curve(svg, child.y, 1.0 + 9.0 * child.branch.share.clamp(0.0, 1.0), "none");
        draw_branches(svg, child, to, box_width);
    }
}

fn draw_nodes(svg: &mut Svg, placed: &Placed<'_>, x: f64, box_width: f64) {
    let Placed { branch, y, children, .. } = placed;
    let fill = branch.value.map_or_else(|| "#f4f4f4".to_owned(), value_colour);
    frame(svg, [x, y - BOX_HEIGHT / 2.0, box_width, BOX_HEIGHT], &fill, branch.is_proven);
    let middle = x + box_width / 2.0;
    svg.middle(middle, y - 3.0, &branch.label, 14.0, "bold", INK);
    let small: Attributes<'_> = &[("font-size", &11), ("text-anchor", &"middle"), ("fill", &INK)];
    svg.text(middle, y + 12.0, &branch.note, small);
    for child in children {
        draw_nodes(svg, child, x + box_width + GAP, box_width);
    }
}

fn frame(svg: &mut Svg, area: [f64; 4], fill: &str, proven: bool) {
    let (stroke, thickness) = if proven { (INK, 2.5) } else { (LINES, 1.0) };
    let thickness = Px(thickness);
    let paint: Attributes<'_> =
        &[("rx", &6), ("fill", &fill), ("stroke", &stroke), ("stroke-width", &thickness)];
    svg.rect(area, paint);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(label: &str, value: Option<f64>) -> Branch {
        Branch {
            label: label.to_owned(),
            note: "12".to_owned(),
            value,
            share: 0.5,
            is_proven: value == Some(1.0),
            children: Vec::new(),
            hidden: 0,
        }
    }

    #[test]
    fn every_node_is_drawn_in_a_place_of_its_own() {
        let inner = Branch {
            children: vec![leaf("c", Some(-1.0)), leaf("d", None)],
            hidden: 3,
            ..leaf("b", Some(1.0))
        };
        let root = Branch { children: vec![leaf("a<b", Some(0.0)), inner], ..leaf("start", None) };
        let mut next = 0.0;
        let placed = place(&root, &mut next);
        assert_eq!(next, 3.0 * PITCH + MORE_PITCH);
        assert_eq!(placed.y, f64::midpoint(placed.children[0].y, placed.children[1].y));
        assert_eq!(depth(&root), 2);
        let sides = ["X".to_owned(), "O".to_owned()];
        let picture = TreePicture { title: "t".to_owned(), subtitle: String::new(), sides, root };
        let text = picture.draw();
        for part in [">start<", ">a&lt;b<", ">b<", ">c<", ">d<", ">3 more<", ">X wins<", ">O wins<"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.matches("<path").count(), 5);
    }
}
