//! Answers: JSON, pictures, and errors with the program's own messages.

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use treegraft::{GameTextError, NotationError};
use treegraft_engine::MemoryError;
use treegraft_lab::{ExperimentError, KeptGameError, StoreError};
use treegraft_players::PlayerError;
use treegraft_studies::annotate::AnnotateError;
use treegraft_studies::trace::TraceError;

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

macro_rules! refuse {
    ($($error:ty),*) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Refusal {
                Refusal::bad(error.to_string())
            }
        }
    )*};
}
refuse!(
    AnnotateError,
    ExperimentError,
    GameTextError,
    KeptGameError,
    MemoryError,
    NotationError,
    PlayerError,
    StoreError,
    TraceError
);

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
