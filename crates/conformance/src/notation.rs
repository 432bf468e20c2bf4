//! The laws of notation: texts of moves and positions, diagrams and pictures.

use std::collections::{HashMap, HashSet};

use super::book::{Book, Spot, Walk, ensure, text_of};
use super::rules;
use treegraft::{Charset, Game, Notation, Picture, Playthrough, Rng, legal_moves};

/// Texts that mean nothing in any sensible game, though `zz99` might be a cell.
const NONSENSE: [&str; 10] =
    ["?", "?!", "zz99", "-1", "99999999999999999999", "🎲", "é1", "1é", "\0", "[]/()=&%"];

pub(super) fn check<G: Game>(book: &mut Book, rng: &mut Rng, walk: &Walk<G>) {
    let end = walk.end();
    for at in walk.spots() {
        moves(book, &at);
        position(book, &at);
        book.test("diagram", &at, &mut || diagram(at.position()));
    }
    replay(book, walk);
    for at in [walk.any_spot(rng), end] {
        nonsense(book, rng, &at);
    }
}

fn moves<G: Game>(book: &mut Book, at: &Spot<G>) {
    let position = at.position();
    let moves = legal_moves(position);
    book.test("move-text", at, &mut || {
        let mut texts = HashMap::new();
        for &mv in &moves {
            let text = position.notation().move_text(mv);
            let bad = |c: char| c.is_whitespace() || c == ',';
            ensure(!text.is_empty(), || format!("the text of {mv:?} is empty"))?;
            ensure(!text.contains(bad), || format!("{text:?} has a blank or a comma in it"))?;
            // A move that is listed twice is another law's business.
            let other = *texts.entry(text).or_insert(mv);
            ensure(other == mv, || {
                format!(
                    "{other:?} and {mv:?} are both written {:?}",
                    position.notation().move_text(mv)
                )
            })?;
        }
        Ok(())
    });
    if book.failed("move-text") {
        return;
    }
    for mv in at.some_of(&moves) {
        book.test("parse-move", &at.then(mv), &mut || {
            let text = position.notation().move_text(mv);
            match position.notation().parse_move(&text) {
                Ok(read) if read == mv => Ok(()),
                Ok(read) => Err(format!("{text:?} is read as {read:?} and not as {mv:?}")),
                Err(error) => Err(format!("{text:?} is refused: {error}")),
            }
        });
    }
}

fn position<G: Game>(book: &mut Book, at: &Spot<G>) {
    let (start, position) = (at.walk.start(), at.position());
    let mut equal = None;
    book.test("position-text", at, &mut || {
        let text = position.notation().position_text();
        everywhere("text", text.is_some(), start.notation().position_text().is_some())?;
        if let Some(text) = text {
            equal = Some(reads_as(start, &text, position)?);
        }
        Ok(())
    });
    if let Some(equal) = equal {
        rules::equals(book, at, &equal, "when read from its text");
    }
}

/// Whether there is such a thing here and at the start, or at neither.
fn everywhere(what: &str, here: bool, at_start: bool) -> Result<(), String> {
    ensure(here == at_start, || {
        let [here, there] = [here, at_start].map(|there_is| if there_is { "a" } else { "no" });
        format!("this position has {here} {what}, but the start has {there} {what}")
    })
}

/// Reads a position, which must be the one given.
fn reads_as<G: Game>(template: &G, text: &str, position: &G) -> Result<G, String> {
    match template.notation().parse_position(text) {
        Ok(read) if read == *position => Ok(read),
        Ok(read) => Err(format!("{text:?} is read as {read:?} and not as {position:?}")),
        Err(error) => Err(format!("its own text is refused: {error}")),
    }
}

fn diagram<G: Game>(position: &G) -> Result<(), String> {
    for charset in [Charset::Unicode, Charset::Ascii] {
        let picture = position.notation().diagram(charset);
        ensure(!picture.trim().is_empty(), || format!("the {charset:?} diagram is empty"))?;
        let odd = picture.chars().find(|c| !c.is_ascii());
        if let (Charset::Ascii, Some(odd)) = (charset, odd) {
            return Err(format!("the Ascii diagram has {odd:?} in it"));
        }
    }
    Ok(())
}

/// Tests the picture of a position, and the cells of its moves.
pub(super) fn pictures<G: Game>(book: &mut Book, at: &Spot<G>) {
    let position = at.position();
    let mut cells = 0;
    book.test("picture", at, &mut || {
        let picture = position.notation().picture();
        let at_start = at.walk.start().notation().picture().is_some();
        everywhere("picture", picture.is_some(), at_start)?;
        cells = picture.as_ref().map_or(0, |picture| picture.cells.len());
        picture.as_ref().map_or(Ok(()), sound_picture)
    });
    if book.failed("picture") {
        return;
    }
    for mv in at.some_of(&legal_moves(position)) {
        book.test("move-cells", &at.then(mv), &mut || {
            let concerned = position.notation().move_cells(mv);
            ensure(concerned.iter().all(|&cell| cell < cells), || {
                format!("{concerned:?} of the last move, but the picture has {cells} cells")
            })
        });
    }
}

