//! Every limit is refused with the reason, or spent: all labels, all units, all games.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use treegraft::{Budget, Limit, Request, Stop};
use treegraft_players::{Registry, Start};

/// The limits on work, small ones.
const LIMITS: [(Limit, &str); 4] = [
    (Limit::Iterations, "3it"),
    (Limit::Nodes, "30nodes"),
    (Limit::Evaluations, "3evals"),
    (Limit::Plies, "2plies"),
];

/// How long one of these searches may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Games of all kinds, also one that is over at the next move and one that never is.
const GAMES: [&str; 10] = [
    "connect4",
    "breakthrough",
    "othello:6",
    "lion",
    "hex:5",
    "kalah",
    "loa",
    "tree:(3 5)",
    "nim",
    "shuttle",
];

/// Calls `work` with a flag that is set if it takes too long. Returns whether it was.
fn is_late(work: impl FnOnce(&AtomicBool) + Send) -> bool {
    let cancel = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (done, is_done) = channel();
        let cancel = &cancel;
        scope.spawn(move || {
            work(cancel);
            let _ = done.send(());
        });
        if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            cancel.store(true, Ordering::Relaxed);
        }
    });
    cancel.load(Ordering::Relaxed)
}

/// What becomes of a player's limit in a game: refused, spent, or neither.
#[derive(Debug, PartialEq)]
enum Fate {
    Refused(String),
    Spent,
    Done,
    Unending,
    Wrong(String),
}

fn fate(registry: &Registry, start: &Start, text: &str, limit: Limit) -> Option<Fate> {
    let player = match registry.player(text) {
        Ok(player) => player,
        Err(error) => return Some(Fate::Refused(error.to_string())),
    };
    let without = treegraft_players::Player { budget: Budget::default(), ..player.clone() };
    // What the game cannot serve whatever the budget is another matter.
    registry.can_play(start, &without).ok()?;
    let mut analyst = match registry.searcher(start, &player) {
        Ok(analyst) => analyst,
        Err(error) => return Some(Fate::Refused(error.to_string())),
    };
    let mut stop = None;
    let late = is_late(|cancel| {
        let request = Request { cancel: Some(cancel), ..Request::new(player.budget, 1) };
        stop = Some(analyst.search(start.board(), request).stop);
    });
    Some(match stop.expect("a search was made") {
        _ if late => Fate::Unending,
        Stop::Spent(spent) if spent == limit => Fate::Spent,
        Stop::Done => Fate::Done,
        other => Fate::Wrong(format!("{other:?}")),
    })
}

/// The labels with options that change what they spend.
fn players(registry: &Registry) -> Vec<String> {
    let mut players = Vec::new();
    for info in registry.players() {
        if info.label == "engine" {
            continue;
        }
        players.push(info.label.to_owned());
        let has = |name: &str| info.options.iter().any(|option| option.name == name);
        for option in
            ["eval=none", "scores=margin", "table=false", "deepening=true", "deepening=false"]
        {
            if has(option.split('=').next().expect("a name")) {
                players.push(format!("{}({option})", info.label));
            }
        }
    }
    players
}

#[test]
fn every_limit_is_spent_or_refused() {
    let registry = crate::common::with_own_games(9, treegraft::Side::First);
    let (mut spent, mut refused) = ([0; LIMITS.len()], [0; LIMITS.len()]);
    let begun = Instant::now();
    for game in GAMES {
        let start = crate::common::start(&registry, game);
        for player in players(&registry) {
            for (at, (limit, text)) in LIMITS.into_iter().enumerate() {
                let text = format!("{player}@{text}");
                match fate(&registry, &start, &text, limit) {
                    Some(Fate::Spent) => spent[at] += 1,
                    Some(Fate::Refused(error)) => {
                        // Options that do not go together are refused before the budget is looked at.
                        refused[at] += usize::from(error.contains(limit.name()));
                    }
                    None | Some(Fate::Done) => {}
                    Some(wrong) => panic!("{text} in {game}: {wrong:?}"),
                }
            }
        }
    }
    eprintln!("spent {spent:?}, refused {refused:?} in {:?}", begun.elapsed());
    // Nodes are always spent, but by who does not search.
    assert!(spent.iter().all(|&count| count > 50), "{spent:?}");
    assert!(refused.iter().all(|&count| count > 15), "{refused:?}");
}

/// In words that people can act on.
#[test]
fn what_is_refused_says_why_and_what_would_be_right() {
    let registry = Registry::standard();
    let start = crate::common::start(&registry, "connect4");
    for (text, why) in [
        ("ab@50it", "a limit on iterations: this search deepens ply by ply; expected @1000nodes, "),
        ("ab(eval=none)@100evals", "a limit on evaluations: this search has no evaluation to make"),
        ("ab(scores=margin)@1evals", "a search for margins (scores=margin) makes no evaluations"),
        ("mcts@8plies", "a limit on plies: simulations do not deepen ply by ply"),
        (
            "fsss(deepening=false)@8plies",
            "a limit on plies: this search does not deepen ply by ply",
        ),
        ("alphabeta2@5it", "an iteration of alpha-beta searches the whole tree"),
        ("random@1s", "a limit on time: this player does not search; expected no budget"),
        ("best@3it", "a limit on iterations: this search deepens ply by ply"),
    ] {
        let player = crate::common::player(&registry, text);
        let error = registry.can_play(&start, &player).expect_err(text).to_string();
        assert!(error.contains(why), "{error}");
        let traced = registry.check_trace(&start, &player).err().map(|error| error.to_string());
        assert!(traced.is_some(), "{text} can be traced");
    }
    // Of limits that are given to several searches at once, those count that each of them spends.
    let both: Budget = "100it,200nodes".parse().expect("a budget");
    let of = |text: &str| crate::common::player(&registry, text).budget_or(both).to_string();
    assert_eq!(
        (of("ab"), of("mcts"), of("random")),
        ("200nodes".into(), both.to_string(), String::new())
    );
}

/// To this depth and no deeper, the same as with an option.
#[test]
fn a_limit_on_plies_is_a_depth() {
    let registry = Registry::standard();
    for (label, option) in [("ab", "depth=4"), ("mtd", "depth=4"), ("k-best", "depth=4")] {
        let report = |text: &str| {
            let mut analyst = crate::common::analyst(&registry, "breakthrough", text);
            let budget = crate::common::player(&registry, text).budget;
            analyst.search(&crate::common::board("breakthrough"), Request::new(budget, 1))
        };
        let limited = report(&format!("{label}@4plies"));
        let fixed = report(&format!("{label}({option})"));
        assert_eq!((limited.depth, limited.work.nodes), (4, fixed.work.nodes), "{label}");
        assert_eq!((limited.stop, fixed.stop), (Stop::Spent(Limit::Plies), Stop::Done), "{label}");
        assert_eq!((limited.best_move, limited.digest), (fixed.best_move, fixed.digest), "{label}");
    }
}
