//! Whether the rows of a report differ from one of them.

use treegraft_pictures::table::{Cell, Column, Table};

use super::rows::Rows;
use crate::{CountedPair, Experiment};

/// Every row of the table `results` beside one of them, whose number is counted from 1: the
/// difference of the scores, and the probability that chance alone makes one as large. `None` if
/// there is no such row.
#[must_use]
pub fn comparison(experiment: &Experiment, pairs: &[CountedPair<'_>], row: usize) -> Option<Table> {
    let results = super::results(experiment, pairs);
    let rows = Rows::new(experiment);
    let reference = *rows.order.get(row.checked_sub(1)?)?;
    let columns = [
        Column::percent("score"),
        Column::percent("difference").signed(),
        Column::number("z").signed(),
        Column::number("p"),
    ];
    let mut table = rows.table("comparison", columns);
    let score = |pairing: usize| {
        let score = results[pairing].score(experiment.scoring);
        score.map_or(f64::NAN, |score| score.score)
    };
    for &pairing in rows.order.iter().filter(|&&pairing| pairing != reference) {
        let test = results[pairing].compare(&results[reference], experiment.scoring);
        let cells = [
            Cell::number(score(pairing), 1),
            Cell::number(score(pairing) - score(reference), 1),
            Cell::number(test.z, 2),
            Cell::number(test.p, 4),
        ];
        table.rows.push(rows.row(pairing, cells));
    }
    table.notes.push(format!(
        "compared with row {row}, {}, {:.1} %: normal test of the difference of two scores; where \
         many rows are compared, some p are small by chance",
        rows.name(reference),
        100.0 * score(reference)
    ));
    Some(table)
}
