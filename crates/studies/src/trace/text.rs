//! Events in words, a line each.

use treegraft::depth_first::Shallow;
use treegraft::observe::{By, Cut, LeafEnd, Phase, What};
use treegraft::{Bounds, Charset, EVAL_ONE, Outcome};
use treegraft_engine::{percent, raw};
use treegraft_pictures::grouped;
use treegraft_players::{Board, MoveIndex};

use super::{Scale, Told, outcome};

/// What stands for the end of the game as a horizon.
const END_OF_GAME: u32 = 1000;

impl Told<'_> {
    /// The number of the event, and indented by its depth the node and what happens there.
    pub(super) fn text(&self, what: &What<MoveIndex>) -> String {
        let indent = "  ".repeat(self.place.depth());
        let node = match self.place.path().collect::<Vec<_>>().join(" ") {
            path if path.is_empty() => "root".to_owned(),
            path => path,
        };
        let words = self.words(what);
        let line = match what {
            What::Deepen { .. } | What::Pass { .. } | What::Line | What::Simulation { .. } => words,
            _ => format!("{node}: {words}"),
        };
        format!("{:>5}  {indent}{line}", self.number)
    }

    fn words(&self, what: &What<MoveIndex>) -> String {
        let place = self.place;
        match what {
            What::Deepen { depth: END_OF_GAME } => {
                "search begins, to the end of the game".to_owned()
            }
            What::Deepen { depth } => format!("search begins, {} deep", plies(*depth)),
            What::Pass { window } => format!("from the root: {}", self.window(*window)),
            What::Enter { window, .. } => self.window(*window),
            What::NullWindow { window } => {
                format!("better than the best so far? null {}", self.window(*window))
            }
            What::Again { window } => {
                format!("it may be: searched again, {}", self.window(*window))
            }
            What::Table { bounds, is_enough } => {
                let then = if *is_enough { "which is enough" } else { "a smaller window" };
                format!("already known: {}, {then}", self.bounds(*bounds))
            }
            What::Leaf { end, value } => self.leaf(*end, *value),
            What::Cut { why, moves } => self.cut(*why, &place.texts(moves)),
            What::Exit { bounds } => format!("found: {}", self.bounds(*bounds)),
            What::Line => "the line of best play is completed".to_owned(),
            What::Rollout { number } => format!("rollout {} begins", grouped(*number)),
            What::Simulation { number } => format!("simulation {} begins", grouped(*number)),
            What::Select { mv, by } => self.select(&place.text(*mv), *by),
            What::Expand { moves } => {
                format!("is expanded: {}", listed(&place.texts(moves)))
            }
            What::Narrow { bounds, depth } => self.narrow(*bounds, *depth),
            What::Decided { outcome } => format!("decided: {}", self.outcome(*outcome)),
            What::Playout { .. } => self.playout(what),
            What::Reward { reward, visits, mean } => {
                let (visits, mean) = (counted(*visits, "visit"), raw(*mean));
                format!("gets the reward {}: {visits}, mean {mean}", raw(*reward))
            }
            What::Minimax { .. } => self.minimax(what),
            What::Priors { values } => {
                let value = |(mv, value): &(MoveIndex, f64)| {
                    format!("{} {}", place.text(*mv), percent(*value))
                };
                let values: Vec<String> = values.iter().map(value).collect();
                format!("virtual visits for its moves: {}", listed(&values))
            }
            What::Channel { channel, value } => {
                format!("{} value {}", channel.words().name, raw(*value))
            }
            What::AlphaBeta { depth, bounds } => {
                let known = self.bounds(*bounds);
                format!("goes on as alpha-beta, {} deep; known: {known}", plies(*depth))
            }
            What::Complete { depth, value } => {
                format!("{} deep it is worth {}", plies(*depth), self.score(*value))
            }
            What::Bonus { mv, visits, winner } => {
                let winner = place.side_name(*winner);
                let wins = grouped(visits.round() as u64);
                format!("bonus: {wins} virtual wins of {winner} for {}", place.text(*mv))
            }
        }
    }

    fn leaf(&self, end: LeafEnd, value: i64) -> String {
        let end = match end {
            LeafEnd::Finished => "the game is over",
            LeafEnd::Foregone => "the end is foregone",
            LeafEnd::Horizon => "the horizon",
        };
        let leaf = match self.leaf {
            Some(leaf) if leaf.is_again => format!("leaf {} again", grouped(leaf.number)),
            Some(leaf) => format!("leaf {}", grouped(leaf.number)),
            None => "a leaf".to_owned(),
        };
        format!("{leaf}, worth {} ({end})", self.score(value))
    }

    fn cut(&self, why: Cut, moves: &[String]) -> String {
        let why = match why {
            Cut::Window => "outside the window, whatever it is worth",
            Cut::Best => "the best possible value is found",
            Cut::KnownChild => "the table knows a move that is good enough",
            Cut::NullMove => "even passing is good enough",
            Cut::MultiCut => "several moves were good enough in a shallower search",
            Cut::Width => "only the first moves count",
            Cut::Glance => "the game says that it cannot matter",
            Cut::Proof => "proven to be no better than what is certain",
        };
        format!("cuts off {}: {why}", listed(moves))
    }

    fn select(&self, mv: &str, by: By) -> String {
        match by {
            By::Window { window, is_doubled } => {
                format!("selects {mv}, {}", self.window_of(window, is_doubled))
            }
            By::Untried => format!("tries {mv}, which is new"),
            By::Confidence { visits, mean } => {
                let mean = mean.map_or(String::new(), |mean| format!(", mean {}", raw(mean)));
                format!("selects {mv} ({}{mean})", counted(visits, "visit"))
            }
        }
    }

    fn narrow(&self, bounds: Bounds, depth: Option<u32>) -> String {
        match (outcome(bounds, self.scale), depth) {
            (Some(outcome), _) => format!("proven: {}", self.outcome(outcome)),
            (None, None) => format!("narrowed: {}", self.bounds(bounds)),
            (None, Some(depth)) => {
                format!("narrowed, {} deep: {}", plies(depth), self.bounds(bounds))
            }
        }
    }

    fn playout(&self, what: &What<MoveIndex>) -> String {
        let What::Playout { reward, plies, moves, depth, strategies } = what else {
            return String::new();
        };
        let length = counted(u64::from(*plies), "move");
        let by = match strategies.as_slice() {
            [] => String::new(),
            names => format!(" by {}", names.join(" and ")),
        };
        let searched = depth.map_or(String::new(), |depth| {
            format!(", each searched for {} deep", self::plies(depth))
        });
        let line = match self.place.position().line_texts(moves) {
            line if line.is_empty() => String::new(),
            line => format!(" ({})", line.join(" ")),
        };
        format!("playout of {length}{by}{searched}{line}: reward {}", raw(*reward))
    }

    fn minimax(&self, what: &What<MoveIndex>) -> String {
        let What::Minimax { phase, depth, asked, found } = what else { return String::new() };
        let question = match phase {
            Phase::Selection => "which moves lose?",
            Phase::Expansion => "which moves win or lose?",
            Phase::Leaf => "is it won?",
            Phase::BackUp => "do other moves win or lose?",
        };
        let place = self.place;
        let one = |(mv, outcome): &(MoveIndex, Outcome)| {
            format!("{}: {}", place.text(*mv), self.outcome(*outcome))
        };
        let answer = match (phase, found.as_slice()) {
            (Phase::Leaf, _) => "it is".to_owned(),
            (_, []) => "nothing found".to_owned(),
            (_, found) => listed(&found.iter().map(one).collect::<Vec<_>>()),
        };
        let asked = match asked.as_slice() {
            [] => String::new(),
            asked => format!(" of {}", counted(asked.len() as u64, "move")),
        };
        format!("minimax search{asked}, {} deep: {question} {answer}", plies(*depth))
    }

    fn outcome(&self, outcome: Outcome) -> String {
        match outcome.winner() {
            Some(winner) => format!("{} wins", self.place.side_name(winner)),
            None => "a draw".to_owned(),
        }
    }

    fn window(&self, window: Bounds) -> String {
        self.window_of(window, false)
    }

    /// The ends are α and β.
    fn window_of(&self, window: Bounds, is_doubled: bool) -> String {
        let end = |end: i64| match is_doubled {
            true => score(end, 2, self.scale, self.charset),
            false => self.score(end),
        };
        format!("window {} to {}", end(window.lo), end(window.hi))
    }

    /// "3", "at least 3", "at most 3", "2 to 3", "anything".
    fn bounds(&self, bounds: Bounds) -> String {
        let text = |value| self.score(value);
        match known_ends(bounds, self.scale) {
            [Some(low), Some(high)] if low == high => text(low),
            [Some(low), Some(high)] => format!("{} to {}", text(low), text(high)),
            [Some(low), None] => format!("at least {}", text(low)),
            [None, Some(high)] => format!("at most {}", text(high)),
            [None, None] => "anything".to_owned(),
        }
    }

    fn score(&self, value: i64) -> String {
        score(value, 1, self.scale, self.charset)
    }
}

