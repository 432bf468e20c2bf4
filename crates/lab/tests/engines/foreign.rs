//! The same with engines that speak UCI or GTP.

use super::*;

#[test]
fn bad_engines_that_speak_uci_get_the_right_verdict() {
    let _alone = alone();
    let expected = [
        ("mute", FaultKind::NoStart, "no uciok within 300 ms", "300ms", "10nodes"),
        ("dies", FaultKind::NoStart, "exit status: 3) and said \"no licence\"", "60s", "1plies"),
        ("chess-only", FaultKind::NoStart, "it has no option UCI_Variant", "60s", "1plies"),
        ("ignorant", FaultKind::NoStart, "does not know the variant breakthrough", "60s", "1plies"),
        ("crash", FaultKind::Crash, "said \"assertion failed: the king is there\"", "60s", "1s"),
        ("stall", FaultKind::Stall, "no move within 1", "1s", "10nodes"),
        ("stall", FaultKind::Stall, "no move within 1", "1s", "300ms"),
        ("illegal", FaultKind::IllegalMove, "move \"8\": ", "60s", "1plies"),
        ("nothing", FaultKind::Garbage, "\"bestmove\"; expected bestmove MOVE", "60s", "1plies"),
        ("not-utf8", FaultKind::Garbage, "not UTF-8", "60s", "1plies"),
        ("endless", FaultKind::Flood, "a line of more than 65536 bytes", "60s", "1plies"),
        ("flood", FaultKind::Flood, "more than 1048576 bytes", "60s", "1plies"),
        ("late", FaultKind::Late, "the limit was 415 ms", "60s", "300ms"),
        ("leaves", FaultKind::Crash, "it ended (exit status: 7)", "60s", "1plies"),
        ("double", FaultKind::Garbage, "although no move was requested", "60s", "1plies"),
    ];
    let expected = expected.map(|(mode, kind, said, patience, budget)| {
        (engine_of("uci", mode, patience, &format!("@{budget}")), kind, said)
    });
    check_verdicts("breakthrough", &expected);
    // No variant is sent to an engine without variants, and no option to one that does not have it.
    let bad = engine_of("uci", "good", "60s", "@1plies");
    let taught = ["breakthrough:6x6", "lion"].map(|game| verdicts_in(game, &bad)[0].clone());
    let said = "does not know the variant treegraft-breakthrough-6x6, and cannot learn it";
    assert!(taught[0].detail.contains(said), "{}", taught[0]);
    assert!(taught[1].detail.contains("a Lion on the far row has not won"), "{}", taught[1]);
    let Search::Engine(mut options) = bad.search.clone() else { panic!("an engine") };
    options.set = vec![("Wisdom".to_owned(), "3".to_owned())];
    let [fault, _] =
        verdicts_in("breakthrough", &Player { search: Search::Engine(options), ..bad });
    assert_eq!(fault.to_string(), "no-start: it has no option \"Wisdom\"");
}

#[test]
fn bad_engines_that_speak_gtp_get_the_right_verdict() {
    let _alone = alone();
    let expected = [
        (
            "mute",
            FaultKind::NoStart,
            "no answer to \"protocol_version\" within 300 ms",
            "300ms",
            "",
        ),
        ("dies", FaultKind::NoStart, "exit status: 3) and said \"no licence\"", "60s", ""),
        ("old", FaultKind::NoStart, "it speaks version \"1\" of GTP, not 2", "60s", ""),
        (
            "refuses",
            FaultKind::NoStart,
            "it says \"I know no games\" to \"clear_board\"",
            "60s",
            "",
        ),
        ("crash", FaultKind::Crash, "said \"assertion failed: the king is there\"", "60s", "@1s"),
        ("stall", FaultKind::Stall, "no move within 1", "1s", ""),
        ("stall", FaultKind::Stall, "no move within 2", "1s", "@1s"),
        ("half", FaultKind::Stall, "no move within 1", "1s", ""),
        ("illegal", FaultKind::IllegalMove, "x7", "60s", ""),
        ("nothing", FaultKind::Garbage, "no move in the answer to \"genmove", "60s", ""),
        ("not-utf8", FaultKind::Garbage, "not UTF-8", "60s", ""),
        ("endless", FaultKind::Flood, "a line of more than 65536 bytes", "60s", ""),
        ("flood", FaultKind::Flood, "more than 1048576 bytes", "60s", ""),
        ("late", FaultKind::Late, "the limit was 1150 ms", "60s", "@1s"),
        ("leaves", FaultKind::Crash, "it ended (exit status: 7)", "60s", ""),
        ("double", FaultKind::Garbage, "it answers \"play ", "60s", ""),
        ("gives-up", FaultKind::Resign, "it resigns", "60s", ""),
        ("cannot", FaultKind::Garbage, "it says \"cannot think\" to \"genmove", "60s", ""),
    ];
    let expected = expected.map(|(mode, kind, said, patience, budget)| {
        (engine_of("gtp", mode, patience, budget), kind, said)
    });
    check_verdicts("connect4", &expected);
    // A size that is not the usual one has to be understood.
    let [fault, _] = verdicts_in("connect4:8x7", &engine_of("gtp", "good", "60s", ""));
    let said = "it says \"unknown command\" to \"boardsize\"";
    assert!(fault.kind == FaultKind::NoStart && fault.detail.contains(said), "{fault}");
}

