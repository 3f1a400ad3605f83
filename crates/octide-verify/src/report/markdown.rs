//! Results as Markdown with SVG files, to be kept in a repository.

use super::{File, RESULTS, RunInfo, by_case, cells, json, summary};
use crate::plot;
use crate::run::CaseResult;
use crate::verdict::Finding;

/// The pages, their plots, and the results for programs.
pub fn markdown(results: &[CaseResult], info: &RunInfo) -> Vec<File> {
    let mut files = vec![File { name: "README.md".to_owned(), text: index(results, info) }];
    for group in by_case(results) {
        let mut plots = Vec::new();
        files.push(File { name: format!("{}.md", group[0].case.name), text: case(&group, info, &mut plots) });
        files.extend(plots);
    }
    let mut names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
    names.push(RESULTS.to_owned());
    files.push(File { name: RESULTS.to_owned(), text: json(results, info, &names) });
    files
}

/// A text without meaning as markup, on one line.
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

/// The cells of a finding, with its note behind the source.
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

fn index(results: &[CaseResult], info: &RunInfo) -> String {
    let mut out = format!(
        "# Who promises what\n\nEvery claim that `octide verify` checks, with its source and its limit, and what was \
         measured: {}.\n\n| case | method | {HEADS}{}",
        plain(&summary(results)),
        rule(8)
    );
    for r in results {
        for f in &r.findings {
            let [measured, expected, limit, verdict, source] = with_note(f).map(|c| plain(&c));
            out.push_str(&format!(
                "| [{0}]({0}.md) | {1} | {2} | {measured} | {expected} | {limit} | {verdict} | {source} |\n",
                r.case.name,
                plain(&r.method),
                plain(&f.quantity.name)
            ));
        }
    }
    out + &format!("\n{}\n", plain(&info.line(info.seconds)))
}

fn case(group: &[&CaseResult], info: &RunInfo, plots: &mut Vec<File>) -> String {
    let case = group[0].case;
    let mut out = format!("# {}\n\n[All claims](README.md)\n", plain(case.title));
    for (head, text) in [
        ("Problem", case.article.problem),
        ("Reference", case.article.reference),
        ("What is measured", case.article.measured),
    ] {
        out.push_str(&format!("\n## {head}\n"));
        text.split("\n\n").for_each(|p| out.push_str(&format!("\n{}\n", plain(p))));
    }
    for r in group {
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
        for (i, p) in r.measured.plots.iter().enumerate() {
            let name = format!("{}-{}-{}.svg", case.name, r.method, i + 1);
            out.push_str(&format!("\n![{}]({name})\n", plain(&p.title)));
            plots.push(File { name, text: plot::svg(p, true) });
        }
        for t in &r.measured.tables {
            out.push_str(&format!(
                "\n### {}\n\n{}{}",
                plain(&t.title),
                row(&t.columns),
                rule(t.columns.len())
            ));
            t.rows.iter().for_each(|r| out.push_str(&row(r)));
        }
    }
    let seconds = group.iter().map(|r| r.seconds).sum();
    let form = if info.quick { "--quick " } else { "" };
    out + &format!("\nAgain: `octide verify {form}{}`\n\n{}\n", case.name, plain(&info.line(seconds)))
}
