//! Answers: JSON, pictures, and errors with the program's own messages.

use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What a request gets.
pub(crate) type Answer = Result<Response, Refusal>;

/// What cannot be done, and why.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    message: String,
    /// When it may be possible.
    later: Option<Duration>,
}

impl Refusal {
    /// The input is wrong.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::with(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn with(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into(), later: None }
    }

    /// It is too much now, and may not be after this time: a sentence that goes on with when.
    pub(crate) fn busy(problem: &str, later: Duration) -> Refusal {
        let message = format!("{problem} come again in {} seconds", later.as_secs());
        Refusal { later: Some(later), ..Refusal::with(StatusCode::TOO_MANY_REQUESTS, message) }
    }

    /// The same without the path of a folder: where it is concerns nobody who asks.
    pub(crate) fn without(mut self, folder: Option<&Path>) -> Refusal {
        let folder = folder.and_then(Path::to_str).filter(|folder| folder.len() > 1);
        if let Some(folder) = folder {
            let inside = format!("{folder}{}", std::path::MAIN_SEPARATOR);
            self.message = self.message.replace(&inside, "").replace(folder, "the folder");
        }
        self
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "error": self.message })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json_response(&self.json());
        *response.status_mut() = self.status;
        if let Some(later) = self.later {
            let seconds = HeaderValue::from(later.as_secs());
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// Errors of the library say what is wrong with the request.
impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::bad(error.to_string())
    }
}

/// Something is wrong here, and not with the request.
pub(crate) fn failed(message: &str) -> Refusal {
    Refusal::with(StatusCode::INTERNAL_SERVER_ERROR, message)
}

/// An object as JSON.
pub(crate) fn json_response(value: &Value) -> Response {
    let body = Body::from(value.to_string());
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A picture.
pub(crate) fn svg_response(svg: String) -> Response {
    ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response()
}

/// What was posted.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))
}
