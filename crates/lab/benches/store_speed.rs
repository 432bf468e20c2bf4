//! How fast one writer is: pairs appended to a store, and stores merged into one.
//!
//! `cargo bench -p treegraft-lab --bench store_speed`. docs/clusters.md rests on what it prints.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use treegraft_lab::store::Session;
use treegraft_lab::{
    FinishedPair, LoadedExperiment, MergeOptions, MergeWatch, PairPlayer, Shard, Signatures, Store,
    merge,
};
use treegraft_players::Registry;

/// Games of some fifty moves that take no time.
const EXPERIMENT: &str = "\
game = \"breakthrough\"
games = 64000
players = [\"random\", \"greedy\"]
openings = { random = 2 }
";

const SHARDS: u32 = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let registry = Registry::standard();
    let loaded = LoadedExperiment::parse(EXPERIMENT.to_owned(), "it.toml", &registry)?;
    let folder = std::env::temp_dir().join(format!("store-speed-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let begun = Instant::now();
    let play = |planned: &treegraft_lab::PlannedPair| {
        PairPlayer::new(&registry).play(&planned.pair, false, None)
    };
    let pairs = loaded.pairs.iter().map(play).collect::<Result<Vec<_>, _>>()?;
    let seconds = begun.elapsed().as_secs_f64();
    println!("played   {:>9.0} pairs/s, one thread, nothing written", pairs.len() as f64 / seconds);
    let signature = Signatures::of_pairs(&registry, loaded.pairs.iter().map(|it| &it.pair));
    let session = Session::here(1, EXPERIMENT, signature.to_string());
    for batch in [1, 16, 256] {
        let pairs = &pairs[..pairs.len().min(2_000 * batch)];
        let begun = Instant::now();
        write(&folder.join(format!("batch-{batch}.db")), &session, pairs, batch)?;
        let seconds = begun.elapsed().as_secs_f64();
        let rate = pairs.len() as f64 / seconds;
        println!("written  {rate:>9.0} pairs/s in batches of {batch}");
    }
    let mut parts: Vec<PathBuf> = Vec::new();
    for number in 1..=SHARDS {
        let shard = Shard::new(number, SHARDS)?.pairs(&loaded.pairs);
        let ids: std::collections::HashSet<_> = shard.iter().map(|it| it.pair.id()).collect();
        let mine = pairs.iter().filter(|pair| ids.contains(&pair.rows[0].pair));
        let path = folder.join(format!("part-{number}.db"));
        write(&path, &session, &mine.cloned().collect::<Vec<_>>(), 256)?;
        parts.push(path);
    }
    for what in ["merged", "merged again"] {
        let out = folder.join("all.db");
        let options = MergeOptions::default();
        let summary = merge(&registry, &out, &parts, options, MergeWatch::default())?;
        println!("{what}: {} games of {SHARDS} stores in {:.2} s", summary.games, summary.seconds);
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Writes pairs to a new store, `batch` at a time.
fn write(
    path: &Path,
    session: &Session,
    pairs: &[FinishedPair],
    batch: usize,
) -> Result<(), Box<dyn Error>> {
    let mut store = Store::open_or_create(path, EXPERIMENT)?;
    store.begin_session(session)?;
    for pairs in pairs.chunks(batch) {
        store.append(pairs)?;
    }
    Ok(())
}
