//! The plain rules by themselves: numbers of move sequences that independent programs agree on,
//! from the start and from positions in the middle of games.

use treegraft::{Game, Playthrough, perft};
use treegraft_plain::loa::{NoMove, Simultaneous};
use treegraft_plain::{Breakthrough, Connect4, Hex, Kalah, Lion, Loa, Othello};

/// After `moves`, there are `counts[0]` sequences of one ply, `counts[1]` of two, and so on.
fn check<G: Game>(start: G, moves: &str, counts: &[u64]) {
    let mut game = Playthrough::new(start);
    if let Err(error) = game.play_text(moves) {
        panic!("{error}");
    }
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(game.position(), depth), count, "{depth} plies after {moves:?}");
    }
}

#[test]
fn connect4() {
    check(Connect4::new(7, 6), "", &[7, 49, 343, 2_401, 16_807, 117_649]);
    check(
        Connect4::new(7, 6),
        "2 7 3 3 7 7 7 3 2 3 3 5 5 3",
        &[6, 36, 215, 1_185, 6_723, 34_858, 189_795],
    );
    check(
        Connect4::new(7, 6),
        "4 6 5 2 7 1 3 3 2 7 1 4 1 2 5 3 3 7 3 6 6 5 1 7 5 2",
        &[7, 41, 164, 827, 2_998, 12_630, 41_016, 138_033],
    );
}

#[test]
fn breakthrough() {
    check(Breakthrough::new(6, 6), "", &[16, 256, 4_308, 71_478]);
    check(
        Breakthrough::new(6, 6),
        "f2f3 a5b4 d2e3 f5e4 f3e4 e5d4 c2b3 b6a5 e4f5 c5c4 b2a3 b4a3",
        &[20, 335, 6_229, 101_479],
    );
    check(
        Breakthrough::new(6, 6),
        "d2d3 e5f4 b2a3 b5c4 c1b2 f6e5 b2c3 c5b4 a3a4 f4f3 d3e4 b4a3 c2d3 a3b2 a4b5 e5f4 \
         e2e3 c6b5 b1c2 b5b4 a2a3 f4e3 a1a2 e3f2",
        &[17, 346, 4_398, 84_483],
    );
    check(Breakthrough::new(8, 8), "", &[22, 484, 11_132, 256_036]);
    check(
        Breakthrough::new(8, 8),
        "f2e3 b7a6 e2d3 e7d6 b2a3 e8e7 c1b2 a6a5 c2b3 e7e6 a3b4 g7h6 b3c4 a5b4 d1c2 b4a3 \
         c4b5 g8g7",
        &[26, 622, 16_210],
    );
    check(
        Breakthrough::new(8, 8),
        "c2c3 g7f6 d1c2 b7c6 c2d3 f7g6 d3c4 b8b7 e2e3 f6g5 g2g3 a7b6 f1e2 c7d6 c4d5 c6c5 \
         g1g2 c5b4 e3d4 h8g7 d2d3 b6a5 b1c2 b4c3 g2f3 a5a4 e1d2 d7c6 b2b3 e7f6 g3g4 f8e7 \
         b3c4 g7h6 d2c3 e8f7 c2b3 g5h4 e2e3 c6c5",
        &[25, 644, 16_230],
    );
    check(Breakthrough::new(5, 6), "", &[13, 169, 2_331, 31_545]);
    check(
        Breakthrough::new(5, 6),
        "a2b3 b5b4 b1a2 b6b5 c2c3 b4c3 b2c3 d5d4 d2e3 a5a4 b3c4 c5b4 a1b2 c6d5",
        &[17, 224, 3_416, 41_815],
    );
    check(Breakthrough::new(4, 7), "", &[10, 100, 1_100, 12_032, 143_896]);
    check(
        Breakthrough::new(4, 7),
        "c2b3 d6d5 d2c3 d5c4 b3c4 b6a5 c3d4 d7d6 c4b5 c7b6 d1d2 c6c5 b5c6 c5d4",
        &[12, 89, 1_135, 9_623, 120_249],
    );
    check(Breakthrough::new(9, 6), "", &[25, 625, 16_179]);
}

