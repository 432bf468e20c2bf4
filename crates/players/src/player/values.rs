//! One option of a player: its name, what it can be, and the field it stands for.

use std::time::Duration;

use treegraft::Budget;
use treegraft::rollout::{AtVisits, Prior};

use super::{Eval, Setting};
use crate::error::{Complaint, nearest, one_of, shorten};

/// An option of players with the choices `T`.
pub(super) struct Opt<T: 'static> {
    pub(super) name: &'static str,
    pub(super) kind: Kind<T>,
    pub(super) meaning: &'static str,
    /// The paper it comes from; empty if it needs none.
    pub(super) source: &'static str,
}

/// What an option can be, and where it is kept.
pub(super) enum Kind<T: 'static> {
    /// `name`, `name=true` or `name=false`.
    Flag(fn(&mut T) -> &mut bool),
    /// A number.
    Count { field: fn(&mut T) -> &mut u32, min: u32, max: u32 },
    /// A number or `off`; the name alone stands for `alone`, where there is such a number.
    Limit { field: fn(&mut T) -> &mut Option<u32>, min: u32, max: u32, alone: Option<u32> },
    /// A number with a fraction.
    Number { field: fn(&mut T) -> &mut f64, min: f64, max: f64 },
    /// A number with a fraction, or `auto`.
    Real { field: fn(&mut T) -> &mut Option<f64>, min: f64, max: f64 },
    /// A number with a fraction, or `off`; the name alone stands for `alone`.
    Share { field: fn(&mut T) -> &mut Option<f64>, min: f64, max: f64, alone: f64 },
    /// Numbers of real visits and of those to be given, or `off`; the name alone stands for `alone`.
    Prior { field: fn(&mut T) -> &mut Option<Prior>, alone: Prior },
    /// A depth, `best` or `off`.
    Depth(fn(&mut T) -> &mut Setting<u32>),
    /// A depth and a number of visits, `best` or `off`.
    DepthAtVisits(fn(&mut T) -> &mut Setting<AtVisits>),
    /// A time, written like that of a budget.
    Time { field: fn(&mut T) -> &mut Duration, min: Duration, max: Duration },
    /// One of some words.
    Choice(Choice<T>),
    /// The name of an evaluation, `none` or `auto`.
    Eval(fn(&mut T) -> &mut Eval),
}

/// One of some words.
pub(super) struct Choice<T: 'static> {
    pub(super) words: &'static [&'static str],
    /// Other spellings of the words.
    pub(super) also: &'static [(&'static str, &'static str)],
    /// The number of the current word.
    pub(super) get: fn(&T) -> usize,
    pub(super) set: fn(&mut T, usize),
    pub(super) form: Form,
}

/// How a choice is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `name=word`.
    Named,
    /// The word alone will do.
    Word,
    /// The word alone will do, and is always written: it belongs to the label.
    Always,
}