/// The ends that say something.
pub(super) fn known_ends(bounds: Bounds, scale: Scale) -> [Option<i64>; 2] {
    if bounds.is_exact() {
        return [Some(bounds.lo); 2];
    }
    let (least, most) = match scale {
        Scale::Margin => (i64::MIN, i64::MAX),
        Scale::Evaluation => (-WIN, WIN),
        Scale::Outcome => (-1, 1),
    };
    let low = Some(bounds.lo).filter(|&low| low > least && low > i64::MIN);
    [low, Some(bounds.hi).filter(|&high| high < most && high < i64::MAX)]
}

/// A won game among evaluations.
const WIN: i64 = Shallow::<Board>::WIN;

/// A score that is multiplied by `factor`.
pub(super) fn score(value: i64, factor: i64, scale: Scale, charset: Charset) -> String {
    let infinity = match charset {
        Charset::Unicode => "∞",
        Charset::Ascii => "inf",
    };
    let win = factor * WIN;
    match scale {
        _ if value == i64::MIN => format!("-{infinity}"),
        _ if value == i64::MAX => format!("+{infinity}"),
        // The other end of a null window.
        _ if value == i64::MIN + 1 => format!("just above -{infinity}"),
        _ if value == i64::MAX - 1 => format!("just below +{infinity}"),
        Scale::Evaluation if value > win => format!("+{infinity}"),
        Scale::Evaluation if value < -win => format!("-{infinity}"),
        Scale::Evaluation if value == win => "win".to_owned(),
        Scale::Evaluation if value == -win => "loss".to_owned(),
        Scale::Evaluation => {
            let value = value as f64 / factor as f64 / f64::from(EVAL_ONE);
            // Half a millionth is the step of FSSS.
            let text = format!("{value:+.7}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Scale::Margin | Scale::Outcome if value % factor == 0 => (value / factor).to_string(),
        Scale::Margin | Scale::Outcome => format!("{:.1}", value as f64 / factor as f64),
    }
}

/// The first ones of many.
fn listed(texts: &[String]) -> String {
    const MOST: usize = 12;
    match texts.len() {
        0..=MOST => texts.join(", "),
        all => format!("{} and {} more", texts[..MOST - 2].join(", "), all - MOST + 2),
    }
}

fn plies(number: u32) -> String {
    counted(u64::from(number), "ply")
}

/// "1 visit", "2 visits", "3 plies".
fn counted(number: u64, what: &str) -> String {
    match (number, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{} {stem}ies", grouped(number)),
        (_, None) => format!("{} {what}s", grouped(number)),
    }
}
