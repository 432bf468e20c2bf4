//! `treegraft engine`: a player for other programs.

use std::io::{BufReader, ErrorKind};

use clap::ValueEnum;
use treegraft_engine::{ServeError, serve};
use treegraft_players::Protocol;

use crate::prelude::*;

/// Serve a player to another program over standard input and output
///
/// The protocol is described in docs/engine-protocol.md: lines in the style of UCI, such as
/// `position startpos moves 4 4` and `go iterations 1000`, which is answered by `bestmove 5`. It
/// ends at `quit` or at the end of the input. Limits in `go` replace the player's own budget; the
/// same seed and the same limits on work give the same move as in a match.
///
/// With --protocol it speaks UCI, for programs that play chess and its variants, or GTP 2, for
/// programs that play Go, Othello or Hex and for OpenSpiel's GTPBot: see docs/protocols.md.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft engine connect4 mcts-solver@1000it
  treegraft engine breakthrough:6x6 'ab(depth=6)'
  treegraft match connect4 'engine:\"treegraft engine connect4 mcts\"@200it' mcts@200it --games 4
  treegraft engine othello ab@1s --protocol gtp
  treegraft engine breakthrough mcts-solver@1s --protocol uci

Type into it:
  position startpos moves 4 4
  go seed 7 iterations 1000
  quit")]
pub(crate) struct Engine {
    /// The game to play until `newgame` names another one; see `treegraft games`
    game: String,

    /// The player, such as mcts-solver@1s; `treegraft players` lists them all
    player: String,

    /// The protocol to speak
    #[arg(long, value_enum, default_value_t = Spoken::Tgp)]
    protocol: Spoken,
}

/// The protocols, as arguments.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Spoken {
    /// Treegraft's own, docs/engine-protocol.md
    Tgp,
    /// The Go Text Protocol, version 2
    Gtp,
    /// The Universal Chess Interface
    Uci,
}

impl From<Spoken> for Protocol {
    fn from(spoken: Spoken) -> Protocol {
        match spoken {
            Spoken::Tgp => Protocol::Tgp,
            Spoken::Gtp => Protocol::Gtp,
            Spoken::Uci => Protocol::Uci,
        }
    }
}

impl Engine {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let game = parse_game(registry, &self.game)?;
        let player = registry.player(&self.player)?;
        let (input, output) = (BufReader::new(std::io::stdin()), std::io::stdout().lock());
        match serve(registry, &game, &player, self.protocol.into(), input, output) {
            // It is no error if the reader has closed the pipe.
            Err(ServeError::Output(error)) if error.kind() != ErrorKind::BrokenPipe => {
                Err(CliError::new(format!("cannot write the answers: {error}")).code(NO_SUCCESS))
            }
            Err(ServeError::Player(error)) => Err(error.into()),
            Err(ServeError::Memory(error)) => Err(error.into()),
            Ok(()) | Err(ServeError::Output(_)) => Ok(Output::nothing()),
        }
    }
}
