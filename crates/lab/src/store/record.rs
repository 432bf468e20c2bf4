//! What the tables of a store have in common: a number before the columns of each row, and a checksum
//! behind them.

use std::fmt::Display;
use std::str::FromStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use crate::pair::hash;

/// All rows, in the order in which they were written.
pub(super) const ALL: &str = "ORDER BY id";

/// What a row of a table says.
pub(crate) trait Record: Default {
    /// The name of the table.
    const TABLE: &'static str;

    /// Columns whose values identify a row; empty if there are none.
    const KEY: &'static str;

    /// Name and type of every column but the row's number and its checksum, in the order of the
    /// table.
    const COLUMNS: &'static [(&'static str, &'static str)];

    /// The values in the order of the columns.
    fn values(&self) -> Vec<Value>;

    /// Takes the values in the order of the columns.
    fn read(fields: &mut Fields<'_>) -> Result<Self, String>;

    /// What makes the table.
    fn create() -> String {
        let column = |(name, kind): &(&str, &str)| {
            // Not every game keeps count; everything else is always known.
            let optional = *name == "margin";
            format!("{name} {kind}{}", if optional { "" } else { " NOT NULL" })
        };
        let columns = Self::COLUMNS.iter().map(column).collect::<Vec<_>>().join(", ");
        let unique = match Self::KEY {
            "" => String::new(),
            key => format!(", UNIQUE ({key})"),
        };
        format!(
            "CREATE TABLE {} (id INTEGER PRIMARY KEY, {columns}, checksum TEXT NOT NULL{unique})",
            Self::TABLE
        )
    }

    /// What adds a row. One that has the key of another is left out.
    fn insert() -> String {
        let marks = vec!["?"; Self::COLUMNS.len() + 1].join(", ");
        let conflict = match Self::KEY {
            "" => String::new(),
            key => format!(" ON CONFLICT ({key}) DO NOTHING"),
        };
        format!("INSERT INTO {} ({}) VALUES ({marks}){conflict}", Self::TABLE, names::<Self>())
    }

    /// A query for rows; `which` follows the name of the table.
    fn select(which: &str) -> String {
        format!("SELECT {}, id FROM {} {which}", names::<Self>(), Self::TABLE)
    }

    /// The values with their checksum.
    fn checked_values(&self) -> Vec<Value> {
        let mut values = self.values();
        values.push(Value::Text(checksum(&values)));
        values
    }

    /// Adds it to the table.
    fn add_to(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut insert = connection.prepare_cached(&Self::insert())?;
        insert.execute(params_from_iter(self.checked_values())).map(drop)
    }

    /// What these values say, the checksum at their end.
    ///
    /// # Errors
    ///
    /// If the checksum is wrong, or the values do not make a record.
    fn from_values(values: &[Value]) -> Result<Self, String> {
        Self::read(&mut Fields { values: verify_checksum(values)?.iter(), number: 0 })
    }

    /// What a row of [`select`](Record::select) says.
    ///
    /// # Errors
    ///
    /// As [`from_values`](Record::from_values), and if the row cannot be read.
    fn from_row(row: &Row<'_>) -> Result<Self, String> {
        Self::from_values(&row_values(row, Self::COLUMNS.len() + 1)?)
    }
}

/// The names of the columns and of the checksum.
fn names<R: Record>() -> String {
    R::COLUMNS.iter().map(|(name, _)| format!("{name}, ")).collect::<String>() + "checksum"
}

/// The first `columns` values of a row.
pub(super) fn row_values(row: &Row<'_>, columns: usize) -> Result<Vec<Value>, String> {
    (0..columns).map(|column| row.get(column).map_err(|error| error.to_string())).collect()
}

/// Declares the columns of a table: name, type, how it is written and read, and where it is in the
/// record.
macro_rules! record {
    (
        $record:ty, $table:literal, $key:literal;
        $($name:ident $kind:ident $convert:ident($($place:tt)+),)*
    ) => {
        impl $crate::store::record::Record for $record {
            const TABLE: &'static str = $table;
            const KEY: &'static str = $key;
            const COLUMNS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($name), stringify!($kind))),*];

            fn values(&self) -> Vec<rusqlite::types::Value> {
                vec![$($crate::store::record::$convert(&self.$($place)+)),*]
            }

            fn read(fields: &mut $crate::store::record::Fields<'_>) -> Result<Self, String> {
                let mut record = Self::default();
                $(record.$($place)+ = fields.$convert()?;)*
                Ok(record)
            }
        }
    };
}
pub(super) use record;

/// A text.
pub(super) fn text(text: &impl ToString) -> Value {
    Value::Text(text.to_string())
}

