//! One declaration of a group of hooks, from which everything that forwards them is made.
//!
//! `group!` makes the trait that games implement, its forwarding by references, and the object-safe
//! copy behind [`erased`](super::erased) with both its ends. Argument and result types are single
//! tokens or brackets, so that the macros below can see which of them are moves and positions of
//! the game: `Move`, `(Option<Move>)`, `(Option<Position>)`, `(Result<Position>)`, `Scratch` (a
//! buffer that may hold anything) and `List` (a list that is appended to).

/// The type that a hook has in the contract.
macro_rules! hook_type {
    (Move) => { <G as Game>::Move };
    (Scratch) => { &mut Vec<<G as Game>::Move> };
    (List) => { &mut Vec<<G as Game>::Move> };
    ((Option<Move>)) => { Option<<G as Game>::Move> };
    ((Result<Move>)) => { Result<<G as Game>::Move, NotationError> };
    ((Option<Position>)) => { Option<G> };
    ((Result<Position>)) => { Result<G, NotationError> };
    ((Vec<Evaluator>)) => { Vec<Evaluator<G>> };
    (($($type:tt)*)) => { $($type)* };
    ($type:tt) => { $type };
}

/// Brings an argument to the position inside a carrier.
macro_rules! inward {
    ($carrier:ident, $arg:ident: Move) => {
        let $arg = $carrier.inward($arg);
    };
    ($carrier:ident, $arg:ident: Scratch) => {
        let $arg = &mut $carrier.scratch($arg);
    };
    ($carrier:ident, $arg:ident: $type:tt) => {};
}

/// Brings a result of the position inside a carrier out of it.
macro_rules! outward {
    ($carrier:ident, $result:expr, Move) => {
        $carrier.outward($result)
    };
    ($carrier:ident, $result:expr, (Option<Move>)) => {
        $result.map(|mv| $carrier.outward(mv))
    };
    ($carrier:ident, $result:expr, (Option<Position>)) => {
        $result.map(|it| $carrier.wrap(it))
    };
    ($carrier:ident, $result:expr, (Result<Position>)) => {
        $result.map(|it| $carrier.wrap(it))
    };
    ($carrier:ident, $result:expr, $type:tt) => {
        $result
    };
}

/// A hook of a carrier: the same of the position inside.
macro_rules! carry {
    ($carrier:ident, $accessor:ident, $hook:ident($list:ident: List)) => {
        $carrier.list($list, |inner, $list| inner.$accessor().$hook($list))
    };
    ($carrier:ident, $accessor:ident, parse_move($text:ident: (&str)) -> (Result<Move>)) => {
        $carrier.parse_move($text)
    };
    ($carrier:ident, $accessor:ident, lasting_move($mv:ident: Move) -> Move) => {
        $carrier.lasting_move($mv)
    };
    ($carrier:ident, $accessor:ident, evaluators() -> (Vec<Evaluator>)) => {
        $carrier.evaluators()
    };
    ($carrier:ident, $accessor:ident, $hook:ident($($arg:ident: $type:tt),*) -> $result:tt) => {{
        $( inward!($carrier, $arg: $type); )*
        let result = $carrier.inner().$accessor().$hook($($arg),*);
        outward!($carrier, result, $result)
    }};
}

/// Declares a group of hooks.
macro_rules! group {
    (
        $(#[$about:meta])*
        $Group:ident, $Erased:ident, $accessor:ident;
        $(
            $(#[$doc:meta])*
            fn $hook:ident(&$self:ident $(, $arg:ident: $type:tt)*) $(-> $result:tt)? $body:block
        )*
    ) => {
        $(#[$about])*
        pub trait $Group<G: Game = Self>: Of<G> {
            $(
                $(#[$doc])*
                fn $hook(&$self $(, $arg: hook_type!($type))*) $(-> hook_type!($result))? {
                    $( let _ = &$arg; )*
                    $body
                }
            )*
        }

        impl<G: Game> $Group<G> for Plain<'_, G> {}

        impl<G: Game + $Group> $Group<G> for &G {
            $(
                #[inline(always)]
                fn $hook(&self $(, $arg: hook_type!($type))*) $(-> hook_type!($result))? {
                    G::$hook(self $(, $arg)*)
                }
            )*
        }

        #[doc = concat!("[`", stringify!($Group), "`] of a position whose type is hidden.")]
        #[doc(hidden)]
        pub trait $Erased<G: Game> {
            $( fn $hook(&self $(, $arg: hook_type!($type))*) $(-> hook_type!($result))?; )*
        }

        impl<G: Game, C: Carry<G>> $Erased<G> for C {
            $(
                fn $hook(&self $(, $arg: hook_type!($type))*) $(-> hook_type!($result))? {
                    carry!(self, $accessor, $hook($($arg: $type),*) $(-> $result)?)
                }
            )*
        }

        impl<G: Game> $Group<G> for Through<'_, G> {
            $(
                fn $hook(&self $(, $arg: hook_type!($type))*) $(-> hook_type!($result))? {
                    self.inside.$hook($($arg),*)
                }
            )*
        }
    };
}

/// Names the groups of hooks that a game brings, in its `impl Game`: `brings!(Speed, Notation);`. The
/// game implements a trait of that name; the other groups are the defaults. See
/// [`Game`](crate::Game).
#[macro_export]
macro_rules! brings {
    ($($Group:ident),+ $(,)?) => { $( $crate::brings!(@ $Group); )+ };
    (@ Speed) => { $crate::brings!(@ Speed, speed); };
    (@ Notation) => { $crate::brings!(@ Notation, notation); };
    (@ Knowledge) => { $crate::brings!(@ Knowledge, knowledge); };
    (@ Exactness) => { $crate::brings!(@ Exactness, exactness); };
    (@ $Group:ident, $accessor:ident) => {
        #[inline(always)]
        fn $accessor(&self) -> impl $crate::$Group<Self> {
            self
        }
    };
}
