//! A run comes to the same games whatever the number of threads, and stops where it should.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use treegraft_lab::GameResult;
use treegraft_lab::store::Session;
use treegraft_lab::{
    Experiment, GameRow, Opening, PlannedPair, RunError, RunOptions, RunSummary, RunWatch,
    Standing, StopWhen, Store, counted, play_pair, run, standings,
};
use treegraft_stats::Evidence;

use crate::common::registry;
use crate::store_common::{Directory, dump, quick_plan};

/// Runs a plan in a store.
fn play(path: &Path, plan: &[PlannedPair], options: RunOptions<'_>) -> RunSummary {
    let mut store = Store::open_or_create(path, "").expect("a store");
    run(registry(), plan, &mut store, options, RunWatch::default()).expect("a run")
}

fn rows(path: &Path) -> Vec<GameRow> {
    Store::open_read_only(path).expect("a store").rows().expect("rows")
}

#[test]
fn jobs_do_not_matter() {
    let directory = Directory::new();
    let plan = quick_plan(40);
    let results = [1, 2, 8].map(|jobs| {
        let path = directory.file(&format!("{jobs}.db"));
        let summary = play(&path, &plan, RunOptions { jobs, ..RunOptions::default() });
        assert_eq!((summary.planned, summary.found, summary.played), (40, 0, 40));
        assert!(!summary.cancelled);
        let games = Store::open_read_only(&path).expect("a store").games().expect("rows");
        (dump(&games), summary.standings)
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
    // What the summary says is what the rows say.
    let path = directory.file("1.db");
    let rows = rows(&path);
    for (pairing, standing) in results[0].1.iter().enumerate() {
        let [a, _] = &plan[pairing].pair.players;
        let mut wins = 0;
        for row in rows.iter().filter(|row| plan_index(&plan, row) % 2 == pairing) {
            let side = usize::from(row.sides[1].player.split('@').next() == Some(a_label(a)));
            wins += u32::from(i32::from(row.outcome) == 1 - 2 * side as i32);
        }
        assert_eq!(standing.tally.wins, wins);
        assert_eq!((standing.done, standing.counted(), standing.planned), (20, 20, 20));
    }
    // So do the results alone.
    let results_alone = Store::open_read_only(&path).expect("a store").results().expect("results");
    assert_eq!(standings(&results_alone, &plan, None), results[0].1);
    let same = |(result, row): (&GameResult, &GameRow)| {
        (result.pair, result.number, result.outcome) == (row.pair, row.number, row.outcome)
    };
    assert!(results_alone.len() == 80 && results_alone.iter().zip(&rows).all(same));
    let again = play(&path, &plan, RunOptions::default());
    assert_eq!((again.found, again.played), (40, 0));
    let sessions = Store::open_read_only(&path).expect("a store").sessions().expect("sessions");
    assert_eq!(sessions.len(), 1, "a run that plays nothing leaves nothing");
}

fn a_label(player: &str) -> &'static str {
    assert_eq!(player, "mcts-solver@60it");
    "mcts-solver"
}

fn plan_index(plan: &[PlannedPair], row: &GameRow) -> usize {
    plan.iter().position(|planned| planned.pair.id() == row.pair).expect("a pair of the plan")
}

#[test]
fn a_decided_pairing_ends_at_the_same_pair_at_any_number_of_jobs() {
    let directory = Directory::new();
    let plan = quick_plan(400);
    // Pairing 1 is decided when the first player is 10 half points ahead, pairing 0 never.
    let ahead = |pairs: &[u32; 5]| {
        pairs.iter().zip(-2..).map(|(&count, points)| i64::from(count) * points).sum::<i64>()
    };
    let asked =
        |pairing: usize, so_far: &Evidence| pairing == 1 && ahead(&so_far.pairs.counts) >= 10;
    let stop: StopWhen<'_> = &asked;
    // By hand, in the order of the plan.
    let mut pairs = [0; 5];
    let mut decided = 0;
    for PlannedPair { pair, .. } in plan.iter().filter(|planned| planned.pairing == 1) {
        let [first, second] = play_pair(registry(), pair, None).expect("a pair");
        pairs[usize::try_from(2 + first.outcome - second.outcome).expect("0 to 4")] += 1;
        decided += 1;
        if ahead(&pairs) >= 10 {
            break;
        }
    }
    assert!((5..50).contains(&decided), "{decided}");

    for jobs in [1, 2, 8] {
        let path = directory.file(&format!("{jobs}.db"));
        let options = RunOptions { jobs, stop: Some(stop), ..RunOptions::default() };
        let summary = play(&path, &plan, options);
        let Standing { decided: found, pairs: found_pairs, .. } = summary.standings[1];
        assert_eq!((found, found_pairs), (Some(decided), pairs), "{jobs} jobs");
        assert_eq!(summary.standings[0].counted(), 200);
        assert_eq!(summary.standings[0].decided, None);
        assert!(!summary.cancelled);
        let played = summary.standings[1].done;
        // While the disk is being waited for threads run ahead, but not to the end.
        assert!(played >= decided && played < 150, "{jobs} jobs: {played} of {decided}");
        assert_eq!(played + 200, summary.played);
        let rows = rows(&path);
        let counted = counted(&rows, &plan, Some(stop));
        assert_eq!(counted.iter().filter(|pair| pair.pairing == 1).count(), decided);
        assert_eq!(counted.iter().filter(|pair| pair.pairing == 0).count(), 200);
        let order: Vec<usize> =
            counted.iter().map(|pair| plan_index(&plan, pair.rows[0])).collect();
        assert!(order.is_sorted());
        // Continuing plays nothing more.
        let again = play(&path, &plan, options);
        assert_eq!((again.played, again.standings), (0, summary.standings));
    }
}

#[test]
fn with_a_stop_rule_nothing_counts_behind_a_gap() {
    let plan = quick_plan(12);
    let rows: Vec<GameRow> = plan
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != 5)
        .flat_map(|(_, planned)| play_pair(registry(), &planned.pair, None).expect("a pair"))
        .collect();
    let pairings = |stop| -> Vec<usize> {
        let mut counts = vec![0; 2];
        counted(&rows, &plan, stop).iter().for_each(|pair| counts[pair.pairing] += 1);
        counts
    };
    let never: StopWhen<'_> = &|_, _| false;
    assert_eq!(pairings(None), [6, 5]);
    assert_eq!(pairings(Some(never)), [6, 2]);
    // Half a pair does not count, and games of another plan do not.
    let halves: Vec<GameRow> = rows.iter().filter(|row| row.number == 0).cloned().collect();
    assert!(counted(&halves, &plan, None).is_empty());
    assert!(counted(&rows, &[], None).is_empty());
}

