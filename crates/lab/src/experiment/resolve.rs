//! From the contents of a file to an experiment: everything is checked here.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use treegraft::Budget;
use treegraft_engine::check_seat;
use treegraft_pictures::grouped;
use treegraft_players::{DEFAULT_BUDGET, Player, PlayerError, Registry, Start, nearest};
use treegraft_stats::Sprt;

use super::file::{File, OpeningsEntry, PlayerEntry, StopEntry, texts};
use super::plan::{MAX_GAMES, refuse_large};
use super::sweep::sweep_pairings;
use super::{Experiment, Plan, PlannedPairing, Schedule, StopRule};
use crate::opening::{Opening, OpeningProblem};
use crate::openings::{Openings, generate, read_list};
use crate::source::{ExperimentError, Source};

pub(super) type Result<T> = std::result::Result<T, ExperimentError>;

/// A player with its name and its place in the file.
#[derive(Clone)]
pub(super) struct PlannedPlayer {
    pub(super) name: String,
    pub(super) player: Player,
    pub(super) span: Range<usize>,
}

/// Two players who meet in every game, and the values of a sweep's parameters.
pub(super) struct PairingSpec {
    pub(super) players: [PlannedPlayer; 2],
    pub(super) parameters: Vec<(String, String)>,
}

pub(super) fn resolve(source: &Source<'_>, file: File, registry: &Registry) -> Result<Experiment> {
    let games = even(source, &file.games)?;
    let budget = match &file.budget {
        Some(text) => text.get_ref().parse().map_err(|error: treegraft::BudgetError| {
            source.error(text.span(), error.to_string())
        })?,
        None => DEFAULT_BUDGET,
    };
    let boards = file.game.get_ref().len() as u64;
    let read = PlayerReader { registry, budget, boards, games: u64::from(games) };
    let (schedule, specs) = pairing_specs(source, &file, read)?;
    let max_plies = file.adjudicate.max_plies.as_ref().map(|limit| *limit.get_ref());
    if let Some(limit) = file.adjudicate.max_plies.as_ref().filter(|limit| *limit.get_ref() == 0) {
        return Err(source.error(limit.span(), "max-plies is 0; expected at least 1"));
    }
    let stop = stop_rule(source, file.stop)?;
    let seed = file.seed;
    let mut pairings = Vec::new();
    let mut seen = HashSet::new();
    for text in texts(file.game) {
        let at = |message: String| source.error(text.span(), message);
        let start = registry.start(text.get_ref()).map_err(|error| at(error.to_string()))?;
        let canonical = start.text().to_owned();
        if !seen.insert(canonical.clone()) {
            return Err(at(format!("the game {canonical} is given twice; expected it once")));
        }
        let openings = openings(source, file.openings.as_ref(), &start, max_plies)?;
        for PairingSpec { players, parameters } in &specs {
            for PlannedPlayer { player, span, .. } in players {
                check_seat(registry, &start, player).map_err(|error| {
                    source.error(span.clone(), format!("in {canonical}: {error}"))
                })?;
            }
            pairings.push(PlannedPairing {
                game: canonical.clone(),
                names: players.each_ref().map(|planned| planned.name.clone()),
                players: players.each_ref().map(|planned| planned.player.clone()),
                parameters: parameters.clone(),
                openings: openings.clone(),
                seed,
                max_plies,
            });
        }
    }
    if pairings.is_empty() {
        return Err(source.whole("there is nothing to play; expected a game and players"));
    }
    let title = file.title.unwrap_or_else(|| {
        let stem = Path::new(source.file).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    });
    let plan = Plan { pairings, pairs_each: u64::from(games / 2) };
    let (scoring, record) = (file.scoring, file.record);
    Ok(Experiment { title, seed, schedule, games, stop, scoring, record, plan })
}

fn even(source: &Source<'_>, games: &Spanned<u64>) -> Result<u32> {
    let problem = match *games.get_ref() {
        n if n > MAX_GAMES => {
            let most = grouped(MAX_GAMES);
            format!("games is {n}; expected {most} at most, in all pairings together")
        }
        n if n > 0 && n % 2 == 0 => return Ok(n as u32),
        n => format!(
            "games is {n}; expected an even number above 0: games come in pairs with the sides \
             swapped"
        ),
    };
    Err(source.error(games.span(), problem))
}

