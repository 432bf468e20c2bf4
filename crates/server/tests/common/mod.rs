//! A client that can come from several addresses, as several visitors would.

use std::io::{self, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

use treegraft_players::Registry;
use treegraft_server::{Options, Server};

/// Starts a server.
pub(crate) fn serve(options: &Options) -> SocketAddr {
    let server = Server::bind(Registry::standard().into(), options).expect("a free port");
    let address = server.address();
    std::thread::spawn(move || server.run());
    address
}

/// An answer.
pub(crate) struct Answered {
    /// Its status.
    pub(crate) status: u16,
    /// Its head, in small letters.
    pub(crate) head: String,
    /// What it says.
    pub(crate) body: String,
}

impl Answered {
    /// What a header says.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// Someone who asks from an address of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    server: SocketAddr,
    from: IpAddr,
}

impl Client {
    /// The visitor with this number, who has an address of its own.
    pub(crate) fn new(server: SocketAddr, number: u8) -> Client {
        Client { server, from: [127, 0, 0, number].into() }
    }

    /// A connection on which nothing has been asked.
    pub(crate) fn connect(&self) -> io::Result<TcpStream> {
        let connecting = async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind((self.from, 0).into())?;
            socket.connect(self.server).await?.into_std()
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let stream = runtime.block_on(connecting)?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(stream)
    }

    /// Sends a request; the connection is at the beginning of the answer.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let (host, length) = (self.server, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n\
             content-type: application/json\r\nconnection: close\r\n\r\n{body}"
        );
        let mut stream = self.connect().expect("a connection");
        stream.write_all(request.as_bytes()).expect("an open connection");
        stream
    }

    /// Sends a request and hears the whole answer.
    pub(crate) fn get(&self, path: &str) -> Answered {
        answer(self.ask("GET", path, ""))
    }

    /// The same with something that is posted.
    pub(crate) fn post(&self, path: &str, body: &str) -> Answered {
        answer(self.ask("POST", path, body))
    }
}

/// The whole answer.
pub(crate) fn answer(stream: TcpStream) -> Answered {
    let mut text = String::new();
    BufReader::new(stream).read_to_string(&mut text).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    Answered { status, head: head.to_lowercase(), body: body.to_owned() }
}
