//! A program of your own with every command of `treegraft`: Dots and Boxes, an evaluation with
//! weights, and a search.
//!
//! ```text
//! cargo run --release -p treegraft-cli --example your_program -- match dots mcts-solver@1000it ab@1000nodes --games 20
//! cargo run --release -p treegraft-cli --example your_program -- play dots 'ab(eval=chains)@1s'
//! cargo run --release -p treegraft-cli --example your_program -- match dots flat@2000it random --games 20
//! ```

use std::error::Error;
use std::process::ExitCode;

use treegraft::{
    Canonical, Charset, EVAL_ONE, Evaluate, Evaluator, Exactness, Game, GameInfo, GameTextError,
    Meter, MoveReport, Notation, Outcome, Param, Params, Part, Report, Request, Rng, Searcher,
    Side, Work, legal_moves, random_playout,
};
use treegraft_cli::main_with;
use treegraft_players::{Board, GameEntry, Registry, SearchEntry, bridge};

// ------------------------------------------------------------------ what makes it a program

fn main() -> ExitCode {
    match registry() {
        Ok(registry) => main_with(registry),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn registry() -> Result<Registry, Box<dyn Error>> {
    let mut registry = Registry::standard();
    registry.add_game(GameEntry::with(INFO, Dots::from_text))?;
    let weights = Weights { taken: 100_000, nearly: 40_000, parity: -5_000 };
    registry.add_evaluation(Evaluator::shared("chains", "boxes taken and to take", weights))?;
    registry.add_search(SearchEntry::new("flat", "playouts, no tree", vec![], |setup| {
        Ok(match setup.position::<Dots>() {
            Some(_) => bridge::<Dots, _>(Flat), // compiled for the game: fast
            None => Box::new(Flat),             // through the board: any game
        })
    }))?;
    Ok(registry)
}

// ------------------------------------------------------------------ the game

const INFO: GameInfo = GameInfo {
    syntax: "dots or dots:WxH with 1 to 5 boxes each way, such as dots:2x2",
    params: &[Param {
        name: "WxH",
        values: "columns x rows of boxes, 1 to 5 each",
        default: "3x3",
        meaning: "size of the board",
    }],
    moves: "the two dots that a line joins, a1b1",
    ..GameInfo::new(
        "dots",
        "Draw a line; who completes a box owns it and moves again; most boxes win.",
    )
};

/// Lines that are drawn, a bit each: the horizontal ones row by row, then the vertical ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Dots {
    lines: u64,
    boxes: [u8; 2],
    width: u8,
    height: u8,
    mover: Side,
}

impl Dots {
    /// The canonical text and the start that a text names.
    fn from_text(text: &str) -> Result<(String, Board), GameTextError> {
        let mut params = Params::new(text, INFO.syntax)?;
        let (w, h) = params.width_by_height(1..=5, 1..=5)?.unwrap_or((3, 3));
        params.finish()?;
        let (width, height, mover) = (w as u8, h as u8, Side::First);
        let start = Dots { lines: 0, boxes: [0, 0], width, height, mover };
        let name = Canonical::new(INFO.name);
        let name = if (w, h) == (3, 3) { name } else { name.size(format_args!("{w}x{h}")) };
        Ok((name.finish(), Board::new(start)))
    }

    fn horizontal(&self, column: u8, row: u8) -> u8 {
        row * self.width + column
    }

    fn vertical(&self, column: u8, row: u8) -> u8 {
        self.width * (self.height + 1) + row * (self.width + 1) + column
    }

    fn line_count(&self) -> u8 {
        self.vertical(0, self.height)
    }

    fn is_drawn(&self, line: u8) -> bool {
        self.lines >> line & 1 == 1
    }

    /// For every box, how many of its lines are drawn.
    fn sides(&self) -> impl Iterator<Item = u32> + '_ {
        let boxes =
            (0..self.height).flat_map(|row| (0..self.width).map(move |column| (column, row)));
        boxes.map(|(c, r)| {
            let around = [
                self.horizontal(c, r),
                self.horizontal(c, r + 1),
                self.vertical(c, r),
                self.vertical(c + 1, r),
            ];
            around.into_iter().map(|line| u32::from(self.is_drawn(line))).sum()
        })
    }

    /// The dots at the ends of a line: column and row of each.
    fn ends(&self, line: u8) -> [(u8, u8); 2] {
        if let Some(line) = line.checked_sub(self.vertical(0, 0)) {
            let (c, r) = (line % (self.width + 1), line / (self.width + 1));
            return [(c, r), (c, r + 1)];
        }
        let (c, r) = (line % self.width, line / self.width);
        [(c, r), (c + 1, r)]
    }
}

impl Game for Dots {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend((0..self.line_count()).filter(|&line| !self.is_drawn(line)));
    }

    fn play(&mut self, line: u8) {
        let complete = |dots: &Dots| dots.sides().filter(|&drawn| drawn == 4).count() as u8;
        let before = complete(self);
        self.lines |= 1 << line;
        match complete(self) - before {
            0 => self.mover = self.mover.other(),
            taken => self.boxes[self.mover.index()] += taken, // and moves again
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.margin().map(Outcome::from_margin)
    }

    treegraft::brings!(Exactness, Notation);
}

