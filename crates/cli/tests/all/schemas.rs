//! Every JSON output is what its schema says, both ways: what is written is documented, and what is
//! documented is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::common::{Run, command, finish};
use crate::serve::Served;

/// The schemas by name, and which of their members have been seen.
struct Schemas {
    all: BTreeMap<String, Value>,
    seen: BTreeSet<String>,
    /// Whether members may be those of a sweep, whose parameters have any name.
    is_sweep: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas")
}

impl Schemas {
    fn read() -> Schemas {
        let mut all = BTreeMap::new();
        for entry in std::fs::read_dir(folder()).expect("the folder of the schemas") {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a schema");
            let schema: Value = serde_json::from_str(&text).expect("JSON");
            let name = path.file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
            assert_eq!(schema["$id"], format!("treegraft.{name}/1"));
            assert!(schema["description"].is_string(), "{name}");
            all.insert(name, schema);
        }
        Schemas { all, seen: BTreeSet::new(), is_sweep: false }
    }

    /// Checks an output: an object, or an array of them, each with the name of its schema.
    fn check(&mut self, value: &Value) {
        if let Value::Array(values) = value {
            assert!(!values.is_empty(), "an empty array shows nothing");
            return values.iter().for_each(|value| self.check(value));
        }
        let members = value.as_object().unwrap_or_else(|| panic!("{value} is no object"));
        assert_eq!(members.keys().next().map(String::as_str), Some("schema"), "{value}");
        let id = members["schema"].as_str().expect("a name");
        let name = id.strip_prefix("treegraft.").and_then(|id| id.strip_suffix("/1"));
        let name = name.unwrap_or_else(|| panic!("{id}")).to_owned();
        let schema = self.all.get(&name).unwrap_or_else(|| panic!("{id} is not documented"));
        let (schema, root) = (schema.clone(), schema.clone());
        self.conforms(value, &schema, &root, &name);
    }

    fn conforms(&mut self, value: &Value, schema: &Value, root: &Value, at: &str) {
        if let Some(target) = schema["$ref"].as_str() {
            let (file, inside) = target.split_once('#').unwrap_or((target, ""));
            let other = match file.strip_suffix(".json") {
                Some(name) => self.all[name].clone(),
                None => root.clone(),
            };
            return match inside.strip_prefix("/$defs/") {
                Some(name) => {
                    self.conforms(value, &other["$defs"][name], &other, &format!("{at}/{name}"));
                }
                None => self.conforms(value, &other, &other, file.trim_end_matches(".json")),
            };
        }
        if let Some(expected) = schema.get("const") {
            assert_eq!(value, expected, "{at}");
        }
        if let Some(allowed) = schema["enum"].as_array() {
            assert!(allowed.contains(value), "{at}: {value} is none of {allowed:?}");
        }
        if let Some(types) = schema.get("type") {
            let is_one = |name: &Value| has_type(value, name.as_str().expect("a type"));
            let fits = types.as_array().map_or_else(|| is_one(types), |all| all.iter().any(is_one));
            assert!(fits, "{at}: {value} is not {types}");
        }
        match value {
            Value::Array(values) => {
                let length = values.len() as u64;
                let within = schema["minItems"].as_u64().is_none_or(|least| length >= least)
                    && schema["maxItems"].as_u64().is_none_or(|most| length <= most);
                assert!(within, "{at}: {value}");
                let each = format!("{at}[]");
                values.iter().for_each(|value| self.conforms(value, &schema["items"], root, &each));
            }
            Value::Object(members) => self.has_members(members, schema, root, at),
            _ => {}
        }
    }

    fn has_members(
        &mut self,
        members: &Map<String, Value>,
        schema: &Value,
        root: &Value,
        at: &str,
    ) {
        let no_members = Map::new();
        let known = schema["properties"].as_object().unwrap_or(&no_members);
        for (name, value) in members {
            let place = format!("{at}.{name}");
            let others = schema.get("additionalProperties");
            match (known.get(name), others) {
                (Some(property), _) => {
                    self.seen.insert(place.clone());
                    self.conforms(value, property, root, &place);
                }
                // Rows of reports are open, but only for the parameters of a sweep.
                (None, Some(others)) if self.is_sweep || !at.starts_with("report") => {
                    self.conforms(value, others, root, &place);
                }
                _ => panic!("{place} is not documented"),
            }
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().expect("a name");
            assert!(members.contains_key(name), "{at}: {name} is missing");
        }
    }

    /// Every member of every schema, where it is documented.
    fn documented(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for (name, schema) in &self.all {
            gather(schema, name, &mut all);
            for (inner, schema) in schema["$defs"].as_object().into_iter().flatten() {
                // A definition is seen wherever it is used.
                assert_eq!((name.as_str(), inner.as_str()), ("analyze", "node"));
                gather(schema, &format!("{name}.tree/{inner}"), &mut all);
            }
        }
        all
    }
}

