//! Rows straight from the bytes of an SQLite file, with nothing taken on trust.
//!
//! The format is documented at <https://www.sqlite.org/fileformat2.html>. Whatever does not fit it
//! is `None`: callers recognise true rows by their checksums.

use std::collections::HashMap;

use rusqlite::types::Value;

use super::schema::PAGE_BYTES;

/// A row of some table: its number, and its values.
pub(super) type Record = (i64, Vec<Value>);

/// The pages of a store and of its log.
pub(super) struct Pages<'a> {
    /// Every page image, with whether it is the file's first page.
    images: Vec<(&'a [u8], bool)>,
    /// The latest image of each page by its number, from 1.
    latest: HashMap<usize, &'a [u8]>,
}

/// The kind of a page that holds rows of a table.
const TABLE_LEAF: u8 = 0x0d;

/// The header in front of the first page.
const FILE_HEADER: usize = 100;

const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

impl<'a> Pages<'a> {
    /// The pages in the bytes of the file and of its write-ahead log.
    pub(super) fn new(file: &'a [u8], log: &'a [u8]) -> Pages<'a> {
        let mut pages = Pages { images: Vec::new(), latest: HashMap::new() };
        for (index, image) in file.chunks_exact(PAGE_BYTES).enumerate() {
            pages.images.push((image, index == 0));
            pages.latest.insert(index + 1, image);
        }
        // Frames with other salts than the log's header are left over from an earlier round. Their
        // rows are as true as any, but they are not the latest.
        let salts = log.get(16..24);
        let frames = log.get(LOG_HEADER..).unwrap_or_default();
        for frame in frames.chunks_exact(FRAME_HEADER + PAGE_BYTES) {
            let (header, image) = frame.split_at(FRAME_HEADER);
            let Some(number) = big_endian(header, 0) else { continue };
            pages.images.push((image, number == 1));
            if header.get(8..16) == salts {
                pages.latest.insert(number, image);
            }
        }
        pages
    }

    /// How many pages are missing of those that the file should have, according to its header.
    pub(super) fn missing(&self) -> usize {
        let header = self.latest.get(&1).filter(|image| image.starts_with(b"SQLite format 3\0"));
        let expected = header.and_then(|image| big_endian(image, 28)).unwrap_or(0);
        let there = self.latest.keys().filter(|&&number| number <= expected).count();
        expected - there
    }

    /// Everything on all pages that could be a row of `columns` columns.
    pub(super) fn records(&self, columns: usize) -> impl Iterator<Item = Record> {
        self.images.iter().flat_map(move |&(image, is_first)| {
            let start = if is_first { FILE_HEADER } else { 0 };
            let is_leaf = image.get(start) == Some(&TABLE_LEAF);
            let cells = if is_leaf { short(image, start + 3).unwrap_or(0) } else { 0 };
            let cell = move |index| short(image, start + 8 + 2 * index);
            (0..cells).filter_map(move |index| self.record(image, cell(index)?, columns))
        })
    }

    /// The row that begins at `offset` of a page.
    fn record(&self, image: &[u8], offset: usize, columns: usize) -> Option<Record> {
        let mut bytes = image.get(offset..)?;
        let length = usize::try_from(varint(&mut bytes)?).ok()?;
        let row = varint(&mut bytes)? as i64;
        let payload = self.payload(bytes, length)?;
        Some((row, values(&payload, columns)?))
    }

    /// This many bytes, which begin here and may continue on other pages.
    fn payload(&self, bytes: &[u8], length: usize) -> Option<Vec<u8>> {
        const MOST: usize = PAGE_BYTES - 35;
        const LEAST: usize = (PAGE_BYTES - 12) * 32 / 255 - 23;
        if length <= MOST {
            return bytes.get(..length).map(<[u8]>::to_vec);
        }
        let rest = LEAST + (length - LEAST) % (PAGE_BYTES - 4);
        let local = if rest <= MOST { rest } else { LEAST };
        let mut payload = bytes.get(..local)?.to_vec();
        let mut next = big_endian(bytes, local)?;
        // A damaged chain may be a circle, but it adds bytes in every round.
        while payload.len() < length {
            let image = self.latest.get(&next)?;
            let wanted = (length - payload.len()).min(PAGE_BYTES - 4);
            payload.extend_from_slice(image.get(4..4 + wanted)?);
            next = big_endian(image, 0)?;
        }
        Some(payload)
    }
}

/// The values of a row with this many columns.
fn values(payload: &[u8], columns: usize) -> Option<Vec<Value>> {
    let mut header = payload;
    let header_bytes = usize::try_from(varint(&mut header)?).ok()?;
    let taken = payload.len() - header.len();
    header = header.get(..header_bytes.checked_sub(taken)?)?;
    let mut body = payload.get(header_bytes..)?;
    let mut values = Vec::with_capacity(columns);
    while !header.is_empty() {
        if values.len() == columns {
            return None;
        }
        values.push(value(varint(&mut header)?, &mut body)?);
    }
    (values.len() == columns).then_some(values)
}

/// A value of the kind that SQLite calls its serial type.
fn value(kind: u64, body: &mut &[u8]) -> Option<Value> {
    let bytes = match kind {
        0 | 8 | 9 => 0,
        1..=4 => kind,
        5 => 6,
        6 | 7 => 8,
        10 | 11 => return None,
        _ => (kind - 12) / 2,
    };
    let (own, rest) = body.split_at_checked(usize::try_from(bytes).ok()?)?;
    *body = rest;
    Some(match kind {
        0 => Value::Null,
        8 => Value::Integer(0),
        9 => Value::Integer(1),
        1..=6 => Value::Integer(signed(own)),
        7 => Value::Real(f64::from_bits(signed(own) as u64)),
        _ if kind.is_multiple_of(2) => Value::Blob(own.to_vec()),
        _ => Value::Text(String::from_utf8(own.to_vec()).ok()?),
    })
}

/// A number in two's complement, the highest byte first.
fn signed(bytes: &[u8]) -> i64 {
    let negative = bytes.first().is_some_and(|&byte| byte >= 0x80);
    let start = if negative { -1 } else { 0 };
    bytes.iter().fold(start, |number, &byte| (number << 8) | i64::from(byte))
}

/// A number of one to nine bytes, taken from the front.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number: u64 = 0;
    for index in 0..9 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if index == 8 {
            return Some((number << 8) | u64::from(byte));
        }
        number = (number << 7) | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn short(bytes: &[u8], offset: usize) -> Option<usize> {
    let bytes = bytes.get(offset..offset + 2)?;
    Some(usize::from(bytes[0]) << 8 | usize::from(bytes[1]))
}

fn big_endian(bytes: &[u8], offset: usize) -> Option<usize> {
    let bytes: [u8; 4] = bytes.get(offset..offset + 4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(bytes)).ok()
}
