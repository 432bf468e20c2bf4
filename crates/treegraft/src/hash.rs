//! Hashes that are the same in every run: keys of positions and slots of moves.

use std::hash::{Hash, Hasher};

use crate::bits::mix;

/// The hash of a value.
pub(crate) fn hash_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = KeyHasher(0);
    value.hash(&mut hasher);
    hasher.finish()
}

/// A fast hasher without a random seed: the same key in every run.
#[derive(Default)]
pub struct KeyHasher(u64);

impl KeyHasher {
    fn add(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
            if chunk.len() < 8 {
                // Distinguishes a short chunk from one that ends with zeros.
                self.add(chunk.len() as u64);
            }
        }
    }

    fn write_u8(&mut self, x: u8) {
        self.add(u64::from(x));
    }

    fn write_u16(&mut self, x: u16) {
        self.add(u64::from(x));
    }

    fn write_u32(&mut self, x: u32) {
        self.add(u64::from(x));
    }

    fn write_u64(&mut self, x: u64) {
        self.add(x);
    }

    fn write_u128(&mut self, x: u128) {
        self.add(x as u64);
        self.add((x >> 64) as u64);
    }

    fn write_usize(&mut self, x: usize) {
        self.add(x as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_keys_tell_texts_apart() {
        let texts = ["", "\0", "\0\0", "a", "a\0", "abcdefg", "abcdefg\0", "abcdefg\u{1}"];
        let mut keys: Vec<u64> = texts.iter().map(hash_of).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), texts.len());
        assert_ne!(hash_of(&(1u8, 2u8)), hash_of(&(2u8, 1u8)));
    }
}