fn gather(schema: &Value, at: &str, all: &mut BTreeSet<String>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{at}.{name}");
        let is_described = property["description"].is_string() || property.get("$ref").is_some();
        assert!(is_described, "{place} has no description");
        gather(property, &place, all);
        gather(&property["items"], &format!("{place}[]"), all);
        all.insert(place);
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        name => panic!("{name} is no type"),
    }
}

const TOURNAMENT: &str = "\
game = \"connect4:4x4\"
games = 4
players = [\"mcts@10it\", \"ab(depth=2)\", \"random\"]
schedule = \"round-robin\"
openings = { random = 2 }
record = \"thinking\"
stop = { sprt = { elo0 = 0, elo1 = 50, alpha = 0.05, beta = 0.05 } }
";

const SWEEP: &str = "\
game = [\"connect4:4x4\", \"kalah:3,2\"]
games = 4
scoring = \"pairs\"
[sweep]
player = \"mcts(c={c})@10it\"
against = \"random\"
grid = { c = [0.5, 1.0] }
";

/// What the page is sent about a search with its tree.
fn watched(directory: &Path) -> Vec<Value> {
    let asked = r#"{"game": "hex:5", "player": "uct(rave)@350ms", "tree": true}"#;
    let answer = Served::start(directory, &[]).post("/api/search", asked);
    let data = answer.lines().filter_map(|line| line.strip_prefix("data: "));
    let messages: Vec<Value> = data.map(|json| serde_json::from_str(json).expect("JSON")).collect();
    assert!(messages.len() > 1, "{answer}");
    messages
}

#[test]
fn every_output_is_what_its_schema_says() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a folder");
    std::fs::write(directory.join("it.toml"), TOURNAMENT).expect("a file");
    std::fs::write(directory.join("sweep.toml"), SWEEP).expect("a file");
    let mut schemas = Schemas::read();
    let mut covered = BTreeSet::new();
    let mut check = |args: &[&str]| {
        let mut command = command(args);
        command.current_dir(&directory);
        let Run { code, out, err } = finish(command);
        assert!(matches!(code, Some(0 | 1)) && err.is_empty(), "{args:?}: {err}");
        covered.insert(args[0].to_owned());
        schemas.is_sweep = args.contains(&"sweep.toml");
        match serde_json::from_str(&out) {
            Ok(value) => schemas.check(&value),
            Err(_) => {
                for line in out.lines() {
                    let line = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
                    schemas.check(&line);
                }
            }
        }
    };
    let small = "connect4:4x4";
    check(&["games", "--json"]);
    check(&["players", "--json"]);
    check(&["show", "connect4", "--json", "--moves", "44"]);
    check(&["show", "connect4", "--json", "--moves", "4152637"]);
    check(&["eval", "breakthrough", "--moves", "e2e3", "--json"]);
    check(&["eval", "loa", "efWB", "--json"]);
    check(&["analyze", small, "mcts-solver@50it", "--tree", "2", "--json"]);
    check(&["analyze", small, "ab(depth=3)", "--moves", "1", "--json"]);
    check(&["analyze", "tree:height=12", "fsss(deepening=false,scores=margin)@50nodes", "--json"]);
    check(&["analyze", "othello", "uct(switch=all)@60it", "--json"]);
    check(&["analyze", "hex:3", "uct(rave)@60it", "--tree", "2", "--json"]);
    check(&["analyze", small, "mcts-ab@50it", "--tree", "2", "--json"]);
    check(&["analyze", small, "fsss@500nodes", "--tree", "2", "--lines", "2", "--json"]);
    check(&["analyze", "othello", "uct(switch=all)@350ms", "--json-lines"]);
    check(&["watch", small, "mcts@10it", "ab(depth=2)", "--json"]);
    check(&["trace", "tree:((3 5) (2 9))", "alpha-beta", "--json"]);
    check(&["trace", "tree:((3 5) (2 9))", "sss", "--json"]);
    check(&["trace", "connect4", "mcts-ms-2-visit-1@10it", "--moves", "41414", "--json"]);
    check(&["trace", "breakthrough:5x5", "mcts-ab(p=0.3)@60it", "--limit", "300", "--json"]);
    check(&["trace", "breakthrough:5x5", "mcts-ip-e(im=0.4)@20it", "--json"]);
    check(&["trace", "othello", "uct(switch=all)@5it", "--json"]);
    check(&["solve", "kalah:2,1", "--json"]);
    check(&["solve", "tree:height=12", "--with", "fsss@50nodes", "--json"]);
    check(&["match", small, "uct@10it", "ab(depth=2)", "--games", "4", "--json"]);
    check(&["match", small, "ab(depth=1)", "ab(depth=2)", "--games", "1", "--json"]);
    check(&["perft", small, "--depth", "2", "--divide", "--json"]);
    check(&["check", small, "--walks", "2", "--samples", "10", "--json"]);
    check(&["traps", small, "--player", "random", "--games", "3", "--store", "t.traps", "--json"]);
    check(&["traps", small, "--player", "random", "--games", "2", "--beside", "t.traps", "--json"]);
    check(&["traps", "connect4", "--moves", "4 1 4 1 4", "--json"]);
    check(&["accuracy", small, "mcts@10it", "random", "--positions", "5", "--json"]);
    check(&["accuracy", "kalah:3,2", "--margin", "--positions", "5", "--save", "s.txt", "--json"]);
    check(&["ladder", "hex:3", "--time", "1ms", "--games", "2", "--json"]);
    check(&["ladder", "atlas", "--games", "hex:5", "--positions", "1", "--json"]);
    check(&["trees", "--height", "2..4", "--trees", "3", "--json"]);
    check(&["categories", "loa", "--player", "random", "--games", "1", "--json"]);
    check(&["tune", small, "--player", "random", "--games", "40", "--json"]);
    for file in ["it.toml", "sweep.toml"] {
        check(&["run", file, "--dry-run", "--json"]);
        check(&["status", file, "--json"]);
        check(&["run", file, "--no-plot", "--json"]);
        check(&["status", file, "--json"]);
        check(&["report", file, "--times", "--compare", "1", "--json"]);
        for table in ["results", "games", "work"] {
            check(&["report", file, "--table", table, "--json"]);
        }
        check(&["verify", file, "--json"]);
    }
    check(&["run", "it.toml", "--shard", "1/2", "--json"]);
    check(&["merge", "all.db", "it.db", "it.shard-1-of-2.db", "--json"]);
    check(&["run", "it.toml", "--shard", "2/2", "--first", "2", "--json"]);
    check(&["merge", "two.db", "it.shard-2-of-2.db", "it.shard-1-of-2.db", "--json"]);
    check(&["status", "it.toml", "--store", "it.shard-1-of-2.db", "--complete", "--json"]);
    check(&["status", "it.toml", "--store", "two.db", "--complete", "--json"]);
    check(&["cluster", "slurm", "it.toml", "--tasks", "2", "--json"]);
    check(&["reproduce", "baier-2018/ic-500", "--scale", "smoke", "--json"]);
    check(&["reproduce", "list", "baier-2018", "weinstein-2012", "--json"]);
    check(&["reproduce", "report", "baier-2018/ic-500", "--scale", "smoke", "--json"]);
    check(&["report", "it.toml", "--table", "ratings", "--json"]);
    check(&["report", "it.toml", "--table", "sprt", "--json"]);
    check(&["report", "it.toml", "--times", "--table", "times", "--json"]);
    check(&["report", "it.toml", "--compare", "1", "--table", "comparison", "--json"]);
    check(&["export", "it.toml", "--format", "jsonl"]);
    check(&["replay", "it.toml", "1", "--json"]);
    check(&["annotate", "it.toml", "1", "--with", "mcts@20it", "--json"]);
    let moves = ["--moves", "3322415", "--json"];
    check(&[&["annotate", "--game", "connect4:5x4"], &moves[..]].concat());

    for message in watched(&directory) {
        schemas.check(&message);
    }

    // What went well has no differences and no faults to show, what was just played no changed players,
    // and programs are missing on some machines only.
    let others = [
        "verify.differences[].",
        "verify.players_changed[].",
        "ladder.missing[].",
        "ladder.faults[].",
    ];
    let never = |place: &&String| !others.iter().any(|other| place.starts_with(other));
    let documented = schemas.documented();
    let unseen: Vec<_> = documented.difference(&schemas.seen).filter(never).collect();
    assert!(unseen.is_empty(), "documented, but never written: {unseen:?}");
    // No command with --json was forgotten, and each schema is listed.
    let guide = std::fs::read_to_string(folder().join("../json.md")).expect("the guide");
    for name in schemas.all.keys() {
        assert!(guide.contains(&format!("schemas/{name}.json")), "docs/json.md: {name}");
    }
    let help = finish(command(&["--help"])).out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = commands.take_while(|line| !line.is_empty());
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 15, "{help}");
    for name in names {
        let help = finish(command(&[name, "--help"])).out;
        assert!(!help.contains("--json") || covered.contains(name), "{name} --json");
    }
}