impl<T: Clone> Opt<T> {
    /// The values the option can have, for lists and errors.
    pub(super) fn values(&self) -> String {
        match &self.kind {
            Kind::Flag(_) => "true or false".to_owned(),
            Kind::Count { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Limit { min, max, .. } => format!("a whole number from {min} to {max}, or off"),
            Kind::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Kind::Real { min, max, .. } => format!("a number from {min} to {max}, or auto"),
            Kind::Share { min, max, .. } => format!("a number from {min} to {max}, or off"),
            Kind::Prior { .. } => {
                format!("VISITS:WEIGHT, from 0:1 to {MOST_VISITS}:{MOST_WEIGHT}, or off")
            }
            Kind::Depth(_) => format!("a whole number from 1 to {DEEPEST}, best, or off"),
            Kind::DepthAtVisits(_) => {
                format!("DEPTH:VISITS, from 1:0 to {DEEPEST}:{MOST_VISITS}, best, or off")
            }
            Kind::Time { min, max, .. } => {
                format!("a time from {} to {}", Budget::time(*min), Budget::time(*max))
            }
            Kind::Choice(choice) => one_of(choice.words),
            Kind::Eval(_) => "the name of an evaluation of the game, none, or auto".to_owned(),
        }
    }

    /// The value it has, as it is written.
    pub(super) fn value(&self, choices: &T) -> String {
        // Fields are reached through `&mut`: one accessor for reading and writing.
        let choices = &mut choices.clone();
        match &self.kind {
            Kind::Flag(field) => field(choices).to_string(),
            Kind::Count { field, .. } => field(choices).to_string(),
            Kind::Limit { field, .. } => {
                field(choices).map_or_else(|| "off".to_owned(), |n| n.to_string())
            }
            Kind::Number { field, .. } => field(choices).to_string(),
            Kind::Real { field, .. } => {
                field(choices).map_or_else(|| "auto".to_owned(), |x| x.to_string())
            }
            Kind::Share { field, .. } => {
                field(choices).map_or_else(|| "off".to_owned(), |x| x.to_string())
            }
            Kind::Prior { field, .. } => match field(choices) {
                None => "off".to_owned(),
                Some(Prior { visits, weight }) => format!("{visits}:{weight}"),
            },
            Kind::Depth(field) => setting_text(*field(choices), |depth| depth.to_string()),
            Kind::DepthAtVisits(field) => {
                setting_text(*field(choices), |AtVisits { depth, visits }| {
                    format!("{depth}:{visits}")
                })
            }
            Kind::Time { field, .. } => Budget::time(*field(choices)).to_string(),
            Kind::Choice(choice) => choice.words[(choice.get)(choices)].to_owned(),
            Kind::Eval(field) => match field(choices) {
                Eval::Usual => "auto".to_owned(),
                Eval::Nothing => "none".to_owned(),
                Eval::Named(name) => name.clone(),
            },
        }
    }

    /// How a player writes it.
    pub(super) fn item(&self, choices: &T) -> String {
        let value = self.value(choices);
        match &self.kind {
            Kind::Flag(_) if value == "true" => self.name.to_owned(),
            Kind::Choice(choice) if choice.form != Form::Named => value,
            _ => format!("{}={value}", self.name),
        }
    }

    /// Whether it is written even when it has its default.
    pub(super) fn is_always_written(&self) -> bool {
        matches!(&self.kind, Kind::Choice(choice) if choice.form == Form::Always)
    }

    /// Whether this word without a name is a value of this option.
    pub(super) fn has_word(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Choice(choice)
            if choice.form != Form::Named && choice.find(word).is_some())
    }

    /// The words that may stand for it.
    pub(super) fn words(&self) -> &'static [&'static str] {
        match &self.kind {
            Kind::Choice(choice) if choice.form != Form::Named => choice.words,
            _ => &[],
        }
    }

    /// Gives it a value; `None` if the name stood alone.
    pub(super) fn set(&self, choices: &mut T, value: Option<&str>) -> Result<(), Complaint> {
        let Some(value) = value else { return self.set_alone(choices) };
        let wrong = || {
            let meant = match &self.kind {
                Kind::Choice(choice) => nearest(value, choice.words.iter().copied()),
                _ => None,
            };
            let meant = meant.map_or_else(String::new, |m| format!(" (did you mean {m}?)"));
            let problem = format!("{} is {:?}{meant}", self.name, shorten(value));
            Complaint::new(problem, format!("{} ({})", self.values(), self.meaning))
        };
        match &self.kind {
            Kind::Flag(field) => *field(choices) = value.parse().map_err(|_| wrong())?,
            Kind::Count { field, min, max } => {
                *field(choices) = whole(value, *min, *max).ok_or_else(wrong)?;
            }
            Kind::Limit { field, min, max, .. } => {
                *field(choices) = match value {
                    "off" => None,
                    _ => Some(whole(value, *min, *max).ok_or_else(wrong)?),
                };
            }
            Kind::Number { field, min, max } => {
                *field(choices) = real(value, *min, *max).ok_or_else(wrong)?;
            }
            Kind::Real { field, min, max } => {
                *field(choices) = match value {
                    "auto" => None,
                    _ => Some(real(value, *min, *max).ok_or_else(wrong)?),
                };
            }
            Kind::Share { field, min, max, .. } => {
                *field(choices) = match value {
                    "off" => None,
                    _ => Some(real(value, *min, *max).ok_or_else(wrong)?),
                };
            }
            Kind::Prior { field, .. } => {
                *field(choices) = match value {
                    "off" => None,
                    _ => Some(prior(value).ok_or_else(wrong)?),
                };
            }
            Kind::Depth(field) => {
                *field(choices) = setting(value, depth).ok_or_else(wrong)?;
            }
            Kind::DepthAtVisits(field) => {
                *field(choices) = setting(value, depth_at_visits).ok_or_else(wrong)?;
            }
            Kind::Time { field, min, max } => {
                *field(choices) = time(value, *min, *max).ok_or_else(wrong)?;
            }
            Kind::Choice(choice) => {
                (choice.set)(choices, choice.find(value).ok_or_else(wrong)?);
            }
            Kind::Eval(field) => {
                *field(choices) = match value {
                    "auto" => Eval::Usual,
                    "none" => Eval::Nothing,
                    _ if is_name(value) => Eval::Named(value.to_owned()),
                    _ => return Err(wrong()),
                };
            }
        }
        Ok(())
    }

    fn set_alone(&self, choices: &mut T) -> Result<(), Complaint> {
        match &self.kind {
            Kind::Flag(field) => *field(choices) = true,
            Kind::Limit { field, alone: Some(number), .. } => *field(choices) = Some(*number),
            Kind::Share { field, alone, .. } => *field(choices) = Some(*alone),
            Kind::Prior { field, alone } => *field(choices) = Some(*alone),
            Kind::Depth(field) => *field(choices) = Setting::Best,
            Kind::DepthAtVisits(field) => *field(choices) = Setting::Best,
            _ => {
                let problem = format!("{} has no value", self.name);
                return Err(Complaint::new(problem, format!("{}={}", self.name, self.values())));
            }
        }
        Ok(())
    }
}

