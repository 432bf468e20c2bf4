//! Prints the number of every fixed search; `--write` puts them into `signatures.txt`.

use treegraft_players::signature::{SignedSearch, signed_searches};

fn main() -> std::io::Result<()> {
    let line = |search: &SignedSearch| {
        format!("{:016x}\t{}\t{}\n", search.digest, search.game, search.player)
    };
    let lines: String = signed_searches().iter().map(line).collect();
    print!("{lines}");
    if std::env::args().any(|argument| argument == "--write") {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../signatures.txt"), lines)?;
    }
    Ok(())
}
