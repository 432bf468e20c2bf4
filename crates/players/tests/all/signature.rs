//! The searches do what they did when `signatures.txt` was written: in every build and on every
//! machine.

use std::collections::HashMap;

use treegraft_players::signature::signed_searches;

/// What differs between two lists of numbers: a line for every search.
fn differences(then: &[[String; 3]], now: &[[String; 3]]) -> Vec<String> {
    let by_search = |list: &[[String; 3]]| -> HashMap<(String, String), String> {
        let key =
            |[digest, game, player]: &[String; 3]| ((game.clone(), player.clone()), digest.clone());
        list.iter().map(key).collect()
    };
    let (old, new) = (by_search(then), by_search(now));
    let mut said = Vec::new();
    for [was, game, player] in then {
        match new.get(&(game.clone(), player.clone())) {
            Some(is) if is == was => {}
            Some(is) => said.push(format!("{game}\t{player}: then {was}, now {is}")),
            None => said.push(format!("{game}\t{player}: then {was}, missing now")),
        }
    }
    for [is, game, player] in now {
        if !old.contains_key(&(game.clone(), player.clone())) {
            said.push(format!("{game}\t{player}: new, {is}"));
        }
    }
    if said.is_empty() && then != now {
        said.push("the order of the lines".to_owned());
    }
    said
}

fn read(text: &str) -> Vec<[String; 3]> {
    let fields = |line: &str| {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        fields.try_into().unwrap_or_else(|_| panic!("not DIGEST, GAME and PLAYER: {line:?}"))
    };
    text.lines().map(fields).collect()
}

fn found() -> Vec<[String; 3]> {
    let searches = signed_searches().into_iter();
    searches.map(|one| [format!("{:016x}", one.digest), one.game, one.player]).collect()
}

#[test]
fn the_signatures_are_the_committed_ones() {
    // Twice, side by side: a search that is not repeatable is none that can be signed.
    let (found, again) = std::thread::scope(|scope| {
        let again = scope.spawn(found);
        (found(), again.join().expect("no panic"))
    });
    let said = differences(&read(include_str!("../../../../signatures.txt")), &found);
    assert!(
        said.is_empty(),
        "searches do something else than before:\n{}\nif that is meant: \
         cargo xtask signature --write",
        said.join("\n")
    );
    assert_eq!(found, again, "a search is not repeatable");
}

#[test]
fn whatever_differs_is_named() {
    let then = read("01\tlion\tmcts\n02\tlion\tab\n03\thex:5\tmcts");
    assert_eq!(differences(&then, &then), [""; 0]);
    let now = read("01\tlion\tmcts\n0f\tlion\tab\n04\thex:5\tuct");
    assert_eq!(
        differences(&then, &now),
        ["lion\tab: then 02, now 0f", "hex:5\tmcts: then 03, missing now", "hex:5\tuct: new, 04"]
    );
    let turned: Vec<_> = then.iter().rev().cloned().collect();
    assert_eq!(differences(&then, &turned), ["the order of the lines"]);
}
