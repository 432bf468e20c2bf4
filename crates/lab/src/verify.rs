//! Whether stored games are what their pairs come to: replayed from their moves, and played again.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rusqlite::types::Value;
use treegraft::bits::mix;
use treegraft::{Ending, Exactness, Game, Outcome, Playthrough, Reason, Speed, derive_seed};
use treegraft_engine::FaultKind;
use treegraft_players::{Board, DEFAULT_BUDGET, Registry, Start};

use crate::json::reason_key;
use crate::pair::{FinishedPair, Pair, PairError, PairPlayer};
use crate::row::{GameRow, PairId};
use crate::signatures::{Changed, Live, Signatures};
use crate::store::{Session, StoredGame, differences, shown};
use crate::workers::{ThreadsError, Workers};

/// How thoroughly games are verified.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions<'a> {
    /// Pairs verified at once; 0: one per processor.
    pub jobs: usize,
    /// The share of the repeatable pairs that is played again, from 0 to 1. Which ones follows from
    /// their names.
    pub replay_share: f64,
    /// Maximum number of pairs that are played again, whatever the share; `None`: no maximum.
    pub sample: Option<usize>,
    /// The sessions of the store: pairs of searches that did something else are not played again.
    pub sessions: &'a [(i64, Session)],
}

impl Default for VerifyOptions<'_> {
    fn default() -> Self {
        VerifyOptions { jobs: 0, replay_share: 1.0, sample: None, sessions: &[] }
    }
}

/// How to look on, and how to end before everything has been verified.
#[derive(Default)]
pub struct VerifyWatch<'a> {
    /// Called after every pair with the number of pairs so far and in all.
    pub progress: Option<&'a mut dyn FnMut(usize, usize)>,
    /// Set from another thread to end soon.
    pub cancel: Option<&'a AtomicBool>,
}

/// What verifying came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Games that were replayed from their moves.
    pub replayed: usize,
    /// Pairs that were played again from their seeds.
    pub played_again: usize,
    /// Pairs that cannot be played again: a player was limited by time, or is an engine.
    pub unrepeatable: usize,
    /// Pairs that were not played again because the searches have changed since.
    pub other_version: usize,
    /// The searches that have, each once.
    pub changed: Vec<Changed>,
    /// Pairs that were not played again because they are not in the sample.
    pub not_sampled: usize,
    /// Pairs of which nothing was checked: a ledger does not keep their moves, and they were not
    /// played again.
    pub unchecked: usize,
    /// Everything that is not as stored.
    pub differences: Vec<Difference>,
    /// Whether it was cancelled before the end.
    pub cancelled: bool,
}

/// Something that is not as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The pair.
    pub pair: PairId,
    /// The game, 0 or 1; `None`: the pair as a whole.
    pub number: Option<u8>,
    /// What differs.
    pub what: String,
}

/// Replays every game from its moves, and plays pairs again where that must give the same games.
/// Games of a pair stand beside each other. Games of a ledger whose moves it does not keep are only
/// played again. See also [`Store::check`](crate::Store::check).
#[must_use]
pub fn verify(
    registry: &Registry,
    games: &[StoredGame],
    options: VerifyOptions<'_>,
    mut watch: VerifyWatch<'_>,
) -> VerifyReport {
    let sessions = options.sessions.iter();
    let sessions = sessions.map(|(id, session)| (*id, Signatures::read(&session.signature)));
    let mut verifier = Verifier {
        registry,
        live: Live::new(registry),
        sessions: sessions.collect(),
        share: options.replay_share,
        last: None,
        changed: Mutex::default(),
        cancel: watch.cancel,
    };
    let pairs: Vec<&[StoredGame]> = games.chunk_by(|a, b| a.row.pair == b.row.pair).collect();
    if let Some(sample) = options.sample {
        verifier.limit(&pairs, sample);
    }
    let verifier = verifier;
    let tasks: Vec<(usize, &[StoredGame])> = pairs.iter().copied().enumerate().collect();
    let mut reports = vec![VerifyReport::default(); pairs.len()];
    let mut done = 0;
    // Pairs that were not verified when this was cancelled report it themselves.
    let halt = AtomicBool::new(false);
    let looked_at = Workers { jobs: options.jobs, cancel: None, halt: &halt }.run(
        &tasks,
        || PairPlayer::new(registry),
        |player, &(index, games)| (index, verifier.verify_pair(player, games)),
        &mut |news| -> Result<(), ThreadsError> {
            for (index, report) in news {
                reports[index] = report;
                done += 1;
                if let Some(progress) = &mut watch.progress {
                    progress(done, pairs.len());
                }
            }
            Ok(())
        },
    );
    if looked_at.is_err() {
        // Slowly is better than not at all.
        let mut player = PairPlayer::new(registry);
        reports = pairs.iter().map(|games| verifier.verify_pair(&mut player, games)).collect();
    }
    let mut report = reports.into_iter().fold(VerifyReport::default(), VerifyReport::and);
    let changed = verifier.changed.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.changed = changed.into_iter().collect();
    report
}

