//! Who may ask: pages of this server, in a browser on this machine.
//!
//! A page from elsewhere must not drive the server, neither directly (`Origin`) nor by a name that it
//! makes point to this machine (`Host`: DNS rebinding). What is posted must be JSON, which a page
//! from elsewhere cannot send without asking first, and it must come at once.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answer::Refusal;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Maximum time for the body of a request to arrive.
const PATIENCE: Duration = Duration::from_secs(5);

/// What `Host` may say to a server at this address: the address, and these names. On this machine,
/// a server that listens everywhere is also reached by its usual names.
pub(crate) fn hosts(address: SocketAddr, names: &[String]) -> io::Result<Vec<String>> {
    let (ip, port) = (address.ip(), address.port());
    let mut known: Vec<String> = Vec::new();
    if ip.is_loopback() || ip.is_unspecified() {
        known.extend(["127.0.0.1".to_owned(), "localhost".to_owned()]);
    }
    if !ip.is_unspecified() {
        let own = if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() };
        known.retain(|name| *name != own);
        known.insert(0, own);
    }
    for name in names {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        if name.is_empty() || !name.bytes().all(is_name) {
            let problem = format!("{name:?} is not a host name; expected one such as lab.example");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        // Browsers write names in small letters.
        known.push(name.to_ascii_lowercase());
    }
    // They leave out the usual port.
    let with_port = |name: String| if port == 80 { name } else { format!("{name}:{port}") };
    Ok(known.into_iter().map(with_port).collect())
}

/// Refuses forbidden requests, and adds the headers that keep the page to itself.
pub(crate) async fn guard(
    State(state): State<Arc<crate::State>>,
    request: Request,
    next: Next,
) -> Response {
    let checked = check(&state.hosts, request.method(), request.uri(), request.headers());
    let mut response = match checked {
        Ok(()) => match whole(request).await {
            Ok(request) => next.run(request).await,
            Err(response) => response,
        },
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(no_store);
    response
}

/// The request with all that is posted, which has a limit in bytes and in time.
async fn whole(request: Request) -> Result<Request, Response> {
    let (parts, body) = request.into_parts();
    let request = Request::from_parts(parts.clone(), body);
    match tokio::time::timeout(PATIENCE, Bytes::from_request(request, &())).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(problem)) => {
            let status = problem.status();
            let message = match status {
                StatusCode::PAYLOAD_TOO_LARGE => "the request is longer than 64 KiB".to_owned(),
                _ => format!("the request cannot be read: {problem}"),
            };
            Err(Refusal::with(status, message).into_response())
        }
        Err(_) => {
            let message = "the request took longer than 5 seconds to arrive";
            Err(Refusal::with(StatusCode::REQUEST_TIMEOUT, message).into_response())
        }
    }
}

fn check(hosts: &[String], method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let refuse = |message: &str| Err(Refusal::with(StatusCode::FORBIDDEN, message));
    let is_host = |name: &str| hosts.iter().any(|host| host == name);
    // A request to a proxy names a host, too.
    let is_elsewhere = uri.authority().is_some_and(|named| !is_host(named.as_str()));
    let has_two = headers.get_all(header::HOST).iter().count() > 1;
    if !text(header::HOST).is_some_and(is_host) || has_two || is_elsewhere {
        return refuse("this server answers to its own address only");
    }
    if headers.contains_key(header::ORIGIN) {
        let origin = text(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        if !origin.is_some_and(is_host) {
            return refuse("this server answers to its own pages only");
        }
    }
    // A browser says which site makes the request. Other pages may link to the page, and nothing
    // else: an image of theirs whose address is here would make the server work.
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let is_own = matches!(site, None | Some("same-origin" | "none"));
    let mode = text(HeaderName::from_static("sec-fetch-mode"));
    let is_visit = method == Method::GET && mode == Some("navigate") && uri.path() == "/";
    if !is_own && !is_visit {
        return refuse("this server answers to its own pages only");
    }
    if method == Method::POST && text(header::CONTENT_TYPE) != Some("application/json") {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Refusal::with(status, "expected the content type application/json"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: &Method, uri: &str, headers: &[(&'static str, &str)]) -> u16 {
        let hosts = ["127.0.0.1:7", "localhost:7"].map(str::to_owned);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).expect("a value"));
        }
        let uri = uri.parse().expect("an address");
        match check(&hosts, method, &uri, &map) {
            Ok(()) => 200,
            Err(refusal) => refusal.into_response().status().as_u16(),
        }
    }

    #[test]
    fn only_its_own_pages_may_ask() {
        let host = ("host", "127.0.0.1:7");
        let json = ("content-type", "application/json");
        let get = |headers: &[(&'static str, &str)]| status(&Method::GET, "/api/games", headers);
        let post = |headers: &[(&'static str, &str)]| status(&Method::POST, "/api/show", headers);
        assert_eq!(get(&[host]), 200);
        assert_eq!(get(&[("host", "localhost:7"), ("origin", "http://localhost:7")]), 200);
        assert_eq!(get(&[]), 403);
        for other in ["127.0.0.1", "127.0.0.1:8", "evil.example:7", "127.0.0.1:7.evil.example"] {
            assert_eq!(get(&[("host", other)]), 403, "{other}");
        }
        assert_eq!(get(&[host, ("host", "evil.example")]), 403);
        for other in ["null", "https://127.0.0.1:7", "http://evil.example", "http://127.0.0.1:8"] {
            assert_eq!(post(&[host, json, ("origin", other)]), 403, "{other}");
        }
        assert_eq!(post(&[host, json, ("origin", "http://127.0.0.1:7")]), 200);
        assert_eq!(post(&[host, json, ("sec-fetch-site", "cross-site")]), 403);
        assert_eq!(post(&[host, json, ("sec-fetch-site", "same-site")]), 403);
        let at = |uri: &str| status(&Method::GET, uri, &[host]);
        assert_eq!(at("http://127.0.0.1:7/api/games"), 200);
        assert_eq!(at("http://evil.example/api/games"), 403);
    }

    #[test]
    fn other_pages_may_link_to_the_page_and_nothing_else() {
        let host = ("host", "127.0.0.1:7");
        let get = |uri: &str, site: &'static str, mode: &'static str| {
            status(&Method::GET, uri, &[host, ("sec-fetch-site", site), ("sec-fetch-mode", mode)])
        };
        assert_eq!(get("/", "cross-site", "navigate"), 200);
        assert_eq!(get("/", "none", "navigate"), 200);
        for uri in ["/api/games", "/app.js"] {
            assert_eq!(get(uri, "same-origin", "cors"), 200, "{uri}");
            for site in ["cross-site", "same-site"] {
                assert_eq!(get(uri, site, "no-cors"), 403, "{uri}");
                assert_eq!(get(uri, site, "navigate"), 403, "{uri}");
            }
        }
        assert_eq!(get("/", "cross-site", "no-cors"), 403);
    }

    #[test]
    fn what_is_posted_is_json() {
        let host = ("host", "127.0.0.1:7");
        let post = |headers: &[(&'static str, &str)]| status(&Method::POST, "/api/show", headers);
        assert_eq!(post(&[host, ("content-type", "text/plain")]), 415);
        assert_eq!(post(&[host]), 415);
    }
}
