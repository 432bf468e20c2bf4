//! The page under other people: what one visitor does to all the others.
//!
//! Figures: `cargo test -p treegraft-server --test people -- --nocapture --test-threads=1`.
#![cfg(target_os = "linux")] // Elsewhere, a machine has one address for itself, and so one visitor.

mod common;

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use common::{Answered, Client, answer, serve};
use serde_json::json;
use treegraft_server::Options;

/// A position that takes long to show: a tree of so many leaves.
fn tree(leaves: usize) -> String {
    json!({ "game": format!("tree:({})", "1 ".repeat(leaves)) }).to_string()
}

/// Nearly the worst that fits into a request.
fn heavy() -> String {
    tree(20_000)
}

/// One that does not.
fn light() -> String {
    json!({ "game": "connect4" }).to_string()
}

/// How long the slowest but one of a hundred light requests takes while others do their worst.
fn p99_beside(heavy_clients: &[Client], bodies: &[String], client: Client) -> Duration {
    // One measurement at a time.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let done = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = heavy_clients
        .iter()
        .map(|&client| {
            let (done, bodies) = (Arc::clone(&done), bodies.to_vec());
            std::thread::spawn(move || {
                let mut count = 0;
                while !done.load(Ordering::Relaxed) {
                    client.post("/api/show", &bodies[count % bodies.len()]);
                    count += 1;
                }
                count
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    let mut times: Vec<Duration> = Vec::new();
    while times.len() < 100 && began.elapsed() < Duration::from_secs(3) {
        let begin = Instant::now();
        assert_eq!(client.post("/api/show", &light()).status, 200);
        times.push(begin.elapsed());
        std::thread::sleep(Duration::from_millis(10));
    }
    done.store(true, Ordering::Relaxed);
    let count: usize = threads.into_iter().map(|it| it.join().expect("a client")).sum();
    times.sort();
    let p99 = times[(times.len() * 99 / 100).min(times.len() - 1)];
    let median = times[times.len() / 2];
    println!("{} light: median {median:?}, p99 {p99:?}; {count} heavy ones", times.len());
    p99
}

#[test]
fn a_light_request_is_quick_while_ten_visitors_do_their_worst() {
    let server = serve(&Options::default());
    let one = Instant::now();
    let answer = Client::new(server, 1).post("/api/show", &heavy());
    println!("one heavy request: {} {:?}", answer.status, one.elapsed());
    let others: Vec<Client> = (2..12).map(|number| Client::new(server, number)).collect();
    // The second one is short enough to look quick.
    let p99 = p99_beside(&others, &[heavy(), tree(450)], Client::new(server, 1));
    assert!(p99 < Duration::from_millis(500), "{p99:?}");
}

#[test]
fn a_light_request_is_quick_beside_heavy_ones_from_the_same_address() {
    let server = serve(&Options::default());
    let p99 = p99_beside(&[Client::new(server, 1); 10], &[heavy()], Client::new(server, 1));
    assert!(p99 < Duration::from_millis(500), "{p99:?}");
}

#[test]
fn a_full_queue_is_full_for_its_visitor_only() {
    let server = serve(&Options::default());
    let [greedy, other] = [1, 2].map(|number| Client::new(server, number));
    let streams: Vec<TcpStream> =
        (0..80).map(|_| greedy.ask("POST", "/api/show", &tree(1500))).collect();
    let begin = Instant::now();
    assert_eq!(other.post("/api/show", &tree(1500)).status, 200);
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
    let answers: Vec<Answered> = streams.into_iter().map(answer).collect();
    let refused: Vec<&Answered> = answers.iter().filter(|it| it.status == 429).collect();
    assert!(!refused.is_empty() && refused.len() < 80, "{}", refused.len());
    for refusal in refused {
        assert_eq!(refusal.header("retry-after"), Some("2"), "{}", refusal.head);
        assert!(refusal.body.contains("come again in 2 seconds"), "{}", refusal.body);
    }
}

/// A search of this visitor that has begun.
fn search(client: Client) -> BufReader<TcpStream> {
    let asked = json!({"game": "hex:11", "player": "mcts@60s", "tree": true}).to_string();
    let mut stream = BufReader::new(client.ask("POST", "/api/search", &asked));
    let mut line = String::new();
    while !line.starts_with("data: ") {
        line.clear();
        assert!(stream.read_line(&mut line).expect("an event") > 0, "there is none");
    }
    stream
}

/// A short one, with its whole answer.
fn short_search(client: Client) -> Answered {
    client.post("/api/search", &json!({"game": "hex:5", "player": "mcts@10it"}).to_string())
}

#[test]
fn nobody_has_all_searches_and_reading_needs_none() {
    let (folder, game) = folder_of("searches", 1);
    let server = serve(&Options { folder: Some(folder.clone()), ..Options::default() });
    let [first, second, third, fourth] = [1, 2, 3, 4].map(|number| Client::new(server, number));
    let mut held: Vec<_> = (0..3).map(|_| search(first)).collect();
    let refused = short_search(first);
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("5")));
    assert!(refused.body.contains("stop one, or come again in 5 seconds"), "{}", refused.body);
    // There is room for others, and for whoever looks at something.
    held.extend([search(second), search(second), search(third)]);
    for client in [first, fourth] {
        assert_eq!(client.get("/api/experiments").status, 200);
        let games = client.post("/api/experiments/games", &json!({"file": game}).to_string());
        assert!(games.status == 200 && games.body.contains("\"all\":"), "{}", games.body);
        assert_eq!(client.post("/api/show", &json!({"game": "hex"}).to_string()).status, 200);
    }
    // The next one waits until one ends, which another one's leaving does.
    let waits = std::thread::spawn(move || short_search(fourth).status);
    std::thread::sleep(Duration::from_millis(200));
    held.pop();
    assert_eq!(waits.join().expect("an answer"), 200);
    drop(held);
    std::fs::remove_dir_all(&folder).expect("a folder");
}

#[test]
fn whatever_takes_long_ends_when_its_visitor_leaves() {
    let server = serve(&Options::default());
    let client = Client::new(server, 1);
    for (path, asked) in [
        ("/api/search", json!({"game": "hex:11", "player": "mcts@60s"})),
        (
            "/api/annotate",
            json!({"place": {"game": "hex:11", "moves": "a1 b2"}, "with": "mcts@60s"}),
        ),
        ("/api/traps", json!({"game": "lion", "level": 9})),
        ("/api/trace", json!({"game": "hex:11", "player": "mcts@20s", "limit": 100})),
        ("/api/trace/picture", json!({"game": "lion", "player": "ab@20s", "limit": 2000})),
    ] {
        let streams: Vec<_> =
            (0..3).map(|_| client.ask("POST", path, &asked.to_string())).collect();
        std::thread::sleep(Duration::from_millis(300));
        drop(streams);
        let left = Instant::now();
        let status = short_search(client).status;
        assert_eq!(status, 200, "{path}");
        assert!(left.elapsed() < Duration::from_millis(1500), "{path}: {:?}", left.elapsed());
    }
}

/// A folder with so many experiments with their ledgers, and the name of a ledger.
fn folder_of(name: &str, experiments: usize) -> (PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("treegraft-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let papers = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../papers/lanctot-2014");
    for number in 0..experiments {
        let copies = [
            ("table-5.toml", format!("{number}.toml")),
            ("long/table-5.ledger", format!("{number}.ledger")),
        ];
        for (from, to) in copies {
            std::fs::copy(papers.join(from), folder.join(to)).expect("a file");
        }
    }
    (folder, "0.ledger".to_owned())
}

#[test]
fn a_folder_is_read_once() {
    let (folder, _) = folder_of("fifty", 50);
    let server = serve(&Options { folder: Some(folder.clone()), ..Options::default() });
    let list = || {
        let begin = Instant::now();
        let listed = Client::new(server, 1).get("/api/experiments").body;
        assert_eq!(listed.matches("\"name\"").count(), 100, "{listed}");
        begin.elapsed()
    };
    let first = list();
    let mut others: Vec<Duration> = (0..9).map(|_| list()).collect();
    others.sort();
    println!("50 experiments and 50 ledgers: {first:?}, then {:?}", others[4]);
    assert!(others[4] < Duration::from_millis(100), "{others:?}");
    std::fs::remove_dir_all(&folder).expect("a folder");
}

#[test]
fn the_deepest_tree_that_fits_into_a_request_is_survived() {
    let server = serve(&Options::default());
    let client = Client::new(server, 1);
    let game = format!("tree:{}1{}", "(".repeat(32_000), ")".repeat(32_000));
    for path in ["/api/show", "/api/player", "/api/search", "/api/traps", "/api/trace"] {
        let asked = json!({
            "game": game, "player": "mcts@1it", "level": 1, "limit": 1, "moves": "1 1 1"
        });
        let answer = client.post(path, &asked.to_string());
        assert!(answer.status < 500, "{path}: {} {:.200}", answer.status, answer.body);
    }
    assert_eq!(client.post("/api/show", &tree(2)).status, 200);
}

#[test]
fn nobody_has_all_connections() {
    let server = serve(&Options::default());
    let [greedy, other] = [1, 2].map(|number| Client::new(server, number));
    let held: Vec<TcpStream> = (0..1000).filter_map(|_| greedy.connect().ok()).collect();
    let begin = Instant::now();
    assert_eq!(other.get("/").status, 200);
    println!("beside {} connections: {:?}", held.len(), begin.elapsed());
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
}