impl VerifyReport {
    /// Whether nothing differs.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }

    fn and(mut self, other: VerifyReport) -> VerifyReport {
        self.replayed += other.replayed;
        self.played_again += other.played_again;
        self.unrepeatable += other.unrepeatable;
        self.other_version += other.other_version;
        self.not_sampled += other.not_sampled;
        self.unchecked += other.unchecked;
        self.differences.extend(other.differences);
        self.cancelled |= other.cancelled;
        self
    }
}

/// What all pairs are verified with.
struct Verifier<'a> {
    registry: &'a Registry,
    live: Live<'a>,
    sessions: HashMap<i64, Signatures>,
    share: f64,
    /// The last pair that may be played again, in the order of their names.
    last: Option<PairId>,
    /// What has changed, each once: thousands of pairs have the same players.
    changed: Mutex<BTreeSet<Changed>>,
    cancel: Option<&'a AtomicBool>,
}

impl Verifier<'_> {
    /// Whether playing a pair again gives the same games: no player is limited by time or is an
    /// engine.
    fn is_repeatable(&self, pair: &Pair) -> bool {
        // A text that is not a player is reported when the pair is played.
        let mut players = pair.players.iter().filter_map(|text| self.registry.player(text).ok());
        players.all(|player| player.is_repeatable())
    }

    /// The players of the pair that did something else then than they do now.
    fn changes(&self, games: &[StoredGame], pair: &Pair) -> Vec<Changed> {
        let then = games.iter().filter_map(|game| self.sessions.get(&game.session));
        then.flat_map(|then| self.live.changes(then, pair)).collect()
    }

    /// Lets at most `sample` pairs be played again.
    fn limit(&mut self, pairs: &[&[StoredGame]], sample: usize) {
        let could_be = |games: &&&[StoredGame]| {
            let pair: Result<Pair, _> = serde_json::from_str(&games[0].setup);
            pair.is_ok_and(|pair| {
                self.is_repeatable(&pair)
                    && is_sampled(games[0].row.pair, self.share)
                    && self.changes(games, &pair).is_empty()
            })
        };
        let ids = pairs.iter().filter(could_be).map(|games| games[0].row.pair);
        let mut ids: Vec<PairId> = ids.collect();
        ids.sort_unstable();
        match sample.checked_sub(1) {
            None => self.share = 0.0,
            Some(last) => self.last = ids.get(last).copied(),
        }
    }

    /// Verifies the games of one pair.
    fn verify_pair(&self, player: &mut PairPlayer<'_>, games: &[StoredGame]) -> VerifyReport {
        let mut report = VerifyReport::default();
        if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            report.cancelled = true;
            return report;
        }
        let id = games[0].row.pair;
        let difference = |number, what| Difference { pair: id, number, what };
        let pair = match serde_json::from_str::<Pair>(&games[0].setup) {
            Ok(pair) if pair.id() == id => Ok(pair),
            Ok(other) => Err(format!("its setup is that of pair {}", other.id())),
            Err(error) => Err(format!("its setup cannot be understood: {error}")),
        };
        let pair = match pair {
            Ok(pair) => pair,
            Err(what) => {
                report.differences.push(difference(None, what));
                return report;
            }
        };
        for game in games {
            report.replayed += usize::from(!game.row.is_digest_only());
            let problems = self.replay(&pair, &game.row);
            let number = Some(game.row.number);
            report.differences.extend(problems.into_iter().map(|what| difference(number, what)));
        }
        let is_repeatable = self.is_repeatable(&pair);
        let changes = if is_repeatable { self.changes(games, &pair) } else { Vec::new() };
        if !is_repeatable {
            report.unrepeatable = 1;
            if games.iter().any(|game| game.row.is_digest_only()) {
                let what = "its moves are not kept, though it cannot be played again";
                report.differences.push(difference(None, what.to_owned()));
            }
        } else if !changes.is_empty() {
            report.other_version = 1;
            self.changed.lock().unwrap_or_else(PoisonError::into_inner).extend(changes);
        } else if is_sampled(id, self.share) && self.last.is_none_or(|last| id <= last) {
            self.play_again(player, &pair, games, &mut report);
        } else {
            report.not_sampled = 1;
        }
        let is_unchecked = report.played_again == 0 && !report.cancelled && report.is_clean();
        report.unchecked = usize::from(is_unchecked && report.replayed == 0);
        report
    }

    /// Plays a pair again, and compares the games.
    fn play_again(
        &self,
        player: &mut PairPlayer<'_>,
        pair: &Pair,
        games: &[StoredGame],
        report: &mut VerifyReport,
    ) {
        let difference = |number, what| Difference { pair: games[0].row.pair, number, what };
        match player.play(pair, false, self.cancel) {
            Ok(FinishedPair { rows, .. }) => {
                report.played_again = 1;
                for game in games {
                    let again = rows.get(usize::from(game.row.number));
                    let what = again.map_or(vec!["there is no such game".to_owned()], |again| {
                        compare(game, again)
                    });
                    let number = Some(game.row.number);
                    let differences = what.into_iter().map(|what| difference(number, what));
                    report.differences.extend(differences);
                }
            }
            Err(PairError::Cancelled) => report.cancelled = true,
            Err(error) => {
                let what = format!("it cannot be played again: {error}");
                report.differences.push(difference(None, what));
            }
        }
    }

    /// What is wrong with a game, according to its pair and its moves.
    fn replay(&self, pair: &Pair, row: &GameRow) -> Vec<String> {
        let mut problems = Vec::new();
        expect(&mut problems, "game", &row.game, &pair.game);
        let full_text = |text: &String| match self.registry.player(text) {
            Ok(player) => player.with_budget_or(DEFAULT_BUDGET).to_string(),
            Err(_) => text.clone(),
        };
        let [a, b] = pair.players.each_ref().map(full_text);
        let players = if row.number == 0 { [a, b] } else { [b, a] };
        expect(&mut problems, "first_player", &row.sides[0].player, &players[0]);
        expect(&mut problems, "second_player", &row.sides[1].player, &players[1]);
        expect(&mut problems, "seed", row.seed, derive_seed(pair.seed, row.number.into()));
        match self.registry.start(&pair.game) {
            Ok(_) if row.is_digest_only() => {}
            Ok(start) => problems.extend(Replay { pair, row }.problems(&start)),
            Err(error) => problems.push(error.to_string()),
        }
        problems
    }
}

