//! The values of options: how they are written and read.

use std::time::Duration;

use treegraft::{Budget, is_evaluation_name};

use crate::error::{Complaint, meant, one_of, shorten};

/// The value of any option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Flag(bool),
    Whole(u32),
    Number(f64),
    Pair(u32, u32),
    Time(Duration),
    /// One of the words that the option has.
    Word(&'static str),
    /// The name of an evaluation.
    Name(&'a str),
    /// Whatever is best for the game.
    Best,
    /// Off.
    Nothing,
}

/// The values that an option can have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values {
    kind: Kind,
    /// Words for values beyond those of the kind.
    special: &'static [(&'static str, Value<'static>)],
    /// The value that the name of the option alone stands for.
    alone: Option<Value<'static>>,
    /// Other spellings of words.
    also: &'static [(&'static str, &'static str)],
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Flag,
    Whole {
        min: u32,
        max: u32,
    },
    Number {
        min: f64,
        max: f64,
    },
    /// Two whole numbers with a colon between them.
    Pair {
        form: &'static str,
        min: (u32, u32),
        max: (u32, u32),
    },
    /// A time, written as in a budget.
    Time {
        min: Duration,
        max: Duration,
    },
    Words(&'static [&'static str]),
    /// The name of an evaluation.
    Name,
    /// Names of strategies with plus signs between them.
    Names,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `name=value`.
    Named,
    /// The word alone is enough.
    Word,
    /// The word alone is enough, and is always written: it belongs to the label.
    Always,
}

/// The deepest search inside a simulation: a deeper one would take far too long.
const DEEPEST: u32 = 100;
const MAX_VISITS: u32 = 1_000_000;
/// More than any game has ways to choose moves.
const MAX_STRATEGIES: usize = 32;

impl Values {
    /// `true` or `false`; the name alone stands for `true`.
    pub const FLAG: Values = Values { alone: Some(Value::Flag(true)), ..Values::of(Kind::Flag) };

    /// The name of an evaluation, `none`, or `auto` for the game's first.
    pub const EVAL: Values = Values {
        special: &[("none", Value::Nothing), ("auto", Value::Best)],
        ..Values::of(Kind::Name)
    };

    /// Names of strategies, or `off`; the name alone stands for all of them.
    pub(super) const STRATEGIES: Values =
        Values { alone: Some(Value::Name("all")), ..Values::of(Kind::Names).or_off() };

    /// A depth of a search inside simulations, `best` or `off`.
    pub(super) const DEPTH: Values = Values::whole(1, DEEPEST).or_best();

    /// Such a depth and a number of visits, `best` or `off`.
    pub(super) const DEPTH_AT_VISITS: Values =
        Values::pair("DEPTH:VISITS", (1, 0), (DEEPEST, MAX_VISITS)).or_best();

    /// Numbers of real and of virtual visits, or `off`.
    pub(super) const PRIOR: Values =
        Values::pair("VISITS:WEIGHT", (0, 1), (MAX_VISITS, u16::MAX as u32)).or_off();

    const fn of(kind: Kind) -> Values {
        Values { kind, special: &[], alone: None, also: &[], form: Form::Named }
    }

    /// A whole number.
    #[must_use]
    pub const fn whole(min: u32, max: u32) -> Values {
        Values::of(Kind::Whole { min, max })
    }

    /// A depth of a search inside simulations.
    pub(super) const fn depth_from(min: u32) -> Values {
        Values::whole(min, DEEPEST)
    }

    /// A number with a fraction.
    #[must_use]
    pub const fn number(min: f64, max: f64) -> Values {
        Values::of(Kind::Number { min, max })
    }

    const fn pair(form: &'static str, min: (u32, u32), max: (u32, u32)) -> Values {
        Values::of(Kind::Pair { form, min, max })
    }

    pub(super) const fn time(min: Duration, max: Duration) -> Values {
        Values::of(Kind::Time { min, max })
    }