#[test]
fn a_cancelled_run_keeps_what_is_finished_and_is_continued() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let plan = quick_plan(200);
    let cancel = AtomicBool::new(false);
    let mut written = HashSet::new();
    let mut store = Store::open_or_create(&path, "").expect("a store");
    let mut look = |progress: &treegraft_lab::RunProgress<'_>| {
        written.extend(progress.written.iter().copied());
        assert_eq!((progress.done, progress.planned), (written.len(), 200));
        if progress.done >= 10 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let watch = RunWatch { progress: Some(&mut look), cancel: Some(&cancel) };
    let options = RunOptions { jobs: 2, ..RunOptions::default() };
    let summary = run(registry(), &plan, &mut store, options, watch).expect("a run");
    assert!(summary.cancelled);
    assert!(summary.played >= 10 && summary.played < 200, "{}", summary.played);
    drop(store);
    let done = Store::open_read_only(&path).expect("a store").pairs_done().expect("pairs");
    assert_eq!(done, written);
    let rest = play(&path, &plan, options);
    assert_eq!((rest.found, rest.found + rest.played, rest.cancelled), (done.len(), 200, false));
}

#[test]
fn a_pair_that_cannot_be_played_ends_the_run() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let mut plan = quick_plan(30);
    plan[20].pair.opening = Opening::Moves("a1a9".to_owned());
    let mut store = Store::open_or_create(&path, "").expect("a store");
    let options = RunOptions { jobs: 1, ..RunOptions::default() };
    let error = run(registry(), &plan, &mut store, options, RunWatch::default()).unwrap_err();
    assert!(matches!(error, RunError::Pair { .. }), "{error}");
    assert!(error.to_string().contains("a1a9"), "{error}");
    assert_eq!(store.pairs_done().expect("pairs").len(), 20, "what was finished is written");
}

