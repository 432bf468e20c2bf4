//! Prints the signature of all searches; `--write` puts it into `signature.txt`.

use treegraft_lab::signature::{signature, signed_searches};

fn main() -> std::io::Result<()> {
    let searches = signed_searches();
    for search in &searches {
        println!("{:016x}  {:<28} {}", search.digest, search.game, search.player);
    }
    let number = format!("{:016x}\n", signature(&searches));
    print!("{number}");
    if std::env::args().any(|argument| argument == "--write") {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../signature.txt"), number)?;
    }
    Ok(())
}