    /// One of some words.
    #[must_use]
    pub const fn words(words: &'static [&'static str]) -> Values {
        Values::of(Kind::Words(words))
    }

    /// The same words, with other spellings.
    pub(super) const fn also(self, also: &'static [(&'static str, &'static str)]) -> Values {
        Values { also, ..self }
    }

    /// The same words, which need no name.
    pub(super) const fn without_name(self) -> Values {
        Values { form: Form::Word, ..self }
    }

    /// The same words, which need no name and are always written.
    pub(super) const fn always_written(self) -> Values {
        Values { form: Form::Always, ..self }
    }

    /// These, or nothing.
    pub(super) const fn or_off(self) -> Values {
        Values { special: &[("off", Value::Nothing)], ..self }
    }

    /// These, or nothing: the usual value for the game.
    pub(super) const fn or_auto(self) -> Values {
        Values { special: &[("auto", Value::Nothing)], ..self }
    }

    /// These, the best for the game (also written as the name alone), or nothing.
    const fn or_best(self) -> Values {
        let special = &[("best", Value::Best), ("off", Value::Nothing)];
        Values { special, alone: Some(Value::Best), ..self }
    }

    /// The same, where the name alone stands for a value.
    pub(super) const fn alone(self, value: Value<'static>) -> Values {
        Values { alone: Some(value), ..self }
    }
}

impl Values {
    /// The values in words, for lists and errors.
    pub(crate) fn describe(&self) -> String {
        let mut text = match &self.kind {
            Kind::Flag => "true or false".to_owned(),
            Kind::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Number { min, max } => format!("a number from {min} to {max}"),
            Kind::Pair { form, min, max } => {
                format!("{form}, from {}:{} to {}:{}", min.0, min.1, max.0, max.1)
            }
            Kind::Time { min, max } => {
                format!("a time from {} to {}", Budget::time(*min), Budget::time(*max))
            }
            Kind::Words(words) => one_of(words),
            Kind::Name => "the name of an evaluation of the game".to_owned(),
            Kind::Names => "all, top3, or different names of evaluations, random, hints, ipp or \
                            mast with + between them"
                .to_owned(),
        };
        for (i, (word, _)) in self.special.iter().enumerate() {
            let is_last = i + 1 == self.special.len();
            text.push_str(if is_last { ", or " } else { ", " });
            text.push_str(word);
        }
        text
    }

    /// Texts to try an option with: values at both ends and between, every word, and what is just past
    /// the ends or no value at all.
    pub(crate) fn samples(&self) -> Vec<String> {
        let mut samples: Vec<String> = match self.kind {
            Kind::Flag => ["true", "false", "yes"].map(str::to_owned).into(),
            Kind::Whole { min, max } => {
                let (min, max) = (i64::from(min), i64::from(max));
                let small = [min - 1, min, min + 1, min + 3, max, max + 1];
                small.map(|number| number.to_string()).into()
            }
            Kind::Number { min, max } => {
                let low = |share: f64| min + (max - min).min(2.0) * share;
                let numbers = [min - 0.001, min, low(0.05), low(0.5), max, max + 0.001];
                numbers.map(|number| number.to_string()).into_iter().chain(["NaN".into()]).collect()
            }
            Kind::Pair { min, max, .. } => {
                let text = |(first, second): (u32, u32)| format!("{first}:{second}");
                let inside = [min, (min.0 + 1, min.1 + 2), max].map(text);
                let past = [format!("{}:{}", max.0, u64::from(max.1) + 1), min.0.to_string()];
                inside.into_iter().chain(past).collect()
            }
            Kind::Time { min, max } => {
                [min, max, max * 2].map(|time| Budget::time(time).to_string()).into()
            }
            Kind::Words(words) => {
                words.iter().copied().chain(["word"]).map(str::to_owned).collect()
            }
            Kind::Name => ["pieces", "tuned", "no-such"].map(str::to_owned).into(),
            Kind::Names => {
                ["all", "top3", "random", "random+mast", "hints+random", "random+random"]
                    .map(str::to_owned)
                    .into()
            }
        };
        samples.extend(self.special.iter().map(|(word, _)| (*word).to_owned()));
        samples
    }

    /// What the name alone stands for, if that needs to be said.
    pub(crate) fn alone_text(&self) -> Option<String> {
        self.alone.filter(|_| !matches!(self.kind, Kind::Flag)).map(|value| self.text(value))
    }

