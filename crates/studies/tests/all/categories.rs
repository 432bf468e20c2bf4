//! Categories of moves, counted by hand.

use treegraft::{Game, GameInfo, Knowledge, Outcome, Side};
use treegraft_players::{GameEntry, Registry};
use treegraft_studies::Watch;
use treegraft_studies::categories::{CategoryError, CategoryStudy, study_categories};

/// Two sides take one, two or three of a heap in turn; the side that takes the last one wins. The
/// categories are odd and even numbers, and one for nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Heap {
    left: u8,
    mover: Side,
}

impl Game for Heap {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=self.left.min(3));
    }

    fn play(&mut self, take: u8) {
        self.left -= take;
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(self.mover.other()))
    }

    treegraft::brings!(Knowledge);
}

impl Knowledge for Heap {
    fn move_categories(&self) -> Vec<String> {
        ["odd", "even", "none of them"].map(str::to_owned).into()
    }

    fn move_category(&self, take: u8) -> Option<u32> {
        Some(1 - u32::from(take) % 2)
    }
}

fn registry() -> Registry {
    let mut registry = Registry::standard();
    let info = GameInfo::new("heap", "Take one, two or three.");
    registry.add_game(GameEntry::new(info, Heap { left: 7, mover: Side::First })).unwrap();
    registry
}

fn study(registry: &Registry, game: &str, games: u32, opening_plies: u32) -> CategoryStudy {
    let (start, player) = (registry.start(game).unwrap(), registry.player("ab(depth=8)").unwrap());
    CategoryStudy { start, player, games, opening_plies, seed: 1, jobs: 2 }
}

#[test]
fn positions_are_counted_in_which_a_category_was_played_and_could_have_been() {
    let registry = registry();
    let found = study_categories(&registry, &study(&registry, "heap", 2, 0), Watch::default());
    let found = found.unwrap();
    assert_eq!((found.games, found.complete), (2, true));
    // Three of seven are taken, which wins; of four, whatever is taken loses; then the rest is taken.
    // Two odd moves in one position count once.
    let counts: Vec<(u64, u64)> =
        found.categories.iter().map(|category| (category.played, category.available)).collect();
    assert_eq!(found.positions, 6);
    assert_eq!(counts[0].1, 6, "one can always be taken");
    assert_eq!((counts[0].0 + counts[1].0, counts[2]), (6, (0, 0)));
    assert!(counts[1].0 <= counts[1].1 && counts[1].1 <= 6);
    let one_in = (counts[0].1 + counts[1].1) as f64 / 6.0;
    for (category, (played, available)) in found.categories.iter().zip(&counts) {
        let expected = (*played as f64 + 1.0) / (*available as f64 + one_in);
        assert!((category.probability - expected).abs() < 1e-12);
    }
    // What was never seen is as likely as all categories on average.
    assert!((found.categories[2].probability - 1.0 / one_in).abs() < 1e-12);
}

#[test]
fn moves_of_the_opening_do_not_count() {
    let registry = registry();
    let found = study_categories(&registry, &study(&registry, "heap", 3, 1), Watch::default());
    let found = found.unwrap();
    // Six, five and four are left. The first two are won in three moves, by leaving four; the last is
    // lost in two.
    assert_eq!((found.games, found.positions), (3, 8));
}

#[test]
fn what_cannot_be_studied_is_said() {
    let registry = registry();
    let refused = |game, games, plies| {
        let study = study(&registry, game, games, plies);
        study_categories(&registry, &study, Watch::default()).unwrap_err()
    };
    let error = refused("connect4", 2, 2);
    assert!(matches!(error, CategoryError::NoCategories { .. }));
    assert_eq!(error.to_string(), "connect4 has no categories of moves");
    let error = refused("heap", 4, 1).to_string();
    assert!(error.starts_with("only 3 different positions after 1 random moves"), "{error}");
}
