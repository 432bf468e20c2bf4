//! Own searches: a label, options, and a function that makes the search.

use treegraft::{Evaluator, Game, Limit};

use crate::board::{Analyst, Board};
use crate::error::Complaint;
use crate::names::{RegistryError, admit};
use crate::player::{
    Eval, LabelInfo, OptionInfo, OwnOptions, Player, Search, Values, split_item, split_text,
};
use crate::searcher::{Context, find_evaluator};

/// A search that becomes a player under its label, with options and a budget like all others.
///
/// `make` is called for every game that is played. It may look at what is inside the board
/// ([`Setup::position`]) and return a search that is compiled for that game, by way of
/// [`bridge`](crate::bridge); or a search over boards, which plays every game, more slowly.
///
/// ```
/// use treegraft::{Game, MoveReport, Report, Request, Searcher, Stop, Work};
/// use treegraft_players::{OwnOption, Registry, SearchEntry, Values};
///
/// /// Always plays the legal move with the same number, or the last one.
/// struct Stubborn(u32);
///
/// impl<G: Game> Searcher<G> for Stubborn {
///     fn search(&mut self, position: &G, _: Request<'_, G::Move>) -> Report<G::Move> {
///         let mut moves = Vec::new();
///         if position.outcome().is_none() {
///             position.moves(&mut moves);
///         }
///         let best = moves.get(self.0 as usize).or(moves.last()).copied();
///         Report::of_move(position, best)
///     }
/// }
///
/// let mut registry = Registry::standard();
/// registry.add_search(SearchEntry::new(
///     "stubborn",
///     "plays the move with the same number again and again",
///     vec![OwnOption {
///         name: "number",
///         values: Values::whole(1, 100),
///         default: "1",
///         meaning: "the number of the move",
///     }],
///     |setup| Ok(Box::new(Stubborn(setup.whole("number") - 1))),
/// ))?;
/// let player = registry.player("stubborn(number=02)@10it")?;
/// assert_eq!(player.to_string(), "stubborn(number=2)@10it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchEntry {
    pub(crate) label: &'static str,
    about: &'static str,
    options: Vec<OwnOption>,
    make: Box<Make>,
    /// Whether a move ends without a budget.
    pub(crate) ends_by_itself: bool,
}

type Make = dyn Fn(&Setup<'_>) -> Result<Analyst, String> + Send + Sync;

/// An option of an own search.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnOption {
    /// Its name.
    pub name: &'static str,
    /// The values it can have.
    pub values: Values,
    /// The value it has when it is not given, as it would be written.
    pub default: &'static str,
    /// What it means, in a few words.
    pub meaning: &'static str,
}

/// What an own search is made from.
pub struct Setup<'a> {
    pub(crate) options: &'a [String],
    pub(crate) entry: &'a SearchEntry,
    pub(crate) context: &'a Context<'a>,
}

