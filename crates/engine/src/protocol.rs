//! The words that both ends of the protocol share.

use std::io::{self, BufRead, Read};
use std::time::Duration;

use treegraft::{Budget, Work};

/// The version of the protocol.
pub(super) const VERSION: &str = "1";

/// A line that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Its text, without its end.
    Text(String),
    /// It is not UTF-8.
    NotText,
    /// It is longer than allowed; only a part of it has been read.
    TooLong,
    /// There is none.
    End,
}

/// The next line, of at most this many bytes.
pub(super) fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(most as u64 + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
    } else if read > most {
        return Ok(Line::TooLong);
    }
    Ok(String::from_utf8(bytes).map_or(Line::NotText, Line::Text))
}

type Limit = fn(&mut Budget) -> &mut Option<u64>;

/// The limits that a `go` may give, besides the time.
const LIMITS: [(&str, Limit); 5] = [
    ("iterations", |budget| &mut budget.iterations),
    ("nodes", |budget| &mut budget.nodes),
    ("evaluations", |budget| &mut budget.evaluations),
    ("plies", |budget| &mut budget.plies),
    ("memory", |budget| &mut budget.memory),
];

/// The line that requests a move.
pub(super) fn go_line(mut budget: Budget, seed: u64) -> String {
    let mut line = format!("go seed {seed}");
    for (name, limit) in LIMITS {
        if let Some(number) = limit(&mut budget) {
            line.push_str(&format!(" {name} {number}"));
        }
    }
    if let Some(time) = budget.time {
        line.push_str(&format!(" movetime {}", milliseconds(time)));
    }
    line
}

/// The budget and the seed, from what follows `go`.
pub(super) fn parse_go(text: &str) -> Result<(Budget, u64), String> {
    let (mut budget, mut seed) = (Budget::default(), 0);
    let mut words = text.split_whitespace();
    while let Some(name) = words.next() {
        let known = LIMITS.iter().find(|(known, _)| *known == name);
        if known.is_none() && name != "seed" && name != "movetime" {
            return Err(format!(
                "go: there is no limit {name:?}; expected seed, iterations, nodes, evaluations, \
                 plies, memory or movetime"
            ));
        }
        let value = words.next().unwrap_or_default();
        let wrong = |expected: &str| format!("go: {name} is {value:?}; expected {expected}");
        if let Some((_, limit)) = known {
            let number: Option<u64> = value.parse().ok().filter(|&number| number > 0);
            *limit(&mut budget) = Some(number.ok_or_else(|| wrong("a positive whole number"))?);
        } else if name == "seed" {
            seed = value.parse().map_err(|_| wrong("a whole number from 0 to 2^64-1"))?;
        } else {
            let time = parse_milliseconds(value);
            budget.time = Some(time.ok_or_else(|| wrong("a positive number of milliseconds"))?);
        }
    }
    Ok((budget, seed))
}

/// Milliseconds, with a decimal fraction only if needed.
pub(super) fn milliseconds(time: Duration) -> String {
    let us = time.as_micros();
    match us % 1000 {
        0 => (us / 1000).to_string(),
        rest => format!("{}.{rest:03}", us / 1000),
    }
}

fn parse_milliseconds(text: &str) -> Option<Duration> {
    const LONGEST: f64 = 1e16;
    let us = (text.parse::<f64>().ok()? * 1000.0).round();
    (1.0..LONGEST).contains(&us).then(|| Duration::from_micros(us as u64))
}

type Count = fn(&mut Work) -> &mut u64;

/// The counts that an `info` may give.
const COUNTS: [(&str, Count); 7] = [
    ("iterations", |work| &mut work.iterations),
    ("nodes", |work| &mut work.nodes),
    ("evaluations", |work| &mut work.evaluations),
    ("playout-plies", |work| &mut work.playout_plies),
    ("capped-playouts", |work| &mut work.capped_playouts),
    ("transitions", |work| &mut work.transitions),
    ("memory", |work| &mut work.memory),
];

/// What a search has cost, as an `info` says it.
pub(super) fn work_words(mut work: Work) -> String {
    let word = |(name, count): &(&str, Count)| format!("{name} {}", count(&mut work));
    COUNTS.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Notes the counts of an `info`; whatever else it says is ignored.
pub(super) fn note_work(work: &mut Work, text: &str) {
    /// Sums of larger numbers might overflow; no engine can have counted that far.
    const LARGEST: u64 = 1 << 40;
    let words: Vec<&str> = text.split_whitespace().collect();
    for pair in words.windows(2) {
        let known = COUNTS.iter().find(|(name, _)| *name == pair[0]);
        let number = pair[1].parse().ok().filter(|&number| number <= LARGEST);
        if let (Some((_, count)), Some(number)) = (known, number) {
            *count(work) = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_end_and_are_bounded() {
        let mut input = &b"one\r\n\ntwelve bytes\n\xff\nthirteen bytes\nend"[..];
        let mut next = || read_line(&mut input, 12).unwrap();
        let text = |text: &str| Line::Text(text.to_owned());
        for expected in [
            text("one"),
            text(""),
            text("twelve bytes"),
            Line::NotText,
            Line::TooLong,
            text("s"),
            text("end"),
            Line::End,
            Line::End,
        ] {
            assert_eq!(next(), expected);
        }
    }

    #[test]
    fn what_is_no_budget_is_named() {
        for (text, said) in [
            ("depth 3", "no limit \"depth\""),
            ("nodes", "nodes is \"\""),
            ("nodes 0", "nodes is \"0\""),
            ("nodes -5", "nodes is \"-5\""),
            ("movetime 0", "movetime is \"0\""),
            ("movetime inf", "movetime is \"inf\""),
            ("seed x", "seed is \"x\""),
        ] {
            let error = parse_go(text).expect_err(text);
            assert!(error.contains(said), "{error}");
        }
        assert_eq!(parse_go("").unwrap(), (Budget::default(), 0));
        assert_eq!(parse_go("movetime 2.5").unwrap().0, Budget::time(Duration::from_micros(2500)));
    }

    #[test]
    fn work_is_noted_and_nonsense_is_not() {
        let work = Work { iterations: 5, nodes: 6, memory: 1 << 30, ..Work::default() };
        let mut read = Work::default();
        note_work(&mut read, &work_words(work));
        assert_eq!(read, work);
        note_work(&mut read, "nodes nodes 7 pv 3 iterations 18446744073709551615 memory");
        assert_eq!(read, Work { nodes: 7, ..work });
    }

    proptest! {
        #[test]
        fn budgets_are_understood(
            iterations in prop::option::of(1u64..),
            nodes in prop::option::of(1u64..),
            memory in prop::option::of(1u64..),
            micros in prop::option::of(1u64..1 << 50),
            seed in any::<u64>(),
        ) {
            let time = micros.map(Duration::from_micros);
            let budget = Budget { iterations, nodes, memory, time, ..Budget::default() };
            let line = go_line(budget, seed);
            prop_assert_eq!(parse_go(line.strip_prefix("go").unwrap()), Ok((budget, seed)));
        }
    }
}
