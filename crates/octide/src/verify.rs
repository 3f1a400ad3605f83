//! `octide verify`: cases are run one after the other, told in a table or as JSON lines, and made into pages.
//!
//! Cases and verdicts are [`octide_verify`]'s; here are what is asked for, progress, folders and exit codes.

mod folder;
mod machine;
mod table;

use crate::args::{VerifyArgs, set_threads};
use crate::errors::{self, Failure};
use crate::stop::Stop;
use crate::text::{duration, say};
use folder::ReportDir;
use octide_verify::report::{RunInfo, html, markdown, summary};
use octide_verify::{CASES, Case, CaseResult, Context, Observer, SHARED, run};
use serde_json::json;
use std::io::{Write, stderr};
use std::panic::PanicHookInfo;
use std::time::Instant;

/// Lists the cases, or runs those asked for.
pub fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    if args.cases.is_empty() && !args.all && !args.quick {
        if args.report.is_some() || args.docs.is_some() {
            return Err(Failure::Input(
                "a report needs cases: name some, or take --all or --quick".to_owned(),
            ));
        }
        list(args);
        return Ok(());
    }
    let chosen = chosen(args)?;
    let folders = [(&args.report, false), (&args.docs, true)];
    // Before the first case: nobody wants to wait for a folder that is refused.
    let folders: Vec<(ReportDir, bool)> = folders
        .into_iter()
        .filter_map(|(dir, docs)| Some(ReportDir::open(dir.as_ref()?).map(|dir| (dir, docs))))
        .collect::<Result<_, _>>()?;
    set_threads(args.threads)?;
    let look = Look { stop: Stop::listen()? };
    let mut info = RunInfo {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: machine::now(),
        machine: machine::name(),
        threads: rayon::current_num_threads(),
        quick: args.quick,
        seconds: 0.0,
    };
    let start = Instant::now();
    let results = run_all(&chosen, args, &look)?;
    info.seconds = start.elapsed().as_secs_f64();
    for (dir, docs) in &folders {
        dir.write(&if *docs { markdown(&results, &info) } else { html(&results, &info) })?;
    }
    if !args.json {
        say(&format!("{} in {}", summary(&results), duration(info.seconds)));
        if let Some(dir) = &args.report {
            say(&format!("open {} in a browser", dir.join("index.html").display()));
        }
    }
    verdict(&results)
}

/// Tells what there is.
fn list(args: &VerifyArgs) {
    let listed = || CASES.iter().filter(|c| of_method(c, args));
    if args.json {
        for c in listed() {
            let line =
                json!({ "case": c.name, "methods": c.methods, "summary": c.summary, "quick": c.quick });
            say(&line.to_string());
        }
        return;
    }
    let width = |f: fn(&Case) -> usize| listed().map(|c| f(c)).max().unwrap_or(0);
    let methods = |c: &Case| c.methods.join(", ");
    let (name, method) = (width(|c| c.name.len()), width(|c| c.methods.join(", ").len()));
    for c in listed() {
        let quick = if c.quick { "quick" } else { "" };
        say(&format!("{:name$}  {:method$}  {quick:5}  {}", c.name, methods(c), c.summary));
    }
    say("\nRun some with `octide verify CASE…`, all with --all, quick forms with --quick.");
}

fn of_method(case: &Case, args: &VerifyArgs) -> bool {
    args.method.as_deref().is_none_or(|m| case.methods.contains(&m))
}

/// The cases and methods to run.
fn chosen(args: &VerifyArgs) -> Result<Vec<(&'static Case, &'static str)>, Failure> {
    let mut cases: Vec<&'static Case> = if args.cases.is_empty() {
        CASES.iter().copied().filter(|c| of_method(c, args) && (c.quick || !args.quick)).collect()
    } else {
        Vec::new()
    };
    for name in &args.cases {
        let case = octide_verify::find(name).ok_or_else(|| {
            Failure::Input(format!("there is no case {name:?}; `octide verify` lists them"))
        })?;
        if args.quick && !case.quick {
            return Err(Failure::Input(format!("{name} has no quick form; run it without --quick")));
        }
        if !of_method(case, args) {
            let methods = case.methods.join(", ");
            return Err(Failure::Input(format!("{name} does not apply to that method; it is for {methods}")));
        }
        if cases.iter().all(|c| c.name != case.name) {
            cases.push(case);
        }
    }
    let wanted = |m: &str| args.method.as_deref().is_none_or(|wanted| wanted == m);
    let pairs = cases.into_iter().flat_map(|c| c.methods.iter().map(move |&m| (c, m)));
    Ok(pairs.filter(|&(_, m)| wanted(m)).collect())
}

/// Runs the cases and tells of each when it is done.
fn run_all(
    chosen: &[(&'static Case, &'static str)],
    args: &VerifyArgs,
    look: &Look,
) -> Result<Vec<CaseResult>, Failure> {
    // A case that panics fails by itself; the process goes on.
    std::panic::set_hook(Box::new(tell_panic));
    let mut results = Vec::new();
    for (i, &(case, method)) in chosen.iter().enumerate() {
        let of = if method == SHARED { String::new() } else { format!(" ({method})") };
        look.line(&format!("[{}/{}] {}{of}", i + 1, chosen.len(), case.name));
        let threads = rayon::current_num_threads();
        let Ok(result) = run(case, &Context { quick: args.quick, method, threads, observer: look }) else {
            break;
        };
        tell(&result, args.json);
        results.push(result);
        if look.stops() {
            break;
        }
    }
    errors::install_panic_message();
    look.stop.check()?;
    Ok(results)
}

fn tell_panic(info: &PanicHookInfo) {
    let place = info.location().map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
    let _ = writeln!(stderr(), "  panicked{place}");
}

fn tell(result: &CaseResult, json: bool) {
    if json {
        for f in &result.findings {
            let mut line = f.json(result.case.name, &result.method);
            if let Some(error) = &result.error {
                line["error"] = json!(error);
            }
            say(&line.to_string());
        }
    } else {
        say(&table::table(result));
    }
}

fn verdict(results: &[CaseResult]) -> Result<(), Failure> {
    let broken: Vec<&str> = results.iter().filter(|r| r.is_broken()).map(|r| r.case.name).collect();
    if broken.is_empty() {
        return Ok(());
    }
    Err(Failure::Limit(format!("limits are broken in {}", broken.join(", "))))
}

/// Progress on standard error.
struct Look {
    stop: Stop,
}

impl Look {
    fn line(&self, line: &str) {
        let _ = writeln!(stderr(), "{line}");
    }
}

impl Observer for Look {
    fn progress(&self, what: &str) {
        self.line(&format!("  {what}"));
    }

    fn stops(&self) -> bool {
        self.stop.check().is_err()
    }
}