/// A whole number. SQLite's end at 2^63 - 1, which no count reaches, and ledgers refuse larger ones.
pub(super) fn whole<T: Copy + TryInto<i64>>(number: &T) -> Value {
    Value::Integer((*number).try_into().unwrap_or(i64::MAX))
}

/// Which game of its pair it is.
pub(super) fn in_pair(number: &u8) -> Value {
    whole(number)
}

/// Who won.
pub(super) fn outcome(outcome: &i8) -> Value {
    whole(outcome)
}

/// A whole number that may be missing.
pub(super) fn optional(number: &Option<i64>) -> Value {
    number.map_or(Value::Null, Value::Integer)
}

/// 64 bits, as text.
pub(super) fn hexadecimal(number: &u64) -> Value {
    Value::Text(format!("{number:016x}"))
}

/// Seconds. SQLite has no NaN: what is not known, which is so only in games that came from a ledger,
/// is -1.
pub(super) fn seconds(seconds: &f64) -> Value {
    Value::Real(match seconds {
        known if known.is_finite() => *known,
        unknown if unknown.is_nan() => -1.0,
        _ => 0.0,
    })
}

/// A number over the values of a row, 32 hexadecimal digits: half of a SHA-256.
pub(super) fn checksum(values: &[Value]) -> String {
    // One piece: hashing many small ones takes longer than all the rest of reading a row.
    let mut bytes = Vec::with_capacity(1024);
    for value in values {
        // The kind and the length of each value, so that nothing can move from one to the next.
        match value {
            Value::Null => bytes.push(0),
            Value::Integer(number) => {
                bytes.push(1);
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            Value::Real(number) => {
                bytes.push(2);
                bytes.extend_from_slice(&number.to_bits().to_le_bytes());
            }
            Value::Text(text) => {
                bytes.push(3);
                bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
                bytes.extend_from_slice(text.as_bytes());
            }
            Value::Blob(blob) => {
                bytes.push(4);
                bytes.extend_from_slice(&(blob.len() as u64).to_le_bytes());
                bytes.extend_from_slice(blob);
            }
        }
    }
    format!("{:032x}", hash(bytes))
}

/// Whether the last of the values is the checksum of those before it.
///
/// # Errors
///
/// If it is not.
pub(super) fn verify_checksum(values: &[Value]) -> Result<&[Value], String> {
    match values.split_last() {
        Some((Value::Text(found), rest)) if *found == checksum(rest) => Ok(rest),
        _ => Err("the checksum is wrong".to_owned()),
    }
}

/// Values that are taken one after the other.
pub(crate) struct Fields<'a> {
    values: std::slice::Iter<'a, Value>,
    /// Values taken.
    number: usize,
}

impl Fields<'_> {
    fn next(&mut self) -> Result<&Value, String> {
        self.number += 1;
        self.values.next().ok_or_else(|| "a column is missing".to_owned())
    }

    fn wrong<T>(&self, expected: &str) -> Result<T, String> {
        Err(format!("value {} is not {expected}", self.number))
    }

    pub(super) fn text<T: FromStr<Err: Display>>(&mut self) -> Result<T, String> {
        match self.next()? {
            Value::Text(text) => text.parse().map_err(|error: T::Err| error.to_string()),
            _ => self.wrong("text"),
        }
    }

    pub(super) fn whole<T: TryFrom<i64>>(&mut self) -> Result<T, String> {
        match self.next()? {
            Value::Integer(number) => {
                let number = *number;
                T::try_from(number).or_else(|_| self.wrong("a whole number of the right size"))
            }
            _ => self.wrong("a whole number"),
        }
    }

    /// Which game of its pair it is: reports find its players by that.
    pub(super) fn in_pair(&mut self) -> Result<u8, String> {
        let number = self.whole()?;
        if number <= 1 { Ok(number) } else { self.wrong("0 or 1") }
    }

    /// Who won: reports add it up for either side.
    pub(super) fn outcome(&mut self) -> Result<i8, String> {
        let outcome = self.whole()?;
        if (-1..=1).contains(&outcome) { Ok(outcome) } else { self.wrong("-1, 0 or 1") }
    }

    pub(super) fn optional(&mut self) -> Result<Option<i64>, String> {
        match self.next()? {
            Value::Integer(number) => Ok(Some(*number)),
            Value::Null => Ok(None),
            _ => self.wrong("a whole number or nothing"),
        }
    }

    /// Seconds; NaN if they are not known.
    pub(super) fn seconds(&mut self) -> Result<f64, String> {
        match self.next()? {
            Value::Real(number) => Ok(if *number < 0.0 { f64::NAN } else { *number }),
            _ => self.wrong("a number"),
        }
    }

    pub(super) fn hexadecimal(&mut self) -> Result<u64, String> {
        let text: String = self.text()?;
        u64::from_str_radix(&text, 16).or_else(|_| self.wrong("a hexadecimal number"))
    }
}
