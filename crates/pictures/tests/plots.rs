//! Plots: what is drawn, that it is well-formed, and that nothing makes it fail.

use proptest::prelude::*;
use treegraft_pictures::plot::{Axis, Plot, PlotError, Point, Scale, Series, Style};

/// Score against a parameter, one line for each value of a second one, with intervals.
fn sweep() -> Plot {
    let axis = Axis::new("score").percent();
    let plot = Plot::new(
        "Score of mcts-solver against uct@1000it, by exploration constant",
        Axis::new("exploration constant c"),
        axis,
    );
    let line = |name: &str, peak: f64| {
        let points = (0..=10).map(|i| {
            let c = 0.1 * f64::from(i);
            let score = 0.64 - 0.9 * (c - peak) * (c - peak);
            Point::new(c, score).between(score - 0.055, score + 0.04)
        });
        Series::new(name, Style::Line, points)
    };
    let lines = [("depth = 1", 0.4), ("depth = 2", 0.5), ("depth = 3", 0.62)];
    let plot = lines.into_iter().fold(plot, |plot, (name, peak)| plot.with(line(name, peak)));
    plot.reference(0.5, "50 %")
}

/// A round robin: names that have no room side by side.
fn forest() -> Plot {
    let players = [
        "mcts-solver(c=0.8)@1000it",
        "uct@1000it",
        "mcts-ip-m(c=0.25,depth=2,eval=heuristic,visits=10,epsilon=0.05)@250ms",
        "ab(eval=heuristic)@5000nodes",
        "random",
    ];
    let mut rows = Vec::new();
    for (i, a) in players.iter().enumerate() {
        for (j, b) in players.iter().enumerate().skip(i + 1) {
            let score = (0.52 + 0.12 * (j - i) as f64).min(1.0);
            let interval = [score - 0.08, (score + 0.06).min(1.0)];
            rows.push((format!("{a} v {b}"), score, Some(interval)));
        }
    }
    Plot::forest(
        "Round robin, breakthrough:6x6, 200 games each",
        Axis::new("score").percent(),
        rows,
    )
    .reference(0.5, "50 %")
}

/// Leaves for each height on a logarithmic axis, with fits.
fn leaves() -> Plot {
    let y = Axis::new("leaves").log();
    let mut plot = Plot::new("Leaves by height", Axis::new("height (plies)"), y);
    for (look, (name, base)) in [("mcts-solver", 3.1f64), ("alpha-beta", 5.7)].iter().enumerate() {
        let value = |height: i32| base.powi(height) * (1.0 + 0.2 * f64::from(height % 3));
        let points = (1..=9).map(|height| Point::new(f64::from(height), value(height)));
        let fit = (1..=9).map(|height| Point::new(f64::from(height), base.powi(height)));
        plot = plot
            .with(Series::new(*name, Style::Points, points).look(look))
            .with(Series::new(format!("fit {base}^h"), Style::Dashed, fit).look(look));
    }
    plot
}

/// The density of something for each ply, in two colours.
fn density() -> Plot {
    let density = |middle: f64, height: f64| {
        let points = (0..60).map(move |ply| {
            let x = f64::from(ply);
            let y = height * (-(x - middle) * (x - middle) / 200.0).exp();
            Point::new(x, y).between((y - 0.006).max(0.0), y + 0.009)
        });
        points.collect::<Vec<_>>()
    };
    Plot::new("Traps by ply", Axis::new("ply"), Axis::new("positions with a trap").percent())
        .with(Series::new("Breakthrough", Style::Points, density(22.0, 0.12)))
        .with(Series::new("Lines of Action", Style::Points, density(36.0, 0.08)))
}

/// Bars over categories with short names.
fn bars() -> Plot {
    let names = ["Connect-4", "Breakthrough", "Othello", "Kalah", "Lines of Action"];
    let x = Axis::categories("game", names.map(str::to_owned).to_vec());
    let plot = Plot::new("Playouts per second", x, Axis::new("playouts per second"));
    let series = |name: &str, factor: f64| {
        let points = (0..5).map(|i| {
            let y = factor * f64::from(90_000 - 14_000 * i);
            Point::new(f64::from(i), y).between(0.95 * y, 1.04 * y)
        });
        Series::new(name, Style::Bars, points)
    };
    plot.with(series("treegraft", 1.0)).with(series("plain", 0.4))
}

