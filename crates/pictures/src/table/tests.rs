use proptest::prelude::*;

use super::*;

fn sample() -> Table {
    let columns = [
        Column::text("A"),
        Column::number("games"),
        Column::percent("score"),
        Column::number("Elo").signed(),
        Column::number("a move").unit("ms").key("ms_per_move"),
    ];
    let mut table = Table::new("Pairings & more", columns);
    table.rows.push(vec![
        Cell::text("mcts-solver(c=0.8)@91000it"),
        Cell::Whole(12_345),
        Cell::interval(0.625, 0.531_25, 0.71, 1),
        Cell::error(-35.4, 9.0, 0),
        Cell::number(1.0 / 3.0, 3),
    ]);
    table.rows.push(vec![
        Cell::text("x_1 [50%]"),
        Cell::Whole(7),
        Cell::interval(1.0, 0.05, 1.0, 1),
        Cell::error(f64::INFINITY, f64::NAN, 0),
    ]);
    table.notes.push("only 3 of 7 games differ".to_owned());
    table
}

#[test]
fn text_stands_in_columns() {
    let expected = "\
Pairings & more

A                            games            score (%)      Elo  a move (ms)
mcts-solver(c=0.8)@91000it  12,345   62.5 [53.1,  71.0]  -35 ± 9        0.333
x_1 [50%]                        7  100.0 [ 5.0, 100.0]   +∞ ± -

note: only 3 of 7 games differ
";
    let text = sample().render(Format::Text);
    assert_eq!(text, expected, "\n{text}");
}

#[test]
fn markdown_and_latex_escape() {
    let markdown = "\
**Pairings \\& more**

| A | games | score (%) | Elo | a move (ms) |
| :--- | ---: | ---: | ---: | ---: |
| mcts-solver(c=0.8)@91000it | 12,345 | 62.5 [53.1, 71.0] | -35 ± 9 | 0.333 |
| x\\_1 \\[50%\\] | 7 | 100.0 [5.0, 100.0] | +∞ ± - |  |

only 3 of 7 games differ
";
    assert_eq!(sample().render(Format::Markdown), markdown);
    let latex = "\
% Pairings & more
% only 3 of 7 games differ
\\begin{tabular}{@{}lrrrr@{}}
\\toprule
A & games & score (\\%) & Elo & a move (ms) \\\\
\\midrule
mcts-solver(c=0.8)@91000it & 12,345 & 62.5 [53.1, 71.0] & $-$35 $\\pm$ 9 & 0.333 \\\\
x\\_1 {[}50\\%{]} & 7 & 100.0 [5.0, 100.0] & $+\\infty$ $\\pm$ -- &  \\\\
\\bottomrule
\\end{tabular}
";
    assert_eq!(sample().render(Format::Latex), latex);
    let mut tricky = Table::new("", [Column::text("*")]);
    tricky.rows.push(vec![Cell::text("a--b ± 1–2 ~^\\{}")]);
    let latex = tricky.render(Format::Latex);
    assert!(latex.contains("\n{*} \\\\\n"), "{latex}");
    let escaped = "a-{}-b $\\pm$ 1--2 \\textasciitilde{}\\textasciicircum{}\\textbackslash{}\\{\\}";
    assert!(latex.contains(escaped), "{latex}");
}

#[test]
fn programs_read_all_digits() {
    let csv = "\
a,games,score,score_low,score_high,elo,elo_error,ms_per_move
mcts-solver(c=0.8)@91000it,12345,0.625,0.53125,0.71,-35.4,9,0.3333333333333333
x_1 [50%],7,1,0.05,1,inf,,
";
    assert_eq!(sample().render(Format::Csv), csv);
    let json = sample().to_json();
    assert_eq!(json[0]["score_low"], 0.531_25);
    assert_eq!(json[0]["games"], 12_345);
    assert_eq!(json[0]["ms_per_move"], 1.0 / 3.0);
    assert!(json[1]["elo"].is_null() && json[1]["ms_per_move"].is_null());
    assert_eq!(json[1].as_object().map(serde_json::Map::len), Some(8));
}

#[test]
fn equal_names_get_keys_of_their_own() {
    let table = Table::new("", ["won", "Won", "won %", "", "!"].map(Column::number));
    assert_eq!(table.render(Format::Csv), "won,won_2,won_3,column,column_2\n");
}

