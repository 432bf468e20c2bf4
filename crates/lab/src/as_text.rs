//! Values that are serialised as their text.

/// Serialises types as what they display, and reads them back with `FromStr`; the crate needs serde.
#[macro_export]
macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use crate::{Opening, PairId};

    fn assert_text<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(json, format!("{text:?}"));
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
        let error = serde_json::from_str::<T>("\"nonsense\"").unwrap_err();
        assert!(error.to_string().contains("nonsense"), "{error}");
        assert!(serde_json::from_str::<T>("7").is_err());
    }

    #[test]
    fn values_are_their_texts() {
        assert_text(&PairId(10), "0000000000000000000000000000000a");
        assert_text(&Opening::Random { plies: 2, seed: 3 }, "random 2 3");
    }
}
