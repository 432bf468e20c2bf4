//! The text of the game.

use super::Breakthrough;
use crate::{Canonical, Constants, GameInfo, Param, Params, Started, Visitor};

/// How the registry lists the game.
pub const INFO: GameInfo = GameInfo {
    name: "breakthrough",
    syntax: "breakthrough or breakthrough:WxH with W from 2 to 18, H from 4 to 18 and W*H at \
             most 128, such as breakthrough:6x6",
    params: &[Param {
        name: "WxH",
        values: "columns x rows, 2 to 18 x 4 to 18, W*H at most 128",
        default: "8x8",
        meaning: "size of the board",
    }],
    rules: "Step forward, straight to an empty square or diagonally, where you may capture; \
            reach the other end or capture everything to win.",
    moves: "from and to, e2e3; e2-e3 and e2xd3 are read too",
    positions: "FEN, pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w",
    // Baier & Winands 2015; half of it for UCB1 is what Lanctot et al. (2014) use.
    constants: Constants { ..Constants::tuned(0.8) },
    random_start: None,
};

/// The start that a text names, on the smaller of the two bitboards that has room for it, with its
/// canonical text.
pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
    let mut params = Params::new(text, INFO.syntax)?;
    let (w, h) = params.width_by_height(2..=18, 4..=18)?.unwrap_or((8, 8));
    let too_large = params.error(format!("a board of {w}x{h} does not fit 128 bits"));
    params.finish()?;
    let name = Canonical::new(INFO.name);
    let canonical = if (w, h) == (8, 8) { name } else { name.size(format_args!("{w}x{h}")) };
    let output = match Breakthrough::<u64>::new(w, h) {
        Some(start) => visitor.visit(start),
        None => visitor.visit(Breakthrough::<u128>::new(w, h).ok_or(too_large)?),
    };
    Ok((canonical.finish(), output))
}
