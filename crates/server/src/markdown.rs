//! Markdown as HTML: tables of experiments, and the lessons of the course.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

/// The HTML of a text. HTML inside it is shown as text, since names of players may hold anything;
/// `link` says where links and pictures lead to, or that they lead nowhere.
pub(crate) fn to_html(text: &str, link: impl Fn(&str) -> Option<String>) -> String {
    let target = |url: CowStr<'_>| CowStr::from(link(&url).unwrap_or_else(|| "#".to_owned()));
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: target(dest_url), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Image { link_type, dest_url: target(dest_url), title, id })
        }
        event => event,
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    // The policy of the page allows no styles inside of it. In text, these characters are escaped.
    page.replace(" style=\"text-align: right\">", " class=\"number\">")
        .replace(" style=\"text-align: left\">", ">")
        .replace(" style=\"text-align: center\">", ">")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_text_comes_through() {
        let text = "# a <b>\n\n<script>x</script>\n\n|c|\n|-:|\n|<img src=x>|\n\n[d](javascript:e) [f](#/g)";
        let page = to_html(text, |url| url.starts_with("#/").then(|| url.to_owned()));
        assert!(
            !page.contains("<script") && !page.contains("<img") && !page.contains("javascript")
        );
        assert!(page.contains("<th class=\"number\">c</th>") && !page.contains("style="), "{page}");
        assert!(page.contains("<table>") && page.contains("<a href=\"#/g\">f</a>"), "{page}");
        assert!(page.contains("<a href=\"#\">d</a>"), "{page}");
    }
}
