//! The page of Treegraft: play, watch searches think, and learn, in a browser.
//!
//! The server has no logic of its own. Games, searches, traces, traps, experiments and annotations
//! are those of `treegraft-lab`; what is sent are the objects of `--json` (`docs/json.md`) and the
//! pictures of positions as data. Events are server-sent events, commands are posted.
//!
//! Whatever takes time runs on a thread of its own, which ends when the client leaves
//! (`jobs.rs`). Only this machine can connect, and only pages of this server may ask (`guard.rs`).
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
mod guard;
mod jobs;
mod listener;
mod markdown;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use treegraft_players::Registry;

use crate::experiments::Folder;
use crate::jobs::Jobs;
use crate::listener::CappedListener;

/// How the page is served.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The port; 0: any that is free.
    pub port: u16,
    /// The folder whose experiments are shown; without it there are none.
    pub folder: Option<PathBuf>,
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
    /// What the header `Host` may say.
    pub(crate) hosts: Vec<String>,
}

impl Server {
    /// Takes the port, on this machine only.
    ///
    /// # Errors
    ///
    /// If the port is taken, or the folder cannot be read.
    pub fn bind(registry: Arc<Registry>, options: &Options) -> io::Result<Server> {
        let folder = options.folder.as_deref().map(Folder::open).transpose()?;
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let port = address.port();
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        let state = State { registry, folder, jobs: Jobs::new(), hosts: hosts.into() };
        Ok(Server { listener, address, state: Arc::new(state) })
    }

    /// Where the page is.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    ///
    /// If the server cannot be started.
    pub fn run(self) -> io::Result<()> {
        // One thread: it only passes on what the threads of searches have found.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            axum::serve(CappedListener::new(listener), api::router(self.state)).await
        })
    }
}
