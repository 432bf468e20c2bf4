//! Numbers in few characters.

/// The digits of base 64, in the order of their values.
const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/// A number in base 64, without leading zeros.
pub(super) fn write(number: u64) -> String {
    let digits = (64 - number.leading_zeros()).div_ceil(6).max(1);
    let digit = |i: u32| char::from(DIGITS[(number >> (6 * i) & 63) as usize]);
    (0..digits).rev().map(digit).collect()
}

/// Reads a number in exactly the form of [`write`].
pub(super) fn read(text: &str) -> Result<u64, String> {
    let number = text.bytes().try_fold(0u64, |number, byte| {
        let digit = DIGITS.iter().position(|&digit| digit == byte)?;
        number.checked_mul(64)?.checked_add(digit as u64)
    });
    let number = number.filter(|number| write(*number) == text);
    number.ok_or_else(|| format!("{text:?} is not a number in base 64"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_one_way() {
        for (number, text) in [(0, "0"), (63, "_"), (64, "10"), (4095, "__"), (4096, "100")] {
            assert_eq!((write(number).as_str(), read(text)), (text, Ok(number)));
        }
        for shift in 0..64 {
            for number in [1 << shift, (1 << shift) - 1, u64::MAX >> shift] {
                assert_eq!(read(&write(number)), Ok(number));
            }
        }
        assert_eq!(write(u64::MAX).len(), 11);
        for wrong in ["", "00", "01", " 1", "+1", "G__________", "100000000000", "ä"] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
