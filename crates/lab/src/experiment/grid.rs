//! Texts with grids: `mcts(c={c = [0.2, 0.4]})@1000it` stands for two texts.

use std::collections::HashSet;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::plan::MAX_PAIRINGS;

/// The values of a parameter, as they are written into a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values(pub(super) Vec<String>);

/// A parameter of a grid, by name, with its values.
pub(super) type Axis = (String, Vec<String>);

const FORM: &str = "{name = [0.2, 0.4]}, {name = 0.0..1.0 step 0.1}, or {name} for a name that \
                    has values elsewhere";

/// Maximum number of combinations.
const MAX_POINTS: usize = MAX_PAIRINGS as usize;

/// A text with parameters: the parts between them, and their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template {
    /// One more than there are names.
    between: Vec<String>,
    names: Vec<String>,
}

impl Template {
    /// Reads a text; the values it gives are added to `axes`.
    pub(super) fn parse(text: &str, axes: &mut Vec<Axis>) -> Result<Template, String> {
        let mut template = Template { between: Vec::new(), names: Vec::new() };
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let (inside, behind) = behind
                .split_once('}')
                .ok_or_else(|| format!("a {{ is not closed; expected {FORM}"))?;
            let (name, values) = match inside.split_once('=') {
                Some((name, values)) => (name.trim(), Some(values.trim())),
                None => (inside.trim(), None),
            };
            let is_word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            if name.is_empty() || !name.chars().all(is_word) {
                return Err(format!("{name:?} is not a name for a parameter; expected {FORM}"));
            }
            if let Some(values) = values {
                add_axis(axes, name, read_values(values)?)?;
            }
            template.between.push(before.to_owned());
            template.names.push(name.to_owned());
            rest = behind;
        }
        template.between.push(rest.to_owned());
        Ok(template)
    }

    /// The parameters, in the order of the text.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The text with values for all parameters.
    pub(super) fn fill(&self, point: &[(String, String)]) -> String {
        let value = |name: &str| point.iter().find(|(known, _)| known == name).map(|(_, v)| v);
        let mut text = self.between[0].clone();
        for (name, between) in self.names.iter().zip(&self.between[1..]) {
            text.push_str(value(name).map_or("", String::as_str));
            text.push_str(between);
        }
        text
    }
}

/// Gives a parameter its values.
pub(super) fn add_axis(
    axes: &mut Vec<Axis>,
    name: &str,
    values: Vec<String>,
) -> Result<(), String> {
    if axes.iter().any(|(known, _)| known == name) {
        return Err(format!("{name} has values twice; expected them once, then {{{name}}}"));
    }
    let mut seen = HashSet::new();
    if let Some((at, twice)) = values.iter().enumerate().find(|(_, value)| !seen.insert(*value)) {
        return Err(format!("value {} of {name} is {twice}, which is already in the list", at + 1));
    }
    axes.push((name.to_owned(), values));
    Ok(())
}

/// All combinations of values, the last parameter running fastest.
pub(super) fn points(axes: &[Axis]) -> Result<Vec<Vec<(String, String)>>, String> {
    let product = axes.iter().try_fold(1usize, |n, (_, values)| n.checked_mul(values.len()));
    if product.is_none_or(|n| n > MAX_POINTS) {
        return Err(format!("the grid has more than {MAX_POINTS} points; expected fewer"));
    }
    let mut points = vec![Vec::new()];
    for (name, values) in axes {
        let longer = |point: Vec<(String, String)>| {
            values.iter().map(move |value| {
                let mut longer = point.clone();
                longer.push((name.clone(), value.clone()));
                longer
            })
        };
        points = points.into_iter().flat_map(longer).collect();
    }
    Ok(points)
}

/// `[a, b, c]` or `from..to step by`.
fn read_values(text: &str) -> Result<Vec<String>, String> {
    if let Some(list) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let values: Vec<String> =
            list.split(',').map(|value| value.trim().trim_matches('\'').to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err(format!("a value in {text:?} is empty; expected {FORM}"));
        }
        return Ok(values);
    }
    read_range(text)
}

