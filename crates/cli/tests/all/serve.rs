//! `treegraft serve`: what it says, where it listens, and what it refuses. The page itself is tested
//! in `crates/server`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{command, finish};

/// A server, which ends with the test.
pub(crate) struct Served {
    child: Child,
    /// What it said first.
    pub(crate) line: String,
}

impl Served {
    pub(crate) fn start(directory: &Path, args: &[&str]) -> Served {
        let mut serve = command(&[&["serve", "--port", "0"], args].concat());
        serve.current_dir(directory);
        Served::by(serve)
    }

    fn by(mut serve: Command) -> Served {
        serve.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = serve.spawn().expect("the program");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut line).expect("the address");
        Served { child, line }
    }

    /// Host and port of the page.
    pub(crate) fn host(&self) -> &str {
        self.line.split('/').nth(2).expect("an address")
    }

    /// The answer to something that is posted, head and all.
    pub(crate) fn post(&self, path: &str, body: &str) -> String {
        let (host, length) = (self.host(), body.len());
        let mut stream = TcpStream::connect(host).expect("a connection");
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("an open connection");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        answer
    }

    /// Ends it; what it said on standard error.
    fn end(mut self) -> String {
        self.child.kill().expect("a process of ours");
        let mut said = String::new();
        let mut from = self.child.stderr.take().expect("its standard error");
        from.read_to_string(&mut said).expect("text");
        said
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

#[test]
fn it_is_there_within_a_second_and_on_this_machine_only() {
    let begin = Instant::now();
    let server = Served::start(here(), &[]);
    let shown = server.post("/api/show", r#"{"game": "connect4"}"#);
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
    assert!(shown.contains("treegraft.show/1"), "{shown}");
    assert!(server.host().starts_with("127.0.0.1:"), "{}", server.line);
    assert_eq!(server.end(), "");
}

#[test]
fn elsewhere_it_warns_and_says_its_names() {
    let server = Served::start(here(), &["--listen", "0.0.0.0", "--host", "lab.example"]);
    assert!(server.line.contains("http://127.0.0.1:"), "{}", server.line);
    assert!(server.line.contains(", http://lab.example:"), "{}", server.line);
    assert!(server.end().contains("there is no password"));
    let name = finish(command(&["serve", "--port", "0", "--host", "http://lab.example/"]));
    assert_eq!(name.code, Some(2));
    assert!(name.err.contains("\"http://lab.example/\" is not a host name"), "{}", name.err);
    let address = finish(command(&["serve", "--listen", "lab.example"]));
    assert!(address.code == Some(2) && address.err.contains("lab.example"), "{}", address.err);
}

#[test]
fn engines_are_started_with_the_flag_only() {
    let program = env!("CARGO_BIN_EXE_treegraft");
    let player = format!(r#"engine:\"{program} engine connect4 ab(depth=2)\"@1s"#);
    let asked = format!(r#"{{"game": "connect4", "moves": "1 2 1 2 1 2", "player": "{player}"}}"#);
    let refused = Served::start(here(), &[]).post("/api/search", &asked);
    assert!(
        refused.starts_with("HTTP/1.1 403") && refused.contains("--allow-engines"),
        "{refused}"
    );
    let played = Served::start(here(), &["--allow-engines"]).post("/api/search", &asked);
    assert!(played.contains("event: move") && played.contains(r#""move":"1""#), "{played}");
    let both = finish(command(&["serve", "--allow-engines", "--listen", "0.0.0.0"]));
    assert_eq!(both.code, Some(2));
    assert!(both.err.contains("could start programs here"), "{}", both.err);
}

/// A program in the place of the browser notes what it is to open.
#[cfg(target_os = "linux")]
#[test]
fn the_page_is_opened_in_the_browser() {
    use std::os::unix::fs::PermissionsExt;

    let folder = here().join("serve-open");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let opener = folder.join("xdg-open");
    let note = folder.join("opened");
    let script = format!("#!/bin/sh\necho \"$1\" > {0}.new\nmv {0}.new {0}\n", note.display());
    std::fs::write(&opener, script).expect("a file");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&opener, executable).expect("a file of ours");
    let mut serve = command(&["serve", "--port", "0", "--open"]);
    let path = std::env::var("PATH").unwrap_or_default();
    serve.env("PATH", format!("{}:{path}", folder.display()));
    let server = Served::by(serve);
    let begin = Instant::now();
    while !note.exists() && begin.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let opened = std::fs::read_to_string(&note).expect("what was opened");
    assert_eq!(opened.trim(), format!("http://{}/", server.host()));
}
