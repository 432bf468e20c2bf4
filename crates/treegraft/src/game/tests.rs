//! The defaults of the contract.

use crate::{Charset, Game, Notation, Outcome, Rng, Side, Speed, Trace};

/// A game of one move, whose debug text has everything in it that texts must not have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Odd(char);

impl Game for Odd {
    type Move = (u8, Option<i8>);

    fn to_move(&self) -> Side {
        Side::First
    }

    fn moves(&self, moves: &mut Vec<(u8, Option<i8>)>) {
        moves.extend([(1, None), (1, Some(-2))]);
    }

    fn play(&mut self, _: (u8, Option<i8>)) {
        self.0 = '■';
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0 == '■').then_some(Outcome::Draw)
    }
}

#[test]
fn default_texts_are_fit_to_be_read() {
    let odd = Odd('□');
    assert_eq!(odd.notation().move_text((1, Some(-2))), "(1;Some(-2))");
    assert_eq!(odd.notation().parse_move("(1;None)"), Ok((1, None)));
    assert_eq!(
        odd.notation().parse_move("(1, None)").unwrap_err().to_string(),
        "move \"(1, None)\": not legal here; expected one of (1;None), (1;Some(-2))"
    );
    assert!(Odd('■').notation().parse_move("(1;None)").is_err());
    assert_eq!(odd.notation().diagram(Charset::Unicode), "Odd('□')");
    assert_eq!(odd.notation().diagram(Charset::Ascii), "Odd('?')");
    assert!(odd.notation().parse_position("Odd('□')").is_err());
    assert_eq!(
        (odd.notation().picture(), odd.notation().move_cells((1, None))),
        (None, Vec::new())
    );
}

/// Takes one or two, twenty in all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Taking(u8);

impl Game for Taking {
    type Move = u8;

    fn to_move(&self) -> Side {
        Side::First
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=2.min(20 - self.0));
    }

    fn play(&mut self, mv: u8) {
        self.0 += mv;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 20).then_some(Outcome::Win(Side::First))
    }
}

#[test]
fn a_trace_is_the_moves_of_the_playout() {
    for (seed, limit) in (0..200).flat_map(|seed| [(seed, 100), (seed, 12), (seed, 0)]) {
        let (mut plain, mut traced) = (Taking(0), Taking(0));
        let (mut buffer, mut trace) = (Vec::new(), Trace::new(Taking(0).speed().move_slots()));
        let playout = crate::playout(&mut plain, &mut Rng::new(seed), &mut buffer, limit, None);
        let rng = &mut Rng::new(seed);
        assert_eq!(crate::playout(&mut traced, rng, &mut buffer, limit, Some(&mut trace)), playout);
        // The moves that the same random numbers give.
        let (mut replayed, mut expected) = (Taking(0), Trace::new(Taking(0).speed().move_slots()));
        let rng = &mut Rng::new(seed);
        for _ in 0..playout.plies {
            let mv = replayed.speed().random_move(rng, &mut buffer);
            expected.add(replayed.to_move(), replayed.speed().move_slot(mv));
            replayed.play(mv);
        }
        assert_eq!((&replayed, &plain, &trace), (&traced, &traced, &expected));
        assert_eq!(playout.capped, replayed.outcome().is_none());
    }
}
