//! The server without a browser: every kind of request, refusals, and searches that end when the
//! client leaves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use treegraft_players::Registry;
use treegraft_server::{Options, Server};

thread_local! {
    /// A server for each test, so that none takes the searches of another.
    static ADDRESS: SocketAddr = {
        let server = Server::bind(Registry::standard().into(), &Options::default());
        let server = server.expect("a free port");
        let address = server.address();
        std::thread::spawn(move || server.run());
        address
    };
}

fn address() -> SocketAddr {
    ADDRESS.with(|address| *address)
}

/// Sends a request; the connection is at the beginning of the answer.
fn ask(method: &str, path: &str, extra: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address()).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
    let (host, length) = (address(), body.len());
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n\
         connection: close\r\n{extra}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("an open connection");
    stream
}

/// The status, the head and the body of an answer, chunks put together.
fn answer(stream: TcpStream) -> (u16, String, String) {
    let mut text = String::new();
    BufReader::new(stream).read_to_string(&mut text).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    (status, head.to_lowercase(), body.to_owned())
}

fn get(path: &str) -> (u16, String, String) {
    answer(ask("GET", path, "", ""))
}

const JSON: &str = "content-type: application/json\r\n";

fn post(path: &str, body: &Value) -> (u16, Value) {
    let (status, _, body) = answer(ask("POST", path, JSON, &body.to_string()));
    (status, serde_json::from_str(&body).unwrap_or(Value::Null))
}

#[test]
fn the_page_is_served_and_keeps_to_itself() {
    for (path, kind) in
        [("/", "text/html"), ("/app.js", "text/javascript"), ("/app.css", "text/css")]
    {
        let (status, head, body) = get(path);
        assert_eq!(status, 200, "{path}");
        assert!(head.contains(&format!("content-type: {kind}")) && !body.is_empty(), "{head}");
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"));
        assert!(!body.contains("<script>"), "{path}");
    }
    assert_eq!(get("/../Cargo.toml").0, 404);
    assert_eq!(get("/etc/passwd").0, 404);
    let (status, _, body) = answer(ask("GET", "/", "host: evil.example\r\n", ""));
    assert!((400..404).contains(&status), "{status} {body}");
    let origin = format!("{JSON}origin: http://evil.example\r\n");
    assert_eq!(answer(ask("POST", "/api/show", &origin, "{}")).0, 403);
}

