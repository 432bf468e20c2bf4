//! Programs of others at the board: good ones play, bad ones lose, and none is left behind.

mod foreign;
mod real;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use treegraft::{Outcome, Reason, Side};
use treegraft_engine::{Fault, FaultKind, seat};
use treegraft_lab::{
    GameEnd, GameError, GameRecord, Match, Opening, Terms, Watch, play_game, run_match,
};
use treegraft_players::{Player, Registry, Search};

/// One at a time: the tests count the processes that are left.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Examples are built beside the tests.
fn bad_engine() -> String {
    let mut path = std::env::current_exe().expect("a test is a file");
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("bad_engine{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "{} is missing: cargo build -p treegraft-lab --examples",
        path.display()
    );
    path.to_str().expect("a path in UTF-8").to_owned()
}

fn player(text: &str) -> Player {
    Registry::standard().player(text).unwrap_or_else(|error| panic!("{error}"))
}

fn engine(mode: &str, patience: &str, budget: &str) -> Player {
    engine_of("tgp", mode, patience, &format!("@{budget}"))
}

/// The bad engine with a protocol; the budget has its `@`.
fn engine_of(protocol: &str, mode: &str, patience: &str, budget: &str) -> Player {
    let command = format!("'{}' {mode} {} {protocol}", bad_engine(), sleep());
    player(&format!("engine(patience={patience}):{protocol}:\"{command}\"{budget}"))
}

/// The seconds that children of the program in one mode sleep: no other program sleeps as long.
fn sleep() -> String {
    format!("600.{}", std::process::id())
}

/// Two players at a board.
struct Pairing {
    game: &'static str,
    players: [Player; 2],
    opening: Opening,
}

fn connect4(a: Player, b: &str) -> Pairing {
    Pairing { game: "connect4", players: [a, player(b)], opening: Opening::None }
}

impl Pairing {
    /// Plays game 0, in which the first player is first, or 1.
    fn play(&self, number: u8, cancel: Option<&AtomicBool>) -> Result<GameRecord, GameError> {
        let registry = Registry::standard();
        let start = registry.start(self.game).unwrap();
        let [a, b] = &self.players;
        let sides = if number == 0 { [a, b] } else { [b, a] };
        let mut seats = sides.map(|player| seat(&registry, &start, player).unwrap());
        let [first, second] = &mut seats;
        let budgets = sides.map(|player| player.budget);
        let terms = Terms { budgets, seed: 3 + u64::from(number), cancel, ..Terms::default() };
        let opening = self.opening.play(&start.playthrough())?;
        play_game(opening, [&mut **first, &mut **second], terms)
    }
}

/// What is left of the programs: children of this process, zombies too, and the children of one
/// mode, which are known by what they were called with.
#[cfg(target_os = "linux")]
fn now_running() -> Vec<String> {
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let read = |file: &str| std::fs::read_to_string(entry.path().join(file));
        let (Ok(stat), Ok(called)) = (read("stat"), read("cmdline")) else { continue };
        // pid (name) state parent …
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        if parent == Some(&own) || called.split('\0').any(|word| word == sleep()) {
            found.push(format!("{stat} {called}"));
        }
    }
    found
}

#[cfg(not(target_os = "linux"))]
fn now_running() -> Vec<String> {
    Vec::new()
}