#[test]
fn numbers_for_people() {
    for (value, digits, signed, expected) in [
        (0.0, 1, true, "0.0"),
        (-0.04, 1, false, "0.0"),
        (-0.05001, 1, false, "-0.1"),
        (9999.4, 0, false, "9999"),
        (-12_345.678, 2, false, "-12,345.68"),
        (1_234_567.0, 0, true, "+1,234,567"),
        (2.5e30, 1, false, "2.5e30"),
        (f64::NEG_INFINITY, 3, false, "-∞"),
        (f64::NAN, 3, true, "-"),
    ] {
        assert_eq!(figure(value, digits, signed), expected);
    }
}

#[test]
fn small_numbers_are_not_zero() {
    let mut table = Table::new("", [Column::number("p")]);
    table.rows = [0.00004, 0.00005001, 0.0].map(|p| vec![Cell::number(p, 4)]).to_vec();
    assert_eq!(table.render(Format::Text), "      p\n<0.0001\n 0.0001\n 0.0000\n");
    assert!(table.render(Format::Latex).contains("\n$<$0.0001 \\\\\n"));
    assert!(table.render(Format::Markdown).contains("| \\<0.0001 |"));
}

#[test]
fn long_tables_fit_the_line() {
    let columns = ["A", "B"].map(Column::text).into_iter();
    let numbers = ["won", "drawn", "lost", "mean number of moves", "p-value"].map(Column::number);
    let mut table = Table::new("", columns.chain(numbers));
    let player = |c: f64| {
        Cell::text(format!("mcts-ip-m(c={c},depth=2,eval=heuristic,visits=10,epsilon=0.05)@250ms"))
    };
    let numbers = || (0..5).map(|i| Cell::Whole(123_456 * i));
    table.rows.push([player(0.25), player(1.0)].into_iter().chain(numbers()).collect());
    let text = table.render(Format::Text);
    assert!(text.lines().all(|line| line.chars().count() <= LINE), "{text}");
    let unbroken = "mcts-ip-m(c=0.25,depth=2,";
    assert!(text.contains(unbroken) && text.contains("\nepsilon=0.05)@250ms  "), "{text}");
    assert!(text.contains("246,912  370,368  493,824\n"), "{text}");
}

#[test]
fn a_cell_may_have_lines_of_its_own() {
    let mut table = Table::new("", ["A", "B"].map(Column::text));
    table.columns.push(Column::number("n"));
    table.rows.push(vec![Cell::text("one\ntwo three"), Cell::text("x"), Cell::text("1\n20")]);
    table.rows.push(vec![Cell::text("| | four"), Cell::text("y\tz"), Cell::Whole(300)]);
    let text = table.render(Format::Text);
    let expected = "\
A          B      n
one        x      1
two three        20
| | four   y z  300
";
    assert_eq!(text, expected, "\n{text}");
    assert!(table.render(Format::Markdown).contains("| one two three | x | 1 20 |"));
    assert!(table.render(Format::Latex).contains("one two three & x & 1 20 "));
}

#[test]
fn lines_are_as_narrow_as_asked_for() {
    let mut table = Table::new("A title of several words", [Column::text("line")]);
    table.columns.push(Column::number("a number"));
    let moves = (1..30).map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ");
    table.rows.push(vec![Cell::text(&moves), Cell::Whole(1_234_567_890)]);
    table.notes.push("words of a note that do not fit either".to_owned());
    for line in [20, 30, 50, 80] {
        let text = table.text(line);
        assert!(text.lines().all(|part| part.chars().count() <= line), "{line}\n{text}");
        assert!(text.contains("1,234,567,890"), "{text}");
        let numbers = text.replace("1,234,567,890", "");
        let words = numbers.split_whitespace().filter(|word| word.parse::<u64>().is_ok());
        assert_eq!(words.collect::<Vec<_>>().join(" "), moves, "whole words\n{text}");
    }
    // Numbers are never broken.
    assert!(table.text(0).contains("1,234,567,890"));
    let unbroken = table.text(1000);
    assert!(unbroken.contains(&format!("\n{moves}  1,234,567,890\n")), "{unbroken}");
}

#[test]
fn tables_without_rows_or_columns_are_written() {
    for format in Format::ALL {
        let nothing = Table::default().render(format);
        assert!(nothing.len() <= 3, "{format}: {nothing:?}");
        let empty = Table::new("Title", [Column::text("a"), Column::number("b")]).render(format);
        assert!(empty.ends_with('\n') && !empty.contains("∞"), "{format}: {empty:?}");
        assert_eq!(format.name().parse(), Ok(format));
    }
    let error = "html".parse::<Format>().unwrap_err();
    assert_eq!(error, "\"html\" is not a format; expected one of text, markdown, latex, csv, json");
}

