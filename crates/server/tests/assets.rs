//! The committed page is built from the committed sources.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn inside(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { inside(&path, into) } else { into.push(path) }
    }
}

/// As `web/hash.mjs` does it.
#[test]
fn the_page_is_built_from_its_sources() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let single = [
        "index.html",
        "package.json",
        "package-lock.json",
        "svelte.config.js",
        "tsconfig.json",
        "vite.config.ts",
    ];
    let mut files: Vec<PathBuf> = single.iter().map(|name| web.join(name)).collect();
    inside(&web.join("src"), &mut files);
    inside(&web.join("public"), &mut files);
    let name = |path: &Path| {
        let inside = path.strip_prefix(&web).expect("a file of the page");
        inside.to_str().expect("a name").replace('\\', "/")
    };
    let mut lines: Vec<(String, String)> =
        files.iter().map(|path| (name(path), hex(&fs::read(path).expect("a file")))).collect();
    lines.sort();
    let lines: String = lines.iter().map(|(path, hash)| format!("{hash}  {path}\n")).collect();
    let kept = fs::read_to_string(web.join("../assets/sources.sha256")).expect("a hash");
    assert_eq!(kept.trim(), hex(lines.as_bytes()), "`cargo xtask web` builds the page again");
}

/// The course in the program is that of `docs/course`.
#[test]
fn the_course_is_the_one_in_the_documents() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = here.join("../../docs/course");
    let mut files = Vec::new();
    inside(&docs, &mut files);
    // Not the files that trying the commands leaves beside it.
    let is_kept = |path: &&PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("md" | "svg" | "toml")) && !path.ends_with("README.md")
    };
    for path in files.iter().filter(is_kept) {
        let name = path.strip_prefix(&docs).expect("a file of the course");
        let copy = fs::read(here.join("assets/course").join(name)).unwrap_or_default();
        let is_same = copy == fs::read(path).expect("a file");
        assert!(is_same, "{}: `cargo xtask web` copies it", name.display());
    }
}

/// Whatever is built is served, and the other way round.
#[test]
fn every_asset_is_in_the_program() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = fs::read_to_string(crate_folder.join("src/assets.rs")).expect("a file");
    let mut files = Vec::new();
    inside(&crate_folder.join("assets"), &mut files);
    for path in files {
        let name = path.strip_prefix(crate_folder.join("assets")).expect("an asset");
        let name = name.to_str().expect("a name");
        // Lessons are listed in course.rs, which does not compile without them.
        let is_elsewhere =
            name == "sources.sha256" || name.ends_with(".md") || name.ends_with(".toml");
        assert!(is_elsewhere || source.contains(&format!("\"{name}\"")), "{name}");
    }
}
