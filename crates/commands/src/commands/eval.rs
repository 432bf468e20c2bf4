//! `treegraft eval`: what the evaluations of a game say of a position, and why.

use serde_json::{Value, json};
use treegraft::{Charset, EVAL_ONE, Evaluator, Game, Notation, Part, Playthrough, Side};
use treegraft_engine::{percent, raw};
use treegraft_players::{Board, Start, nearest};

use super::show::result;
use crate::prelude::*;

/// Show what a game's evaluations say of a position, and what they are made of
///
/// All evaluations of the game side by side, or only EVAL: the static estimates that searches use
/// with eval=NAME. Values are from -1 (lost) to 1 (won) for either side, and for the side to move
/// also from 0 % to 100 %. The reward is what a simulation counts for this value, in the view of
/// the side to move: a logistic curve with the slope of the evaluation, or the value itself.
///
/// Below are the parts of each evaluation: how much either side has of something, the lead of the
/// first player, the weight, and the resulting points, positive if they are good for the first
/// player. The value depends only on the sum of the points.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft eval <GAME> [EVAL] [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft eval breakthrough --moves e2e3
  treegraft eval loa efWB
  treegraft eval kalah --moves 3
  treegraft eval othello wpc --moves f5d6 --json")]
pub(crate) struct Eval {
    #[command(flatten)]
    at: PositionArgs,

    /// The evaluation to show, such as efMS [default: all of the game]
    #[arg(value_name = "EVAL")]
    evaluation: Option<String>,

    /// Draw the board with plain ASCII characters
    #[arg(long)]
    ascii: bool,

    /// Print JSON: one object with "evaluations", each with "value" in the view of the player to
    /// move, "value_first" and its parts
    #[arg(long)]
    json: bool,
}

impl Eval {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.at.game)?;
        let evaluators = self.evaluators(registry, &start)?;
        let game = self.at.playthrough(&start)?;
        let position = game.position();
        if let Some(ending) = game.ending() {
            let result = result(position, ending);
            return Err(CliError::new(format!("the game is over: {result}")).hint(
                "fewer moves: only unfinished games are evaluated, the outcome of others is known",
            ));
        }
        let said: Vec<Said> =
            evaluators.into_iter().map(|evaluator| Said::of(evaluator, position)).collect();
        Ok(if self.json {
            self.to_json(start.text(), &game, &said)
        } else {
            self.to_text(start.text(), position, &said)
        })
    }

    /// The selected ones.
    fn evaluators(&self, registry: &Registry, start: &Start) -> Result<Vec<Evaluator<Board>>> {
        let mut evaluators = registry.evaluators(start);
        let game = start.info().name;
        if evaluators.is_empty() {
            return Err(CliError::new(format!("{game} has no evaluations"))
                .hint(format!("`treegraft analyze {} mcts@1s` searches instead", start.text())));
        }
        let Some(name) = &self.evaluation else { return Ok(evaluators) };
        let names: Vec<String> = evaluators.iter().map(|e| e.name.to_string()).collect();
        evaluators.retain(|evaluator| evaluator.name == *name);
        if evaluators.is_empty() {
            let meant = nearest(name, names.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |meant| format!(" (did you mean {meant}?)"));
            return Err(CliError::new(format!("{game} has no evaluation {name:?}{meant}"))
                .hint(format!("{}, or no name for all of them", names.join(", "))));
        }
        Ok(evaluators)
    }

    fn to_json(&self, name: &str, game: &Playthrough<Board>, said: &[Said]) -> Output {
        let position = game.position();
        let mover = position.to_move();
        let evaluations: Vec<Value> = said.iter().map(|said| said.json(mover)).collect();
        let value = json!({
                "game": name,
                "to_move": side_key(mover),
                "side": position.notation().side_name(mover),
                "position": game.position_text(),
                "evaluations": evaluations,
        });
        Output::json("treegraft.eval/1", &value)
    }

    fn to_text(&self, name: &str, position: &Board, said: &[Said]) -> Output {
        let charset = if self.ascii { Charset::Ascii } else { Charset::Unicode };
        let mover = position.to_move();
        let sides = [Side::First, Side::Second].map(|side| position.notation().side_name(side));
        let head = labelled(&[("game", name.to_owned()), turn(position)]);
        let mut text = format!("{}\n\n{head}\n", position.notation().diagram(charset));
        let chance = format!("{} in %", sides[mover.index()]);
        let header = ["evaluation", sides[0], sides[1], &chance, "reward", "points"];
        let row = |said: &Said| {
            let value = said.value();
            [
                said.evaluator.name.to_string(),
                raw(value),
                raw(-value),
                percent(mover.sign() as f64 * value),
                raw(mover.sign() as f64 * said.evaluator.reward(said.units)),
                said.points().map_or("-".to_owned(), signed),
            ]
        };
        text.push_str(&table(header, said.iter().map(row), &[1, 2, 3, 4, 5]));
        for said in said {
            text.push_str(&format!("\n{}", said.text(sides)));
        }
        Output::text(text)
    }
}

