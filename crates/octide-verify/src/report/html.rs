//! Results as HTML: an index of all claims, and a page for each case.

use super::{
    File, Group, RESULTS, RUN_HEADS, by_case, cells, command, json::json, run_cells, summary_of, total_line,
};
use crate::case::Case;
use crate::escape::escape;
use crate::plot;
use crate::record::Record;
use crate::table::Table;
use crate::verdict::{Finding, Status};

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2430;--soft:#566172;--line:#d5dae1;--ground:#fff;--link:#0b62b8;\
--good:#14692f;--bad:#b00020;--known:#8a5200}\
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--soft:#a7b0bb;--line:#3a434f;--ground:#14181d;--link:#6cb4ff;\
--good:#67d58b;--bad:#ff7b8a;--known:#ffb454}}\
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:720px;background:var(--ground);color:var(--ink);\
font:16px/1.5 system-ui,sans-serif}body.wide{max-width:1080px}a{color:var(--link)}h1{line-height:1.2}\
h2{margin-top:2rem}.soft{color:var(--soft)}.scroll{overflow-x:auto}\
table{border-collapse:collapse;font-size:14px;width:100%}th,td{padding:.35rem .6rem;text-align:left;vertical-align:top;\
border-bottom:1px solid var(--line)}td.n{white-space:nowrap;font-variant-numeric:tabular-nums}\
.pass{color:var(--good)}.fail,.alarm{color:var(--bad);font-weight:700}.known_to_fail{color:var(--known)}\
tr.open td:not([rowspan]){border-bottom:none;padding-bottom:0}td.q{min-width:10.5em}.name{white-space:nowrap}.not_available,.reported{color:var(--soft)}.error{border-left:4px solid var(--bad);padding-left:.8rem}\
svg.plot{width:100%;height:auto;margin:1rem 0}";

/// Returns the pages and the results for programs.
pub fn html(records: &[Record], cases: &[&Case]) -> Vec<File> {
    let groups = by_case(records, cases);
    let mut files = vec![File { name: "index.html".to_owned(), text: index(&groups) }];
    for group in &groups {
        files.push(File { name: format!("{}.html", group.case.name), text: case(group) });
    }
    let mut names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
    names.push(RESULTS.to_owned());
    files.push(File { name: RESULTS.to_owned(), text: json(&groups, &names) });
    files
}

fn page(title: &str, class: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>{STYLE}{}</style>\n</head>\n<body class=\"{class}\">\n{body}</body>\n</html>\n",
        escape(title),
        plot::STYLE
    )
}

fn index(groups: &[Group]) -> String {
    let (mut runs, mut rows) = (String::new(), String::new());
    for r in groups.iter().flat_map(|g| &g.records) {
        let link = format!("<a href=\"{0}.html\">{0}</a>", escape(&r.case));
        let cells: String =
            run_cells(r).iter().map(|c| format!("<td class=\"n\">{}</td>", escape(c))).collect();
        runs.push_str(&format!("<tr><td class=\"name\">{link}</td>{cells}</tr>\n"));
        let n_notes = r.findings.iter().filter(|f| !f.note.is_empty()).count();
        for (i, f) in r.findings.iter().enumerate() {
            let claim = format!(
                "<td class=\"name\" rowspan=\"{}\">{link}<br><span class=\"soft\">{}</span></td>",
                r.findings.len() + n_notes,
                escape(&r.method)
            );
            rows.push_str(&row(f, if i == 0 { &claim } else { "" }));
        }
        if let Some(error) = &r.error {
            rows.push_str(&format!(
                "<tr><td>{link}</td><td class=\"fail\" colspan=\"6\">{}</td></tr>\n",
                escape(error)
            ));
        }
    }
    let records: Vec<&Record> = groups.iter().flat_map(|g| g.records.iter().copied()).collect();
    let heads: String = RUN_HEADS.iter().map(|h| format!("<th>{h}</th>")).collect();
    let body = format!(
        "<h1>Verification</h1>\n<p>Every claim that octide verifies, with its source and its limit, and the measured \
         value.</p>\n<p><strong>{}</strong></p>\n<p class=\"soft\">{}</p>\n<h2>Runs</h2>\n\
         <div class=\"scroll\"><table>\n<tr>{heads}</tr>\n{runs}</table></div>\n<h2>Claims</h2>\n\
         <div class=\"scroll\"><table>\n<tr><th>case</th>{HEADS}</tr>\n{rows}</table></div>\n{LEGEND}",
        escape(&summary_of(&records)),
        escape(&total_line(groups)),
    );
    page("octide verify", "wide", &body)
}

