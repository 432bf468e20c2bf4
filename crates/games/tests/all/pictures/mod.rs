//! The picture of a position shows what its text says, and moves name the cells they concern.

mod own_pictures;

use std::collections::HashSet;

use own_pictures::{AsJson, LikeTheCounts, LikeTheFen, LikeTheNode};
use treegraft::picture::Picture;
use treegraft::{Charset, Game, Notation, Rng, Side, Speed};
use treegraft_games::{AnyGame, Visitor};

/// What is to be checked in a position of any game.
trait Check: Copy {
    fn check<G: Game>(self, position: &G);
}

/// Checks every position of some random games.
fn check_along_games(game: &str, check: impl Check) {
    struct Walk<C>(C);
    impl<C: Check> Visitor for Walk<C> {
        type Output = ();

        fn visit<G: Game + Send + Sync + 'static>(self, start: G) {
            for seed in 0..5 {
                let (mut position, mut rng) = (start.clone(), Rng::new(seed));
                self.0.check(&position);
                for _ in 0..150 {
                    if position.outcome().is_some() {
                        break;
                    }
                    let mv = position.speed().random_move(&mut rng, &mut Vec::new());
                    position.play(mv);
                    self.0.check(&position);
                }
            }
        }
    }
    AnyGame::parse(game).unwrap_or_else(|error| panic!("{error}")).visit(Walk(check));
}

const BOARDS: &[&str] = &[
    "connect4",
    "connect4:4x4",
    "connect4:12x4",
    "breakthrough",
    "breakthrough:5x5",
    "breakthrough:18x6",
    "othello",
    "othello:6",
    "hex:2",
    "hex:5,swap=true",
    "hex:11",
    "hex:14,swap=true",
    "loa",
];
const KALAHS: &[&str] = &["kalah", "kalah:1,3", "kalah:8,15"];
const TREES: &[&str] = &[
    "tree:7",
    "tree:((3 5) (2 -9 4))",
    "tree",
    "tree:branching=200,height=3",
    "tree:branching=1,height=300",
    "tree:branching=5,height=9,irregular=true",
    "tree:branching=3,height=6,traps=0.2",
];

fn picture_of<G: Game>(position: &G) -> Picture {
    position.notation().picture().expect("a picture")
}

fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if position.outcome().is_none() {
        position.moves(&mut moves);
    }
    moves
}

fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut next = position.clone();
    next.play(mv);
    next
}

/// Whose piece is on a cell.
fn owner(picture: &Picture, cell: usize) -> Option<Side> {
    picture.pieces.iter().find(|piece| piece.cell == cell).and_then(|piece| piece.owner)
}

fn names(picture: &Picture, cells: &[usize]) -> Vec<String> {
    cells.iter().map(|&cell| picture.cells[cell].name.clone()).collect()
}

/// What every picture must be.
#[derive(Clone, Copy)]
struct Sound;

impl Check for Sound {
    fn check<G: Game>(self, position: &G) {
        let picture = picture_of(position);
        let inside = |x: f64, y: f64| {
            (0.0..=picture.width).contains(&x) && (0.0..=picture.height).contains(&y)
        };
        for cell in &picture.cells {
            let (right, down) = (cell.width / 2.0, cell.height / 2.0);
            assert!(right > 0.0 && down > 0.0, "{cell:?}");
            assert!(inside(cell.x - right, cell.y - down), "{cell:?}");
            assert!(inside(cell.x + right, cell.y + down), "{cell:?}");
        }
        assert!(picture.labels.iter().all(|label| inside(label.x, label.y)));
        let mut points = picture.lines.iter().flat_map(|line| &line.points);
        assert!(points.all(|&[x, y]| inside(x, y)));
        if let Some(board) = picture.board {
            assert!(inside(board.x, board.y));
            assert!(inside(board.x + board.width, board.y + board.height));
        }
        let distinct: HashSet<&str> = picture.cells.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(distinct.len(), picture.cells.len());
        let places: HashSet<_> =
            picture.cells.iter().map(|cell| (cell.x.to_bits(), cell.y.to_bits())).collect();
        assert_eq!(places.len(), picture.cells.len());
        let occupied: HashSet<usize> = picture.pieces.iter().map(|piece| piece.cell).collect();
        assert_eq!(occupied.len(), picture.pieces.len());
        assert!(occupied.iter().all(|&cell| cell < picture.cells.len()));
        assert!(picture.pieces.iter().all(|piece| piece.count > 0));
        for mv in legal_moves(position) {
            let cells = position.notation().move_cells(mv);
            assert!(cells.iter().all(|&cell| cell < picture.cells.len()), "{cells:?}");
        }
    }
}

