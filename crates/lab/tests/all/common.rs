//! What nearly all tests need: games and players from texts.

use std::sync::OnceLock;

use treegraft_players::{Player, Registry, Start};

/// The games and players that everybody has.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(Registry::standard)
}

pub(crate) fn player(text: &str) -> Player {
    registry().player(text).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn start(text: &str) -> Start {
    registry().start(text).unwrap_or_else(|error| panic!("{error}"))
}
