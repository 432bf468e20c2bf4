//! Values as Python objects, by way of JSON.

use pyo3::prelude::*;
use serde::Serialize;

use crate::registry::value_error;

/// The same in Python's own types.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(value_error)?;
    py.import("json")?.call_method1("loads", (text,))
}
