//! The course: the Markdown of `docs/course`, of which `cargo xtask web` keeps a copy in the program.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::State;
use crate::answer::{Refusal, read};
use crate::markdown::to_html;
use crate::routes::{Next, Outcome};

struct Lesson {
    id: &'static str,
    text: &'static str,
}

macro_rules! lessons {
    ($($id:literal,)*) => {
        const LESSONS: &[Lesson] = &[$(Lesson {
            id: $id,
            text: include_str!(concat!("../assets/course/", $id, ".md")),
        }),*];
    };
}

lessons! {
    "1-grow",
    "2-prune",
    "3-why-each-fails",
    "4-proofs",
    "5-five-papers",
    "6-your-own-game",
    "7-who-is-better",
}

impl Lesson {
    /// The first heading.
    fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}

/// Where the page is for those who read the lessons elsewhere.
const PAGE: &str = "http://127.0.0.1:7373/";

/// Where a link of a lesson leads to on the page.
fn link(url: &str) -> Option<String> {
    if let Some(inside) = url.strip_prefix(PAGE) {
        return Some(inside.to_owned());
    }
    if let Some(picture) = url.strip_prefix("img/") {
        return Some(format!("/course/img/{picture}"));
    }
    let lesson = url.strip_suffix(".md").filter(|id| LESSONS.iter().any(|it| it.id == *id))?;
    Some(format!("#/learn?lesson={lesson}"))
}

/// All lessons.
pub(crate) fn list(_: &State, _: &[u8]) -> Outcome {
    let all = LESSONS.iter().map(|lesson| json!({"id": lesson.id, "title": lesson.title()}));
    Ok(Next::json(&all.collect::<Value>()))
}

#[derive(Deserialize)]
struct LessonAsked {
    lesson: String,
}

/// One lesson.
pub(crate) fn lesson(_: &State, body: &[u8]) -> Outcome {
    let LessonAsked { lesson } = read(body)?;
    let found = LESSONS.iter().find(|it| it.id == lesson);
    let found = found.ok_or_else(|| {
        Refusal::with(StatusCode::NOT_FOUND, format!("there is no lesson {lesson:?}"))
    })?;
    Ok(Next::json(&json!({ "title": found.title(), "html": to_html(found.text, link) })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_a_lesson_leads_somewhere() {
        for lesson in LESSONS {
            assert!(lesson.text.starts_with("# "), "{}", lesson.id);
            let html = to_html(lesson.text, link);
            assert!(!html.contains("href=\"#\"") && !html.contains("src=\"#\""), "{}", lesson.id);
            assert!(html.contains("<img ") && html.contains("href=\"#/"), "{}", lesson.id);
        }
    }
}