fn examples() -> [(&'static str, Plot); 5] {
    [
        ("sweep", sweep()),
        ("forest", forest()),
        ("leaves", leaves()),
        ("density", density()),
        ("bars", bars()),
    ]
}

/// The elements of a picture: their names, attributes and texts. Panics unless it is well-formed.
fn elements(svg: &str) -> Vec<Element> {
    let mut open = Vec::new();
    let mut elements = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "{rest}");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let body = tag.strip_suffix('/').unwrap_or(tag);
        let (name, mut pairs) = body.split_once(' ').unwrap_or((body, ""));
        let mut attributes = Vec::new();
        while let Some((key, more)) = pairs.trim_start().split_once("=\"") {
            let (value, more) = more.split_once('"').expect("a value ends");
            assert!(!value.contains('<') && is_escaped(value), "{value}");
            assert!(!value.contains("NaN") && !value.contains("inf"), "{tag}");
            attributes.push((key.to_owned(), value.to_owned()));
            pairs = more;
        }
        assert_eq!(pairs.trim(), "", "{tag}");
        let text = rest[..rest.find('<').unwrap_or(0)].to_owned();
        assert!(is_escaped(&text), "{text}");
        elements.push(Element { name: name.to_owned(), attributes, text });
        if !tag.ends_with('/') {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    elements
}

fn is_escaped(text: &str) -> bool {
    let entities = ["&amp;", "&lt;", "&gt;", "&quot;"];
    text.split('&').skip(1).all(|after| entities.iter().any(|e| after.starts_with(&e[1..])))
        && !text.contains(|c: char| c.is_control() && c != '\n')
}

struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
}

impl Element {
    fn get(&self, key: &str) -> &str {
        self.attributes.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    fn number(&self, key: &str) -> f64 {
        self.get(key).parse().unwrap_or_else(|_| panic!("{key} of {}", self.name))
    }

    /// All places of a path, or the middle of a circle.
    fn places(&self) -> Vec<(f64, f64)> {
        if self.name == "circle" {
            return vec![(self.number("cx"), self.number("cy"))];
        }
        let places = self.get("d").split(['M', 'L', 'Z']).filter(|place| !place.is_empty());
        let place = |text: &str| {
            let (x, y) = text.split_once(' ').expect("two numbers");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        };
        places.map(place).collect()
    }

    /// The middle of what a marker covers.
    fn middle(&self) -> (f64, f64) {
        let places = self.places();
        let middle = |values: Vec<f64>| {
            let (low, high) = values
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
            (low + high) / 2.0
        };
        (
            middle(places.iter().map(|place| place.0).collect()),
            middle(places.iter().map(|place| place.1).collect()),
        )
    }
}

fn of_class<'a>(elements: &'a [Element], class: &str) -> Vec<&'a Element> {
    elements.iter().filter(|element| element.get("class") == class).collect()
}

/// Left, top, right and bottom of the area of points: the axes are drawn around it.
fn area(elements: &[Element]) -> [f64; 4] {
    let places = of_class(elements, "axis")[0].places();
    [places[0].0, places[0].1, places[2].0, places[2].1]
}

/// Everything that must hold for every plot.
fn check(plot: &Plot) -> Vec<Element> {
    let elements = elements(&plot.svg());
    let [left, top, right, bottom] = area(&elements);
    let (width, height) = (elements[0].number("width"), elements[0].number("height"));
    assert!(left > 0.0 && top > 0.0 && right < width && bottom < height);
    let is_inside = |(x, y): (f64, f64)| {
        // Axes are drawn in the middle of pixels, and triangles not around theirs.
        x >= left - 1.8 && x <= right + 1.8 && y >= top - 1.8 && y <= bottom + 1.8
    };
    for element in of_class(&elements, "point") {
        assert!(is_inside(element.middle()), "{:?}", element.middle());
    }
    for class in ["line", "whisker", "bar", "grid", "reference"] {
        for element in of_class(&elements, class) {
            // The ends of whiskers are a few pixels wide.
            let room = if class == "whisker" { 5.0 } else { 0.0 };
            for (x, y) in element.places() {
                let moved = [(x, y), (x - room, y), (x + room, y), (x, y - room), (x, y + room)];
                assert!(moved.into_iter().any(is_inside), "({x}, {y}) of {class}");
            }
        }
    }
    // The legend covers no point.
    for element in of_class(&elements, "sample") {
        let (x, y) = element.places()[0];
        assert!(x > right || y > bottom, "{x} {y}");
    }
    for element in elements.iter().filter(|element| element.name == "text") {
        let (x, y) = (element.number("x"), element.number("y"));
        assert!(x >= 0.0 && x <= width && y > 0.0 && y < height, "{}", element.text);
    }
    elements
}

