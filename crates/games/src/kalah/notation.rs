//! Kalah in text: moves, positions and pictures.

use treegraft::{Charset, Game, Notation, NotationError, Picture, Side};

use super::{Kalah, picture};
use crate::fen;

impl Notation for Kalah {
    fn counts(&self) -> Option<[i64; 2]> {
        Some([Side::First, Side::Second].map(|side| i64::from(self.store(side))))
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["South", "North"][side.index()]
    }

    fn move_text(&self, house: u8) -> String {
        (house + 1).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        let houses = self.houses;
        let refuse = |problem: &str| {
            let expected = format!("the number of an own house from 1 to {houses} that has stones");
            NotationError::of_move(text, problem, expected)
        };
        let house = match text.as_bytes() {
            &[digit @ b'1'..=b'8'] if digit - b'0' <= houses => digit - b'1',
            _ => return Err(refuse("not a house")),
        };
        if self.outcome().is_some() {
            return Err(refuse("the game is over").illegal());
        }
        if self.at(self.mover, u32::from(house)) == 0 {
            return Err(refuse("the house is empty").illegal());
        }
        Ok(house)
    }

    fn position_text(&self) -> Option<String> {
        let [south, north] = [Side::First, Side::Second].map(|side| {
            let houses: Vec<String> =
                (0..self.houses()).map(|house| self.at(side, house).to_string()).collect();
            format!("{}:{}", houses.join(","), self.store(side))
        });
        Some(format!("{south}/{north} {}", SIDES[self.mover.index()]))
    }

    fn parse_position(&self, text: &str) -> Result<Kalah, NotationError> {
        self.read_position(text).map_err(|problem| {
            let (houses, total) = (self.houses(), self.total());
            let row = vec![(total / (2 * houses)).to_string(); houses as usize].join(",");
            let expected = format!(
                "South's {houses} houses and store, / , North's, the side to move (s or n), \
                 {total} stones in all, such as {row}:0/{row}:0 s"
            );
            NotationError::of_position(text, problem, expected)
        })
    }

    /// North's row runs from right to left, so that stones travel counter-clockwise.
    fn diagram(&self, charset: Charset) -> String {
        let (wall, floor, [top, middle, bottom]) = match charset {
            Charset::Unicode => ('│', "─────", [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']]),
            Charset::Ascii => ('|', "-----", [['+'; 3]; 3]),
        };
        let houses = self.houses() as usize;
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
        let count = |side| move |house| self.at(side, house);
        let all = || 0..self.houses();
        let (north, south) = (Side::Second, Side::First);
        let lines = [
            format!("      {}  North", numbers(all().rev().map(|house| house + 1).collect())),
            format!("      {}", line(top)),
            format!("      {}", row(all().rev().map(count(north)).collect())),
            format!("{:>5} {} {}", self.store(north), line(middle), self.store(south)),
            format!("      {}", row(all().map(count(south)).collect())),
            format!("      {}", line(bottom)),
            format!("      {}  South", numbers(all().map(|house| house + 1).collect())),
        ];
        lines.join("\n")
    }

    fn picture(&self) -> Option<Picture> {
        Some(picture::picture(self))
    }

    /// The house that is sown: where its seeds fall, the picture after the move shows.
    fn move_cells(&self, house: u8) -> Vec<usize> {
        let pits_of_a_side = usize::from(self.houses) + 1;
        vec![self.mover.index() * pits_of_a_side + usize::from(house)]
    }
}

/// The letters of the side to move.
const SIDES: [&str; 2] = ["s", "n"];

impl Kalah {
    fn read_position(&self, text: &str) -> Result<Kalah, String> {
        let (board, mover) = fen::split_by(text, SIDES)?;
        let (south, north) = board.split_once('/').ok_or("there is no / between the sides")?;
        let read = |name: &str, side: &str| {
            parse_side(self.houses(), side).map_err(|problem| format!("{name} {problem}"))
        };
        let (south, north) = (read("South", south)?, read("North", north)?);

        let stones = |side: &Row| side.houses.iter().sum::<u32>() + side.store;
        let (found, total) = (stones(&south) + stones(&north), self.total());
        if found != total {
            return Err(format!("it has {found} stones, not {total}"));
        }
        // No count is above the total now, which fits a byte.
        let word =
            |side: &Row| side.houses.iter().rev().fold(0, |word, &n| word << 8 | u64::from(n));
        let (own, theirs) = if mover == Side::First { (south, north) } else { (north, south) };
        let position = Kalah {
            own: word(&own),
            theirs: word(&theirs),
            own_store: own.store as u8,
            their_store: theirs.store as u8,
            mover,
            ..*self
        };
        if (position.own == 0) != (position.theirs == 0) {
            return Err("one side has no stones in its houses, so the game is over, but the \
                        other's are not in its store"
                .to_owned());
        }
        Ok(position)
    }
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