impl Exactness for Dots {
    fn margin(&self) -> Option<i64> {
        let is_over = self.lines.count_ones() == u32::from(self.line_count());
        is_over.then(|| i64::from(self.boxes[0]) - i64::from(self.boxes[1]))
    }
}

impl Notation for Dots {
    fn move_text(&self, line: u8) -> String {
        self.ends(line).map(|(c, r)| format!("{}{}", (b'a' + c) as char, r + 1)).concat()
    }

    fn diagram(&self, _: Charset) -> String {
        let mut rows = vec![];
        for row in 0..=self.height {
            let mark = |line, drawn: &'static str| if self.is_drawn(line) { drawn } else { "  " };
            let across = (0..self.width).map(|c| mark(self.horizontal(c, row), "--"));
            rows.push(format!("{} +{}+", row + 1, across.collect::<Vec<_>>().join("+")));
            if row < self.height {
                let down: String = (0..=self.width)
                    .map(|c| format!("{:3}", mark(self.vertical(c, row), "|").trim_end()))
                    .collect();
                rows.push(format!("  {}", down.trim_end()));
            }
        }
        let columns = (0..=self.width).map(|c| ((b'a' + c) as char).to_string());
        rows.push(format!("  {}", columns.collect::<Vec<_>>().join("  ")));
        rows.push(format!("  First has {}, Second has {}", self.boxes[0], self.boxes[1]));
        rows.join("\n")
    }
}

// ------------------------------------------------------------------ the evaluation

/// What boxes are worth; could as well come from a file, or be learned.
struct Weights {
    /// A box that is taken.
    taken: i32,
    /// The value of a box with three lines, to the side to move.
    nearly: i32,
    /// The value of a box with two lines, to the side to move: sooner or later one side has to open
    /// it.
    parity: i32,
}

impl Evaluate<Dots> for Weights {
    fn evaluate(&self, dots: &Dots) -> i32 {
        let boxes_with = |lines| dots.sides().filter(|&drawn| drawn == lines).count() as i32;
        let lead = i32::from(dots.boxes[0]) - i32::from(dots.boxes[1]);
        let turn = self.nearly * boxes_with(3) + self.parity * boxes_with(2);
        let value = self.taken * lead + dots.mover.sign() as i32 * turn;
        value.clamp(1 - EVAL_ONE, EVAL_ONE - 1)
    }

    /// What `treegraft eval dots` shows.
    fn parts(&self, dots: &Dots) -> Vec<Part> {
        let to_mover = |lines| {
            let boxes = dots.sides().filter(|&drawn| drawn == lines).count() as u32;
            [Side::First, Side::Second].map(|side| if side == dots.mover { boxes } else { 0 })
        };
        vec![
            Part::new("boxes", dots.boxes, f64::from(self.taken)),
            Part::new("boxes to take", to_mover(3), f64::from(self.nearly)),
            Part::new("boxes with two lines", to_mover(2), f64::from(self.parity)),
        ]
    }
}

// ------------------------------------------------------------------ the search

/// Flat Monte Carlo: playouts of every move in turn, and the move with the best mean.
struct Flat;

impl<G: Game> Searcher<G> for Flat {
    fn search(&mut self, position: &G, request: Request<'_, G::Move>) -> Report<G::Move> {
        let moves = legal_moves(position);
        if moves.is_empty() {
            return Report::of_move(position, None);
        }
        let mut rng = Rng::new(request.seed);
        let mut meter = Meter::start(request);
        let mut work = Work::default();
        let mut sums = vec![(0_u64, 0_i64); moves.len()];
        let stop = loop {
            let at = work.iterations as usize % moves.len();
            let mut end = position.clone();
            end.play(moves[at]);
            let playout = random_playout(&mut end, &mut rng);
            sums[at] = (sums[at].0 + 1, sums[at].1 + playout.outcome.value());
            work.iterations += 1;
            work.evaluations += 1;
            work.playout_plies += u64::from(playout.plies);
            if let Some(stop) = meter.check(&work) {
                break stop;
            }
        };
        work.time = meter.elapsed();
        let sign = position.to_move().sign() as f64;
        let mean = |(visits, sum): (u64, i64)| (visits > 0).then(|| sum as f64 / visits as f64);
        let key = |&at: &usize| mean(sums[at]).map_or(f64::NEG_INFINITY, |mean| sign * mean);
        let best = (0..moves.len()).rev().max_by(|a, b| key(a).total_cmp(&key(b))).unwrap_or(0);
        let about = |(&mv, &sum): (&G::Move, &(u64, i64))| MoveReport {
            visits: sum.0,
            value: mean(sum),
            ..MoveReport::new(mv)
        };
        Report {
            value: mean(sums[best]).unwrap_or(0.0),
            moves: moves.iter().zip(&sums).map(about).collect(),
            work,
            stop,
            ..Report::of_move(position, Some(moves[best]))
        }
    }
}
