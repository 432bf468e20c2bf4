//! The searches do what they did when `signature.txt` was written: in every build and on every
//! machine.

use treegraft_lab::signature::{signature, signed_searches};

#[test]
fn the_signature_is_the_committed_one() {
    let searches = signed_searches();
    let found = format!("{:016x}", signature(&searches));
    let committed = include_str!("../../../signature.txt").trim();
    assert_eq!(
        found, committed,
        "a search does something else than before; if that is meant: cargo xtask signature --write"
    );
    assert_eq!(searches, signed_searches(), "a search is not repeatable");
}
