//! Lines of Rust that are code, and what they declare. The files are formatted by rustfmt: an item
//! ends at the brace below its first character.

/// The lines of a file that are code: without comments, blank lines and tests.
#[derive(Debug)]
pub(super) struct Source {
    /// The crate, by the folder in which it stands.
    pub(super) part: String,
    /// Whether everything in the file is for tests, benches or examples.
    pub(super) is_test: bool,
    pub(super) lines: Vec<String>,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Source {
        let depth = if path.starts_with("crates/") { 2 } else { 1 };
        let part = path.split('/').take(depth).collect::<Vec<_>>().join("/");
        let is_test = is_test(path);
        let code = code(text);
        let lines = if is_test { code } else { without_tests(&code) };
        Source { part, is_test, lines: lines.into_iter().map(str::to_owned).collect() }
    }

    /// The public and private traits of the file, with the number of their methods.
    pub(super) fn traits(&self) -> Vec<(String, usize)> {
        let mut traits = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            if keyword(line) != "trait" {
                continue;
            }
            let inner = indentation(line) + 4;
            let items = &self.lines[at..end_of_item(&self.lines, at)];
            let is_method = |line: &&String| indentation(line) == inner && keyword(line) == "fn";
            traits.push((name(line).to_owned(), items.iter().filter(is_method).count()));
        }
        traits
    }

    /// The lines of functions whose whole body calls the function of the same name of something
    /// else, and passes on what it was given.
    pub(super) fn forwarding(&self) -> usize {
        let mut lines = 0;
        for (at, line) in self.lines.iter().enumerate().filter(|(_, line)| keyword(line) == "fn") {
            let item = &self.lines[at..end_of_item(&self.lines, at)];
            let text = item.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
            let body = text.split_once('{').and_then(|(_, body)| body.strip_suffix('}'));
            let is_forwarding = |body: &str| is_call(body.trim(), name(line));
            lines += if body.is_some_and(is_forwarding) { item.len() } else { 0 };
        }
        lines
    }
}

/// Whether a body is one expression that calls `value.name(…)` or `Type::name(…)`, and at most converts
/// what it gives or gets. Calling the function of a module is no forwarding.
fn is_call(body: &str, name: &str) -> bool {
    let is_longer = ["{", ";", "let ", "if ", "match ", " + ", " && ", " || ", "!("];
    let is_called = |call: &str, is_meant: fn(&str) -> bool| {
        body.match_indices(call).any(|(at, _)| is_meant(&body[..at]))
    };
    let is_type = |before: &str| {
        let last =
            before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').find(|it| !it.is_empty());
        last.is_some_and(|last| last.starts_with(char::is_uppercase))
    };
    let body = body.trim_end_matches(';');
    !is_longer.iter().any(|word| body.contains(word))
        && (is_called(&format!(".{name}("), |_| true) || is_called(&format!("::{name}("), is_type))
}

/// The word that says what a line declares.
fn keyword(line: &str) -> &str {
    let is_before = |word: &&str| {
        ["pub", "const", "async", "unsafe"].contains(word) || word.starts_with("pub(")
    };
    line.split_whitespace().find(|word| !is_before(word)).unwrap_or_default()
}

/// The name that a line declares.
fn name(line: &str) -> &str {
    let rest = line.split(keyword(line)).nth(1).unwrap_or_default().trim_start();
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn is_test(path: &str) -> bool {
    let folders = ["tests", "test", "benches", "examples"];
    let mut parts: Vec<&str> = path.split('/').collect();
    let file = parts.pop().unwrap_or_default().trim_end_matches(".rs");
    let is_named = file == "any_text" || file.ends_with("_test") || file.ends_with("_tests");
    is_named || folders.contains(&file) || parts.iter().any(|folder| folders.contains(folder))
}

/// The lines that are neither blank nor comments.
fn code(text: &str) -> Vec<&str> {
    let mut is_comment = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        if is_comment || line.starts_with("/*") {
            is_comment = !line.contains("*/");
            return false;
        }
        !line.is_empty() && !line.starts_with("//")
    };
    text.lines().filter(is_code).collect()
}

/// The lines that are not compiled for tests alone.
fn without_tests<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let attribute = lines[at].trim();
        if attribute == "#[cfg(test)]" || attribute.starts_with("#[cfg(all(test,") {
            while lines[at].trim_start().starts_with("#[") && at + 1 < lines.len() {
                at += 1;
            }
            at = end_of_item(lines, at);
        } else {
            kept.push(lines[at]);
            at += 1;
        }
    }
    kept
}

/// The line behind the item that begins in a line.
fn end_of_item(lines: &[impl AsRef<str>], at: usize) -> usize {
    let first = lines[at].as_ref();
    if first.ends_with([';', '}']) {
        return at + 1;
    }
    let is_last = |line: &str| {
        let text = line.trim_start();
        let is_end =
            ["}", "};", "];"].contains(&text) || text.starts_with(')') && text.ends_with(';');
        indentation(line) == indentation(first) && is_end
    };
    let length = lines[at..].iter().position(|line| is_last(line.as_ref()));
    length.map_or(lines.len(), |length| at + length + 1)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
