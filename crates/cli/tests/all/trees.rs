//! `treegraft trees`, as users meet it.

use std::path::{Path, PathBuf};

use crate::common::{command, finish, json, ok, refused};
use serde_json::Value;

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-trees-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["trees", "--height", "2..8", "--trees", "40"].iter().chain(more).copied().collect()
}

fn numbers(value: &Value, key: &str) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|item| item[key].as_f64().unwrap()).collect()
}

#[test]
fn trees_are_summed_up() {
    let text = ok(&quick(&[]));
    for words in [
        "trees    branching 2, leaves uniform\n",
        "heights  2..8; 40 trees of each, seed 1\n",
        "look at  treegraft show tree:seed=",
        "\nLeaves expanded\n",
        "\nFewest and most leaves\n",
        "\nLeaves for each leaf of alpha-beta\n",
        "\nTrees with fewer leaves than alpha-beta's\n",
        "\nFSSS and MTD(+∞), tree by tree\n",
        "\nLeaves as a·b^height, heights 6..8\n",
        "note: Paper: Weinstein, Littman & Goschin 2012, section 4.\n",
        "\nFSSS          280             0                                             0\n",
        "up to height 8 also of minimax over all leaves",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    let found = json(&quick(&["--json", "--jobs", "1"]));
    assert_eq!(found, json(&quick(&["--json", "--jobs", "3"])));
    assert_ne!(found, json(&quick(&["--json", "--seed", "2"])));
    assert_eq!((&found["complete"], &found["trees"]), (&true.into(), &40.into()));
    assert_eq!(found["methods"], serde_json::json!(["alpha-beta", "mtd", "sss", "fsss", "random"]));
    assert_eq!(numbers(&found["heights"], "height"), [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    for height in found["heights"].as_array().unwrap() {
        let [alpha_beta, .., fsss, _] = height["methods"].as_array().unwrap().as_slice() else {
            panic!("{height}");
        };
        assert!(fsss["leaves"]["mean"].as_f64() < alpha_beta["leaves"]["mean"].as_f64());
        assert_eq!((&fsss["wrong"], &fsss["violations"]), (&0.into(), &0.into()));
        assert_eq!(fsss["worse"]["count"], 0);
        assert!(fsss["min"].as_u64() <= fsss["max"].as_u64());
        assert_eq!(
            (&alpha_beta["ratio"]["mean"], &alpha_beta["better"]["of"]),
            (&1.0.into(), &40.into())
        );
        assert!(height["fsss_below_mtd"]["ci95"].is_array());
    }
    let fits = found["fits"].as_array().unwrap();
    assert_eq!((&fits[0]["paper"]["a"], &fits[0]["paper"]["b"]), (&1.74.into(), &1.68.into()));
    assert_eq!((&fits[3]["paper"]["a"], &fits[3]["paper"]["b"]), (&1.46.into(), &1.65.into()));
    assert!(numbers(&found["fits"], "b").iter().all(|b| (1.4..2.2).contains(b)));
}

#[test]
fn the_tree_that_is_named_has_the_value_that_is_listed() {
    let csv = temporary("list.csv");
    let name = csv.to_str().unwrap();
    let text = ok(&quick(&["--methods", "fsss", "--irregular", "--by-tree", name]));
    assert!(text.contains(&format!("trees  {name}\n")), "{text}");
    let list = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(list.lines().count(), 1 + 7 * 40);
    let line = list.lines().last().unwrap();
    let (tree, rest) = line.split_once('"').unwrap().1.split_once("\",").unwrap();
    let value: i64 = rest.split(',').next().unwrap().parse().unwrap();
    let solved = json(&["solve", tree, "--with", "fsss", "--json"]);
    assert_eq!((&solved["margin"], &solved["proven"]), (&value.into(), &true.into()), "{tree}");
    std::fs::remove_file(csv).unwrap();
}

#[test]
fn binary_leaves_are_split_by_parity() {
    let binary = ["--leaves", "binary", "--ones", "0.4", "--methods", "sss,fsss,mt-sss"];
    let text = ok(&quick(&binary));
    for words in [
        "leaves binary,ones=0.4\n",
        "\nTrees with fewer leaves than alpha-beta's, odd heights\n",
        "\nTrees with fewer leaves than alpha-beta's, even heights\n",
        "\n   all  ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("tree by tree") && !text.contains("Paper"), "{text}");
    let found = json(&quick(&[&binary[..], &["--json"]].concat()));
    let parity = found["parity"].as_array().unwrap();
    assert_eq!(parity.len(), 8);
    assert_eq!((&parity[0]["parity"], &parity[0]["better"]["of"]), (&"odd".into(), &120.into()));
    assert_eq!(found["heights"][0]["fsss_below_mtd"], Value::Null);
}

#[test]
fn plots_are_written() {
    let svg = temporary("plots.svg");
    let text = ok(&quick(&["--plot", svg.to_str().unwrap()]));
    for name in ["leaves", "shares"] {
        let path = svg.with_file_name(format!("cli-trees-plots-{name}.svg"));
        assert!(text.contains(&format!("plot  {}\n", path.display())), "{text}");
        let drawn = std::fs::read_to_string(&path).unwrap();
        assert!(drawn.starts_with("<svg ") && drawn.contains("FSSS"), "{drawn}");
        assert_eq!(drawn.contains("paper: 1.74·1.68^h"), name == "leaves");
        std::fs::remove_file(path).unwrap();
    }
    let png = temporary("plots.png");
    json(&quick(&["--json", "--leaves", "binary", "--plot", png.to_str().unwrap()]));
    for name in ["leaves", "shares"] {
        let path = png.with_file_name(format!("cli-trees-plots-{name}.png"));
        assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
        std::fs::remove_file(path).unwrap();
    }
    for option in ["--plot", "--by-tree"] {
        let nowhere = finish(command(&quick(&[option, "no-such-folder/x.svg"])));
        assert_eq!(nowhere.code, Some(1));
        assert!(nowhere.err.contains("no-such-folder"), "{}", nowhere.err);
    }
}

#[test]
fn bad_input_is_named() {
    for (args, words) in [
        (&["--height", "9..4"][..], "9..4"),
        (&["--height", "0..4"], "from 1 to 1000"),
        (&["--height", "4..90"], "heights up to 22 are possible"),
        (&["--height", "4..90"], "try: --methods mtd,sss,fsss"),
        (&["--height", "4..90", "--methods", "fsss"], "heights up to 28 are possible"),
        (&["--height", "4", "--branching", "1001"], "from 1 to 1000"),
        (&["--height", "100", "--branching", "50"], "no tree has branching 50, height 100"),
        (&["--height", "8", "--branching", "50"], "too large"),
        (&["--methods", "fsss,minimax"], "there is no method \"minimax\""),
        (&["--methods", "fsssx"], "did you mean fsss?"),
        (&["--leaves", "dice"], "\"dice\""),
        (&["--leaves", "6..1"], "leaves 6..1"),
        (&["--ones", "0.5"], "ones goes with leaves=binary only"),
        (&["--leaves", "binary", "--ones", "1.5"], "from 0 to 1"),
        (&["--leaves", "binary", "--ones", "nan"], "from 0 to 1"),
        (&["--trees", "0"], "from 1 to 1000000"),
        (&["--fit", "20..24"], "--fit 20..24: a curve needs at least two of the heights 4..16"),
        (&["--fit", "x"], "\"x\" is not a list of heights"),
        (&["--plot", "plot.gif"], "plot.gif"),
        (&["connect4"], "connect4"),
    ] {
        let error = refused(&[&["trees"], args].concat());
        assert!(error.contains(words), "{words}: {error}");
    }
}
