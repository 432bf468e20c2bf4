//! The server without a browser: every kind of request, refusals, and searches that end when the
//! client leaves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use treegraft_players::Registry;
use treegraft_server::{Options, Server};

/// Starts a server.
fn serve(options: &Options) -> SocketAddr {
    let server = Server::bind(Registry::standard().into(), options).expect("a free port");
    let address = server.address();
    std::thread::spawn(move || server.run());
    address
}

thread_local! {
    /// A server for each test, so that none takes the searches of another.
    static ADDRESS: SocketAddr = serve(&Options::default());
}

fn address() -> SocketAddr {
    ADDRESS.with(|address| *address)
}

/// Sends a request; the connection is at the beginning of the answer.
fn ask(method: &str, path: &str, extra: &str, body: &str) -> TcpStream {
    ask_at(address(), &address().to_string(), (method, path), extra, body)
}

/// The same at any address, and by any name.
fn ask_at(
    address: SocketAddr,
    host: &str,
    (method, path): (&str, &str),
    extra: &str,
    body: &str,
) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
    let length = body.len();
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
    let channels: Value = serde_json::from_str(&get("/api/channels").2).expect("JSON");
    let im = json!({"key": "implicit", "name": "implicit minimax", "short": "im"});
    assert_eq!(channels[0], im);
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
    // Every refusal is an object that says why.
    let (status, answer) = post("/api/show", &json!({"game": "x".repeat(100_000)}));
    assert_eq!((status, &answer["error"]), (413, &"the request is longer than 64 KiB".into()));
    for (method, path) in [("POST", "/api/nothing"), ("GET", "/api/show"), ("PUT", "/")] {
        let (status, _, body) = self::answer(ask(method, path, JSON, "{}"));
        assert!(status == 405 && body.starts_with("{\"error\":"), "{method} {path}: {body}");
    }
}

#[test]
fn heads_are_limited() {
    let with = |bytes: usize| {
        let mut stream = TcpStream::connect(address()).expect("a connection");
        let (host, long) = (address(), "a".repeat(bytes));
        let head = format!("GET /api/games HTTP/1.1\r\nhost: {host}\r\nx: {long}\r\n\r\n");
        // It may be closed before all is sent.
        let _ = stream.write_all(head.as_bytes());
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).is_ok_and(|()| &begin == b"HTTP/1.1 200")
    };
    assert!(with(60_000));
    assert!(!with(100_000));
    assert!(!with(300_000));
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
    // Half of what there is, for one visitor.
    let mut clients: Vec<BufReader<TcpStream>> = (0..3).map(|_| start()).collect();
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
    ends_within_a_second();
}

/// Whether searches whose clients have just left end: then there is room for another one.
fn ends_within_a_second() {
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
        assert!(left.elapsed() < Duration::from_secs(1), "a search goes on without its client");
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

#[test]
fn updates_are_small_and_few() {
    let asked = json!({"game": "hex:11", "player": "mcts-solver@1500ms", "tree": true}).to_string();
    let (_, _, body) = answer(ask("POST", "/api/search", JSON, &asked));
    let updates: Vec<&str> = body.lines().filter(|line| line.starts_with("data: ")).collect();
    // Ten a second, and what is found in the end.
    assert!((2..=16).contains(&updates.len()), "{}", updates.len());
    let longest = updates.iter().map(|line| line.len()).max().unwrap_or(0);
    assert!((1 << 10..64 << 10).contains(&longest), "{longest} bytes");
    assert!(
        updates
            .iter()
            .any(|line| line.contains("treegraft.thinking/1") && line.contains("\"tree\""))
    );
}

#[test]
fn whoever_sends_slowly_is_cut_off() {
    let connect = || {
        let stream = TcpStream::connect(address()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(12))).expect("a socket");
        stream
    };
    let host = address();
    let head = format!("POST /api/show HTTP/1.1\r\nhost: {host}\r\n{JSON}content-length: 900\r\n");
    let asks = format!("GET /icon.svg HTTP/1.1\r\nhost: {host}\r\n\r\n");
    // One that never finishes its head, one that never finishes what it posts, and one whose first
    // request was in order.
    let mut later = connect();
    later.write_all(asks.as_bytes()).expect("an open connection");
    let mut first = [0; 12];
    later.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200");
    let slow = [(connect(), head.clone()), (connect(), format!("{head}\r\n")), (later, head)];
    let begin = Instant::now();
    let drips = slow.map(|(mut stream, begins)| {
        std::thread::spawn(move || {
            stream.write_all(begins.as_bytes()).expect("an open connection");
            let mut writer = stream.try_clone().expect("a socket");
            // Drop by drop, until the other side has had enough.
            std::thread::spawn(move || {
                while begin.elapsed() < Duration::from_secs(12) && writer.write_all(b"x").is_ok() {
                    std::thread::sleep(Duration::from_millis(200));
                }
            });
            let mut heard = Vec::new();
            // Cut off is cut off: with an answer, or by force.
            let closed = stream.read_to_end(&mut heard);
            let is_timeout = |error: &std::io::Error| {
                matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                )
            };
            assert!(!closed.is_err_and(|error| is_timeout(&error)), "nobody ended it");
            String::from_utf8_lossy(&heard).into_owned()
        })
    });
    // Meanwhile others are served.
    assert_eq!(get("/").0, 200);
    let [_, posted, _] = drips.map(|drip| drip.join().expect("it is cut off"));
    assert!(posted.starts_with("HTTP/1.1 408"), "{posted}");
    assert!((4..10).contains(&begin.elapsed().as_secs()), "{:?}", begin.elapsed());
}

