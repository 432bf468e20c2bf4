//! Where the stones of a house go, for boards of every size.

/// What sowing fewer stones than a lap adds to the board, and where the last stone falls.
#[derive(Clone, Copy)]
pub(super) struct Sowing {
    /// Stones added to the mover's houses.
    pub(super) own: u64,
    /// Stones added to the other side's houses.
    pub(super) theirs: u64,
    /// Stones added to the mover's store.
    pub(super) store: u8,
    /// The first bit of the house of the last stone if that is the mover's, otherwise 0.
    pub(super) last: u8,
    /// Whether the last stone falls in one of the mover's houses.
    pub(super) in_own: bool,
    /// Whether it falls in the mover's store.
    pub(super) in_store: bool,
}

/// The sowings on one board, by house and number of stones beyond full laps. With none, the
/// last stone of the last lap has come back to the house it was taken from.
pub(super) type Sowings = [[Sowing; LONGEST_LAP]; 8];

/// Pits of a lap around the largest board, the enemy store left out.
const LONGEST_LAP: usize = 17;

/// One stone in every house.
pub(super) const ONES: u64 = 0x0101_0101_0101_0101;

/// The sowings by number of houses a side, less one.
pub(super) static SOWINGS: [Sowings; 8] = {
    let nothing = Sowing { own: 0, theirs: 0, store: 0, last: 0, in_own: false, in_store: false };
    let mut boards = [[[nothing; LONGEST_LAP]; 8]; 8];
    let mut houses = 1;
    while houses <= 8 {
        let mut house = 0;
        while house < houses {
            let mut stones = 0;
            while stones <= 2 * houses {
                boards[houses - 1][house][stones] = sow(houses, house, stones);
                stones += 1;
            }
            house += 1;
        }
        houses += 1;
    }
    boards
};

/// Sows stone by stone: pits are the mover's houses, its store, and the other side's houses.
const fn sow(houses: usize, house: usize, stones: usize) -> Sowing {
    let (mut own, mut theirs, mut store) = (0, 0, 0);
    let mut pit = house;
    let mut left = stones;
    while left > 0 {
        pit = (pit + 1) % (2 * houses + 1);
        if pit < houses {
            own += 1 << (8 * pit);
        } else if pit == houses {
            store += 1;
        } else {
            theirs += 1 << (8 * (pit - houses - 1));
        }
        left -= 1;
    }
    let in_own = pit < houses;
    let last = if in_own { 8 * pit as u8 } else { 0 };
    Sowing { own, theirs, store, last, in_own, in_store: pit == houses }
}
