//! How players of any kind of search are read, written and listed: by the options of their labels.

use std::any::Any;

use super::Search;
use super::grammar::{VISIT, split_item};
use super::labels::Label;
use super::options::{Opt, OptionTable};
use super::values::Values;
use crate::error::{Complaint, shorten};

/// The options of a kind of search, which is all that the grammar knows of it.
pub(super) trait Options: Any + Clone + PartialEq {
    /// The search with these options.
    fn search(self) -> Search;

    /// The options of a label, changed as the items say.
    fn read(label: &Label, preset: &Preset<Self>, items: &[&str]) -> Result<Self, Complaint> {
        preset.read_items(label, items)
    }

    /// These options in the words of a label; `None` if it would be misleading.
    fn write(&self, label: &Label, preset: &Preset<Self>) -> Option<Written> {
        Some(preset.write_items(label, &preset.default(), self))
    }
}

/// What a label stands for: the options it has, and their defaults.
pub(super) struct Preset<T: 'static>(pub(super) OptionTable<T>, pub(super) fn() -> T);

/// A preset of any kind of search.
pub(super) trait Family: Sync {
    /// Every option with its default.
    fn options(&self) -> Vec<AnyOption>;

    /// The search that items after the label stand for.
    fn read(&self, label: &Label, items: &[&str]) -> Result<Search, Complaint>;

    /// A search in the words of the label, if it can stand for it.
    fn write(&self, label: &Label, search: &Search) -> Option<Written>;
}

/// An option of any kind of search, with its default as text.
pub(super) struct AnyOption {
    pub(super) name: &'static str,
    pub(super) values: Values,
    pub(super) default: String,
    pub(super) meaning: &'static str,
    pub(super) source: &'static str,
}

/// A search in the words of one label.
#[derive(Default)]
pub(super) struct Written {
    /// What follows the label.
    pub(super) number: Option<String>,
    pub(super) items: Vec<String>,
    /// How many options differ from the label's defaults.
    pub(super) differences: usize,
    /// Whether the words say everything.
    pub(super) exact: bool,
}

impl<T: Options> Family for Preset<T> {
    fn options(&self) -> Vec<AnyOption> {
        let default = self.default();
        let any = |&Opt { name, values, meaning, source, .. }: &_, default| AnyOption {
            name,
            values,
            default,
            meaning,
            source,
        };
        self.known().map(|option| any(option, option.text(&default))).collect()
    }

    fn read(&self, label: &Label, items: &[&str]) -> Result<Search, Complaint> {
        T::read(label, self, items).map(T::search)
    }

    fn write(&self, label: &Label, search: &Search) -> Option<Written> {
        search.options().downcast_ref::<T>()?.write(label, self)
    }
}

impl<T: Clone + PartialEq> Preset<T> {
    pub(super) fn default(&self) -> T {
        (self.1)()
    }

    fn known(&self) -> impl Iterator<Item = &'static Opt<T>> + Clone {
        self.0.iter().copied().flatten()
    }

    /// The label's options, changed as the items say.
    pub(super) fn read_items(&self, label: &Label, items: &[&str]) -> Result<T, Complaint> {
        let mut options = self.default();
        let mut seen = Vec::new();
        for &item in items {
            let (name, value) = split_item(item);
            let named = self.known().find(|option| option.name == name);
            let by_word =
                || self.known().find(|option| value.is_none() && option.values.has_word(name));
            let (option, value) = match (named, by_word()) {
                (Some(option), _) => (option, value),
                (None, Some(option)) => (option, Some(name)),
                (None, None) => return Err(self.unknown_option(label, name)),
            };
            if seen.contains(&option.name) {
                return Err(Complaint::twice(option.name));
            }
            seen.push(option.name);
            option.read(&mut options, value)?;
        }
        Ok(options)
    }

    fn unknown_option(&self, label: &Label, name: &str) -> Complaint {
        if name.is_empty() {
            return Complaint::new("an option is empty", "options separated by single commas");
        }
        if self.known().next().is_none() {
            let problem = format!("{} has no option {:?}", label.name, shorten(name));
            return Complaint::new(problem, format!("{} without options", label.name));
        }
        let names = self.known().map(|option| option.name);
        let words =
            self.known().flat_map(|option| option.values.words_without_name().iter().copied());
        let possible: Vec<&str> = names.chain(words).collect();
        Complaint::unknown(&format!("{} has no option", label.name), name, &possible)
    }

    /// What differs from the defaults, as a label writes it.
    pub(super) fn write_items(&self, label: &Label, default: &T, options: &T) -> Written {
        let mut written = Written { exact: true, ..Written::default() };
        let mut said = default.clone();
        for option in self.known() {
            let value = option.text(options);
            let differs = value != option.text(default);
            if differs && label.numbered == Some(option.name) && value != "off" {
                written.exact &= option.read(&mut said, Some(&value)).is_ok();
                written.differences += 1;
                written.number = Some(value.replacen(':', VISIT, 1));
                continue;
            }
            if differs && !option.values.is_always_written() {
                written.differences += 1;
            }
            if differs || option.values.is_always_written() {
                written.items.push(option.item(options));
                written.exact &= option.read(&mut said, Some(&value)).is_ok();
            }
        }
        written.exact &= said == *options;
        written
    }
}
