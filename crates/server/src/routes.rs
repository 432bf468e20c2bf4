//! The paths, and how a request becomes an answer.
//!
//! Every path is a row of [`ROUTES`], and there are no others but the files of the page. What a row
//! names runs on a thread of the pool (`pool.rs`): the thread of the server reads no text that was sent.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, State as Shared};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::{MethodFilter, get, on};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::answer::{Answer, Refusal, json_response};
use crate::jobs::{MAX_WAITING, Out, Tell, Think, too_long};
use crate::pool::Lane;
use crate::visitor::Visitor;
use crate::{State, api, assets, course, experiments, guard, search};

/// Maximum length of a request in bytes.
const MAX_BYTES: usize = 64 << 10;
/// Maximum length of a request that is expected to be quick: a game of some hundred moves.
const QUICK_BYTES: usize = 1 << 10;

/// What is done about a request.
pub(crate) type Outcome = Result<Next, Refusal>;

/// A request that has been read.
pub(crate) enum Next {
    /// It is answered.
    Answer(Response),
    /// The answer needs a search.
    Think(Think),
    /// A search is told as it goes.
    Search(Tell),
    /// A file is watched.
    Watch(Tell),
}

impl Next {
    pub(crate) fn json(value: &Value) -> Next {
        Next::Answer(json_response(value))
    }

    pub(crate) fn think(work: impl FnOnce(&State, &AtomicBool) -> Answer + Send + 'static) -> Next {
        Next::Think(Box::new(work))
    }

    pub(crate) fn search(
        work: impl FnOnce(&State, &Out) -> Result<(), Refusal> + Send + 'static,
    ) -> Next {
        Next::Search(Box::new(work))
    }

    pub(crate) fn watch(
        work: impl FnOnce(&State, &Out) -> Result<(), Refusal> + Send + 'static,
    ) -> Next {
        Next::Watch(Box::new(work))
    }
}

/// How a path is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
}

/// A path.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// Where a short request waits.
    lane: Lane,
    handle: fn(&State, &[u8]) -> Outcome,
}

macro_rules! routes {
    ($($method:ident $path:literal: $lane:ident $handle:path,)*) => {
        /// All paths below `/api`.
        pub(crate) const ROUTES: &[Route] = &[$(Route {
            method: Method::$method,
            path: $path,
            lane: Lane::$lane,
            handle: $handle,
        }),*];
    };
}

routes! {
    Get "/api/games": Quick api::games,
    Get "/api/players": Quick api::players,
    Get "/api/channels": Quick api::channels,
    Post "/api/player": Quick api::player,
    Post "/api/show": Quick api::show,
    Post "/api/search": Quick search::search,
    Post "/api/traps": Quick api::traps,
    Post "/api/trace": Quick api::trace,
    Post "/api/trace/picture": Quick api::trace_picture,
    Get "/api/experiments": Reading experiments::list,
    Post "/api/experiments/watch": Reading experiments::watch,
    Post "/api/experiments/plot": Reading experiments::plot,
    Post "/api/experiments/games": Reading experiments::games,
    Post "/api/replay": Reading experiments::replay,
    Post "/api/annotate": Reading experiments::annotated,
    Get "/api/course": Quick course::list,
    Post "/api/course/lesson": Quick course::lesson,
}

impl Route {
    /// Where a request of this length waits.
    fn lane(&self, bytes: usize) -> Lane {
        if self.lane == Lane::Quick && bytes > QUICK_BYTES { Lane::Long } else { self.lane }
    }

    async fn answer(&'static self, state: Arc<State>, visitor: Visitor, body: Bytes) -> Answer {
        let end = Instant::now() + MAX_WAITING;
        let lane = self.lane(body.len());
        let asked = Arc::clone(&state);
        let next = state.pool.run(visitor, lane, move || (self.handle)(&asked, &body));
        match timeout_at(end, next).await.map_err(|_| too_long())?? {
            Next::Answer(answer) => Ok(answer),
            Next::Think(work) => state.think(visitor, end, work).await,
            Next::Search(work) => state.search(visitor, work).await,
            Next::Watch(work) => state.watch(visitor, work).await,
        }
    }
}

/// All paths, and the files of the page.
pub(crate) fn router(state: Arc<State>) -> Router {
    let add = |router: Router<Arc<State>>, route: &'static Route| {
        let method = match route.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
        };
        let handle = async move |Shared(state): Shared<Arc<State>>,
                                 ConnectInfo(visitor): ConnectInfo<Visitor>,
                                 body: Bytes| {
            let answer = route.answer(Arc::clone(&state), visitor, body).await;
            answer.map_err(|refusal| refusal.without(state.folder_path()))
        };
        router.route(route.path, on(method, handle))
    };
    ROUTES
        .iter()
        .fold(Router::new(), add)
        .fallback(get(page).fallback(not_so))
        .method_not_allowed_fallback(not_so)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&state), guard::guard))
        // The guard reads what is posted, so that it must know the limit.
        .layer(DefaultBodyLimit::max(MAX_BYTES))
        .with_state(state)
}

async fn page(uri: Uri) -> Response {
    assets::asset(uri.path().trim_start_matches('/'))
}

/// For requests that are neither GET where that is expected nor POST where that is.
async fn not_so() -> Refusal {
    Refusal::with(StatusCode::METHOD_NOT_ALLOWED, "expected another method, GET or POST")
}

#[cfg(test)]
#[path = "routes_tests.rs"]
mod tests;
