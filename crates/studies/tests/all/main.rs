//! The tests of the studies, in one program: it is linked once.

mod accuracy;
mod annotate;
mod categories;
#[path = "../../../lab/tests/all/common.rs"]
mod common;
#[path = "../../../lab/tests/all/store_common.rs"]
mod store_common;
mod trace;
mod trap_files;
mod traps;
mod trees;
