//! The Markdown files name only files that exist: links, anchors, and paths in code spans.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders whose paths are written from the root of the repository.
const TOP_FOLDERS: [&str; 7] = ["crates", "docs", "examples", "ladder", "papers", "xtask", ".ci"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files and folders of the repository, from its root, with `/` between names.
fn paths() -> BTreeSet<String> {
    fn walk(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if [".git", "target", "node_modules"].contains(&name.as_str()) {
                continue;
            }
            let path = format!("{prefix}{name}");
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{path}/"), found);
            }
            found.insert(path);
        }
    }
    let mut found = BTreeSet::new();
    walk(&root(), "", &mut found);
    found
}

/// The text outside of fenced blocks.
fn prose(text: &str) -> String {
    let mut is_fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        if !is_fenced && !is_fence {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose
}

/// Code spans, and the text without them.
fn code_spans(prose: &str) -> (Vec<&str>, String) {
    let mut parts = prose.split('`');
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut spans = Vec::new();
    while let Some(span) = parts.next() {
        spans.push(span);
        text.push_str(parts.next().unwrap_or_default());
    }
    (spans, text)
}

/// The targets of `[text](target)`.
fn links(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(to, _)| to).collect()
}

/// `a/{b,c}/d` stands for `a/b/d` and `a/c/d`.
fn expand(text: &str) -> Vec<String> {
    let Some((before, rest)) = text.split_once('{') else { return vec![text.to_owned()] };
    let Some((inside, after)) = rest.split_once('}') else { return vec![text.to_owned()] };
    inside.split(',').map(|one| format!("{before}{one}{after}")).collect()
}

/// The anchor that a renderer gives a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The place that a link in `file` leads to, from the root.
fn resolve(file: &str, target: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    for component in folder.join(target).components() {
        match component {
            Component::ParentDir => drop(names.pop()),
            Component::Normal(name) => names.push(name.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    names.join("/")
}

/// What is wrong with a link of `file`.
fn broken_link(file: &str, link: &str, paths: &BTreeSet<String>) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (target, wanted) = link.split_once('#').unwrap_or((link, ""));
    let path = if target.is_empty() { file.to_owned() } else { resolve(file, target) };
    if !paths.contains(&path) {
        return Some(format!("{file}: the link {link} leads nowhere"));
    }
    let text = || prose(&fs::read_to_string(root().join(&path)).unwrap());
    let is_heading = |line: &str| anchor(line.trim_start_matches('#').trim()) == wanted;
    let is_found =
        wanted.is_empty() || text().lines().filter(|line| line.starts_with('#')).any(is_heading);
    (!is_found).then(|| format!("{file}: {link} names no heading"))
}

/// What is wrong with a code span of `file`, if it is a path.
///
/// Paths from the root must exist. Those of Rust files may be shortened to their last parts, as
/// `rollout/ucb.rs` is.
fn broken_path(file: &str, span: &str, paths: &BTreeSet<String>) -> Option<String> {
    let is_path = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if !span.chars().all(is_path) {
        return None;
    }
    let path = span.trim_end_matches('/');
    let (top, _) = path.split_once('/').unwrap_or_default();
    let is_known = if path.ends_with(".rs") {
        paths.contains(path) || paths.iter().any(|known| known.ends_with(&format!("/{path}")))
    } else {
        !TOP_FOLDERS.contains(&top) || paths.contains(path) || paths.contains(&resolve(file, path))
    };
    (!is_known).then(|| format!("{file}: there is no {span}"))
}

/// What is wrong with a document.
fn problems(file: &str, text: &str, paths: &BTreeSet<String>) -> Vec<String> {
    let prose = prose(text);
    let (spans, text) = code_spans(&prose);
    let spans = spans.into_iter().flat_map(expand);
    let in_links = links(&text).into_iter().filter_map(|link| broken_link(file, link, paths));
    in_links.chain(spans.filter_map(|span| broken_path(file, &span, paths))).collect()
}

#[test]
fn documents_name_files_that_exist() {
    let paths = paths();
    let documents: Vec<&String> = paths.iter().filter(|path| path.ends_with(".md")).collect();
    assert!(documents.len() > 20, "{documents:?}");
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    let found: Vec<String> =
        documents.iter().flat_map(|file| problems(file, &read(file), &paths)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn documents_that_name_other_files_are_found_out() {
    let paths = paths();
    let file = "docs/algorithms.md";
    for good in [
        "[a](adr/0006-the-rollout-tree.md) [b](../README.md) [c](https://a.example/b.rs) `x](y)`",
        "[a](../ARCHITECTURE.md#glossary) [b](#algorithms) [c](adr/)",
        "`crates/treegraft/src/{budget,bounds}.rs` `rollout/ucb.rs` `lib.rs` `crates/lab/`",
        "`crates/…` `docs/experiments.md` `mcts-solver` `1.5` `and/or`",
        "```\n[a](gone.md) `crates/gone.rs`\n```",
    ] {
        assert_eq!(problems(file, good, &paths), [""; 0], "{good}");
    }
    for bad in [
        "[a](README.md)",
        "[a](../ARCHITECTURE.md#gone)",
        "[a](#gone)",
        "`crates/treegraft/src/{budget,gone}.rs`",
        "`rollout/gone.rs`",
        "`ucb/rollout.rs`",
        "`crates/gone/`",
        "`docs/gone.md`",
    ] {
        assert_eq!(problems(file, bad, &paths).len(), 1, "{bad}");
    }
}