fn stop_rule(source: &Source<'_>, stop: StopEntry) -> Result<StopRule> {
    let StopEntry::Sprt(sprt) = stop else { return Ok(StopRule::Fixed) };
    let super::file::Sprt { elo0, elo1, alpha, beta } = *sprt.get_ref();
    let problem = if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
        format!("elo0 is {elo0} and elo1 is {elo1}; expected elo0 below elo1")
    } else if let Some(rate) = [alpha, beta].iter().find(|rate| !(0.0 < **rate && **rate < 0.5)) {
        format!("an error rate is {rate}; expected alpha and beta above 0 and below 0.5")
    } else {
        return match Sprt::new(elo0, elo1, alpha, beta) {
            Ok(_) => Ok(StopRule::Sprt { elo0, elo1, alpha, beta }),
            Err(error) => Err(source.error(sprt.span(), error.to_string())),
        };
    };
    Err(source.error(sprt.span(), problem))
}

/// The schedule, and who meets whom in every game.
fn pairing_specs(
    source: &Source<'_>,
    file: &File,
    read: PlayerReader<'_>,
) -> Result<(Schedule, Vec<PairingSpec>)> {
    let schedule = match (&file.schedule, &file.sweep, &file.baseline, &file.pairings) {
        (Some(schedule), ..) => *schedule.get_ref(),
        (None, Some(_), ..) => Schedule::Sweep,
        (None, None, Some(_), _) => Schedule::Gauntlet,
        (None, None, None, Some(_)) => Schedule::List,
        (None, None, None, None) => Schedule::RoundRobin,
    };
    let foreign = |span: Option<Range<usize>>, key: &str, owner: &str| match span {
        Some(span) => Err(source.error(span, format!("{key} belongs to {owner}"))),
        None => Ok(()),
    };
    if schedule != Schedule::Gauntlet {
        let span = file.baseline.as_ref().map(Spanned::span);
        foreign(span, "baseline", "schedule = \"gauntlet\"")?;
    }
    if schedule != Schedule::List {
        let span = file.pairings.as_ref().map(Spanned::span);
        foreign(span, "pairings", "schedule = \"list\"")?;
    }
    if schedule == Schedule::Sweep {
        let span = file.players.as_ref().map(Spanned::span);
        foreign(span, "players", "other schedules; a sweep has player and against in [sweep]")?;
        let sweep = file
            .sweep
            .as_ref()
            .ok_or_else(|| source.whole("a sweep needs a table [sweep] with player and against"))?;
        return Ok((schedule, sweep_pairings(source, sweep.get_ref(), read)?));
    }
    foreign(file.sweep.as_ref().map(Spanned::span), "[sweep]", "schedule = \"sweep\"")?;
    let Some(listed) = &file.players else {
        return Err(source.whole("there are no players; expected players = [\"…\", \"…\"]"));
    };
    let meetings = match (schedule, listed.get_ref().len() as u64) {
        (Schedule::RoundRobin, players) => players.saturating_mul(players.saturating_sub(1)) / 2,
        (Schedule::List, _) => file.pairings.as_ref().map_or(0, |list| list.get_ref().len() as u64),
        (_, players) => players.saturating_sub(1),
    };
    read.refuse_large(meetings).map_err(|problem| source.error(listed.span(), problem))?;
    let players = planned_players(source, listed.get_ref(), read)?;
    let few = |expected: &str| {
        let problem = format!("the number of players is {}; expected {expected}", players.len());
        Err(source.error(listed.span(), problem))
    };
    let meet = |a: &PlannedPlayer, b: &PlannedPlayer| PairingSpec {
        players: [a.clone(), b.clone()],
        parameters: Vec::new(),
    };
    let specs = match schedule {
        Schedule::Pairing if players.len() != 2 => return few("two for schedule = \"pairing\""),
        _ if players.len() < 2 => return few("at least two"),
        Schedule::Gauntlet => {
            let baseline = baseline(source, file.baseline.as_ref(), &players, read)?;
            let others = players.iter().filter(|player| player.name != baseline.name);
            others.map(|player| meet(player, baseline)).collect()
        }
        Schedule::List => listed_pairings(source, file.pairings.as_ref(), &players, read)?
            .into_iter()
            .map(|[a, b]| meet(a, b))
            .collect(),
        _ => {
            let behind = |i: usize| players[i + 1..].iter();
            let all = players.iter().enumerate();
            all.flat_map(|(i, a)| behind(i).map(move |b| meet(a, b))).collect()
        }
    };
    Ok((schedule, specs))
}

