//! Answers: JSON, pictures, and errors with the program's own messages.

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
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
}

impl Refusal {
    /// The input is wrong.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, message: message.into() }
    }

    pub(crate) fn with(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into() }
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "error": self.message })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json_response(&self.json());
        *response.status_mut() = self.status;
        response
    }
}

/// Errors of the library say what is wrong with the request.
impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::bad(error.to_string())
    }
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
pub(crate) fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))
}
