//! What the players of stored games did then, and what they do now.
//!
//! A session keeps a number for each of its players in each of its games
//! ([`treegraft_players::signature`]). Only those of a pair's own players say whether the pair can
//! be repeated: a new label, or a change of another search, does not matter.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use treegraft::Budget;
use treegraft_players::signature::{Signature, Signer, Version, digest};
use treegraft_players::{Player, Registry};

use crate::pair::Pair;

/// The signatures of a session: a number for each player in each game.
///
/// As text: JSON, `{"connect4":{"mcts-solver":"2:89ab…"}}`. Numbers without `2:` are of version 1, and
/// are compared with numbers of version 1. Sessions before version 0.2 have one number for
/// everything, 16 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signatures {
    /// By the rules of the game and the player without its budget.
    Each(BTreeMap<String, BTreeMap<String, String>>),
    /// One number over all labels in all games.
    Whole(String),
}

/// A search that has changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{player} in {game} had signature {then}, and has {now} now")]
pub struct Changed {
    /// The game.
    pub game: String,
    /// The player, without its budget.
    pub player: String,
    /// Its number then.
    pub then: String,
    /// Its number now.
    pub now: String,
}

impl Signatures {
    /// What the players of some pairs do in this program: for the session that plays them.
    #[must_use]
    pub fn of_pairs<'p>(registry: &Registry, pairs: impl Iterator<Item = &'p Pair>) -> Signatures {
        Live::new(registry).of_pairs(pairs)
    }

    /// The searches that do something else in this program. Of sessions before version 0.2 nothing is known.
    #[must_use]
    pub fn changes(&self, registry: &Registry) -> Vec<Changed> {
        let Signatures::Each(each) = self else { return Vec::new() };
        let live = Live::new(registry);
        let all = each.iter().flat_map(|(game, players)| {
            players.iter().map(move |(player, then)| (game.clone(), player.clone(), then.clone()))
        });
        all.filter_map(|it| live.change(it)).collect()
    }

    /// What a session's text says.
    #[must_use]
    pub fn read(text: &str) -> Signatures {
        match serde_json::from_str(text) {
            Ok(each) => Signatures::Each(each),
            Err(_) => Signatures::Whole(text.to_owned()),
        }
    }
}

impl fmt::Display for Signatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Signatures::Each(each) => {
                f.write_str(&serde_json::to_string(each).map_err(|_| fmt::Error)?)
            }
            Signatures::Whole(text) => f.write_str(text),
        }
    }
}

/// The numbers of this program's searches, computed on demand.
pub(crate) struct Live<'a> {
    registry: &'a Registry,
    known: Mutex<BTreeMap<(String, String, Version), Option<String>>>,
    /// By the rules of the game.
    signers: Mutex<BTreeMap<String, Signer>>,
    /// The texts of players without their budgets, by their texts.
    bare: Mutex<BTreeMap<String, Option<String>>>,
}

impl<'a> Live<'a> {
    pub(crate) fn new(registry: &'a Registry) -> Live<'a> {
        Live {
            registry,
            known: Mutex::default(),
            signers: Mutex::default(),
            bare: Mutex::default(),
        }
    }

    /// The numbers of all players of some pairs.
    pub(crate) fn of_pairs<'p>(&self, pairs: impl Iterator<Item = &'p Pair>) -> Signatures {
        let mut each: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let mut seen = HashSet::new();
        let different = pairs.filter(|pair| seen.insert((&pair.game, &pair.players)));
        let subjects = different.flat_map(|pair| self.subjects(&pair.game, &pair.players));
        for (rules, player) in subjects {
            if let Some(number) = self.number(&rules, &player, Version::Two) {
                each.entry(rules).or_default().insert(player, number);
            }
        }
        Signatures::Each(each)
    }

