//! The commands of the program `treegraft`: arguments in, text or JSON out.
//!
//! This is a package of its own so that it compiles quickly, while the searches in the program are
//! optimised for speed.

mod board_view;
mod commands;
mod error;
mod experiment;
mod input;
mod interrupt;
mod output;
mod output_file;
mod plot_file;
mod prelude;
mod search;
mod tree_view;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, Parser};
use treegraft_players::Registry;

use crate::commands::Command;

/// Search two-player games: play, analyze and solve them, and run matches and tournaments
#[derive(Debug, Parser)]
#[command(name = "treegraft", version, after_help = AFTER_HELP, mut_subcommands = with_numbers)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// A command whose numbers may be negative for the parser of arguments: their own parsers say better
/// what is wrong with them.
fn with_numbers(command: clap::Command) -> clap::Command {
    const NUMBERS: [&str; 12] = [
        "N", "K", "K/N", "P", "ROW", "NODES", "LEVEL", "DEPTH", "GAMES", "SHARE", "PLIES", "NUMBER",
    ];
    let allow = |arg: clap::Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let is_number = names.iter().any(|name| NUMBERS.contains(&name.as_str()));
        if is_number { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(allow).mut_subcommands(with_numbers)
}

const AFTER_HELP: &str = "\
A GAME is a name, such as connect4, or a name with parameters, such as connect4:8x7.
A PLAYER is a label, such as mcts-solver, with options and a budget: 'ab(depth=6)@1s'.
`treegraft games` and `treegraft players` list all of them; `treegraft COMMAND --help`
explains a command. A file is replaced only by an output of the same kind.

Examples:
  treegraft match connect4 mcts-solver@100it ab@100nodes --games 10
  treegraft run examples/quick.toml
  treegraft report examples/quick.toml --format latex
  treegraft analyze othello mcts-solver@1s
  treegraft trace 'tree:((3 5) (2 9))' fsss
  treegraft solve connect4:5x4
  treegraft play hex:7 mcts@2s
  treegraft show connect4 --moves 4453
  treegraft trees --height 4..12
  treegraft serve --open

Exit codes:
  0    success
  1    a game failed its check, nothing was proven, a store is damaged, in use or gone, an engine
       could not be started, or something could not be written
  2    the input was wrong; the message says what and why
  130  interrupted by Ctrl-C; the results so far were printed or stored
  143  the same after SIGTERM, and 129 after SIGHUP (which nohup makes the program ignore). A second
       signal ends the program at once";

/// Runs the program with the games, searches and evaluations of a registry, and the arguments of
/// the process.
///
/// ```no_run
/// use treegraft_players::Registry;
///
/// fn main() -> std::process::ExitCode {
///     treegraft_commands::main_with(Registry::standard())
/// }
/// ```
pub fn main_with(registry: Registry) -> ExitCode {
    interrupt::survive_large_files();
    if std::env::args_os().len() <= 1 {
        return answered(Cli::command().print_help());
    }
    match Cli::try_parse() {
        Ok(cli) => with_room(move || match cli.command.run(&Arc::new(registry)) {
            Ok(output) => output.write(),
            Err(error) => error.report(),
        }),
        Err(error) => {
            if error.use_stderr() {
                let _ = error.print();
                return ExitCode::from(error::BAD_INPUT);
            }
            // --help and --version are answers.
            answered(error.print())
        }
    }
}

/// The exit code of an answer that was written, or should have been.
fn answered(written: std::io::Result<()>) -> ExitCode {
    match output::arrived(written) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

/// Runs something on a stack that is large enough for the deepest search. The main thread's stack
/// is not, on some systems.
fn with_room(work: impl FnOnce() -> ExitCode + Send + 'static) -> ExitCode {
    const STACK_BYTES: usize = 64 << 20;
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // A panic has been reported by the thread itself.
        Ok(Err(_)) => ExitCode::from(PANICKED),
        Err(error) => error::CliError::new(format!("cannot start a thread: {error}")).report(),
    }
}

/// The exit code of a program that panicked.
const PANICKED: u8 = 101;

#[cfg(test)]
mod tests;