#[test]
fn examples_are_drawn() {
    for (name, plot) in examples() {
        let elements = check(&plot);
        let all = || plot.series.iter().flat_map(|series| &series.points);
        let whiskers = all().filter(|point| point.low.is_some()).count();
        assert_eq!(of_class(&elements, "whisker").len(), whiskers, "{name}");
        let of_style = |style| {
            let series = plot.series.iter().filter(move |series| series.style == style);
            series.map(|series| series.points.len()).sum::<usize>()
        };
        let marked = of_style(Style::Line) + of_style(Style::Points);
        assert_eq!(of_class(&elements, "point").len(), marked, "{name}");
        assert_eq!(of_class(&elements, "bar").len(), of_style(Style::Bars), "{name}");
        assert_eq!(of_class(&elements, "reference").len(), plot.references.len(), "{name}");
        assert_eq!(plot.svg(), plot.svg());
        let png = plot.png(1.0).expect("a picture");
        let pixels = tiny_skia::Pixmap::decode_png(&png).expect("PNG");
        assert_eq!(f64::from(pixels.width()), elements[0].number("width").ceil(), "{name}");
        // For people to look at: `PLOTS=folder cargo test -p treegraft-lab --test plots`.
        if let Some(folder) = std::env::var_os("PLOTS") {
            let path = std::path::Path::new(&folder).join(format!("report-{name}"));
            std::fs::write(path.with_extension("svg"), plot.svg()).expect("written");
            let png = plot.png(2.0).expect("a picture");
            std::fs::write(path.with_extension("png"), png).expect("written");
        }
    }
}

#[test]
fn values_are_where_they_belong() {
    let elements = check(&sweep());
    let [left, top, right, bottom] = area(&elements);
    let points = of_class(&elements, "point");
    // The first series rises from 0 to 0.4 and falls from there: a larger value is higher up.
    let heights = points[..11].iter().map(|point| point.middle().1).collect::<Vec<_>>();
    assert!(heights[..5].windows(2).all(|pair| pair[0] > pair[1]), "{heights:?}");
    assert!(heights[4..].windows(2).all(|pair| pair[0] < pair[1]), "{heights:?}");
    // The whisker of a point holds it, and reaches further down than up.
    let whisker = of_class(&elements, "whisker")[0].places();
    let (low, high) = (whisker[0].1, whisker[1].1);
    assert!(high < heights[0] && heights[0] < low && heights[0] - high < low - heights[0]);
    // 50 % lies between the tenths.
    let reference = of_class(&elements, "reference")[0].places()[0].1;
    assert!(top < reference && reference < bottom);
    let label = |text: &str| {
        let mut texts = elements.iter().filter(|element| element.text == text);
        texts.next().map(|element| element.number("y")).expect("a label")
    };
    assert!(label("60 %") < reference && reference < label("40 %"));
    assert!(points.iter().all(|point| point.middle().0 > left && point.middle().0 < right));
}

#[test]
fn names_without_room_stand_at_the_left() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let plot = |categories: Vec<String>| {
        let points = (0..categories.len()).map(|i| Point::new(i as f64, 1.0 + i as f64));
        Plot::new("", Axis::categories("", categories), Axis::new("")).with(Series::new(
            "",
            Style::Points,
            points,
        ))
    };
    let is_sideways = |plot: &Plot| {
        let elements = check(plot);
        let points = of_class(&elements, "point");
        let (first, last) = (points[0].middle(), points[points.len() - 1].middle());
        // Sideways the later categories are further down, and larger values further to the right.
        assert!(last.0 > first.0);
        last.1 > first.1
    };
    assert!(!is_sideways(&plot(names(&["a", "b b b", "c"]))));
    let long = "mcts-solver(c=0.8,eval=heuristic)@1000it";
    assert!(is_sideways(&plot(names(&[long, "b", "c", "d"]))));
    assert!(is_sideways(&Plot { is_sideways: true, ..plot(names(&["a", "b"])) }));
    // A name that is too long even there is shortened.
    let svg = plot(names(&[&long.repeat(9), "b"])).svg();
    assert!(svg.contains("…</text>"), "{svg}");
}

#[test]
fn texts_are_escaped_and_drawn() {
    let evil = "<a href=\"x\"> & 'b' \u{1} 棋 ½";
    let series = |name: &str| Series::new(name, Style::Line, [Point::new(0.0, 1.0)]);
    let plot = Plot::new(evil, Axis::new(evil), Axis::new(evil)).with(series(evil));
    let plot = plot.reference(0.5, evil);
    let elements = check(&plot);
    let escaped = "&lt;a href=&quot;x&quot;&gt; &amp; 'b'   棋 ½";
    assert_eq!(elements.iter().filter(|element| element.text == escaped).count(), 5);
    // Letters leave their marks in a PNG too.
    let titled = |title: &str| Plot::new(title, Axis::new(""), Axis::new("")).png(1.0);
    assert!(titled("i") != titled("l"), "no letters");
    assert!(titled("i") == titled("i "), "a blank draws nothing");
}

