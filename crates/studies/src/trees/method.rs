//! The searches of the experiment, and what the paper says about them.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use treegraft::depth_first::Scores;
use treegraft::rollout::prove::{Config, Method};

use treegraft_players::nearest;

use treegraft_lab::as_text;
use treegraft_stats::Exponential;

/// A search that finds the exact value of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeMethod {
    /// Alpha-beta, as rollouts that take the leftmost child that matters.
    AlphaBeta,
    /// MTD(+∞) with one bound a visit (Plaat et al. 1996).
    Mtd,
    /// SSS*: as rollouts that take the child with the best upper bound.
    Sss,
    /// FSSS-Minimax.
    Fsss,
    /// Rollouts that take any child that matters.
    Random,
    /// Alpha-beta as a recursion that keeps two bounds; expands the leaves of
    /// [`AlphaBeta`](Self::AlphaBeta).
    AlphaBeta2,
    /// MTD(+∞) with two bounds a visit; expands the leaves of [`Sss`](Self::Sss).
    MtSss,
}

/// A curve that a paper printed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PaperFit {
    /// The curve a·bʰ.
    #[serde(flatten)]
    pub curve: Exponential,
    /// Where it stands.
    pub source: &'static str,
}

impl TreeMethod {
    /// All of them.
    pub const ALL: [TreeMethod; 7] = [
        TreeMethod::AlphaBeta,
        TreeMethod::Mtd,
        TreeMethod::Sss,
        TreeMethod::Fsss,
        TreeMethod::Random,
        TreeMethod::AlphaBeta2,
        TreeMethod::MtSss,
    ];

    /// Those that expand different leaves.
    pub const USUAL: &[TreeMethod] = TreeMethod::ALL.split_at(5).0;

    /// What programs and what people call it, and how it searches.
    fn about(self) -> (&'static str, &'static str, Method) {
        match self {
            TreeMethod::AlphaBeta => ("alpha-beta", "alpha-beta", Method::AlphaBeta),
            TreeMethod::Mtd => ("mtd", "MTD(+∞)", Method::Mtd),
            TreeMethod::Sss => ("sss", "SSS*", Method::Sss),
            TreeMethod::Fsss => ("fsss", "FSSS", Method::Fsss),
            TreeMethod::Random => ("random", "random", Method::Random),
            TreeMethod::AlphaBeta2 => ("alphabeta2", "alphabeta2", Method::AlphaBeta2),
            TreeMethod::MtSss => ("mt-sss", "MT-SSS*", Method::MtSss),
        }
    }

    /// What programs and command lines call it.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.about().0
    }

    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.about().1
    }

    /// The search.
    #[must_use]
    pub fn config(self) -> Config {
        Config { method: self.about().2, scores: Scores::Margin, ..Config::default() }
    }

    /// Whether it must not expand a leaf that alpha-beta does not: alpha-beta itself, and FSSS, for
    /// which the paper proves it.
    #[must_use]
    pub fn dominates(self) -> bool {
        matches!(self, TreeMethod::AlphaBeta | TreeMethod::AlphaBeta2 | TreeMethod::Fsss)
    }

    /// The paper's curve through the leaves of binary trees with uniform leaves.
    pub(super) fn paper_fit(self) -> Option<PaperFit> {
        let (a, b) = match self {
            TreeMethod::AlphaBeta | TreeMethod::AlphaBeta2 => (1.74, 1.68),
            TreeMethod::Fsss => (1.46, 1.65),
            _ => return None,
        };
        Some(PaperFit {
            curve: Exponential { a, b },
            source: "Weinstein, Littman & Goschin 2012, section 4",
        })
    }
}

impl fmt::Display for TreeMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

as_text!(TreeMethod);

impl FromStr for TreeMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<TreeMethod, String> {
        let usual = match text {
            "ab" | "alphabeta" | "rollout-ab" => "alpha-beta",
            "sss*" => "sss",
            "mt-sss*" => "mt-sss",
            "mtd(inf)" | "mtd(+inf)" => "mtd",
            text => text,
        };
        let keys = TreeMethod::ALL.map(TreeMethod::key);
        let found = TreeMethod::ALL.into_iter().find(|method| method.key() == usual);
        found.ok_or_else(|| {
            let meant =
                nearest(text, keys).map_or(String::new(), |m| format!(" (did you mean {m}?)"));
            let short: String = text.chars().take(80).collect();
            format!("there is no method {short:?}{meant}; expected some of {}", keys.join(", "))
        })
    }
}

/// Methods from a text such as `fsss,mtd`, each once, in the order of [`TreeMethod::ALL`].
/// Alpha-beta, to which all others are compared, is always among them.
///
/// # Errors
///
/// If a method has another name.
pub fn methods_from(text: &str) -> Result<Vec<TreeMethod>, String> {
    let asked: Result<Vec<_>, _> = text.split(',').map(|name| name.trim().parse()).collect();
    let asked = asked?;
    let is_meant = |&method: &_| method == TreeMethod::AlphaBeta || asked.contains(&method);
    Ok(TreeMethod::ALL.into_iter().filter(is_meant).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_have_names() {
        for method in TreeMethod::ALL {
            assert_eq!(method.key().parse::<TreeMethod>(), Ok(method));
        }
        let methods = methods_from(" fsss, sss* ").unwrap();
        assert_eq!(methods, [TreeMethod::AlphaBeta, TreeMethod::Sss, TreeMethod::Fsss]);
        let error = methods_from("fsss,fsssx").unwrap_err();
        assert!(error.contains("\"fsssx\" (did you mean fsss?)"), "{error}");
        assert!(methods_from("").is_err() && methods_from("fsss,").is_err());
    }
}