#[test]
fn othello() {
    check(Othello::new(8), "", &[4, 12, 56, 244, 1_396, 8_200, 55_092]);
    check(
        Othello::new(8),
        "e6 f4 f3 d6 c6 c7 f5 f6 c4 b6 d7 e7 d8 g4 f7 c8 a6 g6 b7 b4 d3 g2 b8 c5",
        &[16, 175, 2_418, 26_912],
    );
    check(
        Othello::new(8),
        "d3 e3 f4 g5 f6 c5 c4 e7 f3 b4 b5 e6 f7 e2 f1 c6 e8 f2 d6 d8 g6 c3 g2 b6 d7 h1 d2 \
         c7 c8 g7 a4 c1 h3 c2 b7 a3 b3 e1 a2 h2 h8 a7 g8 b2 d1 h7",
        &[14, 74, 841, 4_661, 41_935, 226_439],
    );
    check(
        Othello::new(8),
        "c4 c5 e6 f5 g4 g5 d6 c7 g6 e3 d3 d2 c6 e7 e2 h5 d7 f3 b7 d1 h3 d8 g2 g3 e1 f2 g1 \
         b3 c1 c3 f8 f6 c8 h1 h4 g7 h6 h7 a2 a8 e8 h8 g8 c2 b5 h2 f4 a5 b1 f7 f1 b8 b2 b4",
        &[4, 16, 34, 88, 104, 126, 45, 20, 0],
    );
    check(
        Othello::new(8),
        "e6 f6 f5 f4 e3 d3 f3 d2 g4 e7 d6 d7 c3 h4 g3 b4 d8 c6 c5 e8 b3 e2 f2 g2 e1 b2 a5 \
         a3 f1 c4 a4 c2 d1 c8 b6 a6 a7 a2 a1 g5 h1 b5 b7 h2 g6 b1 h6 g7 h8 c7 h3 a8 g1 g8 \
         h5 f7 f8 h7 c1",
        &[1, 1, 0],
    );
}

#[test]
fn lion() {
    check(Lion::new(400), "", &[4, 17, 123, 976, 8_122, 70_628]);
    check(
        Lion::new(400),
        "b1c2 a4a3 b2b3 b4c3 C@a2 c3b4 a1b2 c4b3 b2a1 b3a2 a1b2 b4b3 b2a3 b3c4",
        &[14, 161, 1_810, 19_806, 217_861],
    );
    check(
        Lion::new(400),
        "b1c2 b3b2 a1b2 C@c3 C@a2 c4b3 c2c3 b4c4 c3c2 c4b4 b2a3 b3a2 a3b2 b4c4 c2b1 a4b4 \
         C@b3 b4a4 b2a3 a4a3 b3b4 a3b3 b1a2 C@a4 E@b1 E@c3",
        &[9, 51, 493, 3_560, 34_643, 256_477],
    );
    check(
        Lion::new(400),
        "b2b3 b4a3 b3b4 a3b3 a1b2 b3b2 C@a3 E@a1 b4c4 b2b3 c4b4 b3c4 E@b3 a4a3 b3c2 a3b3 \
         c2b3 c4c3 b4a4 c3b4 G@c2 C@a3 b3a2 b4c3 b1a1 c3c4 E@b2 c4b3 a1b1 a3a2 b1a1 E@c4 \
         a4a3 b3b4 a3b3 b4a3 c2c3 a3a4 c1c2 a4a3 c3c4 a3b2",
        &[19, 219, 2_407, 23_531, 256_053],
    );
}