#[test]
fn plots_of_nothing_are_drawn() {
    let nothing = Plot::new("", Axis::new(""), Axis::new(""));
    check(&nothing);
    check(&Plot::forest("", Axis::new(""), []));
    check(&Plot::new("", Axis::categories("", Vec::new()), Axis::new("").log()));
    for style in
        [Style::Line, Style::Curve, Style::Dashed, Style::Points, Style::Bars, Style::Steps]
    {
        for value in [0.0, -3.0, 1e-300, 1e200, f64::MAX, f64::NAN, f64::INFINITY] {
            for y in [Axis::new("y"), Axis::new("y").log(), Axis::new("y").percent()] {
                let point = Point::new(value, value).between(f64::NEG_INFINITY, f64::NAN);
                let plot = Plot::new("", Axis::new("x"), y);
                check(&plot.with(Series::new("one", style, [point])).reference(value, "r"));
            }
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_left_out() {
    let y = [1.0, f64::NAN, 2.0, f64::INFINITY, 3.0, 4.0];
    let points = y.iter().enumerate().map(|(x, y)| Point::new(x as f64, *y));
    let plot = Plot::new("", Axis::new(""), Axis::new(""));
    let elements = check(&plot.with(Series::new("", Style::Line, points)));
    assert_eq!(of_class(&elements, "point").len(), 4);
    // A line is not drawn across the gaps.
    assert_eq!(of_class(&elements, "line")[0].places().len(), 2);
    // An infinite end runs to the end of the axis and has no cap.
    let open = Point::new(0.0, 10.0).between(5.0, f64::INFINITY);
    let plot = Plot::new("", Axis::new(""), Axis::new(""));
    let elements = check(&plot.with(Series::new("", Style::Points, [open])));
    let whisker = of_class(&elements, "whisker")[0].places();
    assert_eq!(whisker.len(), 4);
    assert!((whisker[1].1 - area(&elements)[1]).abs() < 0.2);
}

#[test]
fn unusable_scales_are_refused() {
    let plot = sweep();
    for scale in [0.0, -1.0, 11.0, f64::NAN, f64::INFINITY] {
        let error = plot.png(scale).unwrap_err().to_string();
        assert_eq!(error, format!("scale is {scale}; expected a number from 0.1 to 10"));
    }
    let rows = (0..2000).map(|i| (format!("row {i}"), f64::from(i), None));
    let error = Plot::forest("", Axis::new(""), rows).png(1.0).unwrap_err();
    assert!(matches!(error, PlotError::Size { .. }), "{error}");
}

fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -10.0..10.0,
        2 => prop::sample::select(vec![0.0, 0.5, 1.0]),
        1 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]),
    ]
}

fn any_plot() -> impl Strategy<Value = Plot> {
    let point = (any_value(), any_value(), prop::option::of((any_value(), any_value())));
    let point = point.prop_map(|(x, y, interval)| {
        let point = Point::new(x, y);
        interval.map_or(point, |(low, high)| point.between(low, high))
    });
    let style = prop::sample::select(vec![
        Style::Line,
        Style::Curve,
        Style::Dashed,
        Style::Points,
        Style::Bars,
        Style::Steps,
    ]);
    let series = ("[ -~]{0,40}", style, prop::collection::vec(point, 0..12));
    let series = series.prop_map(|(name, style, points)| Series::new(name, style, points));
    let scale = prop_oneof![
        Just(Scale::Linear),
        Just(Scale::Log),
        prop::collection::vec("[ -~]{0,60}", 0..8).prop_map(Scale::Categories),
    ];
    let range = prop::option::of([any_value(), any_value()]);
    let all = (prop::collection::vec(series, 0..10), scale, range, any::<[bool; 3]>(), any_value());
    all.prop_map(|(series, scale, range, [is_log, is_percent, is_sideways], reference)| {
        let y = if is_log { Axis::new("y").log() } else { Axis::new("y") };
        let y = Axis { range, is_percent, ..y };
        let plot = Plot::new("title", Axis { scale, range, ..Axis::new("x") }, y);
        Plot { series, is_sideways, ..plot }.reference(reference, "reference")
    })
}

proptest! {
    #[test]
    fn no_data_breaks_a_plot(plot in any_plot()) {
        check(&plot);
    }
}
