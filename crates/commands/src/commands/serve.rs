//! `treegraft serve`: the page.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use treegraft_players::Registry;
use treegraft_server::{Options, Server};

use crate::error::CliError;
use crate::interrupt;
use crate::output::{INTERRUPTED, NO_SUCCESS, Output, arrived};

/// Serve a page to play, watch searches think, and learn, in a browser
///
/// Prints the address of the page and serves it until Ctrl-C. Only this machine can connect, no
/// request leaves it, and nothing of it can be read but the folder of --dir. Engines cannot be started from the page.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft serve --open
  treegraft serve --port 8800 --dir examples")]
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
}

impl Serve {
    pub(crate) fn run(&self, registry: &Arc<Registry>) -> Result<Output, CliError> {
        if let Some(dir) = self.dir.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(CliError::new(format!("{} is not a folder", dir.display())));
        }
        let options = Options { port: self.port, folder: self.dir.clone() };
        let server = Server::bind(Arc::clone(registry), &options).map_err(|error| {
            CliError::new(format!("cannot serve on port {}: {error}", self.port))
                .hint("--port 0, which takes any port that is free")
                .code(NO_SUCCESS)
        })?;
        let flag = interrupt::flag();
        let address = format!("http://{}/", server.address());
        arrived(print(&format!("Treegraft is at {address} (Ctrl-C ends it)\n")))?;
        if self.open {
            open(&address);
        }
        // Whatever is asked for is lost when the program ends: there is nothing to finish first.
        std::thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            std::process::exit(i32::from(interrupt::exit_code(INTERRUPTED)));
        });
        server
            .run()
            .map_err(|error| CliError::new(format!("cannot serve: {error}")).code(NO_SUCCESS))?;
        Ok(Output::nothing())
    }
}

fn print(text: &str) -> std::io::Result<()> {
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes())
}

/// Opens an address in the browser; if that cannot be done, it stands on the terminal.
fn open(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        eprintln!("the browser could not be opened: {address} is the page");
    }
}
