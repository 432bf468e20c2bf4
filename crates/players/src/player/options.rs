//! One option of a search: its name, the values it can have, and the field it stands for.

use std::time::Duration;

use treegraft::rollout::{AtVisits, Prior};

use super::values::{Value, Values};
use super::{Eval, Setting, Strategies};
use crate::error::Complaint;

/// An option in a struct of options `T`, such as [`RolloutOptions`](super::RolloutOptions).
pub(super) struct Opt<T: 'static> {
    pub(super) name: &'static str,
    pub(super) values: Values,
    pub(super) get: fn(&T) -> Value<'_>,
    /// Does nothing and says so where the field cannot have the value.
    pub(super) set: fn(&mut T, Value<'_>) -> bool,
    pub(super) meaning: &'static str,
    /// The paper it comes from; empty if it needs none.
    pub(super) source: &'static str,
}

/// All options of a label, in groups that labels share.
pub(super) type OptionTable<T> = &'static [&'static [Opt<T>]];

/// An option for a field of `T`: name, values, field, meaning, and source if there is one. The values
/// are left out where the type of the field has them.
macro_rules! option {
    ($name:literal, $($field:ident).+, $meaning:literal $(, $source:expr)?) => {
        $crate::player::options::with_values_of(
            |options| &options.$($field).+,
            // With any values: they are replaced.
            &option!($name, $crate::player::values::Values::FLAG, $($field).+, $meaning $(, $source)?),
        )
    };
    ($name:literal, $values:expr, $($field:ident).+, $meaning:literal $(, $source:expr)?) => {
        $crate::player::options::Opt {
            name: $name,
            values: $values,
            get: |options| $crate::player::options::Field::value(&options.$($field).+),
            set: |options, value| {
                $crate::player::options::Field::set(&mut options.$($field).+, value)
            },
            meaning: $meaning,
            source: [$($source,)? ""][0],
        }
    };
}
pub(super) use option;

impl<T> Opt<T> {
    /// The value it has, as it is written.
    pub(super) fn text(&self, options: &T) -> String {
        self.values.text((self.get)(options))
    }

    /// How a player writes it.
    pub(super) fn item(&self, options: &T) -> String {
        self.values.item(self.name, (self.get)(options))
    }

    /// Gives it a value; `None` if the name stood alone.
    pub(super) fn read(&self, options: &mut T, text: Option<&str>) -> Result<(), Complaint> {
        let value = self.values.read_item(self.name, text, self.meaning)?;
        if (self.set)(options, value) {
            return Ok(());
        }
        Err(self.values.wrong(self.name, &self.values.text(value), self.meaning))
    }
}

/// A field that an option stands for.
pub(super) trait Field: Sized {
    fn value(&self) -> Value<'_>;

    /// The field with this value, if it can have it.
    fn of(value: Value<'_>) -> Option<Self>;

    fn set(&mut self, value: Value<'_>) -> bool {
        Self::of(value).map(|new| *self = new).is_some()
    }
}

/// A field whose type says which values an option for it can have.
pub(super) trait Typed: Field {
    const VALUES: Values;
}

impl Typed for bool {
    const VALUES: Values = Values::FLAG;
}

impl Typed for Eval {
    const VALUES: Values = Values::EVAL;
}

/// The option with the values that the type of its field has.
pub(super) const fn with_values_of<T, F: Typed>(_: fn(&T) -> &F, option: &Opt<T>) -> Opt<T> {
    Opt { values: F::VALUES, ..*option }
}

/// Fields whose values are those of one kind, one by one.
macro_rules! fields {
    ($($type:ty: $value:pat => $new:expr, $field:ident => $made:expr;)*) => {$(
        impl Field for $type {
            fn value(&self) -> Value<'_> {
                let $field = self;
                $made
            }

            fn of(value: Value<'_>) -> Option<$type> {
                match value {
                    $value => Some($new),
                    _ => None,
                }
            }
        }
    )*};
}

fields! {
    bool: Value::Flag(flag) => flag, field => Value::Flag(*field);
    u32: Value::Whole(number) => number, field => Value::Whole(*field);
    f64: Value::Number(number) => number, field => Value::Number(*field);
    Duration: Value::Time(time) => time, field => Value::Time(*field);
    AtVisits: Value::Pair(depth, visits) => AtVisits { depth, visits },
        field => Value::Pair(field.depth, field.visits);
    u16: Value::Whole(number) => u16::try_from(number).ok()?, field => Value::Whole(u32::from(*field));
    Prior: Value::Pair(visits, weight) => Prior { visits, weight: u16::try_from(weight).ok()? },
        field => Value::Pair(field.visits, u32::from(field.weight));
    Strategies: Value::Name(names) => Strategies(names.to_owned()), field => Value::Name(&field.0);
}

impl<F: Field> Field for Option<F> {
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Nothing, Field::value)
    }

    fn of(value: Value<'_>) -> Option<Option<F>> {
        match value {
            Value::Nothing => Some(None),
            value => F::of(value).map(Some),
        }
    }
}

impl<F: Field> Field for Setting<F> {
    fn value(&self) -> Value<'_> {
        match self {
            Setting::Off => Value::Nothing,
            Setting::Best => Value::Best,
            Setting::Is(field) => field.value(),
        }
    }

    fn of(value: Value<'_>) -> Option<Setting<F>> {
        match value {
            Value::Nothing => Some(Setting::Off),
            Value::Best => Some(Setting::Best),
            value => F::of(value).map(Setting::Is),
        }
    }
}

impl Field for Eval {
    fn value(&self) -> Value<'_> {
        match self {
            Eval::Usual => Value::Best,
            Eval::Nothing => Value::Nothing,
            Eval::Named(name) => Value::Name(name),
        }
    }

    fn of(value: Value<'_>) -> Option<Eval> {
        match value {
            Value::Best => Some(Eval::Usual),
            Value::Nothing => Some(Eval::Nothing),
            Value::Name(name) => Some(Eval::Named(name.to_owned())),
            _ => None,
        }
    }
}

/// Makes a field of an enum, with a word for each of its values. Values that no option offers come
/// last, and share a word.
macro_rules! words {
    (
        $type:ident { $($value:ident $(($inner:path))? => $word:literal,)* $(; $($rest:ident)|+ => $other:literal)? }
    ) => {
        impl $crate::player::options::Typed for $type {
            const VALUES: $crate::player::values::Values =
                $crate::player::values::Values::words(&[$($word),*]);
        }

        impl $crate::player::options::Field for $type {
            fn value(&self) -> $crate::player::values::Value<'_> {
                $crate::player::values::Value::Word(match self {
                    $($type::$value $(($inner))? => $word,)*
                    $($($type::$rest)|+ => $other,)?
                })
            }

            fn of(value: $crate::player::values::Value<'_>) -> Option<$type> {
                match value {
                    $($crate::player::values::Value::Word($word) => {
                        Some($type::$value $(($inner))?)
                    })*
                    _ => None,
                }
            }
        }
    };
}
pub(super) use words;
