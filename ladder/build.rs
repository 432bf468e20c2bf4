//! Writes the lists of the files that the program carries: the ladders, and the solved positions.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo says where the package is");
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    for (list, folder, ending) in [("ladders.rs", ".", ".toml"), ("sets.rs", "positions", ".txt")] {
        let folder = Path::new(&root).join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let entries = fs::read_dir(&folder).expect("the folder can be read");
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> =
            names.filter(|name| name.ends_with(ending) && name != "Cargo.toml").collect();
        names.sort();
        let mut text = String::from("&[\n");
        for name in names {
            let path = folder.join(&name);
            writeln!(text, "    ({name:?}, include_str!({path:?})),")
                .expect("a string can be written");
        }
        text.push(']');
        fs::write(Path::new(&out).join(list), text).expect("the folder can be written");
    }
}