const HEADS: &str =
    "<th>quantity</th><th>measured</th><th>expected</th><th>limit</th><th>verdict</th><th>source</th>";

const LEGEND: &str = "<p class=\"soft\"><em>known to fail</em>: the limit does not hold, which was known before; it becomes an \
alarm when it starts to hold. <em>not available</em>: the method lacks a feature. <em>reported</em>: no limit.</p>\n";

/// Returns the row of a finding; `first` are cells before it, as HTML.
fn row(f: &Finding, first: &str) -> String {
    let [measured, expected, limit, verdict, source] = cells(f).map(|c| escape(&c));
    // A note is long, so it gets a row of its own below.
    let (class, note) = if f.note.is_empty() {
        ("", String::new())
    } else {
        (" class=\"open\"", format!("<tr><td colspan=\"6\"><em>{}</em></td></tr>\n", escape(&f.note)))
    };
    format!(
        "<tr{class}>{first}<td class=\"q\">{}</td><td class=\"n\">{measured}</td><td class=\"n\">{expected}</td><td class=\"n\">{limit}</td>\
         <td class=\"n {}\">{verdict}</td><td>{source}</td></tr>\n{note}",
        escape(&f.quantity.name),
        f.status.key()
    )
}

fn case(group: &Group) -> String {
    let case = group.case;
    let mut body = format!("<p><a href=\"index.html\">all claims</a></p>\n<h1>{}</h1>\n", escape(case.title));
    for (head, text) in [
        ("Problem", case.article.problem),
        ("Reference", case.article.reference),
        ("What is measured", case.article.measured),
    ] {
        body.push_str(&format!("<h2>{head}</h2>\n"));
        for paragraph in text.split("\n\n") {
            body.push_str(&format!("<p>{}</p>\n", escape(paragraph)));
        }
    }
    for r in &group.records {
        body.push_str(&format!("<h2>Results: {}</h2>\n", escape(&r.method)));
        if let Some(error) = &r.error {
            body.push_str(&format!("<p class=\"error\">{}</p>\n", escape(error)));
        }
        let rows: String = r.findings.iter().map(|f| row(f, "")).collect();
        body.push_str(&format!("<div class=\"scroll\"><table>\n<tr>{HEADS}</tr>\n{rows}</table></div>\n"));
        r.plots.iter().for_each(|p| body.push_str(&plot::svg(p, false)));
        r.tables.iter().for_each(|t| body.push_str(&table(t)));
        body.push_str(&format!(
            "<p>To repeat: <code>{}</code></p>\n<p class=\"soft\">{}</p>\n",
            escape(&command(case, r)),
            escape(&r.info.line())
        ));
    }
    if group.records.iter().any(|r| r.count(Status::KnownToFail) + r.count(Status::NotAvailable) > 0) {
        body.push_str(LEGEND);
    }
    page(case.title, "", &body)
}

fn table(t: &Table) -> String {
    let heads: String = t.columns.iter().map(|c| format!("<th>{}</th>", escape(c))).collect();
    let mut out = format!("<h3>{}</h3>\n<div class=\"scroll\"><table>\n<tr>{heads}</tr>\n", escape(&t.title));
    for r in &t.rows {
        let cells: String = r.iter().map(|c| format!("<td class=\"n\">{}</td>", escape(c))).collect();
        out.push_str(&format!("<tr>{cells}</tr>\n"));
    }
    out + "</table></div>\n"
}
