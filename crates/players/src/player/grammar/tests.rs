use proptest::prelude::*;
use proptest::strategy::ValueTree;
use treegraft::depth_first::{self, Driver};
use treegraft::rollout;

use super::super::{DepthFirstOptions, EngineOptions, Eval, RolloutOptions, players};
use super::any_text::{any_command, any_text, nearly_right};
use super::*;
use crate::{PlayerError, Registry};

/// The player that a text stands for where nothing is registered.
fn read_player(text: &str) -> Result<Player, PlayerError> {
    Registry::default().player(text)
}

fn canonical_text(text: &str) -> String {
    read_player(text).unwrap_or_else(|error| panic!("{error}")).to_string()
}

#[test]
fn every_spelling_has_one_canonical_text() {
    for (text, canonical) in [
        ("random", "random"),
        (" random ", "random"),
        ("random()", "random"),
        ("greedy(eval=wpc)", "greedy(eval=wpc)"),
        ("greedy(eval=auto)", "greedy"),
        ("mcts", "mcts"),
        ("uct", "uct"),
        ("uct(tuned)", "mcts"),
        ("mcts(ucb1)", "uct"),
        ("mcts(select=ucb1)", "uct"),
        ("mcts(solver=wins)", "mcts-solver"),
        ("uct(solver=wins)", "mcts-solver(ucb1)"),
        ("mcts-solver(solver=draws)", "mcts-sb"),
        ("mcts-solver( c = 0.80 , reuse )", "mcts-solver(c=0.8,reuse)"),
        ("mcts(c=-0)", "mcts(c=0)"),
        ("mcts(c=auto,reuse=false)", "mcts"),
        ("mcts(expand=all,expand-at=5,final=secure)", "mcts(expand=all,expand-at=5,final=secure)"),
        ("mcts-mr-2", "mcts-mr-2"),
        ("mcts-mr(mr=2)", "mcts-mr-2"),
        ("mcts-solver(mr=2)", "mcts-mr-2"),
        ("mcts-solver(mr)", "mcts-mr"),
        ("mcts-mr(mr=best)", "mcts-mr"),
        ("mcts-mr(mr=off)", "mcts-solver"),
        ("mcts(mr=1)", "mcts(mr=1)"),
        ("uct(mr=3,embed-order)", "uct(mr=3,embed-order)"),
        ("mcts-mr-2(mr-tree=prove)", "mcts-mr-2"),
        ("mcts-mr-2(mr-tree=off)", "mcts-mr-2(mr-tree=off)"),
        ("mcts-mr-2(mr-tree=expand)", "mcts-mr-2(mr-tree=expand)"),
        ("mcts(mr=2,mr-tree=prove)", "mcts-mr-2"),
        ("mcts-mr-2(solver=off)", "mcts(mr=2)"),
        ("mcts(mr=2,mr-tree=expand)", "mcts(mr=2,mr-tree=expand)"),
        ("mcts-ab(mr=1,mr-tree=off)", "mcts-ab(mr=1,mr-tree=off)"),
        ("mcts-ms-2-visit-1", "mcts-ms-2-visit-1"),
        ("mcts-ms(ms=4:0,c=1)", "mcts-ms-4-visit-0(c=1)"),
        ("mcts(ms=2:50)", "mcts-ms-2-visit-50"),
        ("mcts(ms)", "mcts-ms"),
        ("mcts-mb-6(embed-k=3)", "mcts-mb-6(embed-k=3)"),
        ("mcts(mb=1,solver=wins)", "mcts-mb-1"),
        ("mcts-sb(mb=1)", "mcts-sb(mb=1)"),
        ("mcts(mr=1,ms=2:2,mb=2)", "mcts-solver(mr=1,ms=2:2,mb=2)"),
        ("mcts-mr-1(mb)", "mcts-solver(mr=1,mb=best)"),
        ("mcts-solver(ir)", "mcts-ir-e"),
        ("mcts-ir-e(ir=0.10)", "mcts-ir-e"),
        ("mcts-ir-e(ir-depth=2)", "mcts-ir-m"),
        ("mcts-ir-m(ir-depth=3,ir=0)", "mcts-ir-m(ir=0,ir-depth=3)"),
        ("mcts(ir=0.2)", "mcts(ir=0.2)"),
        ("mcts-solver(ic,eval=efMS)", "mcts-ic-e(eval=efMS)"),
        ("mcts-ic-m(ic-depth=0,ic=0)", "mcts-ic-e(ic=0)"),
        ("mcts-ic-e(slope=14.0)", "mcts-ic-e(slope=14)"),
        ("mcts-solver(ip)", "mcts-ip-e"),
        ("mcts-ip-e(ip=5:50,ip-depth=2)", "mcts-ip-m(ip=5:50,ip-depth=2)"),
        ("mcts-ip-e(ip=off)", "mcts-solver"),
        ("mcts(ipp)", "mcts(playouts=ipp)"),
        ("mcts(playouts=ipp-printed)", "mcts(playouts=ipp-printed)"),
        ("mcts(fet=4,im=0.3)", "mcts(ic=4,im=0.3)"),
        ("mcts(fet)", "mcts(ic=20)"),
        ("mcts-solver(ege,det)", "mcts-ir-e(det=0.5)"),
        ("mcts(ege=0.2,det=0.3,det-every=3)", "mcts(ir=0.2,det=0.3,det-every=3)"),
        ("mcts-solver(abp)", "mcts-ir-m(embed-k=7,ir=0)"),
        ("mcts(im)", "mcts(im=0.4)"),
        ("uct(cb=0.2,playout-from=node)", "uct(cb=0.2,playout-from=node)"),
        ("mcts-bl(im=0.4,np)", "mcts-bl(im=0.4,np=10)"),
        ("uct(solver=wins,expand=all,ipp,ege,det,eval=efMS)", "mcts-bl"),
        ("uct(solver=wins,expand=all,ipp,fet,np,eval=efLH,hb)", "mcts-bl2(hb=0.4)"),
        ("uct(solver=wins,ipp,det=0.9,det-every=3,eval=efWB)", "mcts-loa"),
        ("mcts-loa(abp)", "mcts-loa-ab"),
        ("mcts-loa-ab(pb,im=0.2)", "mcts-loa-pb(im=0.2)"),
        ("mcts-bl(eval=efLH,maxbp=500)", "mcts-bl(eval=efLH,maxbp=500)"),
        ("mcts(rave)", "mcts(rave=1000)"),
        ("mcts-solver(grave,rave-untried)", "mcts-solver(grave=50,rave-untried)"),
        ("uct(mast)", "uct(mast=0.4)"),
        ("uct(switch=all,switch-b=auto)", "uct(switch=all)"),
        ("uct(ir=0,ties=first)", "uct(ir=0,ties=first)"),
        ("mcts-ic-e(ir)", "mcts-solver(ir=0.1,ic=3)"),
        ("mcts-ic-e(mr=1,embed-k=5)", "mcts-solver(mr=1,embed-k=5,ic=3)"),
        ("mcts-solver(playouts=informed)", "mcts-solver(playouts=hints)"),
        ("mcts-ic-e(playouts=hints,ic=5)", "mcts-ic-e(playouts=hints,ic=5)"),
        ("uct(playouts=random)", "uct"),
        ("ab(depth=10)", "ab(depth=10)"),
        ("ab(eval=pieces,k=10)", "ab(k=10,eval=pieces)"),
        ("ab(null)", "ab(null=2)"),
        ("ab(null=off,pvs=true)", "ab"),
        ("ab(hints=false,killers=false,history=false,table=false,pvs=false)", "alpha-beta"),
        ("alpha-beta(hints,shuffle,k=10)", "k-best"),
        ("k-best(k=8,depth=6)", "k-best-8(depth=6)"),
        ("k-best-10@2500nodes", "k-best@2500nodes"),
        ("alpha-beta(hints,shuffle)", "k-best(k=off)"),
        ("mtd", "mtd(f)"),
        ("mtd(inf)", "mtd(inf)"),
        ("mtd(k=3,+inf)", "mtd(inf,k=3)"),
        ("mtd(from=-inf)", "mtd(-inf)"),
        ("sss*", "sss"),
        ("dual(eval=none)", "dual(eval=none)"),
        ("fsss", "fsss"),
        ("fsss-minimax(deepening,restart=true)", "fsss"),
        ("fsss(eval=pieces,decide,depth=4)@1s", "fsss(depth=4,eval=pieces,decide)@1s"),
        ("rollout-ab(hints=false,deepening=false)", "rollout-ab(deepening=false,hints=false)"),
        ("rollout-alpha-beta(k=10,scores=margin)", "rollout-ab(k=10,scores=margin)"),
        ("rollout-sss*(bounds)", "rollout-sss(bounds)"),
        ("rollout-random(restart=false)", "rollout-random(restart=false)"),
        ("alphabeta2(shuffle)", "alphabeta2(shuffle)"),
        ("mt-sss*", "mt-sss"),
        ("mt-inf@5nodes", "mt-inf@5nodes"),
        ("mcts-solver@91000it", "mcts-solver@91000it"),
        ("ab(k=10)@2500nodes", "ab(k=10)@2500nodes"),
        ("mcts@1s,1e6it", "mcts@1s,1000000it"),
        ("mcts @ 64MiB", "mcts@64MiB"),
        ("engine:./mine", r#"engine:"./mine""#),
        ("engine:./mine@1s", r#"engine:"./mine"@1s"#),
        (" engine () : ./mine @ 1s ", r#"engine:"./mine"@1s"#),
        (r#"engine:"./mine  --fast  5 "@1s"#, r#"engine:"./mine --fast 5"@1s"#),
        (r#"engine(patience=1e3ms):"a@b (c)""#, r#"engine(patience=1s):"a@b (c)""#),
        (r#"engine(patience=60s):"a" @ 1it"#, r#"engine:"a"@1it"#),
        (r#"engine:"'my program' it\"'\"s""#, r#"engine:"'my program' \"it's\"""#),
        (r#"engine:"\"my program\" ''""#, r#"engine:"'my program' ''""#),
        (r#"engine:"C:\mine.exe \\n""#, r#"engine:"C:\\mine.exe \\n""#),
        ("engine:tgp:./mine@1s", r#"engine:"./mine"@1s"#),
        (r#"engine:"uci:"@1s"#, r#"engine:"uci:"@1s"#),
        ("engine : uci : fairy-stockfish @ 100ms", r#"engine:uci:"fairy-stockfish"@100ms"#),
        (r#"engine:uci:"a b"@8plies,5nodes,16MiB"#, r#"engine:uci:"a b"@5nodes,8plies,16MiB"#),
        (
            r#"engine(option.Skill Level = -3, patience=60s, option.Threads=1):uci:"a"@1s"#,
            r#"engine(option.Skill Level=-3,option.Threads=1):uci:"a"@1s"#,
        ),
        (
            r#"engine(patience=5s,option.A=b=c):uci:a"#,
            r#"engine(patience=5s,option.A=b=c):uci:"a""#,
        ),
        (r#"engine:gtp:"gtp-rhino -l 3""#, r#"engine:gtp:"gtp-rhino -l 3""#),
        (r#"engine:gtp:"a"@2000ms"#, r#"engine:gtp:"a"@2s"#),
    ] {
        assert_eq!(canonical_text(text), canonical, "{text}");
        assert_eq!(canonical_text(canonical), canonical);
    }
}

#[test]
fn texts_mean_what_the_papers_say() {
    let search = |text: &str| read_player(text).unwrap().search;
    let rollout = |config| Search::Rollout(RolloutOptions { config, ..RolloutOptions::default() });
    let uct = rollout::Config::default();
    let mcts = rollout::Config { select: rollout::Select::Ucb1Tuned, ..uct };
    assert_eq!(search("uct"), rollout(uct));
    assert_eq!(search("mcts"), rollout(mcts));
    let solver = rollout::Solver::Wins;
    assert_eq!(search("mcts-solver"), rollout(rollout::Config { solver, ..mcts }));
    let with_c =
        Search::Rollout(RolloutOptions { config: mcts, c: Some(0.5), ..RolloutOptions::default() });
    assert_eq!(search("mcts(c=0.5)"), with_c);
    let ab = depth_first::Config { k: Some(10), ..depth_first::Config::default() };
    let eval = Eval::Named("pieces".to_owned());
    assert_eq!(
        search("ab(k=10,eval=pieces)"),
        Search::DepthFirst(DepthFirstOptions { config: ab, eval })
    );
    let k_best = depth_first::Config {
        k: Some(10),
        shuffle: true,
        killers: false,
        history: false,
        table: false,
        pvs: false,
        ..depth_first::Config::default()
    };
    let eval = Eval::Usual;
    assert_eq!(
        search("k-best"),
        Search::DepthFirst(DepthFirstOptions { config: k_best, eval: eval.clone() })
    );
    let mtd = depth_first::Config { driver: Driver::MtdPlus, ..depth_first::Config::default() };
    assert_eq!(search("mtd(inf)"), Search::DepthFirst(DepthFirstOptions { config: mtd, eval }));
}

#[test]
fn bad_players_are_errors_that_say_what_is_possible() {
    for (text, said) in [
        ("", "there is no player \"\""),
        ("", "one of random, greedy, uct, mcts, mcts-solver"),
        ("mtcs-solver", "did you mean mcts-solver?"),
        ("MCTS", "did you mean mcts?"),
        ("stockfish", "there is no player \"stockfish\"; expected one of random"),
        ("mcts(c=-3)", "c is \"-3\"; expected a number from 0 to 100"),
        ("mcts(c=nan)", "c is \"nan\""),
        ("mcts(c=1e9)", "c is \"1e9\""),
        ("mcts(c)", "c has no value; expected c=a number from 0 to 100"),
        ("mcts(c=)", "c is \"\""),
        ("mcts(sovler=wins)", "mcts has no option \"sovler\" (did you mean solver?)"),
        ("mcts(depth=3)", "expected one of c, select, expand"),
        ("mcts(ucb-tuned)", "did you mean ucb1-tuned?"),
        ("mcts(solver=win)", "solver is \"win\" (did you mean wins?); expected one of off, wins"),
        ("mcts(reuse=maybe)", "reuse is \"maybe\"; expected true or false"),
        ("mcts(c=1,c=2)", "c is given twice"),
        ("mcts(ucb1,tuned)", "select is given twice"),
        ("mcts-mr-0", "mr is \"0\"; expected a whole number from 1 to 100, best, or off"),
        ("mcts-mr-2(mr=3)", "mr is given twice"),
        ("mcts-mr-x", "there is no player \"mcts-mr-x\" (did you mean mcts-mr?)"),
        ("mcts-ms-2", "ms is \"2\"; expected DEPTH:VISITS, from 1:0 to 100:1000000, best, or off"),
        ("mcts-ms-2-visit-", "ms is \"2:\""),
        ("mcts-ms-2-visit-1-visit-1", "ms is \"2:1-visit-1\""),
        ("mcts-solver-2", "there is no player \"mcts-solver-2\""),
        ("mcts(ms=2:2,solver=off)", "solver is \"off\", but ms, mb and mr-tree=prove prove"),
        ("mcts-mr-1(mr-tree=prove,solver=off)", "solver is \"off\", but ms, mb and mr-tree=prove"),
        ("mcts-solver(mr-tree=off)", "mr-tree says what mr does, but mr is \"off\"; expected mr"),
        ("mcts-mr(mr-tree=both)", "mr-tree is \"both\"; expected one of off, expand, prove"),
        ("mcts(im=0.4,im-rate=2)", "im-rate says how fast the weight of im falls, but im-by is"),
        (
            "mcts(ir-depth=2)",
            "ir-depth and ties say how ir and switch choose, but both are \"off\"",
        ),
        ("mcts(ties=first)", "ir-depth and ties say"),
        ("mcts(ic-depth=2)", "ic-depth says how ic evaluates, but ic is \"off\""),
        ("mcts-ip-m(ip=off)", "ip-depth says how ip evaluates, but ip is \"off\""),
        ("mcts(det-every=3)", "det-every says when det looks, but det is \"off\""),
        ("mcts(slope=3)", "slope turns values into rewards, but ic, ip, det"),
        ("mcts(embed-k=3)", "embed-k limits embedded searches, but there are none"),
        ("mcts(embed-order)", "embed-order is about embedded searches, but there are none"),
        ("mcts(ic=0,ir)", "ic is 0, which leaves no playout moves to ir, det and mast"),
        ("mcts(cb,im-by=visits)", "im-by says what the weight of im falls with"),
        ("mcts(rave=5,rave-bias=1)", "rave-bias replaces k, but rave gives k another value"),
        ("mcts(expand-at=3,playout-from=node)", "playout-from=node expands every leaf"),
        ("mcts(p,choose=traps)", "choose=traps looks for proven losses, but solver is \"off\""),
        ("mcts-ab(root-from=3)", "root-from delays bonuses at the root, but there are none"),
        (
            "mcts(first-play=value,eval=none)",
            "eval is \"none\"; expected the name of an evaluation",
        ),
        (
            "ab(futility,eval=none)",
            "eval is \"none\"; expected the name of an evaluation: quiescence",
        ),
        ("ab(malus,history=false)", "malus lets moves lose history, but history is false"),
        (
            "mtd(partial)",
            "aspiration and partial need open windows, but mtd, sss and dual have none",
        ),
        ("ab(ending,scores=margin)", "ending and threats are about who wins"),
        ("ab(leap=3,deepening=false)", "leap and aspiration follow an iteration"),
        ("mcts(im-by=depth)", "im-by says what the weight of im falls with, but im is \"off\""),
        ("mcts(im=0.4,im-by=time)", "im-by is \"time\"; expected one of nothing, visits, depth"),
        ("mcts(rave-bias=1)", "but rave and grave are \"off\"; expected rave or grave"),
        ("mcts(rave-untried)", "but rave and grave are \"off\""),
        ("mcts-ab(rave)", "rave, grave and mast do not go with p"),
        ("mcts-mr(mast)", "mast, mr and ir all choose the moves of playouts"),
        ("mcts(switch-keep)", "options of strategy switching are given, but switch is \"off\""),
        ("mcts(switch=all,mast)", "switch chooses how playouts are made, and so do"),
        ("mcts(switch=wpc+wpc)", "expected all, top3, or different names of evaluations"),
        ("mcts(im=0.2,cb=0.2)", "more than one of im, cb and hb is given; expected one of them"),
        ("mcts(np,ip)", "np and ip both give virtual visits"),
        ("mcts-ab(im)", "im, cb, hb, pb and playout-from=node do not go with p"),
        ("mcts(im,eval=none)", "eval is \"none\"; expected the name of an evaluation: ir, ic"),
        ("mcts(fet=4,ic=3)", "ic is given twice"),
        ("mcts(ipp=3)", "mcts has no option \"ipp\""),
        ("mcts(det=2)", "det is \"2\"; expected a number from 0 to 1, or off"),
        ("mcts(ir=1.5)", "ir is \"1.5\"; expected a number from 0 to 1, or off"),
        ("mcts(ir-depth=0)", "ir-depth is \"0\"; expected a whole number from 1 to 100"),
        ("mcts(ip=5)", "ip is \"5\"; expected VISITS:WEIGHT, from 0:1 to 1000000:65535, or off"),
        ("mcts(ip=5:0)", "ip is \"5:0\""),
        ("mcts(ip=5:65536)", "ip is \"5:65536\""),
        ("mcts(ic=3,eval=none)", "eval is \"none\"; expected the name of an evaluation: ir, ic"),
        ("mcts-ir", "did you mean mcts-"),
        ("mcts(c=1,,reuse)", "an option is empty"),
        ("mcts(c=1", "the bracket is not closed"),
        ("mcts(c=1)x", "\"x\" follows the bracket"),
        ("mcts(expand-at=0)", "expand-at is \"0\"; expected a whole number from 1 to"),
        ("ab(depth=+3)", "depth is \"+3\""),
        ("ab(depth=99999999999)", "depth is"),
        ("ab(eval=a b)", "eval is \"a b\"; expected the name of an evaluation"),
        ("ab(etc,table=false)", "table is false, but etc needs a table"),
        ("sss(table=false)", "sss needs a table"),
        ("mtd(table=false)", "mtd needs a table"),
        ("ab(glance,scores=margin)", "not both"),
        ("fsss(select=ucb1)", "fsss has no option \"select\"; expected one of depth, deepening, k"),
        ("fsss(depth=0)", "depth is \"0\"; expected a whole number from 1 to 1000, or off"),
        ("fsss(hint)", "did you mean hints?"),
        ("rollout-sa", "did you mean rollout-"),
        ("greedy(eval=none)", "eval is \"none\""),
        ("engine", "the engine has no command; expected engine:\"COMMAND ARGUMENTS\""),
        ("engine@1s", "the engine has no command"),
        ("engine:", "the command is empty"),
        ("engine:\" \"", "the command is empty"),
        ("engine:\"'' x\"", "the command is empty"),
        ("engine:\"mine", "the quotes of the command are not closed"),
        ("engine:\"it's mine\"", "a quote in the command \"it's mine\" is not closed"),
        ("engine:\"mine\"x", "\"x\" follows the command"),
        ("engine:mine fast", "the command \"mine fast\" needs quotes"),
        ("engine:\"a\tb\"", "has a control character"),
        ("engine(patience=5it):mine", "patience is \"5it\"; expected a time from 1ms to 86400s"),
        ("engine(patience=2h,c=1):mine", "engine has no option \"c\""),
        ("engine:mine@fast", "budget \"fast\""),
        ("engin:mine@1s", "did you mean engine?"),
        ("engine:uci", "no command follows the protocol uci; expected engine:\"COMMAND"),
        ("engine:gtp@1s", "no command follows the protocol gtp"),
        ("engine:uci:", "the command is empty"),
        ("engine(option.Threads):uci:a", "\"option.Threads\" lacks a name or a value"),
        ("engine(option.=1):uci:a", "\"option.=1\" lacks a name or a value"),
        ("engine(option.a=1,option.A=2):uci:a", "\"option.A=2\" is given twice"),
        ("engine(option.a=1\u{7}2):uci:a", "has a control character"),
        ("engine(option.a=1):gtp:a", "option.a is an option of UCI, not of GTP; expected engine("),
        ("engine(option.a=1):a", "option.a is an option of UCI, not of TGP"),
        ("engine:uci:a@5evals", "UCI has no limit on evaluations; expected a time, nodes"),
        ("engine:gtp:a@100ms", "GTP has no limit of 100ms; expected whole seconds"),
        ("engine:gtp:a@5it", "GTP has no limit on iterations"),
        ("engine:gtp:a@1s,5nodes", "GTP has no limit on nodes"),
        ("engine:gtp:a@5MiB", "GTP has no limit on memory"),
        ("mcts:mine@1s", "\"mcts:mine\" has a colon after its label; expected mcts without"),
        ("random(c=1)", "random without options"),
        ("mcts@", "budget \"\""),
        ("mcts@fast", "budget \"fast\""),
        ("mcts@5parsecs", "no unit \"parsecs\"; expected limits such as 1000it"),
        ("mcts@1s@2s", "budget \"1s@2s\""),
        ("mcts@0.1B", "out of range for a memory limit"),
        ("mcts@1e18GiB", "out of range for a memory limit"),
    ] {
        let error = read_player(text).expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
        assert!(error.starts_with(&format!("player {text:?}: ")), "{error}");
        assert!(error.contains("; expected "), "{error}");
    }
}

/// The grammar prints the library's own sentence.
#[test]
fn the_grammar_says_what_the_library_says() {
    let rollout = |config: rollout::Config| config.check().unwrap_err();
    let (plain, p) = (rollout::Config::default(), Some(rollout::AlphaBeta::default()));
    let (mast, rave) = (Some(0.4), Some(rollout::Rave::default()));
    let embed = rollout::Embed { mr: Some(1), ..rollout::Embed::default() };
    let wide = depth_first::Config { table: false, etc: true, ..depth_first::Config::default() };
    for (text, error) in [
        ("uct(p,mast)", rollout(rollout::Config { alpha_beta: p, mast, ..plain })),
        ("uct(p,rave)", rollout(rollout::Config { alpha_beta: p, rave, ..plain })),
        ("uct(p,reuse)", rollout(rollout::Config { alpha_beta: p, reuse: true, ..plain })),
        ("uct(mr=1,mast)", rollout(rollout::Config { embed, mast, ..plain })),
        ("ab(table=false,etc)", wide.check().unwrap_err()),
    ] {
        let printed = read_player(text).unwrap_err().to_string();
        assert_eq!(printed, format!("player {text:?}: {error}"));
    }
}

#[test]
fn long_texts_make_short_errors() {
    for text in ["🦁".repeat(10_000), format!("mcts({})", "x".repeat(10_000))] {
        let error = read_player(&text).unwrap_err().to_string();
        // The longest part is the list of the options of mcts.
        assert!(error.chars().count() < 800, "{error}");
    }
}

#[test]
fn the_serialisation_is_the_canonical_text() {
    let player = read_player("mcts(solver=wins)@1e3it").unwrap();
    let json = serde_json::to_string(&player).unwrap();
    assert_eq!(json, "\"mcts-solver@1000it\"");
    let text: String = serde_json::from_str(&json).unwrap();
    assert_eq!(read_player(&text), Ok(player));
    let error = read_player("mcts(c=-3)").unwrap_err().to_string();
    assert!(error.contains("c is \"-3\""), "{error}");
}

#[test]
fn the_list_says_what_the_parser_does() {
    let list = players();
    assert_eq!(list.len(), LABELS.len());
    for info in &list {
        let behind = if info.label == "engine" { ":mine" } else { "" };
        let plain = read_player(&format!("{}{behind}", info.label)).unwrap();
        assert!(!info.about.is_empty());
        for option in &info.options {
            assert!(!option.meaning.is_empty(), "{}", option.name);
            let text = format!("{}({}={}){behind}", info.label, option.name, option.default);
            assert_eq!(read_player(&text).as_ref(), Ok(&plain), "{text}");
        }
    }
}

#[test]
fn what_needs_no_budget_gets_none() {
    let default = Budget::iterations(7);
    let given = |text: &str| read_player(text).unwrap().budget_or(default);
    assert_eq!(given("mcts"), default);
    assert_eq!(given("ab"), default);
    assert_eq!(given("fsss"), default);
    assert_eq!(given("mcts@64MiB"), Budget { memory: Some(64 << 20), ..default });
    assert_eq!(given("mcts@5nodes"), Budget::nodes(5));
    assert_eq!(given("engine:a"), default);
    assert_eq!(given("engine:uci:a"), default);
    for text in ["random", "greedy", "ab(depth=3)", "fsss(depth=3)", "engine:gtp:a"] {
        assert_eq!(given(text), Budget::default(), "{text}");
    }
}

/// An error, or a player whose text reads back as the same player.
fn check_text(text: &str) -> bool {
    match read_player(text) {
        Ok(player) => {
            let canonical = player.to_string();
            assert_eq!(read_player(&canonical).as_ref(), Ok(&player), "{text} {canonical}");
            assert_eq!(read_player(&canonical).unwrap().to_string(), canonical, "{text}");
            true
        }
        Err(error) => {
            assert!(error.to_string().contains("; expected "), "{error}");
            false
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_is_written_and_read_again(text in any_text()) {
        check_text(&text);
    }

    #[test]
    fn nearly_right_texts_are_players_or_errors(text in nearly_right()) {
        check_text(&text);
    }

    #[test]
    fn any_text_is_a_player_or_an_error(text in any::<String>()) {
        check_text(&text);
        check_text(&format!("mcts({text})"));
        check_text(&format!("ab@{text}"));
        check_text(&format!("engine:{text}"));
        check_text(&format!("engine:\"{text}\"@1s"));
    }

    #[test]
    fn commands_are_read_as_they_were_written(command in any_command()) {
        let engine = EngineOptions { command, ..EngineOptions::default() };
        let budget = Budget::iterations(5);
        let player = Player { search: Search::Engine(engine), budget };
        prop_assert_eq!(read_player(&player.to_string()), Ok(player));
    }
}

#[test]
fn most_texts_in_the_right_form_are_players() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut players = 0;
    for _ in 0..200 {
        let tree = any_text().new_tree(&mut runner).unwrap();
        players += u32::from(check_text(&tree.current()));
    }
    // Otherwise the property above tests little.
    assert!(players >= 80, "{players} of 200");
}