    /// What has changed about the players of a pair.
    pub(crate) fn changes(&self, then: &Signatures, pair: &Pair) -> Vec<Changed> {
        let subjects: Vec<(String, String, String)> = match then {
            Signatures::Each(each) => {
                let known = |(rules, player): (String, String)| {
                    let then = each.get(&rules)?.get(&player)?.clone();
                    Some((rules, player, then))
                };
                self.subjects(&pair.game, &pair.players).into_iter().filter_map(known).collect()
            }
            // Some search of every game has changed since there was one number for everything.
            Signatures::Whole(number) => {
                return vec![Changed {
                    game: name_of(&pair.game).to_owned(),
                    player: "some player".to_owned(),
                    then: number.clone(),
                    now: "another one".to_owned(),
                }];
            }
        };
        subjects.into_iter().filter_map(|subject| self.change(subject)).collect()
    }

    /// Whether a player in a game has another number now.
    fn change(&self, (game, player, then): (String, String, String)) -> Option<Changed> {
        let now = self.number(&game, &player, Version::of(&then));
        let now = now.unwrap_or_else(|| "none".to_owned());
        (now != then).then_some(Changed { game, player, then, now })
    }

    /// Whether two recorded numbers of a player in a game say that it did the same. Those of
    /// different versions do if both are what it does in this program.
    pub(crate) fn is_same(&self, game: &str, player: &str, a: &str, b: &str) -> bool {
        let is_live = |number: &str| {
            self.number(game, player, Version::of(number)).as_deref() == Some(number)
        };
        a == b || (Version::of(a) != Version::of(b) && is_live(a) && is_live(b))
    }

    /// What a session recorded about these players in this game: rules, player, number. Of players
    /// or games that this program does not know everything is meant that was recorded.
    pub(crate) fn recorded(
        &self,
        then: &Signatures,
        game: &str,
        players: &[String; 2],
    ) -> Vec<(String, String, String)> {
        let whole =
            |number: &str| (name_of(game).to_owned(), "some player".to_owned(), number.to_owned());
        let each = match then {
            Signatures::Each(each) => each,
            Signatures::Whole(number) => return vec![whole(number)],
        };
        let subjects = self.subjects(game, players);
        let concerns = |rules: &String, player: &String| {
            subjects.len() < 2 || subjects.iter().any(|(r, p)| (r, p) == (rules, player))
        };
        // Numbers for everything and numbers for each player cannot be compared.
        let mut found = vec![whole("one for each player")];
        for (rules, players) in each {
            let players = players.iter().filter(|(player, _)| concerns(rules, player));
            found.extend(players.map(|(player, it)| (rules.clone(), player.clone(), it.clone())));
        }
        found
    }

    /// The rules of a game with each of its players, without their budgets.
    fn subjects(&self, game: &str, players: &[String; 2]) -> Vec<(String, String)> {
        let Ok(start) = self.registry.start(game) else { return Vec::new() };
        let bare = |text: &String| Some((start.rules(), self.bare(text)?));
        players.iter().filter_map(bare).collect()
    }

    /// A player without its budget.
    fn bare(&self, text: &str) -> Option<String> {
        let mut known = self.bare.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bare) = known.get(text) {
            return bare.clone();
        }
        let player = self.registry.player(text).ok();
        let bare = player.map(|player| Player { budget: Budget::default(), ..player }.to_string());
        known.entry(text.to_owned()).or_insert(bare).clone()
    }

    /// The number of a player in a game; `None` for engines.
    fn number(&self, rules: &str, player: &str, version: Version) -> Option<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let find = || {
            let start = self.registry.start(rules).ok()?;
            let player = self.registry.player(player).ok()?;
            let signature = match version {
                Version::One => {
                    let number = digest(self.registry, &start, &player).ok()??;
                    Signature { version, number }
                }
                Version::Two => {
                    let mut signers = self.signers.lock().unwrap_or_else(PoisonError::into_inner);
                    let signer = signers.entry(rules.to_owned());
                    signer
                        .or_insert_with(|| Signer::new(&start))
                        .sign(self.registry, &player)
                        .ok()??
                }
            };
            Some(signature.to_string())
        };
        known.entry((rules.to_owned(), player.to_owned(), version)).or_insert_with(find).clone()
    }
}

/// The name of a game without its parameters.
fn name_of(game: &str) -> &str {
    game.split(':').next().unwrap_or_default()
}
