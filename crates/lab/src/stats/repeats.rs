//! Games that were played before say nothing new.

/// Whether so few games are distinct (less than 90 %) that a reader of the numbers must be warned.
///
/// Players without randomness repeat themselves from the same opening. The intervals take every
/// game for news and are then too narrow.
#[must_use]
pub fn too_many_repeats(distinct: u32, games: u32) -> bool {
    u64::from(distinct) * 10 < u64::from(games) * 9
}

/// How many different games the games are worth, from how often each distinct game was played:
/// (Σ m)² / Σ m², the effective sample size of Kish (1965). 0 without games.
///
/// A game repeated m times is then one observation with weight m. That is right if a repetition is
/// certain to end alike, and the question is about games in general, not about these very openings.
#[must_use]
pub fn effective_games(times: &[u32]) -> f64 {
    let sum: f64 = times.iter().map(|&m| f64::from(m)).sum();
    let squares: f64 = times.iter().map(|&m| f64::from(m) * f64::from(m)).sum();
    if squares == 0.0 { 0.0 } else { sum * sum / squares }
}
