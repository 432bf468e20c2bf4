//! Prints the signature of every fixed search, and which players do the same in a game; `--write`
//! puts the signatures into `signatures.txt`.

use std::collections::BTreeMap;

use treegraft_players::signature::{SignedSearch, signed_searches};

fn main() -> std::io::Result<()> {
    let searches = signed_searches();
    let line = |SignedSearch { game, player, signature }: &SignedSearch| {
        format!("{signature}\t{game}\t{player}\n")
    };
    let lines: String = searches.iter().map(line).collect();
    print!("{lines}");
    let mut alike: BTreeMap<(&str, u64), Vec<&str>> = BTreeMap::new();
    for SignedSearch { game, player, signature } in &searches {
        alike.entry((game, signature.number)).or_default().push(player);
    }
    eprintln!("{} searches, {} different", searches.len(), alike.len());
    for ((game, _), players) in alike.iter().filter(|(_, players)| players.len() > 1) {
        eprintln!("the same on {game}: {}", players.join(", "));
    }
    if std::env::args().any(|argument| argument == "--write") {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../signatures.txt"), lines)?;
    }
    Ok(())
}
