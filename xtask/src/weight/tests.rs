//! The limits hold, and what is counted is what is meant.

use super::rust::Source;
use super::{Entry, Ledger, measure, root};

/// What can be counted in a second is within the limits of `xtask/weight.txt`.
#[test]
fn limits_are_kept() {
    if !root().join(".git").exists() {
        return;
    }
    let ledger = Ledger::load().expect("a ledger");
    let weights = measure(&root()).expect("weights");
    let exceeded = ledger.exceeded(&weights);
    assert!(exceeded.is_empty(), "{}", exceeded.join("\n"));
    for (name, entry) in &ledger.entries {
        let is_known = weights.iter().any(|(known, _)| known == name);
        let is_elsewhere = ["pack, bytes", super::PROGRAM].contains(&&**name);
        assert!(entry.limit.is_none() || is_known || is_elsewhere, "{name} is not measured");
    }
}

#[test]
fn ledgers_are_read_and_written() {
    let text =
        "# Why\n\ncode, lines 10 9 8 7\nprogram, bytes - 5 - -\ntrait Old, methods - 3 - -\n";
    let mut ledger: Ledger = text.parse().expect("a ledger");
    assert_eq!(ledger.to_string(), text);
    let first = Entry { first: Some(10), last: Some(9), limit: Some(8), goal: Some(7) };
    assert_eq!(ledger.get("code, lines"), first);
    let weights = [("code, lines".to_owned(), 8), ("tests, lines".to_owned(), 4)];
    assert!(ledger.exceeded(&weights).is_empty());
    let heavy = [("code, lines".to_owned(), 9)];
    assert_eq!(ledger.exceeded(&heavy), ["code, lines: 9, and xtask/weight.txt allows 8"]);
    assert!(ledger.table(&weights).contains("-11.1 %"));
    ledger.set(&weights);
    let now = "# Why\n\ncode, lines 10 8 8 7\nprogram, bytes - 5 - -\ntests, lines - 4 - -\n";
    assert_eq!(ledger.to_string(), now);
    assert!("code, lines 1 2 3".parse::<Ledger>().is_err());
    assert!("code, lines 1 2 3 x".parse::<Ledger>().is_err());
}

const TEXT: &str = r#"//! A file.

/* more
   of it */
/// A trait.
pub trait Shape: Clone {
    /// Not counted.
    const SIDES: u32;
    fn area(&self) -> f64;
    fn name(&self) -> String {
        let inner = || { fn not_counted() {} };
        "shape".into()
    }
}

impl Shape for Wrapper {
    const SIDES: u32 = 1;
    fn area(&self) -> f64 {
        self.0.area()
    }
    fn name(&self) -> String {
        self.0.name() + "s"
    }
    fn moved(
        &mut self,
        by: u32,
        to: &mut Vec<u32>,
    ) -> Option<u32> {
        Inner::moved(&mut self.inner().borrow(), by, to)?
    }
    fn scaled(&self, by: u32) -> u32 {
        notation::scaled(self, by)
    }
}

#[cfg(all(test, unix))]
#[expect(unused)]
mod more {
    fn not_counted() {}
}

#[cfg(test)]
mod tests;
"#;

#[test]
fn code_is_counted() {
    let source = Source::new("crates/shapes/src/lib.rs", TEXT);
    assert_eq!((&*source.part, source.is_test, source.lines.len()), ("crates/shapes", false, 27));
    assert_eq!(source.traits(), [("Shape".to_owned(), 2)]);
    assert_eq!(source.forwarding(), 3 + 7);
    for path in ["crates/x/tests/all/a.rs", "crates/x/src/a_tests.rs", "crates/x/src/tests.rs"] {
        assert!(Source::new(path, TEXT).is_test, "{path}");
    }
    assert!(!Source::new("xtask/src/test_tools.rs", TEXT).is_test);
}
