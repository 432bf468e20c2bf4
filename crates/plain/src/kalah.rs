//! Kalah: sow seeds around the board, and gather more of them in your store.

use treegraft::{Exactness, Game, Notation, Outcome, Side};

/// A position of Kalah.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kalah {
    /// The seeds in each side's houses, in the order in which that side sows through them.
    houses: [Vec<u32>; 2],
    stores: [u32; 2],
    mover: Side,
    capture_empty: bool,
}

/// A place to sow into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pit {
    House(Side, usize),
    Store(Side),
}

impl Kalah {
    /// This many houses per side, with this many seeds each. `capture_empty` says whether a last
    /// seed is also captured when the house opposite is empty.
    #[must_use]
    pub fn new(houses: u32, seeds: u32, capture_empty: bool) -> Kalah {
        let row = vec![seeds; houses as usize];
        Kalah::from_parts([row.clone(), row], [0, 0], Side::First, capture_empty)
    }

    /// Any position: each side's houses in its own sowing order, the first player's first.
    #[must_use]
    pub fn from_parts(
        houses: [Vec<u32>; 2],
        stores: [u32; 2],
        mover: Side,
        capture_empty: bool,
    ) -> Kalah {
        assert!(houses[0].len() == houses[1].len() && !houses[0].is_empty(), "two equal rows");
        let mut position = Kalah { houses, stores, mover, capture_empty };
        position.gather_if_over();
        position
    }

    /// The seeds in a side's house, counted from 0 in the order in which the side sows.
    #[must_use]
    pub fn house(&self, side: Side, house: u32) -> u32 {
        self.houses[side.index()][house as usize]
    }

    /// The seeds in a side's store.
    #[must_use]
    pub fn store(&self, side: Side) -> u32 {
        self.stores[side.index()]
    }

    /// Number of houses a side.
    #[must_use]
    pub fn houses(&self) -> u32 {
        self.houses[0].len() as u32
    }

    /// Counter-clockwise: a side's houses, its store, the other side's houses, its store.
    fn next(&self, pit: Pit) -> Pit {
        match pit {
            Pit::House(side, house) if house + 1 < self.houses[0].len() => {
                Pit::House(side, house + 1)
            }
            Pit::House(side, _) => Pit::Store(side),
            Pit::Store(side) => Pit::House(side.other(), 0),
        }
    }

    fn seeds_in(&mut self, pit: Pit) -> &mut u32 {
        match pit {
            Pit::House(side, house) => &mut self.houses[side.index()][house],
            Pit::Store(side) => &mut self.stores[side.index()],
        }
    }

    fn is_empty(&self, side: Side) -> bool {
        self.houses[side.index()].iter().all(|&seeds| seeds == 0)
    }

    /// When one side has no seeds in its houses, all seeds go to the stores of their sides.
    fn gather_if_over(&mut self) {
        if self.is_empty(Side::First) || self.is_empty(Side::Second) {
            for side in [0, 1] {
                for house in 0..self.houses[side].len() {
                    self.stores[side] += self.houses[side][house];
                    self.houses[side][house] = 0;
                }
            }
        }
    }
}

impl Game for Kalah {
    /// A house of the side to move, from 0.
    type Move = usize;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<usize>) {
        for house in 0..self.houses[0].len() {
            if self.houses[self.mover.index()][house] > 0 {
                moves.push(house);
            }
        }
    }

    fn play(&mut self, house: usize) {
        let (own, enemy) = (self.mover, self.mover.other());
        let mut pit = Pit::House(own, house);
        let in_the_hand = std::mem::take(self.seeds_in(pit));
        for _ in 0..in_the_hand {
            pit = self.next(pit);
            if pit == Pit::Store(enemy) {
                pit = self.next(pit);
            }
            *self.seeds_in(pit) += 1;
        }

        if let Pit::House(side, last) = pit {
            let opposite = Pit::House(enemy, self.houses[0].len() - 1 - last);
            let was_empty = *self.seeds_in(pit) == 1;
            let can_capture = self.capture_empty || *self.seeds_in(opposite) > 0;
            if side == own && was_empty && can_capture {
                let captured =
                    std::mem::take(self.seeds_in(pit)) + std::mem::take(self.seeds_in(opposite));
                self.stores[own.index()] += captured;
            }
        }

        if pit != Pit::Store(own) {
            self.mover = enemy;
        }
        self.gather_if_over();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.margin().map(Outcome::from_margin)
    }

    treegraft::brings!(Exactness, Notation);
}

impl Exactness for Kalah {
    fn margin(&self) -> Option<i64> {
        let over = self.is_empty(Side::First) && self.is_empty(Side::Second);
        over.then(|| i64::from(self.stores[0]) - i64::from(self.stores[1]))
    }
}

impl Notation for Kalah {
    fn move_text(&self, house: usize) -> String {
        (house + 1).to_string()
    }
}
