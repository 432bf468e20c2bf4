//! Writes the list of the files that the program carries: what is in a paper's folder is in it.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo says where the package is");
    let mut list = String::from("&[\n");
    println!("cargo::rerun-if-changed={root}");
    for folder in sorted(Path::new(&root)) {
        let folder = Path::new(&root).join(folder);
        if !folder.join("paper.toml").is_file() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", folder.display());
        let name = folder.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        for file in sorted(&folder) {
            if file.ends_with(".toml") || file == "reading.md" {
                let path = folder.join(&file);
                writeln!(list, "    ({name:?}, {file:?}, include_str!({path:?})),")
                    .expect("a string can be written");
            }
        }
    }
    list.push(']');
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("files.rs"), list).expect("the folder can be written");
}

fn sorted(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
