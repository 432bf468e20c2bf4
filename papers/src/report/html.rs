//! The report as one page of HTML that needs nothing else: the Markdown with its pictures inside.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::markdown::{Document, Picture};

/// All documents as one page.
#[must_use]
pub fn html(documents: &[Document]) -> String {
    let title = documents.first().map_or("", |document| document.title.as_str());
    let mut page = format!(
        "<!doctype html>\n<!-- made by treegraft reproduce report -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<nav aria-label=\"Papers\"><ul>\n",
        escaped(title)
    );
    for document in documents {
        let (id, title) = (id(document), escaped(&document.title));
        page.push_str(&format!("<li><a href=\"#{id}\">{title}</a></li>\n"));
    }
    page.push_str("</ul></nav>\n<main>\n");
    for document in documents {
        let id = id(document);
        page.push_str(&format!("<section id=\"{id}\">\n{}</section>\n", body(document)));
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// The name of a document in links.
fn id(document: &Document) -> &str {
    if document.folder.is_empty() { "all" } else { &document.folder }
}

/// A document's text as HTML.
fn body(document: &Document) -> String {
    let events = Parser::new_ext(&document.text, Options::ENABLE_TABLES);
    let mut out = Vec::new();
    let mut picture: Option<&Picture> = None;
    let mut is_linked = false;
    for event in events {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                picture = document.pictures.iter().find(|it| *it.file == *dest_url);
            }
            Event::End(TagEnd::Image) => {
                if let Some(shown) = picture.take() {
                    out.push(Event::Html(figure(shown).into()));
                }
            }
            // The alternative text is the picture's label.
            Event::Text(_) if picture.is_some() => {}
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = target(&dest_url);
                is_linked = target.is_some();
                if let Some(target) = target {
                    let dest_url = target.into();
                    out.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
            }
            Event::End(TagEnd::Link) if !is_linked => {}
            Event::Start(Tag::Table(columns)) => {
                out.push(Event::Html("<div class=\"wide\">".into()));
                out.push(Event::Start(Tag::Table(columns)));
            }
            Event::End(TagEnd::Table) => {
                out.push(Event::End(TagEnd::Table));
                out.push(Event::Html("</div>".into()));
            }
            event => out.push(event),
        }
    }
    let mut text = String::new();
    pulldown_cmark::html::push_html(&mut text, out.into_iter());
    for verdict in crate::Verdict::ALL {
        let words = verdict.text();
        let class = words.split([' ', ',']).next().unwrap_or_default();
        text = text.replace(
            &format!("<td style=\"text-align: left\">{words}</td>"),
            &format!("<td class=\"verdict {class}\">{words}</td>"),
        );
    }
    text
}

/// Where a link of a document leads to in the page; `None`: to a file that the page does not have.
fn target(link: &str) -> Option<String> {
    match link.strip_suffix("README.md") {
        Some("" | "../") => Some("#all".to_owned()),
        Some(folder) => {
            let name = folder.trim_start_matches("../").trim_end_matches('/');
            (!name.contains('/')).then(|| format!("#{name}"))
        }
        None => (link.starts_with("https://") || link.starts_with('#')).then(|| link.to_owned()),
    }
}

/// A picture in the page, with what it shows for those who do not see it.
fn figure(picture: &Picture) -> String {
    let label = escaped(&picture.alt);
    let class = if picture.file.contains("/board-") { "board" } else { "plot" };
    let svg = picture.svg.trim_end();
    let svg = svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1);
    format!("<span class=\"{class}\">{svg}</span>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Pictures are drawn for white paper: in the dark, ink and paper change places, and the colours stay.
const STYLE: &str = "\
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --faint: #5b5b5b; --line: #d8d8d8;
  --good: #1a7f37; --fair: #7a5b00; --bad: #b42318; --link: #0b57a4; --shade: #f5f5f3; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #e6e6e6; --faint: #a2a2a2;
  --line: #3a3d42; --good: #56c271; --fair: #d9b34a; --bad: #ff8a7a; --link: #7db7ff; --shade: #1f2226; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font: 16px/1.5 system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif; }
nav { background: var(--shade); border-bottom: 1px solid var(--line); }
nav ul { margin: 0 auto; padding: .6rem 1rem; max-width: 70rem; list-style: none; display: flex;
  flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .9rem; }
main { max-width: 70rem; margin: 0 auto; padding: 0 1rem 4rem; }
section { border-top: 3px solid var(--line); margin-top: 2rem; }
section:first-child { border-top: 0; margin-top: 0; }
a { color: var(--link); }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
h3 { font-size: 1.05rem; }
code { font: .9em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; background: var(--shade); padding: .6rem .8rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { text-align: left; color: var(--faint); font-weight: 600; }
.verdict { white-space: nowrap; font-weight: 600; }
.agrees { color: var(--good); } .same { color: var(--fair); } .differs, .opposite { color: var(--bad); }
.not { color: var(--faint); font-weight: 400; }
.plot svg, .board svg { max-width: 100%; height: auto; }
.board { display: inline-block; margin: .3rem .8rem .3rem 0; } .board svg { max-height: 11rem; width: auto; }
.plot { display: block; margin: 1rem 0; }
summary { cursor: pointer; color: var(--faint); }
@media (prefers-color-scheme: dark) {
  .plot svg [fill=\"#ffffff\"], .plot svg [fill=\"white\"] { fill: var(--paper); }
  .plot svg [fill=\"#222222\"], .plot svg [fill=\"#000000\"] { fill: var(--ink); }
  .plot svg [fill=\"#666666\"] { fill: var(--faint); }
  .plot svg [stroke=\"#ffffff\"] { stroke: var(--paper); }
  .plot svg [stroke=\"#222222\"], .plot svg [stroke=\"#000000\"] { stroke: var(--ink); }
  .plot svg [stroke=\"#666666\"] { stroke: var(--faint); }
  .plot svg [stroke=\"#e4e4e4\"] { stroke: var(--line); }
  .plot svg [fill=\"#0072b2\"] { fill: #56b4e9; } .plot svg [stroke=\"#0072b2\"] { stroke: #56b4e9; }
}
";
