//! What a person sees in a terminal.

use crate::common::terminal::Terminal;
use crate::experiments::Lab;

/// The table stands where it was and changes; at the end it is gone, and the answer is there.
#[test]
fn a_search_shows_what_it_has_found_so_far() {
    let terminal = Terminal::start(&["analyze", "hex:9", "mcts@2s", "--top", "2"]);
    let heads = |screen: &str| {
        let words = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        screen.lines().filter(|line| words(line) == "move visits").count()
    };
    let is_live = |screen: &str| screen.contains("; line ") && heads(screen) > 0;
    let first = terminal.wait_for(is_live);
    let later = terminal.wait_for(|screen| is_live(screen) && screen != first);
    for screen in [&first, &later] {
        assert_eq!(screen.matches(" iterations, ").count(), 1, "it changes in place:\n{screen}");
        assert_eq!((screen.matches("; line ").count(), heads(screen)), (1, 1), "{screen}");
        assert!(screen.contains("% for Black (raw"), "{screen}");
    }
    let end = terminal.wait_for(|screen| screen.contains("ended   by its limit on time"));
    assert!(!end.contains("; line "), "{end}");
    assert_eq!(terminal.finish(), Some(0));
}

/// Alpha-beta reports the depth that it has completed.
#[test]
fn alpha_beta_shows_its_depth() {
    let terminal = Terminal::start(&["analyze", "breakthrough", "ab@2s", "--top", "3"]);
    let screen = terminal.wait_for(|screen| screen.contains("move") && screen.contains("depth "));
    assert!(screen.contains("nodes"), "{screen}");
    terminal.wait_for(|screen| screen.contains("ended   by its limit on time"));
}

#[test]
fn a_game_can_be_played_saved_and_given_up() {
    let file = std::env::temp_dir().join(format!("treegraft-saved-{}", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let mut terminal = Terminal::start(&["play", "othello", "mcts@300ms", "--seed", "7"]);
    terminal.wait_for(|screen| screen.contains("your move (Black)>"));
    terminal.type_line("d3");
    terminal.wait_for(|screen| screen.contains(" iterations, ") && screen.contains("; line "));
    let screen =
        terminal.wait_for(|screen| screen.contains("last move  ") && screen.ends_with('>'));
    assert!(
        screen.contains("(White)") && screen.contains("count      Black 3, White 3"),
        "{screen}"
    );
    // The disc that was placed and the one that was turned, of this board and perhaps of those above.
    assert!(terminal.marked().contains('○'), "{:?}", terminal.marked());
    terminal.type_line(&format!("save {}", file.display()));
    terminal.wait_for(|screen| screen.contains("goes on from here."));
    let saved = std::fs::read_to_string(&file).unwrap();
    let begin = "treegraft play 'othello' 'mcts@300ms' --as first --seed 7 --moves d3 ";
    assert!(saved.starts_with(begin) && saved.lines().count() == 1, "{saved}");
    terminal.type_line(&format!("save {}", file.display()));
    terminal.wait_for(|screen| screen.contains("exists already"));
    terminal.type_line("resign");
    terminal.wait_for(|screen| screen.contains("You resign: White wins."));
    terminal.type_line("undo");
    terminal.wait_for(|screen| screen.ends_with("your move (Black)>"));
    terminal.type_line("quit");
    assert_eq!(terminal.finish(), Some(0));
    std::fs::remove_file(&file).unwrap();
}

/// At the end of a game the player says which moves were mistakes, with what would have been better.
#[test]
fn the_mistakes_of_a_game_are_named() {
    let mut terminal = Terminal::start(&["play", "connect4", "mcts-solver@5000it", "--seed", "2"]);
    // Nothing is done against the column in which the player wins.
    for mv in ["1", "7", "1", "7", "2", "6", "2", "6", "3", "5"] {
        let screen = terminal.wait_for(|screen| screen.ends_with('>'));
        if screen.contains("The game is over") {
            break;
        }
        let before = screen.clone();
        terminal.type_line(mv);
        terminal.wait_for(|screen| screen != before && screen.ends_with('>'));
    }
    let screen = terminal.wait_for(|screen| screen.ends_with("undo, save or quit>"));
    assert!(screen.contains("Your mistakes, as mcts-solver@5000it sees them:"), "{screen}");
    assert!(screen.contains("best is ") && screen.contains("??"), "{screen}");
    terminal.type_line("quit");
    assert_eq!(terminal.finish(), Some(0));
}

#[test]
fn two_players_can_be_watched() {
    let args = ["watch", "connect4:4x4", "mcts@200ms", "ab@200ms", "--seed", "1"];
    let terminal = Terminal::start(&args);
    terminal.wait_for(|screen| screen.contains(" iterations, ") && screen.contains("; line "));
    terminal.wait_for(|screen| screen.contains("O plays "));
    terminal.wait_for(|screen| screen.contains("The game is over: "));
    assert_eq!(terminal.finish(), Some(0));
}

#[test]
fn a_stored_game_can_be_stepped_through() {
    let lab = Lab::new(
        "terminal-replay",
        "game = \"connect4\"\ngames = 2\nplayers = [\"random\", \"mcts-solver@20it\"]\n\
         record = \"thinking\"\n",
    );
    lab.ok(&["run", "it.toml", "--quiet", "--no-plot"]);
    let store = lab.file("it.db");
    let mut terminal = Terminal::start(&["replay", store.to_str().unwrap(), "1"]);
    let screen = terminal.wait_for(|screen| screen.contains("\n0/"));
    assert!(screen.contains("first   X  random") && screen.contains("`h` says"), "{screen}");
    terminal.type_line("");
    terminal.wait_for(|screen| screen.contains("last     1. X plays ") && screen.contains("\n1/"));
    assert_eq!(terminal.marked(), "X", "the last move is marked");
    terminal.type_line("e");
    terminal.wait_for(|screen| screen.contains("result   "));
    terminal.type_line("q");
    assert_eq!(terminal.finish(), Some(0));
}
