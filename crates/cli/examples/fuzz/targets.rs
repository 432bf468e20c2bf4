//! What reads input, and good input for it.

use std::io::BufReader;

use treegraft::{Budget, Charset, Game, Notation, Request, Rng};
use treegraft_engine::serve;
use treegraft_lab::Experiment;
use treegraft_players::{Protocol, Registry};

use crate::commands::Files;
use crate::mutate::{mutated, mutated_text};

/// The names of all targets, and how much of the time each gets.
pub(crate) const TARGETS: [(&str, u32); 7] = [
    ("games", 1),
    ("positions", 1),
    ("players", 2),
    ("experiments", 2),
    ("protocol", 2),
    ("files", 4),
    ("commands", 4),
];

const GAMES: [&str; 19] = [
    "connect4",
    "connect4:10x5",
    "breakthrough:6x6",
    "breakthrough:18x6",
    "othello",
    "othello:6",
    "othello:4,empties=winner",
    "lion",
    "hex:5",
    "hex:swap=true",
    "hex:19",
    "kalah",
    "kalah:3,3,capture-empty=false",
    "kalah:random-start=3",
    "loa",
    "tree:((3 5) (2 -9 4))",
    "tree:branching=3,height=4,irregular=true",
    "tree:branching=2,height=8,leaves=-3..4,seed=5",
    "tree:branching=4,height=12,traps=0.1,trap-depth=3,ones=0.4,seed=7",
];

const PLAYERS: [&str; 12] = [
    "mcts-solver(c=1.2,solver=draws,final=secure,reuse=true)@100it",
    "mcts-ms-2-visit-5@1s,64MiB",
    "mcts-mr-2(mr-moves=3)@10it",
    "mcts-mb-4@1000nodes",
    "mcts-ir-m(ir-depth=2,ir-moves=2:3)@5it",
    "mcts-ic-e(ic=3,slope=0.5)@50evals",
    "mcts-ab(p=0.3,w=10,fail=hard)@40it",
    "ab(depth=6,eval=none,null-move=2,multi-cut=true,scores=margin)@1MiB",
    "mtd(f,k=3,pvs=false)@2000nodes",
    "fsss(deepening=false)@100it,1MiB",
    "sss@10ms",
    "engine:\"some program --level 3\"@100ms",
];

const EXPERIMENTS: [&str; 3] = [
    include_str!("../../../../examples/quick.toml"),
    include_str!("../../../../examples/sprt.toml"),
    include_str!("../../../../examples/sweep.toml"),
];

const PROTOCOL: [&str; 5] = [
    "tgp 1\nnewgame connect4\nposition moves 4 4 3\ngo iterations 50\nstop\nquit\n",
    "newgame othello:6\nposition moves\ngo time 5 memory 65536\nposition moves c2\ngo nodes 99\n",
    "newgame hex:5 player mcts@10it\nmoves\nshow\ngo\nposition moves a1 b2 a1\nnonsense\nquit\n",
    "uci\nsetoption name Hash value 1\nposition startpos moves 1 2\ngo nodes 9 wtime 5\ngo infinite\nstop\n",
    "1 boardsize 4\nplay b x0\nplay w o1\ngenmove b\ntime_settings 0 1 9\nundo\nshowboard\n7 quit\n",
];

/// Runs the cases of one target.
pub(crate) struct Bench {
    registry: Registry,
    files: Option<Files>,
}

impl Bench {
    pub(crate) fn new(target: &str) -> Bench {
        let needs_files = matches!(target, "files" | "commands");
        Bench { registry: Registry::standard(), files: needs_files.then(Files::new) }
    }

    /// One case: a panic is a fault, and so is what takes too long.
    pub(crate) fn run(&self, target: &str, rng: &mut Rng) {
        match target {
            "games" => self.games(rng),
            "positions" => self.positions(rng),
            "players" => self.players(rng),
            "experiments" => self.experiments(rng),
            "protocol" => self.protocol(rng),
            "files" => self.files().damaged_file(rng),
            _ => self.files().damaged_command(rng),
        }
    }

