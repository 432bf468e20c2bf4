//! Orders that come in floods, too early, or just before the end.

use std::io::ErrorKind;
use std::sync::mpsc;

use super::tests::*;
use super::*;

/// What a test returns, unless that takes too long: what hangs must not hang the tests.
fn in_time<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, result) = mpsc::channel();
    thread::spawn(move || sender.send(test()));
    result.recv_timeout(Duration::from_secs(60)).expect("an end in time")
}

fn answers(protocol: Protocol, on: &str, by: &str, lines: &str) -> Vec<String> {
    let (on, by, lines) = (game(on), player(by), lines.to_owned());
    in_time(move || {
        let mut output = Vec::new();
        serve(&Registry::standard(), &on, &by, protocol, lines.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    })
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

#[test]
fn stop_quit_and_the_end_are_seen_behind_a_flood() {
    let flood = "hello\n".repeat(500);
    for (protocol, go, error) in [
        (Protocol::Uci, "go infinite", "info string error: there is no command"),
        (Protocol::Tgp, "go movetime 600000", "error there is no command"),
    ] {
        for end in ["stop\n", "quit\n", "stop\nquit\n"] {
            let orders = format!("position startpos\n{go}\n{flood}{end}");
            let lines = answers(protocol, "hex:5", "mcts@1MiB", &orders);
            assert_eq!(count(&lines, "bestmove "), 1, "{end}");
            assert_eq!(count(&lines, error), 500, "{end}");
        }
    }
    let orders = format!("go infinite\n{flood}");
    let lines = answers(Protocol::Uci, "hex:5", "mcts@1MiB", &orders);
    assert_eq!(count(&lines, "bestmove "), 1);
}

#[test]
fn orders_that_need_too_much_memory_are_refused() {
    let long = "x".repeat(LINE_BYTES - 10);
    for (protocol, lost) in [(Protocol::Uci, "no position"), (Protocol::Tgp, "no game")] {
        let long = long.clone();
        let (refused, after) = in_time(move || {
            let mut server = Server::speaking(protocol, "hex:5", "mcts@1MiB");
            server.say("position startpos\ngo movetime 600000");
            (0..20).for_each(|_| server.say(&long));
            server.best_move("stop");
            let said: Vec<String> = (0..17).map(|_| server.hear()).collect();
            (said[16].clone(), server.answer("go"))
        });
        assert!(refused.contains("too many orders are waiting; 4 are lost"), "{refused}");
        // It may have been one of those.
        assert!(after.contains(lost), "{after}");
    }
    // In GTP every command is answered.
    let orders =
        format!("time_settings 0 1 1\ngenmove b\n{}name\n", format!("{long}\n").repeat(20));
    let lines = answers(Protocol::Gtp, "hex:5", "mcts@1MiB", &orders);
    assert_eq!(count(&lines, "? unknown command"), 20);
    assert_eq!(lines[lines.len() - 2..], ["= Treegraft", ""]);
}

#[test]
fn the_end_of_the_input_waits_for_searches_with_limits() {
    let limits = [
        (Protocol::Tgp, "go iterations 3000\n", "info iterations 3000 "),
        (Protocol::Uci, "go nodes 3000\n", "info depth "),
    ];
    for (protocol, go, info) in limits {
        let orders = format!("position startpos\n{}", go.repeat(2));
        let lines = answers(protocol, "hex:5", "mcts@9it,8MiB", &orders);
        let last = lines.iter().rev().find(|line| line.starts_with(info));
        assert!(last.is_some_and(|line| line.contains(" nodes ")), "{lines:?}");
        assert!(last.is_some_and(|line| !line.contains(" nodes 0 ")), "{lines:?}");
        assert_eq!(count(&lines, "bestmove "), 2, "{lines:?}");
    }
    // What nothing else would end ends, and what waits behind it has its turn.
    let lines = answers(Protocol::Uci, "hex:5", "mcts@9it,8MiB", "go infinite\ngo depth 50\n");
    assert_eq!(count(&lines, "bestmove "), 2, "{lines:?}");
}

#[test]
fn gtp_finishes_what_was_ordered_before_the_end() {
    let orders = "genmove b\ngenmove w\ngenmove b\n";
    let mut server = Server::speaking(Protocol::Gtp, "hex:5", "mcts-solver@2000it,8MiB");
    let asked: Vec<String> = orders
        .lines()
        .flat_map(|line| {
            let answer = server.answer(line);
            [answer, server.hear()]
        })
        .collect();
    for (end, last) in [("", &[][..]), ("quit\n", &["=", ""])] {
        let orders = format!("{orders}{end}");
        let lines = answers(Protocol::Gtp, "hex:5", "mcts-solver@2000it,8MiB", &orders);
        assert_eq!(lines[..6], asked[..], "{end}");
        assert_eq!(lines[6..], last[..], "{end}");
    }
}

#[test]
fn uci_is_ready_while_it_searches() {
    let heard = in_time(|| {
        let mut server = Server::speaking(Protocol::Uci, "hex:5", "mcts@1MiB");
        let until_ready = |server: &mut Server| loop {
            let line = server.hear();
            if !line.starts_with("info ") {
                return line;
            }
        };
        // Also before it has begun.
        server.say("position startpos\ngo infinite\nisready");
        let mut heard = vec![until_ready(&mut server)];
        server.say("isready");
        heard.push(until_ready(&mut server));
        heard.push(server.best_move("stop"));
        heard.push(server.answer("isready"));
        server.end();
        heard
    });
    assert_eq!([&heard[0], &heard[1], &heard[3]], ["readyok"; 3]);
}

/// A parent that is dead does not read.
#[test]
fn an_engine_that_nobody_hears_ends() {
    struct Deaf;
    impl Write for Deaf {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for protocol in [Protocol::Tgp, Protocol::Uci] {
        let error = in_time(move || {
            let (on, by) = (game("hex:5"), player("mcts@1MiB"));
            let orders = &b"position startpos\ngo movetime 600000\ngo movetime 600000\n"[..];
            serve(&Registry::standard(), &on, &by, protocol, orders, Deaf).unwrap_err()
        });
        assert!(matches!(error, ServeError::Output(_)), "{error}");
    }
}