fn baseline<'a>(
    source: &Source<'_>,
    name: Option<&Spanned<String>>,
    players: &'a [PlannedPlayer],
    read: PlayerReader<'_>,
) -> Result<&'a PlannedPlayer> {
    let Some(name) = name else {
        let problem = "a gauntlet needs a baseline; expected baseline = the name of a player";
        return Err(source.whole(format!("{problem}: {}", list_of(players))));
    };
    named(source, name, players, read)
}

/// The pairs of players that a list names.
fn listed_pairings<'a>(
    source: &Source<'_>,
    pairings: Option<&Spanned<Vec<[Spanned<String>; 2]>>>,
    players: &'a [PlannedPlayer],
    read: PlayerReader<'_>,
) -> Result<Vec<[&'a PlannedPlayer; 2]>> {
    let Some(pairings) = pairings.filter(|pairings| !pairings.get_ref().is_empty()) else {
        let problem =
            "a list needs pairings; expected pairings = [[\"…\", \"…\"]] with the names of";
        return Err(source.whole(format!("{problem} players: {}", list_of(players))));
    };
    let mut found: Vec<[&PlannedPlayer; 2]> = Vec::new();
    for [a, b] in pairings.get_ref() {
        let pair = [named(source, a, players, read)?, named(source, b, players, read)?];
        let names = pair.map(|player| player.name.as_str());
        let same = |other: &[&PlannedPlayer; 2]| {
            let [x, y] = other.map(|player| player.name.as_str());
            [x, y] == names || [y, x] == names
        };
        let problem = if names[0] == names[1] {
            format!("{:?} meets itself; expected two players", names[0])
        } else if found.iter().any(same) {
            format!("{:?} and {:?} meet twice; expected each pairing once", names[0], names[1])
        } else {
            found.push(pair);
            continue;
        };
        return Err(source.error(a.span().start..b.span().end, problem));
    }
    Ok(found)
}

fn list_of(players: &[PlannedPlayer]) -> String {
    players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The player with this name.
fn named<'a>(
    source: &Source<'_>,
    name: &Spanned<String>,
    players: &'a [PlannedPlayer],
    read: PlayerReader<'_>,
) -> Result<&'a PlannedPlayer> {
    let names = || players.iter().map(|player| player.name.as_str());
    let wanted = name.get_ref();
    // A player without a name is called by its canonical text; any spelling of that text is
    // accepted.
    let same = read.read(wanted).ok();
    let is_it = |planned: &&PlannedPlayer| {
        planned.name == *wanted || same.as_ref().is_some_and(|player| planned.player == *player)
    };
    players.iter().find(is_it).ok_or_else(|| {
        let meant = nearest(wanted, names()).map(|meant| format!(" (did you mean {meant:?}?)"));
        let problem = format!("there is no player {wanted:?}{}", meant.unwrap_or_default());
        source.error(name.span(), format!("{problem}; expected one of {}", list_of(players)))
    })
}

