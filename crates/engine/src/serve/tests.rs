use std::io::{BufReader, Lines, PipeReader, PipeWriter, pipe};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use treegraft::{Budget, Game, Notation, Report};
use treegraft_players::MoveIndex;

use super::*;

pub(super) fn player(text: &str) -> Player {
    Registry::standard().player(text).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn game(text: &str) -> Start {
    Registry::standard().start(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A server to talk to.
pub(super) struct Server {
    input: Option<PipeWriter>,
    output: Lines<BufReader<PipeReader>>,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Server {
    fn new(on: &str, by: &str) -> Server {
        Server::speaking(Protocol::Tgp, on, by)
    }

    pub(super) fn speaking(protocol: Protocol, on: &str, by: &str) -> Server {
        let (their_input, input) = pipe().unwrap();
        let (output, their_output) = pipe().unwrap();
        let (on, by) = (game(on), player(by));
        let thread = thread::spawn(move || {
            let input = BufReader::new(their_input);
            serve(&Registry::standard(), &on, &by, protocol, input, their_output)
        });
        let output = BufReader::new(output).lines();
        Server { input: Some(input), output, thread: Some(thread) }
    }

    pub(super) fn say(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("not ended");
        input.write_all(format!("{lines}\n").as_bytes()).unwrap();
    }

    pub(super) fn hear(&mut self) -> String {
        self.output.next().expect("an answer").unwrap()
    }

    /// The answer to lines that are answered by one line.
    pub(super) fn answer(&mut self, lines: &str) -> String {
        self.say(lines);
        self.hear()
    }

    /// The move, without the lines before it.
    pub(super) fn best_move(&mut self, lines: &str) -> String {
        self.say(lines);
        loop {
            let line = self.hear();
            match line.strip_prefix("bestmove ") {
                Some(mv) => return mv.to_owned(),
                None => assert!(line.starts_with("info "), "{line}"),
            }
        }
    }

    pub(super) fn end(&mut self) {
        self.input = None;
        self.thread.take().expect("running").join().expect("no panic").unwrap();
    }
}

/// The position after some moves of Connect-4.
fn connect4(moves: &str) -> Board {
    let mut game = game("connect4").playthrough();
    game.play_text(moves).unwrap();
    game.position().clone()
}

fn search(by: &str, moves: &str, budget: Budget, seed: u64) -> Report<MoveIndex> {
    let mut searcher = Registry::standard().searcher(&game("connect4"), &player(by)).unwrap();
    searcher.search(&connect4(moves), Request::new(budget, seed))
}

#[test]
fn it_greets_and_finds_the_moves_of_the_player() {
    let mut server = Server::new("connect4", "mcts-solver@1MiB");
    assert!(server.answer("tgp 1").starts_with("id name treegraft "));
    assert_eq!(server.hear(), "tgpok 1");
    assert_eq!(server.answer("isready"), "readyok");
    for (moves, seed) in [("", 1), ("4 4 5", 2), ("4453", 99)] {
        let ask = format!("position startpos moves {moves}\ngo seed {seed} iterations 200");
        server.say(&ask);
        let (info, best) = (server.hear(), server.hear());
        let budget = "200it,1MiB".parse().unwrap();
        let report = search("mcts-solver", moves, budget, seed);
        let position = connect4(moves);
        assert_eq!(
            best,
            format!("bestmove {}", position.notation().move_text(report.best_move.unwrap()))
        );
        let words = format!("info iterations 200 nodes {} ", report.work.nodes);
        assert!(info.starts_with(&words), "{info}");
        assert!(info.contains(&format!(" memory {} ", report.work.memory)), "{info}");
    }
    server.end();
}

#[test]
fn a_go_without_limits_has_those_of_the_player() {
    let mut server = Server::new("connect4", "mcts@77it,1MiB");
    for (limits, iterations) in [("", 77), ("seed 4", 77), ("memory 5000000", 77), ("nodes 20", 20)]
    {
        server.say(&format!("go {limits}"));
        let info = server.hear();
        assert!(info.starts_with(&format!("info iterations {iterations} ")), "{limits}: {info}");
        server.hear();
    }
}

#[test]
fn any_game_and_any_position() {
    let mut server = Server::new("connect4", "ab(depth=1)");
    assert_eq!(
        server.best_move("newgame connect4:4x4\nposition startpos moves 1 2 1 2 1\ngo"),
        "1"
    );
    let start = "position text BBBBB/5/5/5/WWWWW w";
    let mut error = server.answer(&format!("newgame breakthrough:5x5\n{start} moves"));
    assert!(error.starts_with("error position \"BBBBB/5/5/5/WWWWW w\""), "{error}");
    error = server.answer("go");
    assert!(error.starts_with("error there is no position"), "{error}");
    let best = server.best_move("newgame kalah:6,4\nposition startpos moves\ngo");
    assert!(!best.is_empty());
    let best = server.best_move("newgame hex:3\nposition text a1 b2 moves c3\ngo");
    assert!(!["a1", "b2", "c3"].contains(&best.as_str()), "{best}");
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut server = Server::new("connect4:4x4", "mcts@5it,1MiB");
    for (line, said) in [
        ("tgp 2", "version \"2\" of the protocol; expected 1"),
        ("hello there", "there is no command \"hello\"; expected tgp, isready"),
        ("newgame checkers", "\"checkers\""),
        ("go", "there is no game"),
        ("position startpos", "there is no game"),
        ("newgame connect4:4x4\nposition", "expected position startpos moves"),
        ("position startpos moves 1 9", "move \"9\""),
        ("go iterations 5", "there is no position"),
        ("position startpos moves 1 2 1 2 1 2 1 2", "the game is over before it"),
        ("position startpos moves 1 2 1 2 1 2 1\ngo", "the game is over"),
        ("position startpos\ngo depth 5", "no limit \"depth\""),
        ("go nodes many", "nodes is \"many\""),
    ] {
        let answer = server.answer(line);
        assert!(answer.starts_with("error "), "{line}: {answer}");
        assert!(answer.contains(said), "{line}: {answer}");
    }
    let input = server.input.as_mut().unwrap();
    input.write_all(b"\xff\xfe\n").unwrap();
    assert_eq!(server.hear(), "error the line is not UTF-8");
    let long = vec![b'x'; 3 * LINE_BYTES];
    server.say(std::str::from_utf8(&long).unwrap());
    assert_eq!(server.hear(), "error the line is too long");
    assert_eq!(server.answer("isready"), "readyok");
}

#[test]
fn a_search_can_be_stopped() {
    let begun = Instant::now();
    let mut server = Server::new("connect4", "mcts-solver@8MiB");
    // Also before it has begun, and in the middle of it.
    let best = server.best_move("position startpos\ngo movetime 60000\nstop");
    assert!("1234567".contains(&best));
    server.say("go movetime 60000");
    thread::sleep(Duration::from_millis(50));
    let best = server.best_move("stop");
    assert!("1234567".contains(&best));
    // A stop belongs to one search only.
    server.say("stop\nposition startpos\ngo iterations 300");
    assert!(server.hear().starts_with("info iterations 300 "));
    server.hear();
    server.say("go movetime 60000\nquit");
    server.end();
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// Searches that wait in the queue end with the one in work: their answers would not be read.
#[test]
fn quit_ends_all_searches() {
    let start = Instant::now();
    let orders = "go iterations 1000000000\ngo iterations 1000000000\ngo iterations 5\nquit\n";
    let mut output = Vec::new();
    let (on, by) = (game("hex:5"), player("mcts@9it"));
    serve(&Registry::standard(), &on, &by, Protocol::Tgp, orders.as_bytes(), &mut output).unwrap();
    assert!(start.elapsed() < Duration::from_secs(10));
    let text = String::from_utf8(output).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("bestmove ")).count(), 3, "{text}");
}

#[test]
fn who_cannot_play_is_refused_at_once() {
    let refused = |on: &str, by: &str| {
        let registry = Registry::standard();
        let (on, by) = (game(on), player(by));
        serve(&registry, &on, &by, Protocol::Tgp, &b""[..], Vec::new()).unwrap_err().to_string()
    };
    assert!(refused("connect4", "ab(eval=wisdom)").contains("eval is \"wisdom\""));
    assert!(refused("connect4", "engine:cat").contains("an engine plays, but does not say"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Half-sensible lines in any order: an answer to all of them, and no panic.
    #[test]
    fn any_lines_are_survived(
        lines in prop::collection::vec(
            prop::collection::vec(
                prop_oneof![
                    prop::sample::select(vec![
                        "tgp", "isready", "newgame", "position", "go", "stop", "startpos", "text",
                        "moves", "seed", "nodes", "movetime", "connect4", "hex:3", "1", "4", "a1",
                    ]).prop_map(str::to_owned),
                    "[ -~é]{0,6}",
                ],
                0..6,
            ),
            0..12,
        )
    ) {
        let mut input: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        // It would be the end of all.
        input.retain(|line| line.trim() != "quit");
        input.push("isready\n".to_owned());
        let mut output = Vec::new();
        let by = player("mcts@5it,1MiB");
        let (registry, on) = (Registry::standard(), game("connect4:4x4"));
        let input = input.join("\n");
        serve(&registry, &on, &by, Protocol::Tgp, input.as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        prop_assert_eq!(output.lines().last(), Some("readyok"));
    }
}