fn sound_picture(picture: &Picture) -> Result<(), String> {
    let inside =
        |x: f64, y: f64| (0.0..=picture.width).contains(&x) && (0.0..=picture.height).contains(&y);
    let is_finite = picture.width.is_finite() && picture.height.is_finite();
    ensure(is_finite, || format!("it is {} wide and {} high", picture.width, picture.height))?;
    let (mut names, mut places, mut taken) = (HashSet::new(), HashSet::new(), HashSet::new());
    for cell in &picture.cells {
        let (right, down) = (cell.width / 2.0, cell.height / 2.0);
        let fits = right > 0.0
            && down > 0.0
            && inside(cell.x - right, cell.y - down)
            && inside(cell.x + right, cell.y + down);
        ensure(fits, || format!("{cell:?} is empty or not all inside"))?;
        ensure(names.insert(&cell.name), || format!("two cells are called {:?}", cell.name))?;
        let is_free = places.insert((cell.x.to_bits(), cell.y.to_bits()));
        ensure(is_free, || format!("{:?} is where another cell is", cell.name))?;
    }
    for piece in &picture.pieces {
        let cells = picture.cells.len();
        ensure(piece.cell < cells, || format!("{piece:?}, but there are {cells} cells"))?;
        ensure(taken.insert(piece.cell), || format!("{piece:?} is not alone on its cell"))?;
        ensure(piece.count > 0, || format!("{piece:?} is not there"))?;
    }
    let board = picture
        .board
        .map(|board| [[board.x, board.y], [board.x + board.width, board.y + board.height]]);
    let points = picture.lines.iter().flat_map(|line| &line.points).copied();
    let points = points.chain(picture.labels.iter().map(|label| [label.x, label.y]));
    let outside = points.chain(board.into_iter().flatten()).find(|&[x, y]| !inside(x, y));
    ensure(outside.is_none(), || {
        let Picture { width, height, .. } = picture;
        format!("{outside:?} of a label, line or board is outside of {width} times {height}")
    })
}

fn replay<G: Game>(book: &mut Book, walk: &Walk<G>) {
    /// A played game counts repetitions, which takes long when it is long.
    const LONG: usize = 200;
    // What is played may end earlier than what is searched.
    let mut game = Playthrough::new(walk.start().clone());
    for &mv in walk.moves.iter().take(LONG) {
        if game.ending().is_some() {
            break;
        }
        game.play(mv);
    }
    let at = walk.at(game.moves().len());
    if book.failed("move-text") || book.failed("parse-move") || book.failed("position-text") {
        return;
    }
    book.test("replay", &at, &mut || {
        let text = game.move_texts().join(" ");
        let mut again = Playthrough::new(walk.start().clone());
        again.play_text(&text).map_err(|error| format!("{text:?} is refused: {error}"))?;
        ensure(again.moves() == game.moves() && again.position() == at.position(), || {
            format!("{text:?} leads to {:?} and not to {:?}", again.position(), at.position())
        })?;
        match game.position_text() {
            Some(text) => reads_as(walk.start(), &text, at.position()).map(|_| ()),
            None => Ok(()),
        }
    });
}

/// Throws texts at the parsers.
fn nonsense<G: Game>(book: &mut Book, rng: &mut Rng, at: &Spot<G>) {
    let (start, position) = (at.walk.start(), at.position());
    let long = "1a".repeat(5_000);
    let mut texts: Vec<String> = NONSENSE.into_iter().chain([&*long]).map(str::to_owned).collect();
    for text in &texts {
        book.test("position-nonsense", at, &mut || match start.notation().parse_position(text) {
            Ok(read) => Err(format!("{text:?} is read as {read:?}")),
            Err(_) => Ok(()),
        });
    }
    let text =
        if book.failed("position-text") { None } else { position.notation().position_text() };
    if let Some(text) = text {
        for _ in 0..8 {
            let broken = mutate(rng, &text);
            book.test("position-nonsense", at, &mut || match start
                .notation()
                .parse_position(&broken)
            {
                Ok(read) => {
                    sound(&read).map_err(|problem| format!("{broken:?} is read, but {problem}"))
                }
                Err(_) => Ok(()),
            });
        }
    }
    // Nothing, moves that were legal once, and misspelt ones.
    let legal = legal_moves(position);
    texts.extend(["", " "].map(str::to_owned));
    texts.extend(at.some_of(&legal_moves(start)).map(|mv| text_of(start, mv)));
    texts.extend(at.some_of(&legal).map(|mv| mutate(rng, &text_of(position, mv))));
    for text in texts {
        book.test("parse-nonsense", at, &mut || match position.notation().parse_move(&text) {
            Ok(mv) => ensure(legal.contains(&mv), || {
                format!("{text:?} is read as {mv:?}, which is not legal")
            }),
            Err(_) => Ok(()),
        });
    }
}

/// The text with a character missing, twice, or changed, or cut off.
fn mutate(rng: &mut Rng, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return "?".to_owned();
    }
    let at = rng.below(letters.len() as u32) as usize;
    match rng.below(5) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters[at] = char::from(b' ' + rng.below(95) as u8),
        3 => letters.truncate(at),
        _ => letters.swap(at, 0),
    }
    letters.into_iter().collect()
}

/// Whether a position that was read can be played on and written again.
fn sound<G: Game>(position: &G) -> Result<(), String> {
    let over = position.outcome().is_some();
    ensure(over || !legal_moves(position).is_empty(), || {
        format!("there the game goes on without a legal move: {position:?}")
    })?;
    match position.notation().position_text() {
        Some(text) => reads_as(position, &text, position).map(|_| ()),
        None => Ok(()),
    }
}