    /// A value as it is written.
    pub(crate) fn text(&self, value: Value<'_>) -> String {
        if let Some((word, _)) = self.special.iter().find(|(_, special)| *special == value) {
            return (*word).to_owned();
        }
        match value {
            Value::Flag(flag) => flag.to_string(),
            Value::Whole(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Pair(first, second) => format!("{first}:{second}"),
            Value::Time(time) => Budget::time(time).to_string(),
            Value::Word(word) => word.to_owned(),
            Value::Name(name) => name.to_owned(),
            Value::Best => "best".to_owned(),
            Value::Nothing => "off".to_owned(),
        }
    }

    /// A value with the name of its option, as players write it.
    pub(crate) fn item(&self, name: &str, value: Value<'_>) -> String {
        match value {
            Value::Flag(true) => name.to_owned(),
            Value::Word(word) if self.form != Form::Named => word.to_owned(),
            _ => format!("{name}={}", self.text(value)),
        }
    }

    /// What a text stands for; `None` if the option cannot have it.
    pub(crate) fn read<'a>(&self, text: &'a str) -> Option<Value<'a>> {
        if let Some((_, value)) = self.special.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        match self.kind {
            Kind::Flag => text.parse().ok().map(Value::Flag),
            Kind::Whole { min, max } => whole(text, min, max).map(Value::Whole),
            Kind::Number { min, max } => real(text, min, max).map(Value::Number),
            Kind::Pair { min, max, .. } => {
                let (first, second) = text.split_once(':')?;
                Some(Value::Pair(whole(first, min.0, max.0)?, whole(second, min.1, max.1)?))
            }
            Kind::Time { min, max } => time(text, min, max).map(Value::Time),
            Kind::Words(words) => {
                let other = self.also.iter().find(|(other, _)| *other == text);
                let text = other.map_or(text, |&(_, usual)| usual);
                words.iter().find(|word| **word == text).map(|word| Value::Word(word))
            }
            Kind::Name => is_evaluation_name(text).then_some(Value::Name(text)),
            Kind::Names => {
                let names: Vec<&str> = text.split('+').collect();
                let is_new = |(i, name): (usize, &&str)| !names[..i].contains(name);
                let are_names = names.iter().all(|name| is_evaluation_name(name));
                let are_new = names.iter().enumerate().all(is_new);
                (are_names && are_new && names.len() <= MAX_STRATEGIES).then_some(Value::Name(text))
            }
        }
    }

    /// The value that an item stands for: `text` follows the name and `=`; `None` if the name is
    /// alone.
    pub(crate) fn read_item<'a>(
        &self,
        name: &str,
        text: Option<&'a str>,
        meaning: &str,
    ) -> Result<Value<'a>, Complaint> {
        match text {
            Some(text) => self.read(text).ok_or_else(|| self.wrong(name, text, meaning)),
            None => self.alone.ok_or_else(|| {
                let problem = format!("{name} has no value");
                Complaint::new(problem, format!("{name}={}", self.describe()))
            }),
        }
    }

    pub(super) fn wrong(&self, name: &str, text: &str, meaning: &str) -> Complaint {
        let meant = match self.kind {
            Kind::Words(words) => meant(text, words),
            _ => String::new(),
        };
        let problem = format!("{name} is {:?}{meant}", shorten(text));
        Complaint::new(problem, format!("{} ({meaning})", self.describe()))
    }

    /// Whether it is written even if it has its default.
    pub(super) fn is_always_written(&self) -> bool {
        self.form == Form::Always
    }

    /// The words that may stand for it without its name.
    pub(super) fn words_without_name(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Words(words) if self.form != Form::Named => words,
            _ => &[],
        }
    }

    /// A word that texts could not hold.
    pub(crate) fn unreadable_word(&self) -> Option<&'static str> {
        let Kind::Words(words) = self.kind else { return None };
        let is_readable =
            |word: &str| !word.is_empty() && word.trim() == word && !word.contains([',', ')', '@']);
        words.iter().copied().find(|word| !is_readable(word))
    }

    /// Whether this word without a name is a value of this option.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.form != Form::Named && self.read(word).is_some()
    }

    #[cfg(test)]
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    #[cfg(test)]
    pub(super) fn special_words(&self) -> Vec<&'static str> {
        self.special.iter().map(|(word, _)| *word).collect()
    }
}

/// Digits only: `u32::from_str` would also take `+7`.
fn whole(text: &str, min: u32, max: u32) -> Option<u32> {
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|n| plain && (min..=max).contains(n))
}

fn real(text: &str, min: f64, max: f64) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    // Adding zero makes -0 the 0 that it is written as.
    (min..=max).contains(&number).then_some(number + 0.0)
}

fn time(text: &str, min: Duration, max: Duration) -> Option<Duration> {
    let budget: Budget = text.parse().ok()?;
    let time = budget.time.filter(|&time| budget == Budget::time(time));
    time.filter(|time| (min..=max).contains(time))
}
