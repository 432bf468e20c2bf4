//! The page of Treegraft: play, watch searches think, and learn, in a browser.
//!
//! The server has no logic of its own. Games, searches, traces, traps, experiments and annotations
//! are those of `treegraft-lab`; what is sent are the objects of `--json` (`docs/json.md`) and the
//! pictures of positions as data. Events are server-sent events, commands are posted.
//!
//! Requests are answered by a pool of threads that visitors share in turn (`pool.rs`). A search runs on a
//! thread of its own, which ends when the client leaves (`jobs.rs`); visitors share the number of these
//! (`permits.rs`).
//! Only this machine can connect unless configured otherwise, and only pages of this server may
//! send requests (`guard.rs`).
//!
//! ```no_run
//! use treegraft_players::Registry;
//! use treegraft_server::{Options, Server};
//!
//! let server = Server::bind(Registry::standard().into(), &Options::default())?;
//! println!("http://{}", server.address());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod answer;
mod api;
mod assets;
mod course;
mod experiments;
mod folder;
mod guard;
mod jobs;
mod listener;
mod markdown;
mod permits;
mod pool;
mod round_robin;
mod routes;
mod search;
mod visitor;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use treegraft_players::Registry;

use crate::folder::Folder;
use crate::jobs::{Jobs, STREAMS};
use crate::listener::CappedListener;
use crate::pool::Pool;
use crate::visitor::Visitor;

/// How the page is served.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen at. There is no password: anyone who can reach it can use the page.
    pub address: IpAddr,
    /// The port; 0: any that is free.
    pub port: u16,
    /// Names under which the page may be requested, beside the address: without scheme and port.
    pub names: Vec<String>,
    /// The folder whose experiments are shown; without it there are none.
    pub folder: Option<PathBuf>,
    /// Whether players may be engines: programs on this machine, any of them.
    pub allows_engines: bool,
}

/// On this machine only, at any free port, with no folder and without engines.
impl Default for Options {
    fn default() -> Options {
        Options {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            names: Vec::new(),
            folder: None,
            allows_engines: false,
        }
    }
}

/// A server that has its port.
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    state: Arc<State>,
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) registry: Arc<Registry>,
    pub(crate) folder: Option<Folder>,
    pub(crate) jobs: Jobs,
    pub(crate) pool: Arc<Pool>,
    /// What the header `Host` may say.
    pub(crate) hosts: Vec<String>,
    pub(crate) allows_engines: bool,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    ///
    /// If the port is taken, the address is not one of this machine, a name is none, or the folder
    /// cannot be read.
    pub fn bind(registry: Arc<Registry>, options: &Options) -> io::Result<Server> {
        let folder = options.folder.as_deref().map(Folder::open).transpose()?;
        let listener = std::net::TcpListener::bind((options.address, options.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let hosts = guard::hosts(address, &options.names)?;
        let allows_engines = options.allows_engines;
        let (jobs, pool) = (Jobs::default(), Arc::default());
        let state = State { registry, folder, jobs, pool, hosts, allows_engines };
        Ok(Server { listener, address, state: Arc::new(state) })
    }

    /// Where the server listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where the page is: every address that a browser may request. The first one is for browsers
    /// on this machine.
    pub fn urls(&self) -> impl Iterator<Item = String> {
        self.state.hosts.iter().map(|host| format!("http://{host}/"))
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    ///
    /// If the server cannot be started.
    pub fn run(self) -> io::Result<()> {
        self.state.pool.start()?;
        experiments::warm(&self.state)?;
        // One thread: it only passes on what other threads have made.
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().max_blocking_threads(STREAMS).build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let routes = routes::router(self.state);
            let service = routes.into_make_service_with_connect_info::<Visitor>();
            axum::serve(CappedListener::new(listener), service).await
        })
    }
}