impl SearchEntry {
    /// A search. `make` says in words why a game cannot be served, if it cannot.
    pub fn new(
        label: &'static str,
        about: &'static str,
        options: Vec<OwnOption>,
        make: impl Fn(&Setup<'_>) -> Result<Analyst, String> + Send + Sync + 'static,
    ) -> SearchEntry {
        SearchEntry { label, about, options, make: Box::new(make), ends_by_itself: false }
    }

    /// The same search, which ends by itself: it needs no budget.
    #[must_use]
    pub fn that_ends_by_itself(self) -> SearchEntry {
        SearchEntry { ends_by_itself: true, ..self }
    }

    pub(crate) fn check(&self) -> Result<(), RegistryError> {
        for (i, option) in self.options.iter().enumerate() {
            let is_taken = self.options[..i].iter().any(|other| other.name == option.name);
            admit("option", option.name, is_taken)?;
            if let Some(word) = option.values.unreadable_word() {
                let problem = format!(
                    "the word {word:?} cannot be read back; expected one without commas, closing \
                     brackets, @, and blanks around it"
                );
                return Err(RegistryError::new("option", option.name, problem));
            }
            let values = option.values;
            let default = values.read(option.default).map(|value| values.text(value));
            if default.as_deref() != Some(option.default) {
                let problem =
                    format!("its default is {:?}; expected {}", option.default, values.describe());
                return Err(RegistryError::new("option", option.name, problem));
            }
        }
        Ok(())
    }

    pub(crate) fn listing(&self) -> LabelInfo {
        let option = |option: &OwnOption| OptionInfo {
            name: option.name,
            values: option.values.describe(),
            samples: option.values.samples(),
            default: option.default.to_owned(),
            meaning: option.meaning,
            source: "",
        };
        LabelInfo {
            label: self.label,
            about: self.about,
            source: "",
            limits: Limit::ALL.map(Limit::name).to_vec(),
            options: self.options.iter().map(option).collect(),
        }
    }

    pub(crate) fn make(
        &self,
        own: &OwnOptions,
        context: &Context<'_>,
    ) -> Result<Analyst, Complaint> {
        let setup = Setup { options: &own.values, entry: self, context };
        (self.make)(&setup).map_err(|problem| Complaint::new(problem, "another player"))
    }

    /// The player that a text with this label stands for.
    pub(crate) fn player(&self, text: &str) -> Result<Player, Complaint> {
        let (items, budget) = split_text(text, self.label)?;
        let values = self.values(&items)?;
        let said = self.options.iter().zip(&values);
        let said = said.filter(|(option, value)| option.default != value.as_str());
        let item = |(option, value): (&OwnOption, &String)| match value.as_str() {
            "true" if option.values == Values::FLAG => option.name.to_owned(),
            _ => format!("{}={value}", option.name),
        };
        let (label, ends_by_itself) = (self.label, self.ends_by_itself);
        let own = OwnOptions { label, items: said.map(item).collect(), values, ends_by_itself };
        Ok(Player { search: Search::Own(own), budget })
    }

    /// The value of every option with items such as `number=2`.
    fn values(&self, items: &[&str]) -> Result<Vec<String>, Complaint> {
        let options = &self.options;
        let mut values: Vec<Option<String>> = vec![None; options.len()];
        for &item in items {
            let (name, value) = split_item(item);
            let Some(at) = options.iter().position(|option| option.name == name) else {
                let names: Vec<&str> = options.iter().map(|option| option.name).collect();
                let what = format!("{} has no option", self.label);
                return Err(Complaint::unknown(&what, name, &names));
            };
            let option = &options[at];
            if values[at].is_some() {
                return Err(Complaint::twice(name));
            }
            let read = option.values.read_item(name, value, option.meaning)?;
            values[at] = Some(option.values.text(read));
        }
        let default = |option: &OwnOption| option.default.to_owned();
        let filled = values.into_iter().zip(options);
        Ok(filled.map(|(value, option)| value.unwrap_or_else(|| default(option))).collect())
    }
}

impl Setup<'_> {
    /// Where the game begins.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.context.start.board()
    }

    /// The position where the game begins, if it is of the type `G`.
    #[must_use]
    pub fn position<G: 'static>(&self) -> Option<&G> {
        self.board().downcast()
    }

    /// The evaluation that an option names, among the game's own and those registered beside them;
    /// `None` without one.
    ///
    /// # Errors
    ///
    /// If there is none of this name; the error says which there are.
    ///
    /// # Panics
    ///
    /// If the search has no such option.
    pub fn evaluator<G: Game + 'static>(
        &self,
        option: &str,
        position: &G,
    ) -> Result<Option<Evaluator<G>>, String> {
        let eval = match self.word(option) {
            "auto" => Eval::Usual,
            "none" => Eval::Nothing,
            name => Eval::Named(name.to_owned()),
        };
        find_evaluator(&eval, self.context, position).map_err(|complaint| complaint.to_string())
    }

    /// The value of an option as text.
    ///
    /// # Panics
    ///
    /// If the search has no such option.
    #[must_use]
    pub fn word(&self, option: &str) -> &str {
        let at = self.entry.options.iter().position(|known| known.name == option);
        let at = at.unwrap_or_else(|| panic!("{} has no option {option:?}", self.entry.label));
        &self.options[at]
    }

    /// The value of a flag.
    ///
    /// # Panics
    ///
    /// If the search has no such option, or it is not a flag.
    #[must_use]
    pub fn flag(&self, option: &str) -> bool {
        self.word(option).parse().expect("an option with the values of a flag")
    }

    /// The value of an option that is a whole number.
    ///
    /// # Panics
    ///
    /// If the search has no such option, or it is not a whole number.
    #[must_use]
    pub fn whole(&self, option: &str) -> u32 {
        self.word(option).parse().expect("an option with whole numbers as values")
    }

    /// The value of an option that is a number.
    ///
    /// # Panics
    ///
    /// If the search has no such option, or it is not a number.
    #[must_use]
    pub fn number(&self, option: &str) -> f64 {
        self.word(option).parse().expect("an option with numbers as values")
    }
}
