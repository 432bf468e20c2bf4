//! What `cargo xtask web` builds from `web/` and `docs/course/`, inside the program.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::answer::Refusal;

/// A file of the page.
struct Asset {
    path: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal: $content_type:literal,)*) => {
        const ASSETS: &[Asset] = &[$(Asset {
            path: $path,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../assets/", $path)),
        }),*];
    };
}

assets! {
    "index.html": "text/html; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "app.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "course/img/grow.svg": "image/svg+xml",
    "course/img/papers.svg": "image/svg+xml",
    "course/img/proofs.svg": "image/svg+xml",
    "course/img/prune.svg": "image/svg+xml",
    "course/img/score.svg": "image/svg+xml",
    "course/img/trap.svg": "image/svg+xml",
    "course/img/tree.svg": "image/svg+xml",
}

/// The file with this path; the page itself for an empty one.
pub(crate) fn asset(path: &str) -> Response {
    let path = if path.is_empty() { "index.html" } else { path };
    match ASSETS.iter().find(|asset| asset.path == path) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.content_type)], asset.bytes).into_response(),
        None => Refusal::with(StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}