impl<T> Choice<T> {
    /// The number of a word.
    fn find(&self, word: &str) -> Option<usize> {
        let other = self.also.iter().find(|(other, _)| *other == word);
        let word = other.map_or(word, |&(_, usual)| usual);
        self.words.iter().position(|&known| known == word)
    }
}

/// The deepest search inside a simulation. Nothing deeper ends in a lifetime.
pub(super) const DEEPEST: u32 = 100;
const MOST_VISITS: u32 = 1_000_000;
const MOST_WEIGHT: u16 = u16::MAX;

fn setting_text<V>(setting: Setting<V>, text: impl Fn(V) -> String) -> String {
    match setting {
        Setting::Off => "off".to_owned(),
        Setting::Best => "best".to_owned(),
        Setting::Is(value) => text(value),
    }
}

fn setting<V>(text: &str, read: impl Fn(&str) -> Option<V>) -> Option<Setting<V>> {
    match text {
        "off" => Some(Setting::Off),
        "best" => Some(Setting::Best),
        _ => read(text).map(Setting::Is),
    }
}

fn depth(text: &str) -> Option<u32> {
    whole(text, 1, DEEPEST)
}

fn depth_at_visits(text: &str) -> Option<AtVisits> {
    let (before, visits) = text.split_once(':')?;
    Some(AtVisits { depth: depth(before)?, visits: whole(visits, 0, MOST_VISITS)? })
}

fn prior(text: &str) -> Option<Prior> {
    let (visits, weight) = text.split_once(':')?;
    let weight = whole(weight, 1, u32::from(MOST_WEIGHT))?;
    Some(Prior { visits: whole(visits, 0, MOST_VISITS)?, weight: u16::try_from(weight).ok()? })
}

/// Digits only: `u32::from_str` would also take `+7`.
pub(crate) fn whole(text: &str, min: u32, max: u32) -> Option<u32> {
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|n| plain && (min..=max).contains(n))
}

pub(crate) fn real(text: &str, min: f64, max: f64) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    // Adding zero makes -0 the 0 that it is written as.
    (min..=max).contains(&number).then_some(number + 0.0)
}

fn time(text: &str, min: Duration, max: Duration) -> Option<Duration> {
    let budget: Budget = text.parse().ok()?;
    let time = budget.time.filter(|&time| budget == Budget::time(time));
    time.filter(|time| (min..=max).contains(time))
}

/// What an evaluation may be called.
pub(crate) fn is_name(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=40).contains(&text.len()) && text.bytes().all(allowed)
}
