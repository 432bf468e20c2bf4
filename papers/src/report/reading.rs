//! Numbers in the readings: they are looked up, never typed.

use super::PaperReport;
use super::rows::{number, with_ends};

/// The text with every `{{EXPERIMENT: ROW}}` replaced by what was measured, with its interval, and
/// every `{{paper EXPERIMENT: ROW}}` by what was published. The names of a row are separated by `|`.
/// What is not known is "not measured".
pub(super) fn filled(report: &PaperReport<'_>, text: &str) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((inside, behind)) = after.split_once("}}") else {
            filled.push_str("{{");
            rest = after;
            continue;
        };
        filled.push_str(&value(report, inside));
        rest = behind;
    }
    filled + rest
}

fn value(report: &PaperReport<'_>, text: &str) -> String {
    let known = || {
        let (experiment, row) = text.split_once(':')?;
        let row: Vec<String> = row.split('|').map(|name| name.trim().to_owned()).collect();
        let (is_paper, experiment) = match experiment.trim().strip_prefix("paper ") {
            Some(experiment) => (true, experiment),
            None => (false, experiment.trim()),
        };
        let section = report.sections.iter().find(|section| section.entry.id == experiment)?;
        if is_paper {
            let values = report.paper.published_of(section.entry);
            return values.filter(|it| it.row == row).map(|it| number(it.number())).next();
        }
        let it = section.outcome.as_ref()?.row(&row)?;
        Some(with_ends(it.value, it.low, it.high))
    };
    known().unwrap_or_else(|| "not measured".to_owned())
}