/// What an evaluation says.
struct Said {
    evaluator: Evaluator<Board>,
    /// As it is, in the first player's view.
    units: i32,
    parts: Vec<Part>,
}

impl Said {
    fn of(evaluator: Evaluator<Board>, position: &Board) -> Said {
        let (units, parts) = (evaluator.evaluate(position), evaluator.parts(position));
        Said { evaluator, units, parts }
    }

    /// From -1 to 1, in the first player's view.
    fn value(&self) -> f64 {
        f64::from(self.units) / f64::from(EVAL_ONE)
    }

    /// The sum of the parts, if the evaluation reports them.
    fn points(&self) -> Option<f64> {
        (!self.parts.is_empty()).then(|| tidy(Part::sum(&self.parts)))
    }

    fn json(&self, mover: Side) -> Value {
        let sign = mover.sign() as f64;
        let part = |part: &Part| {
            json!({
                "name": part.name,
                "first": tidy(part.amounts[0]),
                "second": tidy(part.amounts[1]),
                "weight": part.weight,
                "points": tidy(part.points()),
            })
        };
        json!({
            "name": self.evaluator.name,
            "about": self.evaluator.about,
            "value": positive_zero(sign * self.value()),
            "value_first": self.value(),
            "slope": self.evaluator.slope,
            "reward": positive_zero(sign * self.evaluator.reward(self.units)),
            "points": self.points(),
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
        })
    }

    /// Its name, what it counts, and its parts with their sum.
    fn text(&self, sides: [&str; 2]) -> String {
        let Evaluator { name, about, slope, .. } = &self.evaluator;
        let mut entries = vec![("", wrap(about))];
        if *slope > 0.0 {
            entries.push(("", format!("reward by the logistic curve with slope {slope}")));
        }
        let mut text = format!("{name}\n{}", labelled(&entries));
        let Some(points) = self.points() else { return text };
        let header = ["part", sides[0], sides[1], "lead", "weight", "points"];
        let row = |part: &Part| {
            let [first, second] = part.amounts.map(number);
            let (lead, points) = (signed(part.lead()), signed(part.points()));
            [part.name.to_string(), first, second, lead, number(part.weight), points]
        };
        let empty = String::new;
        let sum = ["sum".to_owned(), empty(), empty(), empty(), empty(), signed(points)];
        let sum = (self.parts.len() > 1).then_some(sum);
        text.push_str(&table(header, self.parts.iter().map(row).chain(sum), &[1, 2, 3, 4, 5]));
        text
    }
}

/// Without what floats add in the last digits.
fn tidy(number: f64) -> f64 {
    let tidy = (number * 1e9).round() / 1e9;
    positive_zero(if tidy.is_finite() { tidy } else { number })
}

fn positive_zero(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}

/// With three digits after the point at most, and none that say nothing.
fn number(number: f64) -> String {
    let text = format!("{:.3}", tidy(number));
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The same with the sign of a lead.
fn signed(lead: f64) -> String {
    let text = number(lead);
    if text.starts_with('-') || text == "0" { text } else { format!("+{text}") }
}
