//! Boards as SVG: well formed, and with everything in them.

use treegraft::picture::{Cell, Colour, Kind, Picture, Piece, Role, Shape, Tint};
use treegraft::{Game, Rng, Side, Speed};
use treegraft_players::Registry;

use super::{board_svg, diagram_svg, position_svg};

/// Panics unless tags balance, attributes are quoted, and no number is missing.
fn check_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a > outside of a tag: {rest:.80}");
        let end = start + rest[start..].find('>').expect("the end of a tag");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    for wrong in ["NaN", "inf\"", "\"-0\"", "inf,", "& "] {
        assert!(!svg.contains(wrong), "{wrong} in {svg}");
    }
}

/// A random game, drawn move by move: gives all files.
fn draw(game: &str, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut game = Registry::standard().start(game).expect("a game").playthrough();
    let mut files = Vec::new();
    for _ in 0..60 {
        files.push(position_svg(&game, "A <game> & \"its\" title"));
        if game.ending().is_some() {
            break;
        }
        let mv = game.position().speed().random_move(&mut rng, &mut Vec::new());
        game.play(mv);
    }
    files
}

#[test]
fn every_game_is_drawn_well() {
    let games = [
        "connect4",
        "breakthrough:6x6",
        "breakthrough:18x6",
        "othello",
        "lion",
        "hex:5",
        "hex:11,swap=true",
        "kalah",
        "loa",
        "tree:((3 5) (2 -9 4))",
        "tree:branching=100,height=3",
        "tree:branching=3,height=6,traps=0.2",
    ];
    for game in games {
        for seed in 0..3 {
            let files = draw(game, seed);
            files.iter().for_each(|file| check_well_formed(file));
            // The last move is marked, and the first picture has none. (A child that a move leads
            // to may not be among those drawn.)
            let marks = |file: usize| files[file].contains("fill-opacity");
            assert!(!marks(0) && (marks(1) || game.starts_with("tree")), "{game}");
        }
    }
}

/// A white disc on a1, two black tiles on b1.
fn small_picture() -> Picture {
    let mut picture = Picture::new(3.0, 2.0, [Colour::White, Colour::Black]);
    for (name, x) in [("a1", 1.0), ("b1", 2.0)] {
        let (name, shape, tint) = (name.to_owned(), Shape::Hexagon, Tint::Light);
        picture.cells.push(Cell { name, x, y: 1.0, width: 1.0, height: 1.15, shape, tint });
    }
    picture.put(0, Side::First, Kind::Disc);
    let kind = Kind::Tile { letter: 'C', promoted: true };
    picture.pieces.push(Piece { cell: 1, owner: Some(Side::Second), kind, count: 2 });
    picture.write("a<b", 1.0, 1.8, Role::Note);
    picture
}

#[test]
fn everything_in_the_picture_is_drawn() {
    let svg = board_svg(&small_picture(), "", &[1, 99]);
    check_well_formed(&svg);
    // Two cells, two outlines of a mark, a tile.
    assert_eq!(svg.matches("<polygon").count(), 5, "{svg}");
    // A disc with its ring, and the circle around the number of tiles.
    assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
    for text in [">+C<", ">2<", ">a&lt;b<"] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    let titled = board_svg(&small_picture(), "T", &[]);
    assert_eq!(titled.matches("<polygon").count(), 3);
    assert!(titled.contains(">T</text>"));
}

/// Whose a piece is shows in its colour and, on tiles, in where it points.
#[test]
fn sides_are_told_apart() {
    let mut picture = small_picture();
    let before = board_svg(&picture, "", &[]);
    for piece in &mut picture.pieces {
        piece.owner = piece.owner.map(Side::other);
    }
    let after = board_svg(&picture, "", &[]);
    assert_ne!(before, after);
    picture.colours.reverse();
    let recoloured = board_svg(&picture, "", &[]);
    assert_ne!(before, recoloured, "the tile points the other way");
}

#[test]
fn seeds_are_drawn_one_by_one_inside_their_pit() {
    for (count, drawn) in [(1, 1), (7, 7), (30, 30), (200, 48)] {
        let mut picture = small_picture();
        picture.cells[0].shape = Shape::Round;
        picture.pieces.clear();
        picture.pieces.push(Piece { cell: 0, owner: None, kind: Kind::Seeds, count });
        let svg = board_svg(&picture, "", &[]);
        check_well_formed(&svg);
        assert_eq!(svg.matches("<circle").count(), drawn);
        let radius_of = |text: &str| {
            let number = |name: &str| -> f64 {
                let value = text.split(&format!("{name}=\"")).nth(1).expect("an attribute");
                value.split('"').next().and_then(|value| value.parse().ok()).expect("a number")
            };
            let (x, y) = (number("cx") - 12.0 - 56.0, number("cy") - 12.0 - 56.0);
            x.hypot(y) + number(" r")
        };
        assert!(svg.split("<circle").skip(1).all(|seed| radius_of(seed) < 33.0), "{svg}");
    }
}

#[test]
fn diagrams_keep_their_blanks() {
    let svg = diagram_svg("  a <b>\n1 & .", "Odd");
    check_well_formed(&svg);
    assert!(svg.contains(">  a &lt;b&gt;</text>") && svg.contains(">1 &amp; .</text>"), "{svg}");
    assert_eq!(svg.matches("xml:space=\"preserve\"").count(), 2);
    check_well_formed(&diagram_svg("", ""));
}
