//! Experiment files from outside: what they stand for, and what is said about those that are wrong.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use treegraft_lab::{
    Experiment, LoadedExperiment, Opening, Pair, PairId, Plan, Schedule, Scoring, StopRule,
    estimate, play_pair,
};
use treegraft_players::Board;

use crate::common::{player, registry, start};

fn parse(text: &str) -> Experiment {
    Experiment::parse(text, "test.toml", registry()).unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    Experiment::parse(text, "test.toml", registry()).expect_err(text).to_string()
}

fn ids(plan: &Plan) -> Vec<PairId> {
    plan.pairs().map(|(_, _, pair)| pair.id()).collect()
}

const SMALL: &str = r#"
game = "connect4:5x4"
games = 6
seed = 3
players = ["mcts@20it", "random", { name = "tree", player = "ab" }]
budget = "50nodes"
openings = { random = 2 }
"#;

#[test]
fn the_examples_can_be_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut titles = HashSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let loaded = LoadedExperiment::load(&path, registry());
            let experiment = loaded.unwrap_or_else(|error| panic!("{error}")).experiment;
            let (_, _, pair) = experiment.plan.pairs().next().expect("there is something to play");
            assert!(play_pair(registry(), &pair, None).is_ok(), "{}", path.display());
            assert!(titles.insert(experiment.title));
        }
    }
    assert!(titles.len() >= 3);
}

#[test]
fn a_round_robin_is_everybody_against_everybody_turn_by_turn() {
    let experiment = parse(SMALL);
    assert_eq!((experiment.schedule, experiment.games), (Schedule::RoundRobin, 6));
    assert_eq!((experiment.stop, experiment.scoring), (StopRule::Fixed, Scoring::Games));
    assert_eq!(experiment.title, "test");
    let plan = &experiment.plan;
    let names: Vec<[&str; 2]> =
        plan.pairings.iter().map(|pairing| pairing.names.each_ref().map(String::as_str)).collect();
    assert_eq!(names, [["mcts@20it", "random"], ["mcts@20it", "tree"], ["random", "tree"]]);
    assert_eq!(plan.pairings[1].players[1].to_string(), "ab@50nodes");
    assert_eq!(plan.len(), 9);
    let order: Vec<(usize, u64)> = plan.pairs().map(|(index, number, _)| (index, number)).collect();
    assert_eq!(order[..4], [(0, 0), (1, 0), (2, 0), (0, 1)]);
    assert_eq!(order.len(), 9);
    for (index, number, pair) in plan.pairs() {
        assert_eq!(pair, plan.pairings[index].pair(number));
        assert!(pair.players.iter().all(|text| player(text).is_repeatable()));
        assert!(plan.pairings[index].is_repeatable());
    }
}

#[test]
fn pairs_have_common_openings_and_their_own_seeds() {
    let plan = parse(SMALL).plan;
    let pairs: Vec<Pair> = plan.pairs().map(|(_, _, pair)| pair).collect();
    let openings: HashSet<String> = pairs.iter().map(|pair| pair.opening.to_string()).collect();
    assert_eq!(openings.len(), 3);
    assert!(pairs[..3].iter().all(|pair| pair.opening == pairs[0].opening));
    let seeds: HashSet<u64> = pairs.iter().map(|pair| pair.seed).collect();
    assert_eq!(seeds.len(), 9);
    assert_eq!(ids(&plan).iter().collect::<HashSet<_>>().len(), 9);
}

#[test]
fn what_was_played_stays_played_when_the_file_grows() {
    let before: HashSet<PairId> = ids(&parse(SMALL).plan).into_iter().collect();
    let after = |from: &str, to: &str| -> HashSet<PairId> {
        assert!(SMALL.contains(from));
        ids(&parse(&SMALL.replace(from, to)).plan).into_iter().collect()
    };
    let more_games = after("games = 6", "games = 20");
    assert_eq!((more_games.len(), more_games.is_superset(&before)), (30, true));
    let more_players = after("\"random\",", "\"random\", \"greedy\",");
    assert_eq!((more_players.len(), more_players.is_superset(&before)), (18, true));
    let more_kinds = after("\"connect4:5x4\"", "[\"connect4\", \"connect4:5x4\"]");
    assert_eq!((more_kinds.len(), more_kinds.is_superset(&before)), (18, true));
    assert_eq!(after("\"tree\"", "\"another name\""), before);
    assert_eq!(
        after("seed = 3", "title = \"x\"\nseed = 3\nstop = { sprt = { elo1 = 9 } }"),
        before
    );
    for (from, to) in [("seed = 3", "seed = 4"), ("random = 2", "random = 3"), ("5x4", "5x5")] {
        assert!(after(from, to).is_disjoint(&before), "{to}");
    }
    // Written down: otherwise a run of an earlier version could not be continued.
    let first = parse(SMALL).plan.pairings[0].pair(0);
    assert_eq!(first.id().to_string(), "de4a03a2c6d2dce42c425fcd000d2f0d", "{first:?}");
}

