//! Results as Markdown with SVG files, to be kept in a repository.

use super::{
    File, Group, RESULTS, RUN_HEADS, by_case, cells, command, json::json, run_cells, summary_of, total_line,
};
use crate::case::Case;
use crate::plot;
use crate::record::Record;
use crate::verdict::Finding;

/// Returns the pages, their plots, and the results for programs.
pub fn markdown(records: &[Record], cases: &[&Case]) -> Vec<File> {
    let groups = by_case(records, cases);
    let mut files = vec![File { name: "README.md".to_owned(), text: index(&groups) }];
    for group in &groups {
        let mut plots = Vec::new();
        files.push(File { name: format!("{}.md", group.case.name), text: case(group, &mut plots) });
        files.extend(plots);
    }
    let mut names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
    names.push(RESULTS.to_owned());
    files.push(File { name: RESULTS.to_owned(), text: json(&groups, &names) });
    files
}

/// Returns `text` on one line, with the characters escaped that have a meaning in Markdown.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' | '<' | '>' | '#' | '~' | '&' | '$' => {
                out.extend(['\\', c])
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns the cells of a finding, with its note after the source.
fn with_note(f: &Finding) -> [String; 5] {
    let mut cells = cells(f);
    if !f.note.is_empty() {
        cells[4] = format!("{} ({})", cells[4], f.note).trim_start().to_owned();
    }
    cells
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.iter().map(|c| plain(c)).collect::<Vec<_>>().join(" | "))
}

fn rule(n: usize) -> String {
    format!("|{}\n", "---|".repeat(n))
}

const HEADS: &str = "quantity | measured | expected | limit | verdict | source |\n";

fn index(groups: &[Group]) -> String {
    let records: Vec<&Record> = groups.iter().flat_map(|g| g.records.iter().copied()).collect();
    let mut out = format!(
        "# Verification\n\nEvery claim that `octide verify` checks, with its source and its limit, and the measured \
         value: {}.\n\n## Runs\n\n{}{}",
        plain(&summary_of(&records)),
        row(&RUN_HEADS.map(str::to_owned)),
        rule(RUN_HEADS.len())
    );
    for r in &records {
        let cells = run_cells(r).map(|c| plain(&c)).join(" | ");
        out.push_str(&format!("| [{0}]({0}.md) | {cells} |\n", r.case));
    }
    out.push_str(&format!("\n{}\n", plain(&total_line(groups))));
    out.push_str(&format!("\n## Claims\n\n| case | method | {HEADS}{}", rule(8)));
    for r in &records {
        for f in &r.findings {
            let [measured, expected, limit, verdict, source] = with_note(f).map(|c| plain(&c));
            out.push_str(&format!(
                "| [{0}]({0}.md) | {1} | {2} | {measured} | {expected} | {limit} | {verdict} | {source} |\n",
                r.case,
                plain(&r.method),
                plain(&f.quantity.name)
            ));
        }
    }
    out
}

fn case(group: &Group, plots: &mut Vec<File>) -> String {
    let case = group.case;
    let mut out = format!("# {}\n\n[All claims](README.md)\n", plain(case.title));
    for (head, text) in [
        ("Problem", case.article.problem),
        ("Reference", case.article.reference),
        ("What is measured", case.article.measured),
    ] {
        out.push_str(&format!("\n## {head}\n"));
        text.split("\n\n").for_each(|p| out.push_str(&format!("\n{}\n", plain(p))));
    }
    for r in &group.records {
        out.push_str(&format!("\n## Results: {}\n\n", plain(&r.method)));
        if let Some(error) = &r.error {
            out.push_str(&format!("**{}**\n\n", plain(error)));
        }
        out.push_str(&format!("| {HEADS}{}", rule(6)));
        for f in &r.findings {
            let mut all = vec![f.quantity.name.clone()];
            all.extend(with_note(f));
            out.push_str(&row(&all));
        }
        for (i, p) in r.plots.iter().enumerate() {
            let name = format!("{}-{}-{}.svg", case.name, r.method, i + 1);
            out.push_str(&format!("\n![{}]({name})\n", plain(&p.title)));
            plots.push(File { name, text: plot::svg(p, true) });
        }
        for t in &r.tables {
            out.push_str(&format!(
                "\n### {}\n\n{}{}",
                plain(&t.title),
                row(&t.columns),
                rule(t.columns.len())
            ));
            t.rows.iter().for_each(|r| out.push_str(&row(r)));
        }
        out.push_str(&format!("\nTo repeat: `{}`\n\n{}\n", command(case, r), plain(&r.info.line())));
    }
    out
}
