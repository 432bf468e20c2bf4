//! The text of a game: `NAME:SIZE,flag=value,…`.

use std::fmt::Display;
use std::str::FromStr;

/// A text that names no game, or a game with parameters it cannot have.
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
    pub(crate) fn new(text: &str, problem: impl Into<String>, expected: impl Into<String>) -> Self {
        let cut = text.char_indices().nth(80).map_or(text.len(), |(i, _)| i);
        let ellipsis = if cut < text.len() { "…" } else { "" };
        GameTextError {
            text: format!("{}{ellipsis}", &text[..cut]),
            problem: problem.into(),
            expected: expected.into(),
        }
    }
}

/// One parameter of a game, for lists and help texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name; for the size, which has none, what it looks like (`WxH`).
    pub name: &'static str,
    /// The values it can have.
    pub values: &'static str,
    /// The value it has when it is not given.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The parameters behind the colon, to be taken one by one by the game they are for.
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
    /// Splits the part of `text` behind its first colon; `syntax` is what errors expect.
    ///
    /// # Errors
    ///
    /// If a flag is given twice or a size stands behind a flag.
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
                    return Err(params.error(format!("size {item:?} stands behind a flag")));
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
    /// If the value does not parse; `values` says what would.
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

    /// Takes the value of a flag that has one of a few named values.
    ///
    /// # Errors
    ///
    /// If the value is none of the named ones.
    pub fn choice<T: Copy>(
        &mut self,
        name: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, GameTextError> {
        let Some(value) = self.flag::<String>(name, "")? else { return Ok(None) };
        let found = choices.iter().find(|(text, _)| *text == value);
        let names = || choices.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" or ");
        match found {
            Some(&(_, choice)) => Ok(Some(choice)),
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
pub(crate) struct Canonical {
    text: String,
    separator: char,
}

impl Canonical {
    pub(crate) fn new(name: &str) -> Canonical {
        Canonical { text: name.to_owned(), separator: ':' }
    }

    pub(crate) fn size(mut self, size: impl Display) -> Canonical {
        self.text.push_str(&format!("{}{size}", self.separator));
        self.separator = ',';
        self
    }

    pub(crate) fn flag(self, name: &str, value: impl Display, is_default: bool) -> Canonical {
        if is_default { self } else { self.size(format_args!("{name}={value}")) }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