/// The numbers from the first to the last, both included, as decimals without rounding errors.
fn read_range(text: &str) -> Result<Vec<String>, String> {
    let form = || format!("{text:?} is not a list of values; expected {FORM}");
    let (from, rest) = text.split_once("..").ok_or_else(form)?;
    let (to, step) = rest.split_once("step").ok_or_else(form)?;
    let [from, to, step] = [from, to, step].map(str::trim);
    let decimals =
        |number: &str| number.split_once('.').map_or(0, |(_, behind)| behind.len()) as u32;
    let digits = [from, to, step].map(decimals).into_iter().max().unwrap_or(0);
    // As whole numbers of the smallest decimal: 0.1 + 0.2 is 0.3 then.
    let scaled = |number: &str| {
        let value: f64 = number.parse().ok()?;
        let scaled = (value * 10f64.powi(digits as i32)).round();
        (digits <= 9 && scaled.abs() < 1e15).then_some(scaled as i64)
    };
    let (Some(from), Some(to), Some(step)) = (scaled(from), scaled(to), scaled(step)) else {
        return Err(form());
    };
    if step <= 0 || from > to {
        return Err(format!(
            "{text:?} has no numbers; expected a step above 0 and an end not below the beginning"
        ));
    }
    if (to - from) / step >= MAX_POINTS as i64 {
        return Err(format!("{text:?} has more than {MAX_POINTS} numbers; expected fewer"));
    }
    let number = |i: i64| (from + i * step) as f64 / 10f64.powi(digits as i32);
    Ok((0..=(to - from) / step).map(|i| number(i).to_string()).collect())
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        deserializer.deserialize_any(ReadValues)
    }
}

struct ReadValues;

impl<'de> Visitor<'de> for ReadValues {
    type Value = Values;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("values such as [0.2, 0.4] or \"0.0..1.0 step 0.1\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Values, E> {
        read_values(text).map(Values).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Values, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element::<toml::Value>()? {
            values.push(match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Float(number) => number.to_string(),
                toml::Value::Boolean(flag) => flag.to_string(),
                other => {
                    let problem = format!("a value is {other}; expected a number or a text");
                    return Err(A::Error::custom(problem));
                }
            });
        }
        if values.is_empty() {
            return Err(A::Error::custom("there are no values; expected at least one"));
        }
        Ok(Values(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(text: &str) -> Result<Vec<String>, String> {
        let mut axes = Vec::new();
        let template = Template::parse(text, &mut axes)?;
        Ok(points(&axes)?.iter().map(|point| template.fill(point)).collect())
    }

    #[test]
    fn grids_expand_to_every_combination() {
        assert_eq!(expand("ab@1s").unwrap(), ["ab@1s"]);
        assert_eq!(
            expand("m(c={c = [0.2, 0.40]})@9it").unwrap(),
            ["m(c=0.2)@9it", "m(c=0.40)@9it"]
        );
        let both = expand("m({k=[1,2]},c={c=0.0..0.3 step 0.1},again={k})").unwrap();
        assert_eq!(both.len(), 8);
        assert_eq!(both[0], "m(1,c=0,again=1)");
        assert_eq!(both[3], "m(1,c=0.3,again=1)");
        assert_eq!(both[4], "m(2,c=0,again=2)");
        assert_eq!(expand("{w = 2..7 step 2}").unwrap(), ["2", "4", "6"]);
        assert_eq!(expand("{w = -1..1 step 0.5}").unwrap(), ["-1", "-0.5", "0", "0.5", "1"]);
        assert_eq!(expand("{w = [wins, 'a']}").unwrap(), ["wins", "a"]);
    }

    #[test]
    fn nonsense_is_refused() {
        for (text, problem) in [
            ("m(c={c = [1]", "not closed"),
            ("{}", "not a name"),
            ("{c = 3}", "not a list of values"),
            ("{c = []}", "empty"),
            ("{c = [1,,2]}", "empty"),
            ("{c = [1, 1]}", "value 2 of c is 1"),
            ("{c = [1]}{c = [2]}", "twice"),
            ("{c = 1..0 step 1}", "no numbers"),
            ("{c = 0..1 step 0}", "no numbers"),
            ("{c = 0..1 step -1}", "no numbers"),
            ("{c = 0..nan step 1}", "not a list"),
            ("{c = 0..inf step 1}", "not a list"),
            ("{c = 0..1e14 step 1}", "more than 100000"),
            ("{a = 0..999 step 1}{b = 0..999 step 1}", "more than 100000"),
        ] {
            let error = expand(text).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