#[test]
fn games_of_other_searches_are_not_mixed() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let plan = quick_plan(4);
    let mut store = Store::open_or_create(&path, "").expect("a store");
    let other = Session::here(1, "", "0123456789abcdef".to_owned());
    store.begin_session(&other).expect("a session");
    // Without games it does not matter what began.
    run(registry(), &plan[..2], &mut store, RunOptions::default(), RunWatch::default())
        .expect("a run");
    store.begin_session(&other).expect("a session");
    let rows = play_pair(registry(), &plan[2].pair, None).expect("a pair");
    let setup = serde_json::to_string(&plan[2].pair).expect("JSON");
    store.append(&[treegraft_lab::FinishedPair { setup, rows, thoughts: None }]).expect("room");
    let refused =
        run(registry(), &plan, &mut store, RunOptions::default(), RunWatch::default()).unwrap_err();
    assert!(refused.to_string().contains("0123456789abcdef"), "{refused}");
    let options = RunOptions { mix_versions: true, ..RunOptions::default() };
    let summary = run(registry(), &plan, &mut store, options, RunWatch::default()).expect("a run");
    assert_eq!((summary.found, summary.played), (3, 1));
}

#[test]
fn a_damaged_store_is_not_continued() {
    let directory = Directory::new();
    let path = directory.file("a.db");
    let plan = quick_plan(4);
    play(&path, &plan[..3], RunOptions::default());
    let mut bytes = std::fs::read(&path).expect("a file");
    let text = b"breakthrough:5x5";
    let place = bytes.windows(text.len()).rposition(|window| window == text).expect("a game");
    bytes[place] ^= 1;
    std::fs::write(&path, &bytes).expect("a file");
    let mut store = Store::open_or_create(&path, "").expect("its structure is intact");
    let refused =
        run(registry(), &plan, &mut store, RunOptions::default(), RunWatch::default()).unwrap_err();
    let message = refused.to_string();
    assert!(message.contains("damaged") && message.contains("checksum"), "{message}");
}

#[test]
fn pairings_may_share_their_pairs() {
    let directory = Directory::new();
    let mut plan = quick_plan(8);
    for planned in plan.clone() {
        plan.push(PlannedPair { pairing: planned.pairing + 2, ..planned });
    }
    let summary =
        play(&directory.file("a.db"), &plan, RunOptions { jobs: 2, ..RunOptions::default() });
    assert_eq!((summary.planned, summary.played), (8, 8));
    assert_eq!(summary.standings[0], summary.standings[2]);
    assert_eq!(summary.standings[1], summary.standings[3]);
}

#[test]
fn an_experiment_is_run() {
    let directory = Directory::new();
    let text = "game = \"connect4\"\ngames = 6\nplayers = [\"random\", \"mcts\", \"greedy\"]\n\
                budget = \"20it\"\nopenings = { random = 2 }\nschedule = \"round-robin\"";
    let plan = Experiment::parse(text, "test.toml", registry()).expect("an experiment").plan;
    let summary = play(&directory.file("a.db"), &PlannedPair::all(&plan), RunOptions::default());
    assert_eq!((summary.planned, summary.played, summary.standings.len()), (9, 9, 3));
    assert!(summary.standings.iter().all(|standing| standing.tally.games() == 6));
}
