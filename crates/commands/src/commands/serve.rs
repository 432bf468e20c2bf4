//! `treegraft serve`: the page.

use std::io::{ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use treegraft_server::{Options, Server};

use crate::prelude::*;

/// Serve a page to play, watch searches think, and learn, in a browser
///
/// Prints the address of the page and serves it until Ctrl-C. Only this machine can connect unless
/// --listen says otherwise, no request leaves it, and the page can read no files but those in the
/// folder of --dir. Engines cannot be started from the page without --allow-engines.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft serve --open
  treegraft serve --port 8800 --dir examples
  treegraft serve --allow-engines
  treegraft serve --listen 0.0.0.0 --host lab.example   # for all who reach this machine")]
pub(crate) struct Serve {
    /// The port; 0: any that is free
    #[arg(long, value_name = "N", default_value_t = 7373)]
    port: u16,

    /// Show the experiments, stores and ledgers in this folder, live while they run
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Listen at this address of the machine; 0.0.0.0 and :: mean all of them
    ///
    /// There is no password: anyone who can reach the address can use the page and keep the
    /// processor busy. The page answers to the address and to the names of --host only.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// Answer to this name of the machine, too; can be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// Let the page start engines, which are programs on this machine
    ///
    /// Anyone who can open the page can then start any program on this machine. The option is
    /// therefore refused together with an address that other machines can reach.
    #[arg(long)]
    allow_engines: bool,
}

impl Serve {
    pub(crate) fn run(&self, registry: &Arc<Registry>) -> Result<Output> {
        if let Some(dir) = self.dir.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(CliError::new(format!("{} is not a folder", dir.display())));
        }
        if self.allow_engines && !self.listen.is_loopback() {
            return Err(CliError::new(format!(
                "--allow-engines and --listen {}: any machine that reaches this address could start \
                 programs here",
                self.listen
            ))
            .hint("without --listen, and a tunnel from elsewhere, such as ssh -L"));
        }
        let options = Options {
            address: self.listen,
            port: self.port,
            names: self.hosts.clone(),
            folder: self.dir.clone(),
            allows_engines: self.allow_engines,
        };
        let server =
            Server::bind(Arc::clone(registry), &options).map_err(|error| self.refused(&error))?;
        let flag = interrupt::flag();
        if !self.listen.is_loopback() {
            let warning =
                "warning: there is no password; anyone who can reach this address can use the page";
            let _ = writeln!(std::io::stderr(), "{warning}");
        }
        let mut urls = server.urls();
        let address = urls.next().unwrap_or_default();
        // The other name of this machine for itself is known to everybody.
        let others: String =
            urls.filter(|url| !url.contains("//localhost")).map(|url| format!(", {url}")).collect();
        arrived(writeln!(std::io::stdout(), "Treegraft is at {address}{others} (Ctrl-C ends it)"))?;
        if self.open {
            open(&address);
        }
        // Requests are lost when the program ends: there is nothing to finish first.
        std::thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            std::process::exit(i32::from(interrupt::exit_code(INTERRUPTED)));
        });
        let served = server.run().map_err(CliError::about("cannot serve"));
        served.map(|()| Output::nothing()).map_err(|error| error.code(NO_SUCCESS))
    }

    /// Why the page cannot be served.
    fn refused(&self, error: &std::io::Error) -> CliError {
        let place = SocketAddr::new(self.listen, self.port);
        let problem = CliError::new(format!("cannot serve at {place}: {error}"));
        match error.kind() {
            ErrorKind::InvalidInput => problem,
            ErrorKind::AddrInUse => {
                problem.hint("--port 0, which takes any port that is free").code(NO_SUCCESS)
            }
            _ => problem.code(NO_SUCCESS),
        }
    }
}

/// Opens an address in the browser; if that fails, it is on the terminal.
fn open(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        eprintln!("the browser could not be opened: {address} is the page");
    }
}
