//! What the pictures of single games must show, and the form of all of them in JSON.

use treegraft::picture::{Kind, Piece};
use treegraft::{Exactness, Game, Notation, Side};

use super::{Check, after, legal_moves, names, owner, picture_of};

/// The tiles are the letters of the FEN: the board's row by row, then those in hand.
#[derive(Clone, Copy)]
pub(crate) struct LikeTheFen;

impl Check for LikeTheFen {
    fn check<G: Game>(self, position: &G) {
        let fen = position.notation().position_text().expect("a text");
        let (board, rest) = fen.split_once('[').expect("hands");
        let hands = rest.split_once(']').expect("hands").0.trim_matches('-');
        let picture = picture_of(position);
        let letters = |piece: &Piece| {
            let Kind::Tile { letter, promoted } = piece.kind else { panic!("{piece:?}") };
            let letter = match piece.owner.expect("an owner") {
                Side::First => letter.to_string(),
                Side::Second => letter.to_ascii_lowercase().to_string(),
            };
            if promoted { format!("+{letter}") } else { letter }
        };
        let on = |name: String| {
            let cell = picture.cells.iter().position(|cell| cell.name == name).expect("a cell");
            picture.pieces.iter().find(|piece| piece.cell == cell)
        };
        let squares = (1..=4).rev().flat_map(|row| ["a", "b", "c"].map(|c| format!("{c}{row}")));
        let shown: String = squares.map(|name| on(name).map_or(".".to_owned(), letters)).collect();
        let empty = |c: char| if c.is_ascii_digit() { c as usize - '0' as usize } else { 0 };
        let written: String = board
            .chars()
            .filter(|&c| c != '/')
            .map(|c| if empty(c) > 0 { ".".repeat(empty(c)) } else { c.to_string() })
            .collect();
        assert_eq!(shown, written, "{fen}");
        let stands = picture.cells.iter().filter(|cell| cell.name.ends_with('@'));
        let in_hand = stands.filter_map(|cell| {
            let piece = on(cell.name.clone())?;
            assert_eq!(format!("{}@", letters(piece)), cell.name);
            Some(letters(piece).repeat(piece.count as usize))
        });
        assert_eq!(in_hand.collect::<String>(), hands, "{fen}");
    }
}

/// Pits hold and labels show as many seeds as the text says.
#[derive(Clone, Copy)]
pub(crate) struct LikeTheCounts;

impl Check for LikeTheCounts {
    fn check<G: Game>(self, position: &G) {
        let text = position.notation().position_text().expect("a text");
        let counts = text.split([' ', '/', ':', ',']).map_while(|word| word.parse::<u32>().ok());
        let counts: Vec<u32> = counts.collect();
        let picture = picture_of(position);
        assert_eq!(counts.len(), picture.cells.len());
        let (houses, mut seeds) = (counts.len() / 2 - 1, vec![0; counts.len()]);
        for piece in &picture.pieces {
            assert_eq!(piece.kind, Kind::Seeds);
            let side = if piece.cell <= houses { Side::First } else { Side::Second };
            assert_eq!(piece.owner, Some(side));
            seeds[piece.cell] = piece.count;
        }
        assert_eq!(seeds, counts, "{text}");
        for (cell, count) in picture.cells.iter().zip(counts) {
            let mut above_or_below = picture.labels.iter().filter(|label| label.x == cell.x);
            assert!(above_or_below.any(|label| label.text == count.to_string()), "{text}");
        }
        for mv in legal_moves(position) {
            let row = if position.to_move() == Side::First { "s" } else { "n" };
            let expected = format!("{row}{}", position.notation().move_text(mv));
            assert_eq!(names(&picture, &position.notation().move_cells(mv)), [expected]);
        }
    }
}

/// A disc on every node that has children, a number on every leaf, and no more than 64 children.
#[derive(Clone, Copy)]
pub(crate) struct LikeTheNode;

impl Check for LikeTheNode {
    fn check<G: Game>(self, position: &G) {
        let picture = picture_of(position);
        let moves = legal_moves(position);
        assert_eq!(picture.cells.len(), 1 + moves.len().min(64));
        let children = moves.iter().take(64).map(|&mv| after(position, mv));
        for (cell, node) in [position.clone()].into_iter().chain(children).enumerate() {
            let mover = node.outcome().is_none().then(|| node.to_move());
            assert_eq!(owner(&picture, cell), mover);
            let Some(margin) = node.exactness().margin() else { continue };
            let (x, y) = (picture.cells[cell].x, picture.cells[cell].y);
            let at_it = picture.labels.iter().find(|label| (label.x, label.y) == (x, y));
            assert_eq!(at_it.map(|label| label.text.clone()), Some(margin.to_string()));
        }
        for (i, mv) in moves.into_iter().enumerate() {
            let expected =
                if i < 64 { vec![position.notation().move_text(mv)] } else { Vec::new() };
            assert_eq!(names(&picture, &position.notation().move_cells(mv)), expected);
        }
        let note = &picture.labels[0].text;
        assert!(note.chars().count() <= 120, "{note}");
    }
}

/// The form that pages and notebooks read.
#[derive(Clone, Copy)]
pub(crate) struct AsJson;

impl Check for AsJson {
    fn check<G: Game>(self, position: &G) {
        let json = serde_json::to_value(picture_of(position)).expect("JSON");
        assert_eq!(json["colours"], serde_json::json!(["white", "black"]));
        let cell = &json["cells"][0];
        assert_eq!((&cell["name"], &cell["shape"]), (&"a1".into(), &"square".into()));
        for piece in json["pieces"].as_array().expect("a list") {
            assert!(piece["owner"] == "first" || piece["owner"] == "second");
            assert_eq!(piece["kind"], "tile");
            assert!(piece["letter"].is_string() && piece["promoted"].is_boolean());
            assert!(piece["count"].is_u64() && piece["cell"].is_u64());
        }
        assert_eq!(json["labels"][0]["role"], "coordinate");
    }
}
