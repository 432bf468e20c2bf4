//! Experiments run, continue, and give the same results however often they were interrupted.

use std::sync::atomic::{AtomicBool, Ordering};

use treegraft_lab::{RunOptions, RunWatch, Store, run};
use treegraft_papers::{BudgetMode, Folder, Place, Published, Scale, StudyWatch, Task};
use treegraft_players::Registry;

use super::{catalogue, empty_folder};

/// Runs a study until `is_enough`, which is asked with every number of finished trees or games.
fn run_study(task: &Task, place: &Place, is_enough: impl Fn(u64) -> bool + Sync) -> bool {
    let cancel = AtomicBool::new(false);
    let progress = |done, _| {
        if is_enough(done) {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let watch = StudyWatch { progress: &progress, cancel: &cancel };
    task.run_study(&Registry::standard(), place, watch).unwrap()
}

/// How many parts a study has that are finished one after the other, and how large each is.
fn parts(task: &Task) -> (u64, u64) {
    match task {
        Task::Traps(studies) => (studies.len() as u64, u64::from(studies[0].games)),
        Task::Trees(study, _) => (study.heights.count() as u64, u64::from(study.trees)),
        task => panic!("{task:?}"),
    }
}

/// Studies that are cancelled again and again end with the same file as one that is not.
///
/// What is finished between a wish to end and the end depends on the threads, except that no part is
/// begun: so the ends of parts are the moments whose number is known.
#[test]
fn studies_continue() {
    let registry = Registry::standard();
    let catalogue = catalogue();
    for id in ["weinstein-2012/uniform", "baier-winands-2015/traps"] {
        let entry = catalogue.find(id).unwrap()[0];
        let mode = BudgetMode::Emulated;
        let task = Task::new(entry, Scale::Smoke, mode, &registry, 1).unwrap();
        let (number, size) = parts(&task);
        let whole = Folder::new(empty_folder("whole")).place(entry, Scale::Smoke, mode);
        whole.create().unwrap();
        assert!(run_study(&task, &whole, |_| false), "{id}");
        let part = Folder::new(empty_folder("parts")).place(entry, Scale::Smoke, mode);
        part.create().unwrap();
        assert!(!run_study(&task, &part, |_| true), "{id} was not interrupted in its first part");
        let mut times = 1;
        while !run_study(&task, &part, |done| done.is_multiple_of(size)) {
            times += 1;
            assert!(times < 1000, "{id} never ends");
        }
        assert!(times + 1 >= number, "{id} was interrupted {times} times, with {number} parts");
        let text = |place: &Place| std::fs::read_to_string(place.result()).unwrap();
        assert_eq!(text(&whole), text(&part), "{id}");
        let outcome = task.outcome(entry, &[], &part).unwrap();
        assert!(outcome.is_complete() && !outcome.rows.is_empty());
    }
}

/// A line of a study that was cut off is searched again.
#[test]
fn a_torn_line_is_left_out() {
    let registry = Registry::standard();
    let catalogue = catalogue();
    let entry = catalogue.find("weinstein-2012/binary").unwrap()[0];
    let task = Task::new(entry, Scale::Smoke, BudgetMode::Emulated, &registry, 1).unwrap();
    let place = Folder::new(empty_folder("torn")).place(entry, Scale::Smoke, BudgetMode::Emulated);
    place.create().unwrap();
    assert!(run_study(&task, &place, |_| false));
    let whole = std::fs::read_to_string(place.result()).unwrap();
    let part = place.part(0, "jsonl");
    assert!(!part.exists(), "what is in the result is not kept twice");
    std::fs::remove_file(place.result()).unwrap();
    let (_, size) = parts(&task);
    assert!(!run_study(&task, &place, |done| done == 3 * size));
    let lines = std::fs::read_to_string(&part).unwrap();
    for length in [lines.len() - 1, lines.len() / 2, 10, 0] {
        std::fs::write(&part, &lines[..length]).unwrap();
        let _ = std::fs::remove_file(place.result());
        assert!(run_study(&task, &place, |_| false));
        assert_eq!(std::fs::read_to_string(place.result()).unwrap(), whole, "{length} bytes");
    }
}

/// Games of another scale count where they are the same.
#[test]
fn games_of_another_scale_count() {
    let registry = Registry::standard();
    let catalogue = catalogue();
    let entry = catalogue.find("baier-winands-2015/sanity").unwrap()[0];
    let mode = BudgetMode::Emulated;
    let long = Task::new(entry, Scale::Long, mode, &registry, 1).unwrap();
    let quick = Task::new(entry, Scale::Quick, mode, &registry, 1).unwrap();
    assert!(quick.planned() < long.planned());
    let folder = Folder::new(empty_folder("scales"));
    let [at_quick, at_long] = [Scale::Quick, Scale::Long].map(|it| folder.place(entry, it, mode));
    at_long.create().unwrap();
    let committed = Folder::new(super::papers()).place(entry, Scale::Long, mode);
    std::fs::copy(committed.ledger(), at_long.ledger()).unwrap();
    assert!(at_long.is_begun() && !at_quick.is_begun());
    assert!(long.outcome(entry, &[], &at_long).unwrap().is_complete());
    let outcome = quick.outcome(entry, &[], &at_quick).unwrap();
    assert_eq!(outcome.done, quick.planned());
    // Smoke has other budgets, so it shares nothing.
    let smoke = Task::new(entry, Scale::Smoke, mode, &registry, 1).unwrap();
    let at_smoke = folder.place(entry, Scale::Smoke, mode);
    assert_eq!(smoke.outcome(entry, &[], &at_smoke).unwrap().done, 0);
}

/// Games of a ledger and of a store count together, each once.
#[test]
fn a_ledger_and_a_store_together() {
    let registry = Registry::standard();
    let catalogue = catalogue();
    let entry = catalogue.find("baier-2018/ic-500").unwrap()[0];
    let (scale, mode) = (Scale::Smoke, BudgetMode::Emulated);
    let task = Task::new(entry, scale, mode, &registry, 1).unwrap();
    let Task::Games(loaded) = &task else { panic!("{task:?}") };
    let place = Folder::new(empty_folder("both")).place(entry, scale, mode);
    place.create().unwrap();
    assert!(!place.is_begun());
    let play = |pairs: &[treegraft_lab::PlannedPair]| {
        let mut store = Store::open_or_create(&place.store(), &loaded.text).unwrap();
        let options = RunOptions {
            jobs: 1,
            stop: None,
            mix_versions: false,
            record: false,
            experiment: &loaded.text,
            revision: "",
        };
        run(&registry, pairs, &mut store, options, RunWatch::default()).unwrap();
        store
    };
    let published: Vec<&Published> =
        catalogue.paper("baier-2018").unwrap().published_of(entry).collect();
    let outcome = || task.outcome(entry, &published, &place).unwrap();
    assert_eq!((outcome().done, outcome().planned), (0, 3));
    let store = play(&loaded.pairs[..1]);
    assert_eq!(outcome().done, 1);
    // The store becomes a ledger, and the rest is played into another store.
    let games = store.games().unwrap();
    let sessions = store.sessions().unwrap();
    drop(store);
    let ledger = treegraft_lab::Ledger::new(
        &registry,
        std::path::Path::new(""),
        loaded.text.clone(),
        sessions,
        games,
    );
    let mut bytes = Vec::new();
    ledger.unwrap().write(&mut bytes).unwrap();
    std::fs::write(place.ledger(), bytes).unwrap();
    std::fs::remove_file(place.store()).unwrap();
    play(&loaded.pairs[1..]);
    assert!(outcome().is_complete());
    // Even if a pair is in both.
    play(&loaded.pairs);
    let outcome = outcome();
    assert_eq!((outcome.done, outcome.planned), (3, 3));
    // A row for each pairing and one for each player.
    assert_eq!(outcome.rows.len(), 6);
}