/// The records of a CSV text, as RFC 4180 describes them.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut field = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if field.is_empty() => loop {
                match characters.next().expect("a quotation mark ends") {
                    '"' if characters.peek() == Some(&'"') => {
                        characters.next();
                        field.push('"');
                    }
                    '"' => break,
                    character => field.push(character),
                }
            },
            ',' => record.push(std::mem::take(&mut field)),
            '\n' => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            character => {
                assert!(!matches!(character, '"' | '\r'), "unquoted {character:?} in {text:?}");
                field.push(character);
            }
        }
    }
    assert!(field.is_empty() && record.is_empty(), "the last line ends");
    records
}

/// Text with everything that some format takes for its own.
fn any_text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        prop::sample::select(r##"&%$#_{}~^\|,;"'`*[]<>()-–±∞½ aZ9"##.chars().collect::<Vec<_>>()),
        prop::sample::select(vec![
            '\n', '\r', '\t', '\0', '\u{1b}', '\u{fffe}', 'é', '棋', '\u{202e}', '😀', '=', '@'
        ]),
        any::<char>(),
    ];
    prop::collection::vec(character, 0..12).prop_map(|characters| characters.into_iter().collect())
}

fn any_cell() -> impl Strategy<Value = Cell> {
    let digits = 0..4usize;
    prop_oneof![
        Just(Cell::Empty),
        any_text().prop_map(Cell::Text),
        any::<u64>().prop_map(Cell::Whole),
        (any::<f64>(), digits.clone()).prop_map(|(value, digits)| Cell::number(value, digits)),
        (any::<[f64; 3]>(), digits.clone())
            .prop_map(|([value, low, high], digits)| Cell::interval(value, low, high, digits)),
        (any::<[f64; 2]>(), digits)
            .prop_map(|([value, error], digits)| Cell::error(value, error, digits)),
    ]
}

fn any_table() -> impl Strategy<Value = Table> {
    let column = (any_text(), 0..4u8).prop_map(|(name, kind)| match kind {
        0 => Column::text(name),
        1 => Column::number(name).signed(),
        2 => Column::percent(name),
        _ => Column::number(name.clone()).unit(name),
    });
    (any_text(), prop::collection::vec(column, 1..5), prop::collection::vec(any_text(), 0..3))
        .prop_flat_map(|(title, columns, notes)| {
            let row = prop::collection::vec(any_cell(), 0..=columns.len() + 1);
            prop::collection::vec(row, 0..5).prop_map(move |rows| Table {
                title: title.clone(),
                columns: columns.clone(),
                rows,
                notes: notes.clone(),
            })
        })
}

