//! The description of a game, and the text that names it: `NAME:SIZE,flag=value,…`.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use crate::notation::shorten;
use crate::rollout::{AtVisits, Select};

/// A text that names no game, or gives a game parameters that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {text:?}: {problem}; expected {expected}")]
pub struct GameTextError {
    /// The text, shortened if it is long.
    pub text: String,
    /// Why it is refused.
    pub problem: String,
    /// The form that would be right.
    pub expected: String,
}

impl GameTextError {
    /// An error about a text; a long text is shortened.
    pub fn new(text: &str, problem: impl Into<String>, expected: impl Into<String>) -> Self {
        GameTextError {
            text: shorten(text, 80),
            problem: problem.into(),
            expected: expected.into(),
        }
    }
}

/// The text of a game with its parameters after a colon, where they may also be in parentheses, as
/// those of players are: `othello(empties=winner)` is `othello:empties=winner`. Any other text is
/// left as it is.
///
/// Whoever finds a game by the name in its text calls this first, so that games read one form.
#[must_use]
pub fn with_colon(text: &str) -> Cow<'_, str> {
    let in_parentheses = text.strip_suffix(')').and_then(|text| text.split_once('('));
    match in_parentheses {
        Some((name, list)) if !name.is_empty() && !name.contains(':') => {
            Cow::Owned(format!("{name}:{list}"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// The description of a game: its name, its parameters, its notation, and the constants that
/// searches use where a player does not say.
///
/// ```
/// use treegraft::{Constants, GameInfo};
///
/// const NIM: GameInfo = GameInfo {
///     syntax: "nim or nim:N",
///     constants: Constants { ucb1: 0.5, ..Constants::USUAL },
///     ..GameInfo::new("nim", "Take one, two or three; whoever takes the last one wins.")
/// };
/// assert_eq!((NIM.name, NIM.constants.mb), ("nim", 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameInfo {
    /// The name, which stands before the colon.
    pub name: &'static str,
    /// The form of the whole text.
    pub syntax: &'static str,
    /// The parameters after the colon.
    pub params: &'static [Param],
    /// The rules in a line.
    pub rules: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// How positions are written.
    pub positions: &'static str,
    /// What searches use for this game where a player does not say.
    pub constants: Constants,
    /// The parameter that takes a seed and draws a random starting position, if there is one.
    pub random_start: Option<&'static str>,
}

impl GameInfo {
    /// A game without parameters.
    #[must_use]
    pub const fn new(name: &'static str, rules: &'static str) -> GameInfo {
        GameInfo {
            name,
            syntax: name,
            params: &[],
            rules,
            moves: "as the list of legal moves has them",
            positions: "by the moves that lead to them",
            constants: Constants::USUAL,
            random_start: None,
        }
    }
}

/// The constants of searches that depend on the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// The exploration constant C of UCB1, for rewards from 0 to 1.
    pub ucb1: f64,
    /// The exploration constant C of UCB1-Tuned, for rewards from 0 to 1.
    pub ucb1_tuned: f64,
    /// The same of UCB1-Tuned with RAVE or GRAVE, which explore by themselves. UCB1 has half of it.
    pub rave: f64,
    /// The best depth of MCTS-MR.
    pub mr: u32,
    /// The best depth and number of visits of MCTS-MS.
    pub ms: AtVisits,
    /// The best depth of MCTS-MB.
    pub mb: u32,
    /// Strategy switching: the names of all strategies for playouts and of the best three, where a
    /// paper has them.
    pub strategies: [&'static [&'static str]; 2],
}

impl Constants {
    /// For games that no paper has tuned.
    ///
    /// The formulas' own constants (Auer, Cesa-Bianchi & Fischer 2002), and MR-1, MS-2-Visit-2 and
    /// MB-2: the most frequent depths of Baier & Winands (2015), and the visits of its two games
    /// with many traps.
    pub const USUAL: Constants = Constants {
        ucb1: std::f64::consts::SQRT_2,
        ucb1_tuned: 1.0,
        rave: 0.25,
        mr: 1,
        ms: AtVisits { depth: 2, visits: 2 },
        mb: 2,
        strategies: [&[], &[]],
    };

    /// Constants for a game whose C a paper gives for UCB1-Tuned. The variance term under the root
    /// of that formula is at most 1/4, so it explores like UCB1 with half the C.
    #[must_use]
    pub const fn tuned(c: f64) -> Constants {
        Constants { ucb1: c / 2.0, ucb1_tuned: c, rave: c / 4.0, ..Constants::USUAL }
    }

    /// The exploration constant of a formula.
    #[must_use]
    pub fn c(&self, select: Select) -> f64 {
        match select {
            Select::Ucb1 => self.ucb1,
            Select::Ucb1Tuned => self.ucb1_tuned,
        }
    }

    /// The exploration constant of a formula with RAVE or GRAVE.
    #[must_use]
    pub fn c_with_rave(&self, select: Select) -> f64 {
        match select {
            Select::Ucb1 => self.rave / 2.0,
            Select::Ucb1Tuned => self.rave,
        }
    }
}

/// One parameter of a game, for lists and help texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name, or the form of a size, which has no name (`WxH`).
    pub name: &'static str,
    /// The values it can have.
    pub values: &'static str,
    /// The value it has when it is not given.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The parameters after the colon, which a game takes one by one.
///
/// A game first takes its sizes ([`Params::size`]), then its flags ([`Params::flag`]), and then
/// calls [`Params::finish`], which refuses whatever is left.
#[derive(Clone, Debug)]
pub struct Params<'a> {
    text: &'a str,
    syntax: &'static str,
    sizes: Vec<&'a str>,
    flags: Vec<(&'a str, &'a str)>,
}