    fn files(&self) -> &Files {
        self.files.as_ref().expect("made for these targets")
    }

    fn games(&self, rng: &mut Rng) {
        let text = text_like(rng, &GAMES);
        let Ok(start) = self.registry.start(&text) else { return };
        let _ = start.rules();
        let _ = start.board().notation().diagram(Charset::Unicode);
        let again = self.registry.start(start.text()).expect("its own text names the game");
        assert_eq!(again.text(), start.text());
    }

    fn positions(&self, rng: &mut Rng) {
        let game = GAMES[rng.below(GAMES.len() as u32) as usize];
        let start = self.registry.start(game).expect("a game");
        let mut game = start.playthrough();
        for _ in 0..rng.below(12) {
            let mut moves = Vec::new();
            if game.ending().is_none() {
                game.position().moves(&mut moves);
            }
            let Some(&mv) = rng.draw_from(&moves) else { break };
            game.play(mv);
        }
        let text = game.position_text().unwrap_or_default();
        let text = mutated_text(rng, &text, &all(&GAMES));
        if let Ok(position) = start.board().notation().parse_position(&text) {
            let _ = position.notation().diagram(Charset::Ascii);
            if position.outcome().is_none() {
                let mut moves = Vec::new();
                position.moves(&mut moves);
                assert!(!moves.is_empty(), "nothing to play and not over: {text:?}");
                for mv in moves {
                    position.clone().play(mv);
                }
            }
        }
        let _ = start.playthrough().play_text(&text);
    }

    fn players(&self, rng: &mut Rng) {
        let text = text_like(rng, &PLAYERS);
        let Ok(player) = self.registry.player(&text) else { return };
        let written = player.to_string();
        let again = self.registry.player(&written).expect("its own text names the player");
        assert_eq!(again.to_string(), written);
        let small = ["connect4:4x4", "kalah:3,2", "breakthrough:3x4", "lion", "hex:4", "othello:4"];
        let start = self.registry.start(small[rng.below(6) as usize]).expect("a game");
        let Ok(mut analyst) = self.registry.searcher(&start, &player) else { return };
        let budget = Budget {
            iterations: Some(8),
            nodes: Some(200),
            memory: Some(1 << (13 + rng.below(8))),
            time: Some(std::time::Duration::from_millis(20)),
            ..Budget::default()
        };
        let report = analyst.search(start.board(), Request::new(budget, rng.next_u64()));
        assert!(report.best_move.is_some(), "no move: {written}");
    }

    fn experiments(&self, rng: &mut Rng) {
        let text = text_like(rng, &EXPERIMENTS);
        if let Ok(experiment) = Experiment::parse(&text, "fuzz.toml", &self.registry) {
            let _ = experiment.plan.len();
        }
    }

    fn protocol(&self, rng: &mut Rng) {
        let good = PROTOCOL[rng.below(PROTOCOL.len() as u32) as usize];
        let mut input = mutated(rng, good.as_bytes(), &all(&PROTOCOL));
        // The end of the input would wait for searches whose limits have become long.
        input.extend_from_slice(b"\nquit\n");
        let start = self.registry.start("connect4:4x4").expect("a game");
        let player = self.registry.player("mcts-solver@20it").expect("a player");
        let mut answers = Vec::new();
        let protocol = Protocol::ALL[rng.below(3) as usize];
        serve(&self.registry, &start, &player, protocol, BufReader::new(&input[..]), &mut answers)
            .expect("answers can be written");
        assert!(std::str::from_utf8(&answers).is_ok());
    }
}

fn all(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn text_like(rng: &mut Rng, texts: &[&str]) -> String {
    let good = texts[rng.below(texts.len() as u32) as usize];
    mutated_text(rng, good, &all(texts))
}