/// The same, after what was killed has had the time to end: on a busy machine that takes a moment.
fn left_behind() -> Vec<String> {
    let end = Instant::now() + Duration::from_secs(2);
    loop {
        let found = now_running();
        if found.is_empty() || Instant::now() >= end {
            return found;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Plays both games of a pair against a random player; the verdicts of the bad one.
fn verdicts(bad: &Player) -> [Fault; 2] {
    verdicts_in("connect4", bad)
}

fn verdicts_in(game: &'static str, bad: &Player) -> [Fault; 2] {
    let pairing = Pairing { game, ..connect4(bad.clone(), "random") };
    [(0, Side::First), (1, Side::Second)].map(|(number, side)| {
        let record = pairing.play(number, None).unwrap();
        let GameEnd::Fault(at_fault, fault) = record.end else {
            panic!("{bad}: {:?}", record.end);
        };
        assert_eq!((at_fault, record.outcome), (side, Outcome::Win(side.other())), "{bad}");
        let before = match fault.kind {
            // At the first request, or never.
            FaultKind::NoStart => usize::from(side == Side::Second && !bad_command(bad)),
            _ => 2 + side.index(),
        };
        assert_eq!(record.moves.len(), before, "{bad}");
        fault
    })
}

/// Whether there is not even a program.
fn bad_command(player: &Player) -> bool {
    matches!(&player.search, Search::Engine(engine) if !PathBuf::from(&engine.command[0]).exists())
}

/// What becomes of bad engines, and that nothing is left of them.
fn check_verdicts(game: &'static str, expected: &[(Player, FaultKind, &str)]) {
    // Most of the time is spent waiting: all at once.
    std::thread::scope(|scope| {
        for (bad, kind, said) in expected {
            scope.spawn(move || {
                let begun = Instant::now();
                for fault in verdicts_in(game, bad) {
                    assert_eq!(fault.kind, *kind, "{bad}: {fault}");
                    assert!(fault.detail.contains(said), "{bad}: {fault}");
                }
                let took = begun.elapsed();
                assert!(took < Duration::from_secs(20), "{bad}: {took:?}");
            });
        }
    });
    assert_eq!(left_behind(), [""; 0]);
}

#[test]
fn the_scripted_bad_engine_gets_the_right_verdict() {
    let _alone = alone();
    let expected = [
        ("mute", FaultKind::NoStart, "no tgpok within 300 ms", "300ms", "10it"),
        ("dies", FaultKind::NoStart, "exit status: 3) and said \"no licence\"", "60s", "10it"),
        ("refuses", FaultKind::NoStart, "it says \"error I know no games\"", "60s", "10it"),
        ("crash", FaultKind::Crash, "said \"assertion failed: the king is there\"", "60s", "1s"),
        ("stall", FaultKind::Stall, "no move within 1", "1s", "10it"),
        ("stall", FaultKind::Stall, "no move within 1", "1s", "300ms"),
        ("illegal", FaultKind::IllegalMove, "move \"8\": ", "60s", "10it"),
        ("nothing", FaultKind::Garbage, "\"bestmove\"; expected bestmove MOVE", "60s", "10it"),
        ("not-utf8", FaultKind::Garbage, "not UTF-8", "60s", "10it"),
        ("endless", FaultKind::Flood, "a line of more than 65536 bytes", "60s", "10it"),
        ("flood", FaultKind::Flood, "more than 1048576 bytes", "60s", "10it"),
        ("late", FaultKind::Late, "the limit was 415 ms", "60s", "300ms"),
        ("leaves", FaultKind::Crash, "it ended (exit status: 7)", "60s", "10it"),
        ("double", FaultKind::Garbage, "although no move was requested", "60s", "10it"),
        ("gives-up", FaultKind::Garbage, "it says \"error I resign\"", "60s", "10it"),
    ];
    check_verdicts(
        "connect4",
        &expected.map(|(mode, kind, said, patience, budget)| {
            (engine(mode, patience, budget), kind, said)
        }),
    );
    let [fault, _] = verdicts(&player("engine:\"/nowhere/to/be-found --at all\"@10it"));
    assert_eq!(fault.kind, FaultKind::NoStart);
    assert!(fault.detail.starts_with("\"/nowhere/to/be-found\" cannot be started: "), "{fault}");
}

#[test]
fn good_engines_play_to_the_end() {
    let _alone = alone();
    for mode in ["good", "chatter", "stubborn", "parent", "nursery"] {
        let begun = Instant::now();
        for budget in ["10it", "1s"] {
            let record = connect4(engine(mode, "60s", budget), "random").play(0, None).unwrap();
            assert_eq!(record.end, GameEnd::Rules(Reason::Rules), "{mode}");
            assert!(record.moves.len() >= 7, "{mode}");
        }
        // Who does not want to end is ended.
        assert!(begun.elapsed() < Duration::from_secs(10), "{mode}: {:?}", begun.elapsed());
        assert_eq!(left_behind(), [""; 0], "{mode}");
    }
}

/// A program that is started by a script, whose other children end with it.
#[cfg(unix)]
#[test]
fn what_a_script_starts_ends_with_the_game() {
    let _alone = alone();
    let script = format!("sleep {} >/dev/null 2>&1 & {} good", sleep(), bad_engine());
    let text = format!("engine:\"sh -c '{script}'\"@10it");
    let record = connect4(player(&text), "random").play(0, None).unwrap();
    assert_eq!(record.end, GameEnd::Rules(Reason::Rules));
    assert_eq!(left_behind(), [""; 0]);
}

/// What this process has open: its threads and descriptors.
#[cfg(target_os = "linux")]
fn open() -> [usize; 2] {
    ["task", "fd"].map(|kind| std::fs::read_dir(format!("/proc/self/{kind}")).unwrap().count())
}

#[cfg(target_os = "linux")]
#[test]
fn threads_and_descriptors_do_not_grow_with_the_games() {
    let _alone = alone();
    let registry = Registry::standard();
    let start = registry.start("connect4").unwrap();
    let play = |mode: &str, seconds: &str| {
        let command = format!("'{}' {mode} {seconds}", bad_engine());
        let engine = player(&format!("engine:\"{command}\"@10it"));
        let mut seats = [&engine, &player("random")].map(|p| seat(&registry, &start, p).unwrap());
        let [first, second] = &mut seats;
        let terms = Terms { max_plies: Some(4), ..Terms::default() };
        play_game(start.playthrough(), [&mut **first, &mut **second], terms).unwrap();
    };
    play("good", "0");
    let before = open();
    let begun = Instant::now();
    (0..200).for_each(|_| play("good", "0"));
    // These hold the pipes, and cannot be ended; they sleep for long enough to be seen.
    (0..20).for_each(|_| play("escapee", "12"));
    let took = begun.elapsed();
    // Threads of other tests of this program may come and go.
    let after = open();
    assert!(after.iter().zip(before).all(|(after, before)| *after <= before + 8), "{after:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

const HOST: &str = "TREEGRAFT_TEST_HOST";

/// Not a test of its own: a program with an engine that does not end by itself, to be killed.
#[test]
#[ignore = "what the test below starts, in cargo xtask test and test-long"]
fn host() {
    let Some(seconds) = std::env::var_os(HOST) else { return };
    let command = format!("'{}' stubborn {}", bad_engine(), seconds.to_str().unwrap());
    let engine = player(&format!("engine:\"{command}\"@10it"));
    let registry = Registry::standard();
    let mut seat = seat(&registry, &registry.start("connect4").unwrap(), &engine).unwrap();
    seat.new_game().unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_killed_leaves_no_engine_behind() {
    let _alone = alone();
    let mut host = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "host", "--ignored"])
        .env(HOST, sleep())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // The engine and its child are called with the same number.
    let called_so = || now_running().iter().filter(|found| found.contains(&sleep())).count();
    let comes_true = |is_true: &dyn Fn() -> bool| {
        let end = Instant::now() + Duration::from_secs(10);
        while !is_true() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        is_true()
    };
    let has_begun = comes_true(&|| called_so() >= 2);
    host.kill().unwrap();
    host.wait().unwrap();
    assert!(has_begun, "no engine");
    assert!(comes_true(&|| called_so() == 0), "{:?}", left_behind());
}

#[test]
fn a_match_goes_on_after_faults() {
    let _alone = alone();
    let registry = Registry::standard();
    let start = registry.start("connect4").unwrap();
    let setup = Match::new(start, player("random"), player("random"));
    let setup = Match { games: 6, jobs: 2, ..setup };
    let crash = engine("crash", "60s", "10it");
    let result =
        run_match(&registry, &Match { a: crash, ..setup.clone() }, Watch::default()).unwrap();
    assert_eq!((result.losses, result.games, result.complete), (6, 6, true));
    let good = engine("good", "60s", "10it");
    let result = run_match(&registry, &Match { b: good, ..setup }, Watch::default()).unwrap();
    assert_eq!((result.games, result.complete), (6, true));
    assert_eq!(left_behind(), [""; 0]);
}

#[test]
fn a_wait_can_be_cancelled() {
    let _alone = alone();
    for mode in ["mute", "stall"] {
        let cancel = AtomicBool::new(false);
        let begun = Instant::now();
        let played = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                cancel.store(true, Ordering::Relaxed);
            });
            connect4(engine(mode, "60s", "10it"), "random").play(0, Some(&cancel))
        });
        assert_eq!(played.err(), Some(GameError::Cancelled), "{mode}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{mode}");
        assert_eq!(left_behind(), [""; 0], "{mode}");
    }
}

#[test]
fn programs_of_others_are_not_repeatable() {
    assert!(player("mcts@5it").is_repeatable() && player("random").is_repeatable());
    assert!(!player("mcts@5ms").is_repeatable() && !player("mcts").is_repeatable());
    assert!(!player("engine:cat@5it").is_repeatable());
}

/// The engine of the documentation, if there is a Python to run it.
#[test]
fn the_example_in_python_plays() {
    let _alone = alone();
    let python = std::process::Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no python3");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/engines/random_connect4.py");
    let text = format!("engine:\"python3 '{script}'\"@10it");
    let mut pairing = connect4(player(&text), "random");
    pairing.opening = Opening::Random { plies: 2, seed: 3 };
    for number in 0..2 {
        let record = pairing.play(number, None).unwrap();
        assert_eq!(record.end, GameEnd::Rules(Reason::Rules));
        // The seed is used: the same game again.
        assert_eq!(pairing.play(number, None).unwrap().moves, record.moves);
    }
    assert_eq!(left_behind(), [""; 0]);
}