/// The players with their names, which are all different.
fn planned_players(
    source: &Source<'_>,
    entries: &[Spanned<PlayerEntry>],
    read: PlayerReader<'_>,
) -> Result<Vec<PlannedPlayer>> {
    let mut players: Vec<PlannedPlayer> = Vec::new();
    for entry in entries {
        let (name, text, span) = match entry.get_ref() {
            PlayerEntry::Text(text) => (None, text, entry.span()),
            PlayerEntry::Named(named) => {
                (Some(&named.name), named.player.get_ref(), named.player.span())
            }
        };
        let player = read.read(text).map_err(|e| source.error(span, e.to_string()))?;
        let name = name.cloned().unwrap_or_else(|| player.to_string());
        let problem = if name.trim().is_empty() {
            "the name is empty; expected a name".to_owned()
        } else if players.iter().any(|other| other.name == name) {
            format!("there are two players {name:?}; expected different names")
        } else if let Some(other) = players.iter().find(|other| other.player == player) {
            format!("{name:?} is the same player as {:?}; expected different ones", other.name)
        } else {
            players.push(PlannedPlayer { name, player, span: entry.span() });
            continue;
        };
        return Err(source.error(entry.span(), problem));
    }
    Ok(players)
}

/// Reads players, with the budgets they will actually have.
#[derive(Clone, Copy)]
pub(super) struct PlayerReader<'a> {
    registry: &'a Registry,
    /// The budget of players that state none.
    budget: Budget,
    /// The number of games, such as Connect-4, in which players meet.
    boards: u64,
    /// How often they meet in each.
    games: u64,
}

impl PlayerReader<'_> {
    pub(super) fn read(self, text: &str) -> std::result::Result<Player, PlayerError> {
        Ok(self.registry.player(text)?.with_budget_or(self.budget))
    }

    /// Refuses more pairings than a plan may have, before their players are read.
    pub(super) fn refuse_large(self, pairings: u64) -> std::result::Result<(), String> {
        refuse_large(pairings.saturating_mul(self.boards), self.games)
    }
}

/// How the pairs of a game begin.
fn openings(
    source: &Source<'_>,
    entry: Option<&Spanned<OpeningsEntry>>,
    start: &Start,
    max_plies: Option<u32>,
) -> Result<Openings> {
    let Some(entry) = entry else { return Ok(Openings::None) };
    let at = |message: String| source.error(entry.span(), message);
    let (openings, longest) = match entry.get_ref() {
        OpeningsEntry::None => (Openings::None, 0),
        OpeningsEntry::Random(plies) if *plies.get_ref() == 0 => (Openings::None, 0),
        OpeningsEntry::Random(plies) => {
            let plies = *plies.get_ref();
            let problem = |error: OpeningProblem| at(format!("in {}: {error}", start.text()));
            Opening::Random { plies, seed: 0 }.play(&start.playthrough()).map_err(problem)?;
            (Openings::Random { plies }, plies as usize)
        }
        OpeningsEntry::File(path) => {
            let folder = Path::new(source.file).parent().unwrap_or(Path::new(""));
            let full = folder.join(path.get_ref());
            let text = std::fs::read_to_string(&full).map_err(|error| {
                let problem = format!("{} cannot be read: {error}", full.display());
                source.error(path.span(), problem)
            })?;
            let file = full.display().to_string();
            let (list, longest) = read_list(&Source { file: &file, text: &text }, start)?;
            (Openings::List(Arc::new(list)), longest)
        }
        OpeningsEntry::Generated(wanted) => {
            if wanted.count == 0 {
                return Err(at("count is 0; expected at least 1".to_owned()));
            }
            // Pair by pair in turn: more are never played.
            if u64::from(wanted.count) > MAX_GAMES / 2 {
                let most = grouped(MAX_GAMES / 2);
                return Err(at(format!("count is {}; expected {most} at most", wanted.count)));
            }
            let list = generate(start, wanted.count, wanted.plies, wanted.seed)
                .map_err(|problem| at(format!("in {}: {problem}", start.text())))?;
            (Openings::List(Arc::new(list)), wanted.plies as usize)
        }
        OpeningsEntry::KalahBoards => match start.info().random_start {
            Some(parameter) if !start.is_random() => (Openings::RandomStarts { parameter }, 0),
            _ => {
                let problem = "kalah-boards are for kalah without random-start; the game is";
                return Err(at(format!("{problem} {}", start.text())));
            }
        },
    };
    match max_plies {
        Some(limit) if longest >= limit as usize => Err(at(format!(
            "openings have up to {longest} moves, and games are drawn after {limit}; expected \
             shorter openings or more max-plies"
        ))),
        _ => Ok(openings),
    }
}