proptest! {
    #[test]
    fn csv_is_read_back(table in any_table()) {
        let records = parse_csv(&table.render(Format::Csv));
        prop_assert_eq!(records.len(), table.rows.len() + 1);
        for (row, record) in table.rows.iter().zip(&records[1..]) {
            prop_assert_eq!(record.len(), records[0].len());
            let mut fields = record.iter();
            for column in 0..table.columns.len() {
                let field = fields.next().expect("a field for each column");
                match table.cell(row, column) {
                    Cell::Empty => prop_assert_eq!(field, ""),
                    // Formulas have an apostrophe in front, and what is no text is replaced.
                    Cell::Text(text) => {
                        let read = field.strip_prefix('\'').unwrap_or(field);
                        let same = |(read, written): (char, char)| {
                            read == written || read == char::REPLACEMENT_CHARACTER
                        };
                        let text = text.strip_prefix('\'').unwrap_or(text);
                        prop_assert_eq!(read.chars().count(), text.chars().count());
                        prop_assert!(read.chars().zip(text.chars()).all(same), "{}", field);
                        prop_assert!(!field.starts_with(['=', '@']), "{}", field);
                        let is_safe = !field.contains(['\u{1b}', '\0', '\u{fffe}']);
                        prop_assert!(is_safe);
                    }
                    Cell::Whole(count) => prop_assert_eq!(field.parse(), Ok(*count)),
                    Cell::Number { value, .. }
                    | Cell::Interval { value, .. }
                    | Cell::Error { value, .. } => {
                        let read = if field.is_empty() { Ok(f64::NAN) } else { field.parse() };
                        let same = |read: f64| read == *value || read.is_nan() && value.is_nan();
                        prop_assert!(read.is_ok_and(same), "{} is not {}", field, value);
                    }
                }
                let has = |kind: fn(&Cell) -> bool| {
                    table.rows.iter().any(|row| kind(table.cell(row, column)))
                };
                let more = 2 * usize::from(has(|cell| matches!(cell, Cell::Interval { .. })))
                    + usize::from(has(|cell| matches!(cell, Cell::Error { .. })));
                fields.by_ref().take(more).for_each(drop);
            }
            prop_assert_eq!(fields.next(), None);
        }
    }

    #[test]
    fn json_is_valid_and_every_object_has_the_same_keys(table in any_table()) {
        let value: serde_json::Value = serde_json::from_str(&table.render(Format::Json))?;
        let rows = value.as_array().expect("an array");
        prop_assert_eq!(rows.len(), table.rows.len());
        let keys = parse_csv(&table.render(Format::Csv)).swap_remove(0);
        for row in rows {
            let row = row.as_object().expect("an object");
            prop_assert_eq!(row.keys().cloned().collect::<Vec<_>>(), keys.clone());
        }
    }

    #[test]
    fn tables_for_people_keep_their_shape(table in any_table()) {
        let columns = table.columns.len();
        let markdown = table.render(Format::Markdown);
        let lines = markdown.lines().filter(|line| line.starts_with('|')).collect::<Vec<_>>();
        prop_assert_eq!(lines.len(), table.rows.len() + 2);
        for line in lines {
            let pipes = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
            prop_assert_eq!(pipes, columns + 1, "{}", line);
        }
        let latex = table.render(Format::Latex);
        let body = latex.split_once("\\toprule\n").expect("a rule").1;
        let rows = body.lines().filter(|line| line.ends_with(" \\\\")).collect::<Vec<_>>();
        prop_assert_eq!(rows.len(), table.rows.len() + 1);
        for row in rows {
            prop_assert!(!row.starts_with(['[', '*']), "{}", row);
            let row = row.replace("\\&", "").replace("\\$", "").replace("\\%", "");
            prop_assert_eq!(row.matches('&').count(), columns - 1, "{}", row);
            prop_assert!(!row.contains('%') && row.matches('$').count() % 2 == 0, "{}", row);
            let reserved = row.replace("\\#", "").contains(['~', '^', '#']);
            prop_assert!(!reserved, "{}", row);
            let open = row.replace("\\{", "").matches('{').count();
            prop_assert_eq!(open, row.replace("\\}", "").matches('}').count(), "{}", row);
        }
        let text = table.render(Format::Text);
        prop_assert!(text.lines().all(|line| line.trim_end() == line));
        let is_safe = !text.contains(['\r', '\t', '\0', '\u{1b}', '\u{202e}']);
        prop_assert!(is_safe);
    }
}

#[test]
fn people_do_not_see_what_never_happened() {
    let columns = [Column::text("a"), Column::number("faults").rare(), Column::number("b").rare()];
    let mut table = Table::new("", columns);
    table.rows.push(vec![Cell::text("x"), Cell::Whole(0), Cell::Whole(0)]);
    table.rows.push(vec![Cell::text("y"), Cell::Whole(0), Cell::Whole(2)]);
    assert_eq!(table.render(Format::Text), "a  b\nx  0\ny  2\n");
    assert!(!table.render(Format::Markdown).contains("faults"));
    assert!(!table.render(Format::Latex).contains("faults"));
    assert_eq!(table.render(Format::Csv), "a,faults,b\nx,0,0\ny,0,2\n");
    assert_eq!(table.to_json()[0]["faults"], 0);
}

#[test]
fn the_unit_of_a_heading_is_in_one_piece() {
    let mut table = Table::new("", [Column::text("name"), Column::percent("LOS")]);
    table.rows.push(vec![Cell::text("x".repeat(LINE)), Cell::number(1.0, 1)]);
    let text = table.render(Format::Text);
    let lines = text.lines().take(2).map(str::trim_end).collect::<Vec<_>>();
    assert!(lines[0].ends_with("LOS") && lines[1].ends_with(" (%)"), "{text}");
}

/// What a column has is found once, not for every row: a list of trees has 100,000 rows.
#[test]
fn long_tables_are_written_in_no_time() {
    let mut table = Table::new("", ["a", "b", "c", "d"].map(Column::number));
    table.rows = vec![vec![Cell::Whole(7), Cell::Empty, Cell::Whole(8), Cell::Whole(9)]; 30_000];
    let start = std::time::Instant::now();
    assert_eq!(table.render(Format::Csv).lines().count(), 30_001);
    assert_eq!(table.to_json().as_array().map(Vec::len), Some(30_000));
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
}
