//! Settings that may depend on the game.

/// A value that may depend on the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Setting<T> {
    /// Off.
    #[default]
    Off,
    /// The best for the game ([`treegraft::Constants`]).
    Best,
    /// This value.
    Is(T),
}

impl<T> Setting<T> {
    /// The value, if it is on, with `best` for the game's best.
    pub fn resolve(self, best: T) -> Option<T> {
        match self {
            Setting::Off => None,
            Setting::Best => Some(best),
            Setting::Is(value) => Some(value),
        }
    }
}