#[test]
fn hex() {
    check(
        Hex::new(3, false),
        "",
        &[9, 72, 504, 3_024, 15_120, 54_720, 146_880, 207_360, 120_960, 0],
    );
    check(Hex::new(3, false), "a3 b2 a1", &[6, 30, 100, 252, 384, 192, 0]);
    check(Hex::new(4, false), "", &[16, 240, 3_360, 43_680]);
    check(Hex::new(4, false), "c2 b3 d2 a3 b1 c3", &[10, 90, 648, 4_536, 23_520, 110_040]);
    check(Hex::new(5, false), "", &[25, 600, 13_800]);
    check(
        Hex::new(5, false),
        "c1 c2 e1 d4 c4 a1 b1 b4 b2 c5 b3 c3",
        &[13, 156, 1_716, 16_940, 152_460],
    );
    check(Hex::new(11, false), "", &[121, 14_520]);
    check(
        Hex::new(11, false),
        "a10 c3 e4 f10 j2 i8 d6 d10 c8 g2 f1 h7 k11 g9 f7 h9 g3 j1 g6 e3 c2 f6 c9 g7 b10 d5 \
         b1 j9 h8 i9 b8 a6 c1 h1 d11 g10 f2 k9 b3 i7 e1 c11 h10 k6 f3 h4 j6 i4 b5 k1 e6 f8 \
         j11 c5 b6 a9 g5 b2 k3 b7 k4 j5 h6 j7 e5 h11 b9 k8 f11 a1 c7 f4 i5 a5 d7 b4 c6 a8 \
         c10 g1",
        &[41, 1_560, 60_840],
    );
}

#[test]
fn kalah() {
    check(Kalah::new(6, 4, true), "", &[6, 35, 185, 942, 4_685, 23_169]);
    check(Kalah::new(6, 4, false), "", &[6, 35, 185, 942, 4_690, 23_233, 114_430]);
    check(
        Kalah::new(6, 4, false),
        "1 4 4 6 3 1 6 5 5 3 3 5",
        &[4, 17, 78, 351, 1_672, 7_803, 36_597, 168_823],
    );
    check(
        Kalah::new(6, 4, false),
        "3 5 6 4 4 3 5 5 6 3 2 2 1 5 2 1 3 4 5 2 1 5 6 1 1 4",
        &[3, 11, 40, 146, 523, 1_863, 6_534, 22_654, 76_484, 257_352],
    );
    check(
        Kalah::new(3, 3, false),
        "",
        &[3, 8, 19, 48, 120, 280, 610, 1_283, 2_565, 4_962, 9_236, 16_665],
    );
    check(
        Kalah::new(4, 3, false),
        "",
        &[4, 15, 50, 158, 488, 1_510, 4_637, 14_102, 41_831, 120_669],
    );
    check(
        Kalah::new(4, 4, false),
        "",
        &[4, 15, 51, 181, 644, 2_203, 7_470, 24_423, 77_210, 239_667],
    );
    check(Kalah::new(5, 3, false), "", &[5, 24, 103, 419, 1_618, 6_214, 23_540, 88_460]);
    check(Kalah::new(6, 3, false), "", &[6, 35, 182, 904, 4_243, 19_418, 87_103]);
    check(Kalah::new(6, 5, false), "", &[6, 35, 187, 982, 5_113, 26_927, 142_073]);
    check(Kalah::new(6, 6, false), "", &[6, 35, 190, 1_056, 5_882, 32_243, 177_827]);
}

#[test]
fn loa() {
    let start = || Loa::new(Simultaneous::Draw, NoMove::Pass, Some(3));
    check(start(), "", &[36, 1_244, 44_952]);
    check(
        start(),
        "c8a6 a4c4 b1h1 h6f4 e1e3 a3c5 e8d7 c5e7 d7d4 h3g4 c1b2 h2e5 g8g5 g4g1 d4d7 h7g6 \
         d1d4 h5g4 d7e8 f4c7",
        &[28, 989, 28_805],
    );
    check(
        start(),
        "b1d3 h2f4 e1e3 f4h2 d3b1 h6f6 e8g6 a3d3 e3e4 h3f3 e4e5 a4c4 g1g4 c4c1 e5e6 h5f5 \
         g4g7 f3d1 e6e7 a7b6 d8d5 h2h5 c8c6 b6c5 b8b6 f5f1 e7h7 c1c4 d5b7 h4h7 f8d8 d3c3 \
         b7d5 a2b2 d8a5 a6d3 g7h6 d1f3 b1d1 b2a3 h6g5 c3e1 c6d7 f3c3 b6d8 d3g3 d7c8 c4a6 \
         g6e4 f1f3 g5h6 h5h2 e4c2 f3b3 a5c7 c5a5 c7a7 c3e5 c8a6 e5b8",
        &[24, 754, 19_575],
    );
}
