//! The rows that all tables of a report share: which pairings, in which order, under which names.

use treegraft_pictures::table::{Cell, Column, Table};

use crate::{Experiment, PlannedPairing, Schedule};

/// The pairings of an experiment as rows of tables.
pub(super) struct Rows<'a> {
    experiment: &'a Experiment,
    /// Whether there is more than one game.
    pub(super) has_games: bool,
    /// Whether the opponents differ.
    pub(super) has_opponents: bool,
    /// The numbers of the pairings: those of a sweep ordered by its parameters.
    pub(super) order: Vec<usize>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(experiment: &'a Experiment) -> Rows<'a> {
        let pairings = &experiment.plan.pairings;
        let differs = |value: fn(&PlannedPairing) -> &str| {
            pairings.windows(2).any(|pair| value(&pair[0]) != value(&pair[1]))
        };
        let has_games = differs(|pairing| &pairing.game);
        let has_opponents = differs(|pairing| &pairing.names[1]);
        Rows { experiment, has_games, has_opponents, order: order(experiment) }
    }

    fn is_sweep(&self) -> bool {
        self.experiment.schedule == Schedule::Sweep
    }

    pub(super) fn parameters(&self) -> Vec<&'a str> {
        let first = self.experiment.plan.pairings.first();
        let parameters = first.into_iter().flat_map(|pairing| &pairing.parameters);
        if self.is_sweep() {
            parameters.map(|(name, _)| name.as_str()).collect()
        } else {
            Vec::new()
        }
    }

    /// The columns that say whose row it is.
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![self.game_column()];
        let (a, b) = (Column::text("A"), Column::text("B"));
        if self.is_sweep() {
            columns.extend(self.parameters().into_iter().map(Column::number));
            columns.push(if self.has_opponents { b } else { b.for_programs() });
            columns.push(a.for_programs());
        } else {
            columns.extend([a, b]);
        }
        columns
    }

    /// The column of the game: people read it in the title if it is the same in all rows.
    pub(super) fn game_column(&self) -> Column {
        let column = Column::text("game");
        if self.has_games { column } else { column.for_programs() }
    }

    fn cells(&self, pairing: usize) -> Vec<Cell> {
        let pairing = &self.experiment.plan.pairings[pairing];
        let [a, b] = pairing.names.each_ref().map(|name| Cell::text(name.as_str()));
        let mut cells = vec![Cell::text(pairing.game.as_str())];
        if self.is_sweep() {
            cells.extend(pairing.parameters.iter().map(|(_, value)| Cell::text(value.as_str())));
            cells.extend([b, a]);
        } else {
            cells.extend([a, b]);
        }
        cells
    }

    /// A table without rows: the columns that say whose row it is, and these.
    pub(super) fn table(&self, what: &str, columns: impl IntoIterator<Item = Column>) -> Table {
        Table::new(self.title(what), self.columns().into_iter().chain(columns))
    }

    /// A row of such a table.
    pub(super) fn row(&self, pairing: usize, cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
        self.cells(pairing).into_iter().chain(cells).collect()
    }

    /// A row in words.
    pub(super) fn name(&self, pairing: usize) -> String {
        let pairing = &self.experiment.plan.pairings[pairing];
        let [a, b] = &pairing.names;
        let mut name = a.clone();
        if self.is_sweep() {
            let values = pairing.parameters.iter().map(|(name, value)| format!("{name}={value}"));
            name = values.collect::<Vec<_>>().join(", ");
        }
        if self.has_opponents || !self.is_sweep() {
            name.push_str(&format!(" against {b}"));
        }
        if self.has_games {
            name.push_str(&format!(" in {}", pairing.game));
        }
        name
    }

    /// The title of a table: the experiment's, and what is the same in all rows.
    pub(super) fn title(&self, what: &str) -> String {
        let mut title = format!("{}: {what}", self.experiment.title);
        if let Some(first) = self.experiment.plan.pairings.first() {
            if !self.has_games {
                title.push_str(&format!(", {}", first.game));
            }
            if self.is_sweep() && !self.has_opponents {
                title.push_str(&format!(", against {}", first.names[1]));
            }
        }
        title
    }
}

/// The games of an experiment, each once, in the order of the plan.
pub(super) fn games_of(experiment: &Experiment) -> Vec<&str> {
    let mut games: Vec<&str> = Vec::new();
    for pairing in &experiment.plan.pairings {
        if !games.contains(&pairing.game.as_str()) {
            games.push(&pairing.game);
        }
    }
    games
}

/// The pairings by game, then by the values of the parameters, then as planned.
fn order(experiment: &Experiment) -> Vec<usize> {
    let pairings = &experiment.plan.pairings;
    let mut order = (0..pairings.len()).collect::<Vec<_>>();
    if experiment.schedule != Schedule::Sweep {
        return order;
    }
    let games = games_of(experiment);
    let parameters = pairings.first().map_or(0, |pairing| pairing.parameters.len());
    let values = (0..parameters).map(|i| values(experiment, i)).collect::<Vec<_>>();
    order.sort_by_key(|&number| {
        let pairing = &pairings[number];
        let game = games.iter().position(|game| *game == pairing.game);
        let ranks = pairing.parameters.iter().zip(&values);
        let ranks = ranks.map(|((_, value), all)| all.iter().position(|known| known == value));
        (game, ranks.collect::<Vec<_>>())
    });
    order
}

/// The different values of a parameter: numbers in their order, others as planned.
pub(super) fn values(experiment: &Experiment, parameter: usize) -> Vec<&str> {
    let mut values: Vec<&str> = Vec::new();
    for pairing in &experiment.plan.pairings {
        if let Some((_, value)) = pairing.parameters.get(parameter)
            && !values.contains(&value.as_str())
        {
            values.push(value);
        }
    }
    let number = |value: &str| value.parse::<f64>().unwrap_or(f64::NAN);
    if values.iter().all(|value| number(value).is_finite()) {
        values.sort_by(|a, b| number(a).total_cmp(&number(b)));
    }
    values
}