#[test]
fn good_engines_play_to_the_end_over_foreign_protocols() {
    let _alone = alone();
    for (protocol, game, budget) in [("uci", "breakthrough", "@3nodes"), ("gtp", "connect4", "")] {
        for mode in ["good", "chatter", "stubborn", "ponders"] {
            if (mode, protocol) == ("ponders", "gtp") {
                continue;
            }
            let bad = engine_of(protocol, mode, "60s", budget);
            let pairing = Pairing {
                game,
                opening: Opening::Random { plies: 2, seed: 3 },
                ..connect4(bad, "random")
            };
            for number in 0..2 {
                let record = pairing.play(number, None).unwrap();
                assert_eq!(record.end, GameEnd::Rules(Reason::Rules), "{protocol} {mode}");
                let work = &record.sides[usize::from(number)];
                assert_eq!(work.nodes > 0, (protocol, mode) == ("uci", "chatter"), "{work:?}");
                assert_eq!(work.iterations, work.nodes / 4, "{work:?}");
            }
            assert_eq!(left_behind(), [""; 0], "{mode}");
        }
    }
}

#[test]
fn a_wait_for_a_foreign_engine_can_be_cancelled() {
    let _alone = alone();
    for (protocol, game, budget) in [("uci", "breakthrough", "@3nodes"), ("gtp", "connect4", "")] {
        let cancel = AtomicBool::new(false);
        let begun = Instant::now();
        let played = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                cancel.store(true, Ordering::Relaxed);
            });
            let stalls = engine_of(protocol, "stall", "60s", budget);
            Pairing { game, ..connect4(stalls, "random") }.play(0, Some(&cancel))
        });
        assert_eq!(played.err(), Some(GameError::Cancelled), "{protocol}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{protocol}");
        assert_eq!(left_behind(), [""; 0], "{protocol}");
    }
}

#[test]
fn games_that_a_protocol_lacks_are_refused_before_anything_starts() {
    let registry = Registry::standard();
    let refused = |game: &str, text: &str| {
        let start = registry.start(game).unwrap();
        seat(&registry, &start, &player(text)).err().expect("refused").to_string()
    };
    assert_eq!(
        refused("othello", "engine:uci:x@1s"),
        "player \"engine:uci:\\\"x\\\"@1s\": othello cannot be played over UCI; expected \
         breakthrough or lion"
    );
    assert!(
        refused("lion", "engine:gtp:x")
            .ends_with("expected othello, hex, connect4 or breakthrough")
    );
}

#[test]
fn a_program_that_is_missing_is_named_with_its_package() {
    let _alone = alone();
    for (text, game, said) in [
        (
            "engine:uci:\"/nowhere/fairy-stockfish\"@1plies",
            "breakthrough",
            "apt install fairy-stockfish",
        ),
        ("engine:gtp:\"/nowhere/gtp-rhino -l 3\"", "othello", "apt install grhino grhino-data"),
    ] {
        let [fault, _] = verdicts_in(game, &player(text));
        assert_eq!(fault.kind, FaultKind::NoStart);
        assert!(fault.detail.ends_with(said), "{fault}");
    }
}