#[test]
fn pictures_are_sound() {
    for game in BOARDS.iter().chain(KALAHS).chain(TREES).chain(&["lion"]) {
        check_along_games(game, Sound);
    }
}

/// Read from left to right and from top to bottom, the cells are those of the text diagram.
#[derive(Clone, Copy)]
struct LikeTheDiagram;

impl Check for LikeTheDiagram {
    fn check<G: Game>(self, position: &G) {
        let text = position.notation().diagram(Charset::Ascii);
        // Not the lines that say whose edges are whose.
        let board = text.lines().filter(|line| !line.contains(':'));
        let symbols: String =
            board.flat_map(str::split_whitespace).filter(|word| is_cell(word)).collect();
        let picture = picture_of(position);
        let mut cells: Vec<usize> = (0..picture.cells.len()).collect();
        let place = |cell: usize| (picture.cells[cell].y, picture.cells[cell].x);
        cells.sort_by(|&a, &b| place(a).partial_cmp(&place(b)).expect("numbers"));
        // X or O, B or W: how the name of the side begins.
        let letter = |side| &position.notation().side_name(side)[..1];
        let shown: String =
            cells.iter().map(|&cell| owner(&picture, cell).map_or(".", letter)).collect();
        assert_eq!(shown, symbols.replace('+', "."), "{text}");
        assert!(picture.pieces.iter().all(|piece| piece.count == 1));
    }
}

/// Whether a word of a diagram stands for a cell of the board.
fn is_cell(word: &str) -> bool {
    ["X", "O", "W", "B", ".", "+"].contains(&word)
}

#[test]
fn boards_show_what_the_diagram_shows() {
    for game in BOARDS {
        check_along_games(game, LikeTheDiagram);
    }
}

/// The cells of a move are those in its text, and the mover's piece ends on the last of them.
#[derive(Clone, Copy)]
struct MovesNameTheirCells;

impl Check for MovesNameTheirCells {
    fn check<G: Game>(self, position: &G) {
        let picture = picture_of(position);
        for mv in legal_moves(position) {
            let (text, cells) =
                (position.notation().move_text(mv), position.notation().move_cells(mv));
            let names = names(&picture, &cells);
            let next = picture_of(&after(position, mv));
            assert_eq!(next.cells, picture.cells);
            match text.as_str() {
                "pass" => assert!(cells.is_empty()),
                "swap" => {
                    let mut mirrored = names.clone();
                    mirrored.reverse();
                    let turned = |name: &String| {
                        let (column, row) = name.split_at(1);
                        let row: u8 = row.parse().expect("a row");
                        let column = column.as_bytes()[0] - b'a' + 1;
                        format!("{}{column}", (b'a' + row - 1) as char)
                    };
                    assert_eq!(names.iter().map(turned).collect::<Vec<_>>(), mirrored);
                    assert_eq!(owner(&picture, cells[0]), Some(position.to_move().other()));
                }
                column if names[0].contains('.') => {
                    assert_eq!(names[0].split('.').next(), Some(column));
                    assert_eq!(names.len(), 1);
                }
                // The second player's pieces in hand are written small.
                _ => assert!(names.concat().eq_ignore_ascii_case(&text), "{names:?} {text}"),
            }
            if let Some(&last) = cells.last() {
                assert_ne!(owner(&picture, last), Some(position.to_move()), "{text}");
                assert_eq!(owner(&next, last), Some(position.to_move()), "{text}");
            }
            if let [from, _] = cells[..]
                && text != "swap"
            {
                assert_eq!(owner(&picture, from), Some(position.to_move()), "{text}");
            }
        }
    }
}

#[test]
fn moves_name_their_cells() {
    for game in BOARDS.iter().chain(&["lion"]) {
        check_along_games(game, MovesNameTheirCells);
    }
}

#[test]
fn catch_the_lion_shows_board_and_hands() {
    check_along_games("lion", LikeTheFen);
}

#[test]
fn kalah_shows_its_seeds() {
    for game in KALAHS {
        check_along_games(game, LikeTheCounts);
    }
}

#[test]
fn trees_show_a_node_and_its_children() {
    for game in TREES {
        check_along_games(game, LikeTheNode);
    }
}

#[test]
fn pictures_are_plain_json() {
    check_along_games("lion", AsJson);
}
