//! The sizes of an experiment.

use std::collections::HashSet;
use std::time::Duration;

use treegraft_lab::PlannedPair;
use treegraft_papers::{BudgetMode, Scale, Size, Task, scaled};
use treegraft_players::Registry;

use super::catalogue;

const FILE: &str = r#"
game = "connect4"
games = 10
baseline = "A"
players = [
    { name = "A", player = "mcts-solver@9100it" },
    { name = "B", player = "mcts-mr-2@2800it" },
    { name = "C", player = "ab@500nodes" },
    "random",
]
"#;

const SWEEP: &str = r#"
game = "connect4"
games = 10
[sweep]
player = "mcts(c={c})@100it"
against = ["mcts@200it", "mcts@{n}it"]
grid = { n = [50, 60], c = [0.5, 1.0] }
"#;

fn size(games: u32, budget: f64) -> Size {
    Size { games: Some(games), budget: Some(budget), ..Size::default() }
}

fn text(file: &str, size: &Size, scale: Scale, mode: BudgetMode) -> String {
    scaled(file, size, scale, mode, Duration::from_millis(30)).unwrap()
}

#[test]
fn a_file_at_its_own_size_stays_as_it_is() {
    assert_eq!(text(FILE, &Size::default(), Scale::Long, BudgetMode::Emulated), FILE);
}

#[test]
fn games_and_budgets_are_multiplied() {
    let paper = text(FILE, &size(5000, 10.0), Scale::Paper, BudgetMode::Emulated);
    for part in
        ["games = 5000", "mcts-solver@91000it", "mcts-mr-2@28000it", "ab@5000nodes", "\"random\""]
    {
        assert!(paper.contains(part), "{part} is not in {paper}");
    }
    let sweep = text(SWEEP, &size(20, 3.0), Scale::Paper, BudgetMode::Emulated);
    for part in ["mcts(c={c})@300it", "mcts@600it", "mcts@{n}it", "n = [50, 60]"] {
        assert!(sweep.contains(part), "{part} is not in {sweep}");
    }
    let grid = toml::toml! { c = [0.1, 0.2, 0.3] };
    let more = Size { grid, ..size(20, 1.0) };
    let sweep = text(SWEEP, &more, Scale::Paper, BudgetMode::Emulated);
    assert!(sweep.contains("c = [0.1, 0.2, 0.3]"), "{sweep}");
    // The order of parameters is the order of rows.
    assert!(sweep.find("n = ").unwrap() < sweep.find("c = ").unwrap(), "{sweep}");
}

#[test]
fn equal_budgets_are_those_of_the_baseline() {
    let equal = text(FILE, &size(10, 2.0), Scale::Paper, BudgetMode::Equal);
    for part in ["mcts-solver@18200it", "mcts-mr-2@18200it", "ab@18200nodes"] {
        assert!(equal.contains(part), "{part} is not in {equal}");
    }
    let time = text(FILE, &Size::default(), Scale::Quick, BudgetMode::Time);
    for part in ["mcts-solver@30ms", "mcts-mr-2@30ms", "ab@30ms"] {
        assert!(time.contains(part), "{part} is not in {time}");
    }
}

#[test]
fn smoke_keeps_players_apart() {
    let players = [5000, 1000, 250, 100].map(|n| format!("\"mcts@{n}it\"")).join(", ");
    let file = format!("game = \"connect4\"\ngames = 10\nplayers = [{players}]\n");
    let smoke = text(&file, &size(2, 1.0), Scale::Smoke, BudgetMode::Emulated);
    for budget in ["@32it", "@28it", "@24it", "@20it"] {
        assert!(smoke.contains(budget), "{smoke}");
    }
}

#[test]
fn bad_text_is_an_error() {
    assert!(
        scaled("games = ", &size(2, 1.0), Scale::Smoke, BudgetMode::Emulated, Duration::ZERO)
            .is_err()
    );
}

/// Every experiment can be planned at every scale that it has, with all budgets that it allows.
#[test]
fn every_experiment_can_be_planned() {
    let registry = Registry::standard();
    for entry in catalogue().papers.iter().flat_map(|paper| &paper.entries) {
        // Plans of all games take long to make; other budgets change nothing but players.
        let emulated = Scale::ALL.iter().map(|&scale| (scale, BudgetMode::Emulated));
        let others = [BudgetMode::Equal, BudgetMode::Time].map(|mode| (Scale::Smoke, mode));
        for (scale, mode) in emulated.chain(others).filter(|(scale, _)| *scale != Scale::Paper) {
            let task = Task::new(entry, scale, mode, &registry, 1);
            let is_possible = entry.has(scale) && entry.allows(mode);
            assert_eq!(task.is_ok(), is_possible, "{} {scale} {mode}: {task:?}", entry.name());
            assert!(task.map_or(true, |task| task.planned() > 0));
        }
    }
}

/// What is played at the scale quick is a part of what is played at the scale long, and takes an hour a
/// paper on two processors.
#[test]
fn quick_is_a_part_of_long() {
    let registry = Registry::standard();
    for paper in &catalogue().papers {
        let mut seconds = 0.0;
        for entry in paper.entries.iter().filter(|entry| entry.has(Scale::Quick)) {
            seconds += entry.estimate(Scale::Quick);
            let task = |scale| Task::new(entry, scale, BudgetMode::Emulated, &registry, 1).unwrap();
            let (Task::Games(quick), Task::Games(long)) = (task(Scale::Quick), task(Scale::Long))
            else {
                continue;
            };
            let ids = |pairs: &[PlannedPair]| -> HashSet<_> {
                pairs.iter().map(|pair| pair.pair.id()).collect()
            };
            let (quick, long) = (ids(&quick.pairs), ids(&long.pairs));
            assert!(quick.is_subset(&long), "{}", entry.name());
        }
        assert!(seconds <= 2.0 * 3900.0, "{}: {seconds} s of one processor", paper.id);
    }
}

#[test]
fn names_read_and_write_the_same_text() {
    for &scale in Scale::ALL {
        assert_eq!(scale.to_string().parse(), Ok(scale));
    }
    for &mode in BudgetMode::ALL {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    assert!("huge".parse::<Scale>().unwrap_err().contains("smoke, quick, long, paper"));
}
