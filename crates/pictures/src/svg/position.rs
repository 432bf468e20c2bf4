//! A game's position as SVG, with its last move marked.

use treegraft::{Charset, Game, Notation, Playthrough};

use super::board::{board_svg, diagram_svg};

/// The position of a game as an SVG file, the cells of the last move highlighted; its text diagram
/// where the game has no picture.
#[must_use]
pub fn position_svg<G: Game>(game: &Playthrough<G>, title: &str) -> String {
    let Some(picture) = game.position().notation().picture() else {
        return diagram_svg(&game.position().notation().diagram(Charset::Unicode), title);
    };
    let mut before = game.clone();
    let last = before.undo().filter(|_| {
        // Where every picture has cells of its own (trees), those of the last move are gone.
        before.position().notation().picture().is_some_and(|before| before.cells == picture.cells)
    });
    let marked = last.map_or_else(Vec::new, |mv| before.position().notation().move_cells(mv));
    board_svg(&picture, title, &marked)
}
