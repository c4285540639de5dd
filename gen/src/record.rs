//! Results that are committed, each with what it follows from, so that those that take long need not be made in each run.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;

/// Results by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Record<T>(BTreeMap<String, Recorded<T>>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Recorded<T> {
    /// Digest of what it follows from.
    origin: String,
    result: T,
}

impl<T> Default for Record<T> {
    fn default() -> Self {
        Record(BTreeMap::new())
    }
}

impl<T: Serialize + DeserializeOwned> Record<T> {
    /// From JSON; none where the text is no record.
    #[must_use]
    pub fn from_json(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// As JSON.
    ///
    /// # Panics
    /// Never: a record can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a record can be written") + "\n"
    }

    /// The result of that name, if it was made from just this `origin`.
    #[must_use]
    pub fn get(&self, name: &str, origin: &str) -> Option<&T> {
        let recorded = self.0.get(name)?;
        (recorded.origin == origin).then_some(&recorded.result)
    }

    /// Records a result.
    pub fn insert(&mut self, name: String, origin: String, result: T) {
        self.0.insert(name, Recorded { origin, result });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_found_by_its_name_and_just_its_origin_in_what_was_written_too() {
        let mut record = Record::default();
        record.insert("lock".into(), "made from this".into(), vec![3, 2]);
        let read = Record::from_json(&record.to_json());
        assert_eq!(read, record);
        assert_eq!(read.get("lock", "made from this"), Some(&vec![3, 2]));
        assert_eq!(read.get("lock", "made from that"), None);
        assert_eq!(read.get("key", "made from this"), None);
        assert_eq!(
            Record::<Vec<u32>>::from_json("no record"),
            Record::default()
        );
    }
}