impl<'a> Params<'a> {
    /// Splits the part of `text` after its first colon; `syntax` is what errors expect.
    ///
    /// # Errors
    ///
    /// If a flag is given twice or a size comes after a flag.
    pub fn new(text: &'a str, syntax: &'static str) -> Result<Params<'a>, GameTextError> {
        let mut params = Params { text, syntax, sizes: Vec::new(), flags: Vec::new() };
        let Some((_, list)) = text.split_once(':') else { return Ok(params) };
        for item in list.split(',').map(str::trim) {
            match item.split_once('=') {
                Some((name, value)) => {
                    let (name, value) = (name.trim(), value.trim());
                    if params.flags.iter().any(|&(known, _)| known == name) {
                        return Err(params.error(format!("{name} is given twice")));
                    }
                    params.flags.push((name, value));
                }
                None if item.is_empty() => return Err(params.error("a parameter is empty")),
                None if params.flags.is_empty() => params.sizes.push(item),
                None => {
                    return Err(params.error(format!("size {item:?} comes after a flag")));
                }
            }
        }
        Ok(params)
    }

    /// An error about this text.
    pub fn error(&self, problem: impl Into<String>) -> GameTextError {
        GameTextError::new(self.text, problem, self.syntax)
    }

    /// Whether a flag is given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|&(known, _)| known == name)
    }

    /// Takes the next size, if there is one.
    pub fn size(&mut self) -> Option<&'a str> {
        (!self.sizes.is_empty()).then(|| self.sizes.remove(0))
    }

    /// Takes the next size as a number, or `default` if there is none.
    ///
    /// # Errors
    ///
    /// If it is not a number in `range`.
    pub fn number(
        &mut self,
        what: &str,
        default: u32,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<u32, GameTextError> {
        match self.size() {
            None => Ok(default),
            Some(text) => self.in_range(what, text, &range),
        }
    }

    /// Takes a size of the form `WxH`, if there is one.
    ///
    /// # Errors
    ///
    /// If it has another form, or a number is out of its range.
    pub fn width_by_height(
        &mut self,
        widths: std::ops::RangeInclusive<u32>,
        heights: std::ops::RangeInclusive<u32>,
    ) -> Result<Option<(u32, u32)>, GameTextError> {
        let Some(text) = self.size() else { return Ok(None) };
        let (w, h) = text
            .split_once('x')
            .ok_or_else(|| self.error(format!("the size {text:?} is not WIDTHxHEIGHT")))?;
        Ok(Some((
            self.in_range("the width", w, &widths)?,
            self.in_range("the height", h, &heights)?,
        )))
    }

    fn in_range(
        &self,
        what: &str,
        text: &str,
        range: &std::ops::RangeInclusive<u32>,
    ) -> Result<u32, GameTextError> {
        let number = text.parse().ok().filter(|n| range.contains(n) && is_plain(text));
        number.ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            self.error(format!("{what} is {text:?}, not a number from {low} to {high}"))
        })
    }

    /// Takes the value of a flag, read by its type; `None` if it is not given.
    ///
    /// # Errors
    ///
    /// If the value does not parse; `values` describes the valid ones.
    pub fn flag<T: FromStr>(
        &mut self,
        name: &str,
        values: &str,
    ) -> Result<Option<T>, GameTextError> {
        let Some(at) = self.flags.iter().position(|&(known, _)| known == name) else {
            return Ok(None);
        };
        let (_, value) = self.flags.remove(at);
        match value.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(self.error(format!("{name} is {value:?}, not {values}"))),
        }
    }

    /// Takes the value of a flag that is one of a few words.
    ///
    /// # Errors
    ///
    /// If the value is none of them.
    pub fn one_of<T: Copy>(
        &mut self,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, GameTextError> {
        let Some(value) = self.flag::<String>(name, "")? else { return Ok(None) };
        let found = words.iter().find(|(text, _)| *text == value);
        let names = || words.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" or ");
        match found {
            Some(&(_, value)) => Ok(Some(value)),
            None => Err(self.error(format!("{name} is {value:?}, not {}", names()))),
        }
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// If a size or flag has not been taken: the game does not have it.
    pub fn finish(self) -> Result<(), GameTextError> {
        if let Some(size) = self.sizes.first() {
            return Err(self.error(format!("there is no place for {size:?}")));
        }
        if let Some((name, _)) = self.flags.first() {
            return Err(self.error(format!("there is no flag {name:?}")));
        }
        Ok(())
    }
}

/// Digits only: `u32::from_str` would also take `+7`.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// The canonical text of a game: its name, sizes, and the flags that differ from their defaults.
#[derive(Clone, Debug)]
pub struct Canonical {
    text: String,
    separator: char,
}

impl Canonical {
    /// Begins with the name.
    #[must_use]
    pub fn new(name: &str) -> Canonical {
        Canonical { text: name.to_owned(), separator: ':' }
    }

    /// Adds a size.
    #[must_use]
    pub fn size(mut self, size: impl Display) -> Canonical {
        self.text.push_str(&format!("{}{size}", self.separator));
        self.separator = ',';
        self
    }

    /// Adds a flag, unless it has its default.
    #[must_use]
    pub fn flag(self, name: &str, value: impl Display, is_default: bool) -> Canonical {
        if is_default { self } else { self.size(format_args!("{name}={value}")) }
    }

    /// The text.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }
}