#[test]
fn schedules() {
    let players =
        "game = \"connect4\"\ngames = 2\nplayers = [\"random\", \"greedy\", \"ab@9nodes\"]\n";
    let names = |rest: &str| -> Vec<String> {
        let plan = parse(&format!("{players}{rest}")).plan;
        plan.pairings.iter().map(|pairing| pairing.names.join(" - ")).collect()
    };
    let gauntlet = names("baseline = \"greedy\"");
    assert_eq!(gauntlet, ["random - greedy", "ab@9nodes - greedy"]);
    assert_eq!(names("schedule = \"gauntlet\"\nbaseline = \"ab@9e0nodes\"").len(), 2);
    assert_eq!(names("budget = \"9nodes\"\nbaseline = \"ab\"").len(), 2);
    assert_eq!(names("schedule = \"round-robin\"").len(), 3);
    let list = names("pairings = [[\"ab@9e0nodes\", \"random\"], [\"random\", \"greedy\"]]");
    assert_eq!(list, ["ab@9nodes - random", "random - greedy"]);
    let two = players.replace(", \"greedy\"", "");
    assert_eq!(parse(&format!("{two}schedule = \"pairing\"")).plan.len(), 1);
}

#[test]
fn a_sweep_is_every_combination_against_every_opponent() {
    let sweep = |rest: &str| parse(&format!("game = \"connect4\"\ngames = 2\n[sweep]\n{rest}"));
    let experiment = sweep(
        r#"
        player = "mcts(c={c})@{n}it"
        against = ["mcts-solver@{n}it", "random"]
        grid = { c = "0.2..0.6 step 0.2", n = [10, 20] }"#,
    );
    assert_eq!(experiment.schedule, Schedule::Sweep);
    let plan = experiment.plan;
    assert_eq!(plan.pairings.len(), 12);
    let third = &plan.pairings[2];
    assert_eq!(third.names, ["mcts(c=0.2)@20it", "mcts-solver@20it"]);
    let parameters = [("c", "0.2"), ("n", "20")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    assert_eq!(third.parameters, parameters);
    let inline = sweep(
        "player = \"mcts(c={c = [0.2, 0.4, 0.6]})@{n = [10, 20]}it\"\n\
         against = [\"mcts-solver@{n}it\", \"random\"]",
    );
    assert_eq!(inline.plan, plan);
}

#[test]
fn openings_come_from_a_file_in_turn() {
    let folder = Folder::new("openings");
    let write = |moves: &str| fs::write(folder.0.join("list.txt"), moves).unwrap();
    let text = "game = \"connect4\"\ngames = 8\nplayers = [\"random\", \"greedy\"]\n\
                openings = { file = \"list.txt\" }\n";
    fs::write(folder.0.join("run.toml"), text).unwrap();
    let load = || {
        let loaded = LoadedExperiment::load(&folder.0.join("run.toml"), registry());
        loaded.map(|loaded| loaded.experiment)
    };
    write("# three openings\n44\n\n  1 2 3  # comment\n7,7\n");
    let plan = load().unwrap().plan;
    let openings: Vec<String> = plan.pairs().map(|(_, _, pair)| pair.opening.to_string()).collect();
    assert_eq!(openings, ["moves 4 4", "moves 1 2 3", "moves 7 7", "moves 4 4"]);
    let rows = play_pair(registry(), &plan.pairings[0].pair(1), None).unwrap();
    assert!(rows.iter().all(|row| row.moves.starts_with("1 2 3 ") && row.opening_plies == 3));

    write("4 4\n\n  1 9 # no such column\n");
    let error = load().unwrap_err().to_string();
    assert!(error.contains("list.txt:3:3: connect4: the opening \"1 9\" cannot"), "{error}");
    assert!(error.ends_with("3 |   1 9 # no such column\n  |   ^^^"), "{error}");
    write("1 2 1 2 1 2 1\n");
    assert!(load().unwrap_err().to_string().contains("ends the game"));
    write("# nothing\n");
    assert!(load().unwrap_err().to_string().contains("there are no openings"));
    fs::remove_file(folder.0.join("list.txt")).unwrap();
    let error = load().unwrap_err().to_string();
    assert!(
        error.contains("run.toml:4:21: ") && error.contains("list.txt cannot be read"),
        "{error}"
    );
}

#[test]
fn generated_openings_are_different_positions() {
    let text = "game = \"loa\"\ngames = 400\nplayers = [\"random\", \"greedy\"]\n";
    let plan =
        |openings: &str| parse(&format!("{text}openings = {{ generated = {openings} }}")).plan;
    let moves = |plan: &Plan| -> Vec<String> {
        let moves = |pair: Pair| match pair.opening {
            Opening::Moves(moves) => moves,
            other => panic!("{other}"),
        };
        plan.pairs().map(|(_, _, pair)| moves(pair)).collect()
    };
    let usual = moves(&plan("{}"));
    assert_eq!(usual[..100], usual[100..]);
    let position = |moves: &String| -> Board {
        let mut game = start("loa").playthrough();
        game.play_text(moves).unwrap();
        assert_eq!((game.moves().len(), game.ending()), (3, None));
        game.position().clone()
    };
    let positions: HashSet<Board> = usual[..100].iter().map(position).collect();
    assert_eq!(positions.len(), 100);
    assert_eq!(moves(&plan("{ count = 100, plies = 3, seed = 1 }")), usual);
    assert_ne!(moves(&plan("{ seed = 2 }")), usual);
    let few = error(&format!("{text}openings.generated = {{ plies = 1 }}"));
    assert!(few.contains("only 36 different positions") && few.contains("expected 100"), "{few}");
}

#[test]
fn boards_of_kalah_are_shared_by_all_pairings() {
    let text = |game: &str| {
        format!(
            "game = \"{game}\"\ngames = 8\nplayers = [\"random\", \"greedy\", \"ab@9nodes\"]\n\
             openings = \"kalah-boards\"\nscoring = \"pairs\"\n"
        )
    };
    for game in ["kalah", "kalah:4,3,capture-empty=false"] {
        let experiment = parse(&text(game));
        assert_eq!(experiment.scoring, Scoring::Pairs);
        let pairs: Vec<Pair> = experiment.plan.pairs().map(|(_, _, pair)| pair).collect();
        let boards: HashSet<&str> = pairs.iter().map(|pair| pair.game.as_str()).collect();
        assert_eq!(boards.len(), 4);
        assert!(pairs[..3].iter().all(|pair| pair.game == pairs[0].game));
        for board in boards {
            assert!(board.contains("random-start="));
            assert_eq!(start(board).text(), board);
        }
        assert!(play_pair(registry(), &pairs[0], None).is_ok());
    }
    for game in ["connect4", "kalah:random-start=1"] {
        assert!(error(&text(game)).contains("kalah-boards are for kalah without random-start"));
    }
}

#[test]
fn errors_say_where_and_what() {
    let shown = error("game = \"connect4\"\npalyers = []\ngames = 20\n");
    assert_eq!(
        shown,
        "test.toml:2:1: unknown field `palyers`, expected one of `title`, `game`, `players`, \
         `budget`, `schedule`, `baseline`, `pairings`, `games`, `seed`, `scoring`, `openings`, `stop`, \
         `adjudicate`, `record`, `sweep` (did you mean `players`?)\n  |\n2 | palyers = []\n  | ^^^^^^^"
    );
}

/// A file with one mistake: the line it is said to be in, and a part of what is said.
#[test]
fn every_mistake_is_found_in_its_line() {
    let good = "game = \"connect4\"\ngames = 4\nplayers = [\n  \"random\",\n  \"mcts@9it\",\n]\nseed = 1\n";
    parse(good);
    for (from, to, line, says) in [
        ("connect4", "conect4", 1, "there is no such game"),
        ("\"connect4\"", "[\"connect4\", \"connect4:7x6\"]", 1, "given twice"),
        ("\"connect4\"", "[]", 0, "nothing to play"),
        ("\"connect4\"", "3", 1, "expected a text or a list of texts"),
        ("game = \"connect4\"", "", 0, "missing field `game`"),
        ("games = 4", "games = 5", 2, "expected an even number"),
        ("games = 4", "games = 0", 2, "expected an even number"),
        ("games = 4", "games = -4", 2, "expected a whole number"),
        ("games = 4", "games = \"many\"", 2, "expected a whole number"),
        ("mcts@9it", "mtcs@9it", 5, "did you mean mcts"),
        ("mcts@9it", "ab(eval=stones)@9plies", 5, "in connect4: player"),
        ("mcts@9it", "random", 5, "two players \"random\""),
        ("\"mcts@9it\"", "{ name = \"x\", player = \"random\" }", 5, "same player"),
        ("\"mcts@9it\"", "{ name = \"\", player = \"mcts@1it\" }", 5, "name is empty"),
        ("\"mcts@9it\"", "{ nmae = \"x\", player = \"mcts\" }", 5, "did you mean `name`"),
        ("\"mcts@9it\"", "7", 5, "expected a player such as"),
        ("  \"mcts@9it\",\n", "", 3, "number of players is 1; expected at least two"),
        ("seed = 1", "seed = -1", 7, "expected a whole number"),
        ("seed = 1", "budget = \"9 apples\"", 7, "budget \"9 apples\""),
        ("seed = 1", "schedule = \"swiss\"", 7, "expected one of `pairing`, `gauntlet`"),
        ("seed = 1", "schedule = \"gauntlet\"", 0, "needs a baseline"),
        ("seed = 1", "baseline = \"randon\"", 7, "did you mean \"random\"?"),
        ("seed = 1", "schedule = \"pairing\"\nbaseline = \"random\"", 8, "belongs to"),
        ("seed = 1", "schedule = \"list\"", 0, "a list needs pairings"),
        ("seed = 1", "pairings = []", 0, "a list needs pairings"),
        ("seed = 1", "pairings = [[\"random\", \"radnom\"]]", 7, "did you mean \"random\"?"),
        ("seed = 1", "pairings = [[\"random\", \"random\"]]", 7, "meets itself"),
        ("seed = 1", "schedule = \"pairing\"\npairings = [[\"a\", \"b\"]]", 8, "belongs to"),
        ("seed = 1", "pairings = [[\"random\"]]", 7, ""),
        ("seed = 1", "schedule = \"sweep\"", 3, "players belongs to other schedules"),
        ("seed = 1", "[sweep]\nplayer = \"ab\"\nagainst = \"ab\"", 3, "players belongs to other"),
        ("seed = 1", "scoring = \"goals\"", 7, "expected `games` or `pairs`"),
        ("seed = 1", "record = \"thinkign\"", 7, "expected `none` or `thinking` (did you"),
        ("seed = 1", "record = true", 7, ""),
        ("seed = 1", "openings = { radnom = 2 }", 7, "did you mean `random`"),
        ("seed = 1", "openings = { random = 2, file = \"x\" }", 7, "exactly one key"),
        ("seed = 1", "openings = { random = 42 }", 7, "openings of 42 plies"),
        ("seed = 1", "openings = { file = \"missing.txt\" }", 7, "missing.txt cannot be read"),
        ("seed = 1", "openings = { generated = { cuont = 3 } }", 7, "did you mean `count`"),
        ("seed = 1", "openings = { generated = { count = 0 } }", 7, "count is 0"),
        ("seed = 1", "openings = \"kalah-boards\"", 7, "for kalah"),
        ("seed = 1", "stop = \"never\"", 7, "expected `fixed` or `sprt`"),
        ("seed = 1", "[stop.sprt]\nelo0 = 5\nelo1 = 5", 7, "expected elo0 below elo1"),
        ("seed = 1", "stop.sprt = { elo1 = 5, alpha = 0.5 }", 7, "an error rate is 0.5"),
        ("seed = 1", "stop.sprt = { elo1 = 5, gamma = 1 }", 7, "unknown field `gamma`"),
        ("seed = 1", "stop.sprt = { elo0 = 5 }", 7, "missing field `elo1`"),
        ("seed = 1", "[adjudicate]\nmax-plies = 0", 8, "expected at least 1"),
        ("seed = 1", "openings.random = 9\nadjudicate.max-plies = 9", 7, "up to 9 moves"),
        ("seed = 1", "seed = 1\nseed = 2", 8, "duplicate key"),
        ("seed = 1", "seed = = 1", 7, ""),
    ] {
        assert!(good.contains(from), "{from}");
        check(&good.replace(from, to), line, says);
    }
}

#[test]
fn every_mistake_in_a_sweep_is_found_in_its_line() {
    let good = "game = \"connect4\"\ngames = 4\n[sweep]\nplayer = \"mcts(c={c})@9it\"\n\
                against = \"random\"\ngrid.c = [1, 2]\n";
    parse(good);
    for (from, to, line, says) in [
        ("{c}", "{d}", 4, "d has no values"),
        ("{c}", "{c", 4, "not closed"),
        ("{c}", "1", 6, "c is used in no player"),
        ("{c}", "{c = [3]}", 4, "values twice"),
        ("[1, 2]", "[1, 1]", 6, "value 2 of c is 1"),
        ("[1, 2]", "[1, '1.0']", 4, "c=1 and c=1.0 are the same players"),
        ("[1, 2]", "[1, 200]", 4, "c is \"200\"; expected a number from 0 to 100"),
        ("[1, 2]", "[]", 6, "no values"),
        ("[1, 2]", "[[1]]", 6, "expected a number or a text"),
        ("[1, 2]", "7", 6, "expected values such as"),
        ("[1, 2]", "\"1..2\"", 6, "not a list of values"),
        ("against = \"random\"", "agianst = \"random\"", 5, "did you mean `against`"),
        ("against = \"random\"", "", 3, "missing field `against`"),
        ("\"random\"", "[]", 0, "expected a game and players"),
        ("\"random\"", "\"randmo\"", 5, "did you mean random"),
        (
            "games = 4",
            "games = 4\nschedule = \"round-robin\"",
            4,
            "belongs to schedule = \"sweep\"",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        check(&good.replace(from, to), line, says);
    }
    check("game = \"connect4\"\ngames = 4\nschedule = \"sweep\"", 0, "needs a table [sweep]");
}

/// `line` is 0 for what stands nowhere.
fn check(text: &str, line: usize, says: &str) {
    let error = Experiment::parse(text, "test.toml", registry()).expect_err(text);
    let found = error.place.as_ref().map_or(0, |place| place.line);
    assert!(error.message.contains(says), "{says:?} is not said:\n{text}\n{error}");
    assert_eq!(found, line, "{text}\n{error}");
    assert!(error.to_string().starts_with("test.toml:"));
}

#[test]
fn an_estimate_is_quick_and_not_absurd() {
    let begun = Instant::now();
    let clocked = "game = \"connect4\"\ngames = 100\nplayers = [\"mcts@100ms\", \"random\"]";
    let seconds = estimate(registry(), &parse(clocked).plan).seconds_one_core;
    assert!((60.0..240.0).contains(&seconds), "{seconds}");
    let plan = |games: u32, work: &str| {
        let players = format!("[\"mcts@{work}\", \"ab@{work}\"]");
        parse(&format!("game = \"connect4\"\ngames = {games}\nplayers = {players}")).plan
    };
    let few = estimate(registry(), &plan(2, "1e12nodes,1MiB"));
    assert!(few.is_complete && few.seconds_one_core > 1e5, "{few:?}");
    let tiny = estimate(registry(), &plan(2, "10nodes,1MiB"));
    assert!(tiny.seconds_one_core > 0.0 && tiny.seconds_one_core < 1.0, "{tiny:?}");
    assert!(begun.elapsed().as_secs() < 20);
}

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("treegraft-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Large plans: players are written as text once, not in every pair.
#[test]
fn pairs_cost_little_beside_the_texts_of_players() {
    let text = "game = \"connect4\"\ngames = 2000\n\
                players = [\"mcts-ip-m(c=0.7)@1000it,1MiB\", \"mcts-ab(c=0.3)@2s,5MiB\"]\n\
                openings = { random = 2 }\n";
    let plan = parse(text).plan;
    let pairing = &plan.pairings[0];
    let time = |work: &dyn Fn() -> usize| {
        let begun = std::time::Instant::now();
        assert_eq!(work(), 1000);
        begun.elapsed()
    };
    let least = |work: &dyn Fn() -> usize| (0..3).map(|_| time(work)).min().expect("three");
    let together = least(&|| plan.pairs().collect::<Vec<_>>().len());
    let one_by_one =
        least(&|| (0..1000).map(|number| pairing.pair(number)).collect::<Vec<_>>().len());
    assert!(together * 2 < one_by_one, "{together:?}, one by one {one_by_one:?}");
    let pairs = plan.pairs().map(|(_, number, pair)| (number, pair));
    assert!(pairs.take(100).all(|(number, pair)| pair == pairing.pair(number)));
}