#[test]
fn games_players_and_positions_are_those_of_the_program() {
    let games: Value = serde_json::from_str(&get("/api/games").2).expect("JSON");
    assert_eq!(games[0]["schema"], "treegraft.game/1");
    let names: Vec<&str> =
        games.as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    for game in names {
        let (status, shown) = post("/api/show", &json!({"game": game}));
        assert_eq!((status, &shown["show"]["schema"]), (200, &"treegraft.show/1".into()), "{game}");
        let moves = shown["show"]["moves"].as_array().map(Vec::len);
        assert_eq!(moves, shown["cells"].as_array().map(Vec::len), "{game}");
        assert!(shown["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{game}");
    }
    let players = get("/api/players").2;
    assert!(players.contains("mcts-solver") && !players.contains("\"engine\""));
    let (status, player) =
        post("/api/player", &json!({"game": "hex", "player": "mcts(c=0.80)@10it"}));
    assert_eq!((status, &player["player"]), (200, &"mcts(c=0.8)@10it".into()));
}

#[test]
fn bad_input_is_refused_in_the_words_of_the_program() {
    let place = json!({"game": "connect4", "moves": "4 9"});
    let (status, answer) = post("/api/show", &place);
    let words = "move \"9\": it is move 2: not a column; expected one of 1, 2, 3, 4, 5, 6, 7";
    assert_eq!((status, &answer["error"]), (400, &words.into()));
    for (player, status) in [
        ("engine:\"true\"@1s", 403),
        ("mcts@2h", 400),
        ("mcts@1s,100GiB", 400),
        ("mtcs@1s", 400),
        ("mcts(eval=nonsense)@1it", 400),
    ] {
        let asked = json!({"game": "connect4", "player": player});
        assert_eq!(post("/api/search", &asked).0, status, "{player}");
    }
    assert_eq!(post("/api/show", &json!({"game": 7})).0, 400);
    assert_eq!(post("/api/show", &json!({"game": "x".repeat(100_000)})).0, 413);
    assert_eq!(post("/api/nothing", &json!({})).0, 405);
}

#[test]
fn a_search_is_told_as_it_goes_and_repeats() {
    let asked = json!({"game": "connect4", "moves": "4 4", "player": "mcts-solver@2000it", "seed": 7, "tree": true});
    let digest = || {
        let (status, head, body) = answer(ask("POST", "/api/search", JSON, &asked.to_string()));
        assert_eq!(status, 200);
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        let data = body.lines().rfind(|line| line.starts_with("data: ")).expect("an event");
        let found: Value = serde_json::from_str(&data[6..]).expect("JSON");
        assert_eq!(
            (&found["schema"], &found["stop"]),
            (&"treegraft.analyze/1".into(), &"iterations".into())
        );
        assert_eq!((&found["tree"]["visits"], &found["seed"]), (&2000.into(), &7.into()));
        found["digest"].as_str().expect("a digest").to_owned()
    };
    assert_eq!(digest(), digest());
}

#[test]
fn searches_end_when_the_client_leaves_and_are_limited() {
    let asked = json!({"game": "hex:11", "player": "mcts@60s", "tree": true}).to_string();
    let start = || BufReader::new(ask("POST", "/api/search", JSON, &asked));
    let mut clients: Vec<BufReader<TcpStream>> = (0..6).map(|_| start()).collect();
    for client in &mut clients {
        let mut line = String::new();
        while !line.starts_with("data: ") {
            line.clear();
            client.read_line(&mut line).expect("an event");
        }
        assert!(line.len() < 64 << 10, "{} bytes", line.len());
    }
    assert_eq!(answer(ask("POST", "/api/search", JSON, &asked)).0, 429);
    drop(clients);
    let left = Instant::now();
    loop {
        let (status, _, _) = answer(ask(
            "POST",
            "/api/search",
            JSON,
            &json!({"game": "hex:5", "player": "mcts@10it"}).to_string(),
        ));
        if status == 200 {
            break;
        }
        assert!(left.elapsed() < Duration::from_secs(5), "a search goes on without its client");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn traps_and_traces_are_those_of_the_program() {
    // Three in a row, open at both ends, unless it is stopped now.
    let (status, found) =
        post("/api/traps", &json!({"game": "connect4", "moves": "4 4 3", "level": 3}));
    assert_eq!((status, &found["schema"]), (200, &"treegraft.traps-position/1".into()));
    assert!(found["traps"].as_array().is_some_and(|traps| !traps.is_empty()), "{found}");
    let place = json!({"game": "tree:((3 5) (2 9))", "player": "fsss", "limit": 100});
    let (status, traced) = post("/api/trace", &place);
    assert_eq!(status, 200);
    let events = traced["events"].as_array().expect("events");
    assert_eq!(events.len(), traced["words"].as_array().map_or(0, Vec::len) + 2);
    assert_eq!(events.last().map(|end| &end["result"]), Some(&json!(1.0)));
    let (status, head, svg) = answer(ask("POST", "/api/trace/picture", JSON, &place.to_string()));
    assert!(status == 200 && head.contains("image/svg+xml") && svg.contains("</svg>"));
}

#[test]
fn a_game_is_annotated() {
    // Three in a row, open at both ends.
    let place = json!({"game": "connect4:5x4", "moves": "3 3 2 2 4 1 5"});
    let asked = json!({"place": place, "with": "mcts-solver@200it"});
    let (status, _, body) = answer(ask("POST", "/api/annotate", JSON, &asked.to_string()));
    assert_eq!(status, 200);
    let data = body.lines().rfind(|line| line.starts_with("data: ")).expect("an event");
    let found: Value = serde_json::from_str(&data[6..]).expect("JSON");
    let annotation = &found["annotation"];
    assert_eq!(annotation["schema"], "treegraft.annotate/1");
    assert_eq!(annotation["decision"], json!({"kind": "move", "ply": 4, "proven": true}));
    assert!(found["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")));
}

#[test]
fn without_a_folder_there_are_no_experiments() {
    let listed: Value = serde_json::from_str(&get("/api/experiments").2).expect("JSON");
    assert_eq!(listed, json!({"folder": null, "files": []}));
    for path in ["/api/experiments/watch", "/api/experiments/games", "/api/replay"] {
        assert_eq!(post(path, &json!({"file": "../Cargo.toml", "number": 1})).0, 404, "{path}");
    }
    let lessons: Value = serde_json::from_str(&get("/api/course").2).expect("JSON");
    assert_eq!(lessons.as_array().map(Vec::len), Some(7));
}
