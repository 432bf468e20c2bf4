//! Kalah in text: moves, positions and pictures.

use treegraft::{Charset, Game, NotationError, Side};

use super::Kalah;

pub(super) fn parse_move(position: &Kalah, text: &str) -> Result<u8, NotationError> {
    let houses = position.houses;
    let refuse = |problem: &str| {
        let expected = format!("the number of an own house from 1 to {houses} that has stones");
        NotationError::of_move(text, problem, expected)
    };
    let house = match text.as_bytes() {
        &[digit @ b'1'..=b'8'] if digit - b'0' <= houses => digit - b'1',
        _ => return Err(refuse("not a house")),
    };
    if position.outcome().is_some() {
        return Err(refuse("the game is over").illegal());
    }
    if position.at(position.mover, u32::from(house)) == 0 {
        return Err(refuse("the house is empty").illegal());
    }
    Ok(house)
}

pub(super) fn position_text(position: &Kalah) -> String {
    let row = |side| {
        let houses: Vec<String> =
            (0..position.houses()).map(|house| position.at(side, house).to_string()).collect();
        format!("{}:{}", houses.join(","), position.store(side))
    };
    let mover = match position.mover {
        Side::First => 's',
        Side::Second => 'n',
    };
    format!("{}/{} {mover}", row(Side::First), row(Side::Second))
}

pub(super) fn parse_position(template: &Kalah, text: &str) -> Result<Kalah, NotationError> {
    let refuse = |problem: String| NotationError::of_position(text, problem, expected(template));
    let (board, mover) = text
        .trim()
        .split_once(char::is_whitespace)
        .ok_or_else(|| refuse("the side to move is missing".to_owned()))?;
    let mover = match mover.trim() {
        "s" => Side::First,
        "n" => Side::Second,
        other => return Err(refuse(format!("{other:?} is not a side to move"))),
    };
    let (south, north) = board
        .split_once('/')
        .ok_or_else(|| refuse("there is no / between the sides".to_owned()))?;
    let read = |name: &str, side: &str| {
        parse_side(template.houses(), side).map_err(|problem| refuse(format!("{name} {problem}")))
    };
    let (south, north) = (read("South", south)?, read("North", north)?);

    let stones = |side: &Row| side.houses.iter().sum::<u32>() + side.store;
    let (found, total) = (stones(&south) + stones(&north), template.total());
    if found != total {
        return Err(refuse(format!("it has {found} stones, not {total}")));
    }
    // No count is above the total now, which fits a byte.
    let word = |side: &Row| side.houses.iter().rev().fold(0, |word, &n| word << 8 | u64::from(n));
    let (own, theirs) = if mover == Side::First { (south, north) } else { (north, south) };
    let position = Kalah {
        own: word(&own),
        theirs: word(&theirs),
        own_store: own.store as u8,
        their_store: theirs.store as u8,
        mover,
        ..*template
    };
    if (position.own == 0) != (position.theirs == 0) {
        let problem = "one side has no stones in its houses, so the game is over, but the other's \
                       are not in its store";
        return Err(refuse(problem.to_owned()));
    }
    Ok(position)
}

/// One side of a position text.
struct Row {
    houses: Vec<u32>,
    store: u32,
}

fn parse_side(houses: u32, text: &str) -> Result<Row, String> {
    let (row, store) = text.split_once(':').ok_or("has no : before its store")?;
    let row: Vec<u32> = row.split(',').map(parse_count).collect::<Result<_, _>>()?;
    if row.len() != houses as usize {
        return Err(format!("has {} houses, not {houses}", row.len()));
    }
    Ok(Row { houses: row, store: parse_count(store)? })
}

/// A number of stones; three digits are enough for all of them, and keep sums from overflowing.
fn parse_count(text: &str) -> Result<u32, String> {
    let plain = (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(count) if plain => Ok(count),
        _ => Err(format!("has {text:?} where a number of stones belongs")),
    }
}

fn expected(template: &Kalah) -> String {
    let (houses, total) = (template.houses(), template.total());
    let row = vec![(total / (2 * houses)).to_string(); houses as usize].join(",");
    format!(
        "South's {houses} houses and store, / , North's, the side to move (s or n), {total} stones \
         in all, such as {row}:0/{row}:0 s"
    )
}

/// North's row runs from right to left, so that stones travel counter-clockwise.
pub(super) fn diagram(position: &Kalah, charset: Charset) -> String {
    let (wall, floor, [top, middle, bottom]) = match charset {
        Charset::Unicode => ('│', "─────", [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']]),
        Charset::Ascii => ('|', "-----", [['+'; 3]; 3]),
    };
    let houses = position.houses() as usize;
    let line = |[left, between, right]: [char; 3]| {
        let row = vec![floor; houses].join(&between.to_string());
        format!("{left}{row}{right}")
    };
    let row = |counts: Vec<u32>| -> String {
        counts.iter().map(|count| format!("{wall}{count:^5}")).collect::<String>()
            + &wall.to_string()
    };
    let numbers = |numbers: Vec<u32>| -> String {
        numbers.iter().map(|number| format!(" {number:^5}")).collect()
    };
    let count = |side| move |house| position.at(side, house);
    let all = || 0..position.houses();
    let (north, south) = (Side::Second, Side::First);
    let lines = [
        format!("      {}  North", numbers(all().rev().map(|house| house + 1).collect())),
        format!("      {}", line(top)),
        format!("      {}", row(all().rev().map(count(north)).collect())),
        format!("{:>5} {} {}", position.store(north), line(middle), position.store(south)),
        format!("      {}", row(all().map(count(south)).collect())),
        format!("      {}", line(bottom)),
        format!("      {}  South", numbers(all().map(|house| house + 1).collect())),
    ];
    lines.join("\n")
}