#[test]
fn a_thousand_connections_are_survived() {
    // Some systems allow a process fewer open files than both ends of these need.
    let mut idle: Vec<TcpStream> = Vec::new();
    for number in 0..1000 {
        let Ok(mut stream) = TcpStream::connect(address()) else { break };
        if number % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
        }
        idle.push(stream);
    }
    let begin = Instant::now();
    // Those that ask for nothing are closed after some seconds, and then there is room.
    assert_eq!(get("/").0, 200);
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    drop(idle);
    assert_eq!(get("/api/games").0, 200);
}

#[test]
fn elsewhere_it_answers_to_its_address_and_its_names_only() {
    let names = vec!["Lab.example".to_owned()];
    let options = Options { address: [0, 0, 0, 0].into(), names, ..Options::default() };
    let address = serve(&options);
    let here = SocketAddr::from(([127, 0, 0, 1], address.port()));
    let port = address.port();
    let status = |host: &str, extra: &str| {
        answer(ask_at(here, &host.replace("PORT", &port.to_string()), ("GET", "/"), extra, "")).0
    };
    for host in ["127.0.0.1:PORT", "localhost:PORT", "lab.example:PORT"] {
        assert_eq!(status(host, ""), 200, "{host}");
    }
    for host in
        ["0.0.0.0:PORT", "lab.example", "evil.example:PORT", "x.lab.example:PORT", "10.0.0.1:PORT"]
    {
        assert_eq!(status(host, ""), 403, "{host}");
    }
    let origin = |name: &str| format!("origin: http://{name}:{port}\r\n");
    assert_eq!(status("lab.example:PORT", &origin("lab.example")), 200);
    assert_eq!(status("lab.example:PORT", &origin("evil.example")), 403);
    for name in ["", "http://lab.example", "lab.example:80", "a b"] {
        let options = Options { names: vec![name.to_owned()], ..Options::default() };
        let refused = Server::bind(Registry::standard().into(), &options);
        assert!(
            refused.is_err_and(|error| error.to_string().contains("not a host name")),
            "{name:?}"
        );
    }
}

#[test]
fn engines_play_where_they_are_allowed() {
    let address = serve(&Options { allows_engines: true, ..Options::default() });
    let host = address.to_string();
    let post = |path: &str, body: &Value| {
        let (status, _, text) =
            answer(ask_at(address, &host, ("POST", path), JSON, &body.to_string()));
        (status, text)
    };
    // An engine in one line: it greets, is ready, and always plays column 4.
    let script = "while read line; do case $line in tgp*) echo tgpok;; isready) echo readyok;; \
                  go*) echo bestmove 4;; esac; done";
    let directory = std::env::temp_dir().join(format!("treegraft-engine-{}", std::process::id()));
    std::fs::write(&directory, script).expect("a file");
    let player = format!("engine:\"sh {}\"@1s", directory.display());
    let place = json!({"game": "connect4", "moves": "4 4", "player": player});
    let (status, text) = post("/api/search", &place);
    assert!(status == 200 && text.contains("event: move"), "{text}");
    assert!(text.contains("\"move\":\"4\""), "{text}");
    let (_, text) =
        post("/api/search", &json!({"game": "connect4", "moves": "4 4 4 4 4 4", "player": player}));
    assert!(text.contains("event: error") && text.contains("illegal-move"), "{text}");
    // An engine reports nothing that could be traced or annotated with.
    let trace = json!({"game": "connect4", "player": player, "limit": 9});
    assert_eq!(post("/api/trace", &trace).0, 400);
    let (status, text) = post("/api/player", &json!({"game": "connect4", "player": player}));
    assert!(status == 200 && text.contains("engine"), "{text}");
    let _ = std::fs::remove_file(directory);
    assert!(
        answer(ask_at(address, &host, ("GET", "/api/players"), "", "")).2.contains("\"engine\"")
    );
}
