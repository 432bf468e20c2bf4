//! UCI and GTP, as other programs speak them.

use super::tests::*;
use super::*;

/// What a dialogue of lines is answered with.
fn answers(protocol: Protocol, on: &str, by: &str, lines: &str) -> Vec<String> {
    let mut output = Vec::new();
    let (registry, input) = (Registry::standard(), lines.as_bytes());
    serve(&registry, &game(on), &player(by), protocol, input, &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn uci_is_greeted_and_answered() {
    let mut server = Server::speaking(Protocol::Uci, "breakthrough", "mcts-solver@50it,1MiB");
    server.say("uci");
    let greeting: Vec<String> = (0..6).map(|_| server.hear()).collect();
    assert!(greeting[0].starts_with("id name treegraft "), "{greeting:?}");
    let variant = "option name UCI_Variant type combo default breakthrough var breakthrough";
    assert_eq!((greeting[2].as_str(), greeting[5].as_str()), (variant, "uciok"));
    server.say("setoption name UCI_Variant value breakthrough\nsetoption name Hash value 2");
    assert_eq!(server.answer("ucinewgame\nisready"), "readyok");
    let fen = "position fen pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b - - 0 1 moves";
    for (position, rows) in [
        ("position startpos", "12"),
        ("position startpos moves e2e3", "78"),
        (&format!("{fen} a7a6"), "12"),
    ] {
        server.say(&format!("{position}\ngo nodes 40"));
        let info = server.hear();
        assert!(info.starts_with("info depth ") && info.contains(" score cp "), "{info}");
        assert!(info.contains(" nodes 40 ") && info.contains(" pv "), "{info}");
        let best = server.hear();
        let from = best.strip_prefix("bestmove ").and_then(|mv| mv.chars().nth(1)).unwrap();
        assert!(rows.contains(from), "{position}: {best}");
    }
    // The seed decides, and so does the number of the move.
    let ask = |seed: u32| format!("setoption name Seed value {seed}\nposition startpos\ngo");
    let best: Vec<String> = [1, 2, 3, 1].map(|seed| server.best_move(&ask(seed))).into();
    assert_eq!(best[0], best[3]);
    server.end();
}

#[test]
fn uci_analyses_until_it_is_stopped() {
    let mut server = Server::speaking(Protocol::Uci, "connect4:4x4", "mcts-solver@8MiB");
    // It is solved long before.
    server.say("go infinite");
    thread::sleep(Duration::from_millis(300));
    assert!("1234".contains(&server.best_move("stop")));
    assert!("1234".contains(&server.best_move("go movetime 60000\nstop")));
    server.end();
}

#[test]
fn uci_survives_nonsense() {
    for (line, said) in [
        ("hello", "there is no command \"hello\""),
        ("position", "expected position startpos"),
        ("position startpos moves z", "move \"z\""),
        ("position fen nonsense", "position \"nonsense\""),
        ("position fen nonsense\ngo", "position \"nonsense\""),
        ("setoption name Wisdom value 3", "there is no option \"Wisdom\""),
        ("setoption name UCI_Variant value chess", "UCI_Variant is \"chess\"; expected lion"),
        ("setoption name Hash value 0", "Hash is \"0\""),
        ("setoption name Seed value x", "Seed is \"x\""),
        ("setoption", "there is no option \"\""),
    ] {
        // Variants that we would have to teach are called as we would call them.
        let said = said.replace("expected lion", "expected treegraft-lion");
        let lines = answers(Protocol::Uci, "lion", "mcts@5it,1MiB", &format!("{line}\nisready"));
        assert!(
            lines[0].starts_with("info string error: ") && lines[0].contains(&said),
            "{lines:?}"
        );
        assert_eq!(lines.last().map(String::as_str), Some("readyok"), "{lines:?}");
    }
}

#[test]
fn uci_searches_although_it_does_not_understand_all() {
    for (line, ignored) in [
        ("go searchmoves b2b3 a1a2 nodes 5", "searchmoves b2b3 a1a2"),
        ("go mate 3", "mate 3"),
        ("go nodes 5 wisdom", "wisdom"),
        ("go depth", "depth"),
        // Simulations do not deepen ply by ply.
        ("go depth 3", "depth"),
    ] {
        let lines = answers(Protocol::Uci, "lion", "mcts@5it,1MiB", line);
        assert!(lines[0].starts_with(&format!("info string go: ignored {ignored:?}")), "{lines:?}");
        assert!(lines.last().is_some_and(|last| last.starts_with("bestmove ")), "{lines:?}");
    }
}

#[test]
fn uci_has_as_much_memory_as_the_machine() {
    let greeting = answers(Protocol::Uci, "lion", "mcts", "uci");
    let hash = greeting.iter().find(|line| line.starts_with("option name Hash ")).unwrap();
    let most: u64 = hash.rsplit_once(' ').unwrap().1.parse().unwrap();
    if let Some(limit) = crate::memory::MemoryLimit::here() {
        assert!(most <= limit.bytes >> 20, "{hash}");
    }
    let ask = |mib: u64| {
        let lines = format!("setoption name Hash value {mib}\nisready");
        answers(Protocol::Uci, "lion", "mcts", &lines)
    };
    assert_eq!(ask(most), ["readyok"]);
    let said = ask(most + 1);
    assert!(said[0].contains(&format!("mebibytes from 1 to {most}")), "{said:?}");
    let said = answers(Protocol::Uci, "lion", "mcts", "setoption name Seed value -1");
    assert!(said[0].contains("from 0 to 18446744073709551615"), "{said:?}");
}

#[test]
fn gtp_plays_a_game_as_openspiel_asks_for_it() {
    let mut server = Server::speaking(Protocol::Gtp, "connect4", "mcts-solver@50it,1MiB");
    let mut ask = |line: &str| {
        let answer = server.answer(line);
        assert_eq!(server.hear(), "", "{line}");
        answer
    };
    assert_eq!(ask("protocol_version"), "= 2");
    assert_eq!(ask("7 name"), "=7 Treegraft");
    assert_eq!(ask("known_command genmove"), "= true");
    assert_eq!(ask("known_command fly"), "= false");
    assert_eq!(ask("clear_board"), "=");
    assert_eq!(ask("play b x3"), "=");
    assert_eq!(ask("play w o3 # a comment"), "=");
    assert!(ask("reg_genmove b").starts_with("= x"));
    assert!(ask("genmove b").starts_with("= x"));
    assert!(ask("genmove w").starts_with("= o"));
    assert_eq!(ask("undo"), "=");
    assert_eq!(ask("final_score"), "? the game is not over");
    assert_eq!(ask("clear_board"), "=");
    for column in 0..3 {
        assert_eq!(ask(&format!("play b x{column}")), "=");
        assert_eq!(ask(&format!("play w o{column}")), "=");
    }
    assert_eq!(ask("genmove b"), "= x3");
    assert_eq!(ask("final_score"), "= B+1");
    assert_eq!(ask("genmove w"), "? the game is over");
    assert_eq!(ask("play w o5"), "? illegal move: the game is over");
    assert_eq!(ask("boardsize 8 7"), "=");
    assert_eq!(ask("play b x7"), "=");
    assert_eq!(ask("quit"), "=");
    server.end();
}

/// The answers of a player of GTP, without the empty lines.
fn gtp_answers(on: &str, lines: &str) -> Vec<String> {
    let lines = answers(Protocol::Gtp, on, "ab(depth=1)", lines);
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// 59 moves of Othello; White has to pass before the last one. Some programs send the pass, some do
/// not.
fn forced_pass() -> String {
    let game = "e6 d6 c3 f4 g4 g3 d7 b2 d3 e3 f5 c5 e2 g5 g6 d8 f3 f1 b6 f6 c8 f2 c4 d2 g7 b5 c2 \
                h6 h4 h8 g8 h7 e7 a7 a6 c1 b4 c6 d1 a3 g2 f8 b3 e8 f7 e1 a1 h5 a8 g1 h3 h2 c7 a2 \
                b7 a5 a4 b8 b1";
    let sides = game.split_whitespace().enumerate();
    sides.map(|(ply, mv)| format!("play {} {mv}\n", ["b", "w"][ply % 2])).collect()
}

#[test]
fn gtp_has_the_sizes_and_passes_of_its_games() {
    let ask = gtp_answers;
    assert_eq!(ask("hex", "boardsize 5\nplay b e5\nplay w f1")[..2], ["=", "="]);
    assert_eq!(ask("hex", "boardsize 5\nplay w a1")[1], "? it is not the turn of w");
    assert!(ask("hex:5", "boardsize 99")[0].starts_with("? unacceptable size"));
    assert!(ask("kalah", "boardsize 9")[0].starts_with("? unacceptable size"));
    assert_eq!(
        ask("breakthrough", "boardsize 6\nplay b a5a4\nplay white b2a3\nplay b a4a3*")[1],
        "="
    );
    assert_eq!(ask("othello", "set_game Othello\nset_game Go\nlist_games")[2], "= othello");
    let game = forced_pass();
    for (end, answers) in [
        ("genmove w\ngenmove b\nfinal_score", vec!["= pass", "= h1", "= B+6"]),
        ("play w PASS\nplay b h1\nfinal_score", vec!["=", "=", "= B+6"]),
        ("play b h1\ngenmove w\ngenmove b", vec!["=", "= pass", "= pass"]),
        ("genmove b", vec!["= h1"]),
        ("reg_genmove w\nreg_genmove w", vec!["= pass", "= pass"]),
    ] {
        let said = ask("othello", &format!("{game}{end}"));
        assert_eq!(said[59..], answers[..], "{end}");
    }
}

/// A size that the player cannot play is refused, too, and the game goes on.
#[test]
fn gtp_keeps_the_board_if_a_size_is_refused() {
    let lines = answers(
        Protocol::Gtp,
        "othello",
        "ab(eval=tuned,depth=1)",
        "play b d3\nboardsize 6\nundo\nboardsize 8\nundo",
    );
    assert!(lines[2].starts_with("? unacceptable size: "), "{lines:?}");
    assert_eq!([&lines[4], &lines[6], &lines[8]], ["=", "=", "? cannot undo"]);
}

#[test]
fn gtp_sizes_leave_the_other_rules() {
    let swap = "play b a1\nplay w swap";
    let said = gtp_answers(
        "hex:3,swap=true",
        &format!("{swap}\nboardsize 3\n{swap}\nboardsize 4\n{swap}"),
    );
    assert_eq!(said, ["="; 8]);
    assert!(
        gtp_answers("hex:3", "boardsize 4\nplay b a1\nplay w swap")[2]
            .starts_with("? illegal move")
    );
}

/// A pass that was not sent is taken back with the move behind it, or if that is refused.
#[test]
fn gtp_takes_back_passes_that_nobody_told() {
    let game = forced_pass();
    for (end, answers) in [
        ("play b h1\nundo\nreg_genmove w", vec!["=", "=", "= pass"]),
        ("genmove b\nundo\nundo\nplay b b1", vec!["= h1", "=", "=", "="]),
        ("play w pass\nplay b h1\nundo\nreg_genmove b", vec!["=", "=", "=", "= h1"]),
    ] {
        let said = gtp_answers("othello", &format!("{game}{end}"));
        assert_eq!(said[59..], answers[..], "{end}");
    }
    let said = gtp_answers("othello", &format!("{game}play b a1\nreg_genmove w"));
    assert!(said[59].starts_with("? illegal move"), "{}", said[59]);
    assert_eq!(said[60], "= pass");
}

#[test]
fn gtp_survives_nonsense() {
    for (line, said) in [
        ("fly", "? unknown command"),
        ("play b", "? syntax error"),
        ("play b z9", "? illegal move: move \"z9\""),
        ("play", "? syntax error"),
        ("play green x0", "? colour \"green\"; expected b or w"),
        ("genmove", "? syntax error"),
        ("boardsize", "? unacceptable size"),
        ("time_settings 1 2", "? syntax error"),
        ("time_settings x 2 3", "? time \"x\""),
        ("time_left b 1 -1", "? stones \"-1\""),
        ("treegraft-seed x", "? seed \"x\""),
        ("undo", "? cannot undo"),
        ("3 set_game chess", "?3 unsupported game"),
    ] {
        let lines =
            answers(Protocol::Gtp, "connect4:4x4", "mcts@5it,1MiB", &format!("{line}\nname"));
        assert!(lines[0].starts_with(said), "{line}: {lines:?}");
        assert_eq!(lines[1..], ["", "= Treegraft", ""], "{line}");
    }
}