/// Whether a pair is in a random sample of this share of all pairs.
fn is_sampled(id: PairId, share: f64) -> bool {
    // A hash is as good as a random number; its upper half is scaled to a number from 0 to 1.
    ((id.0 >> 64) as f64) / 2f64.powi(64) < share
}

/// The columns in which a game that was played again differs from the stored one, as far as that
/// is kept.
fn compare(stored: &StoredGame, again: &GameRow) -> Vec<String> {
    let again = StoredGame { row: again.clone(), ..stored.clone() };
    let say = |(name, [then, now]): (&str, [Value; 2])| {
        format!("{name} is {} but {} when played again", shown(&then), shown(&now))
    };
    differences(stored, &again).into_iter().map(say).collect()
}

fn expect<T: PartialEq + Copy + std::fmt::Debug>(
    problems: &mut Vec<String>,
    name: &str,
    found: T,
    expected: T,
) {
    if found != expected {
        problems.push(format!("{name} is {found:?}; the moves and the pair make it {expected:?}"));
    }
}

struct Replay<'a> {
    pair: &'a Pair,
    row: &'a GameRow,
}

impl Replay<'_> {
    /// What is wrong with the moves.
    fn problems(&self, start: &Start) -> Vec<String> {
        let Replay { pair, row } = self;
        let mut problems = Vec::new();
        let start = start.playthrough();
        let opening = match pair.opening.play(&start) {
            Ok(opening) => opening,
            Err(error) => return vec![error.to_string()],
        };
        let begins_with = |game: &Playthrough<Board>| game.moves().starts_with(opening.moves());
        let mut game = start;
        if let Err(error) = game.play_text(&row.moves) {
            return vec![format!("moves: {error}")];
        }
        expect(&mut problems, "moves", row.moves.as_str(), &game.move_texts().join(" "));
        expect(&mut problems, "plies", row.plies as usize, game.moves().len());
        expect(&mut problems, "opening_plies", row.opening_plies as usize, opening.moves().len());
        if !begins_with(&game) {
            problems.push(format!("the moves do not begin with the opening {:?}", pair.opening));
            return problems;
        }
        let asked = row.sides[0].moves + row.sides[1].moves;
        let played = (game.moves().len() - opening.moves().len()) as u64;
        expect(&mut problems, "first_moves + second_moves", asked, played);
        expect(&mut problems, "margin", row.margin, game.position().exactness().margin());
        let too_long = pair.max_plies.is_some_and(|limit| game.moves().len() > limit as usize);
        if too_long && game.moves().len() > opening.moves().len() {
            problems.push(format!("plies is {}, beyond the pair's limit", row.plies));
        }
        self.end(&game, opening.moves().len(), &mut problems);
        problems
    }

    /// What is wrong with a game's end.
    fn end(&self, game: &Playthrough<Board>, opening: usize, problems: &mut Vec<String>) {
        let Replay { pair, row } = self;
        let mut digest = digest(game, opening);
        let is_fault = FaultKind::is_name(&row.end);
        if is_fault {
            let asked = game.moves().len() > opening;
            if row.digest != digest {
                // A player who chose a move saw the last position once more.
                digest = mix(digest ^ game.position().speed().key());
            }
            if game.ending().is_some() {
                problems.push(format!("ended_by is {:?}, but the game was over", row.end));
            }
            // Before the first move either player may have been at fault.
            if asked {
                let loss = -game.position().to_move().sign();
                expect(problems, "outcome", i64::from(row.outcome), loss);
            } else if row.outcome == 0 {
                problems.push("outcome is 0, but a fault loses the game".to_owned());
            }
        } else {
            let limit = pair.max_plies.is_some_and(|limit| game.moves().len() >= limit as usize);
            let cut = Ending { outcome: Outcome::Draw, reason: Reason::TooLong };
            match game.ending().or(limit.then_some(cut)) {
                None => problems.push("the moves do not end the game".to_owned()),
                Some(Ending { outcome, reason }) => {
                    expect(problems, "outcome", i64::from(row.outcome), outcome.value());
                    expect(problems, "ended_by", row.end.as_str(), reason_key(reason));
                }
            }
        }
        expect(problems, "digest", row.digest, digest);
    }
}

/// The number over all positions since the opening.
fn digest(game: &Playthrough<Board>, opening: usize) -> u64 {
    let mut position = game.start().clone();
    let mut digest = 0;
    for (ply, &mv) in game.moves().iter().enumerate() {
        if ply >= opening {
            digest = mix(digest ^ position.speed().key());
        }
        position.play(mv);
    }
    mix(digest ^ position.speed().key())
}
