//! Scenes as people make them: what must hold in each of them, whatever it shows.

mod observe;
mod scenes;

use crate::expectations::everyday as misses;
use crate::methods::{supports_in_water, water_methods};
use observe::{Seen, observe};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use scenes::{Everyday, factors, scenes};

pub(crate) static CASE: Case = Case {
    name: "everyday",
    title: "Everyday scenes",
    summary: "twelve scenes as people make them: they complete, no wall leaks, no water is lost or moved by hand, none is too fast",
    article: Article {
        problem: "A tap fills a glass to the brim and over it; a stream falls over a figure with thin arms and legs; a dam breaks in a \
            tank with walls of 4 mm; a paddle turns in a pool; rain; a hull goes through the sea; a jug is poured into a cup; a \
            pipe with a bend; a basin drains through a plug hole; a stream runs down stairs; a wave maker and a beach; a \
            ball of water is thrown at a wall with a window. The scene files are in tools/everyday. They run with half, \
            three quarters and all of the cells that the files ask for, with the default settings of the method. The \
            quick form runs four of them with half of the cells for 0.3 s.",
        reference: "No water is lost or made, none passes through a wall, and water does not gain energy by itself. \
            What a frame shows is all the water there is.",
        measured: "For each scene the worst of all resolutions. The fraction of its time that a run reaches. The volume beyond \
            walls in finest cells, where water can get only through them: sample points in water, eight a cell, and \
            particles. The error of the books: water in cells and spray less what there was at the start and came in, plus what went \
            out, relative to the most that there was. The volume of φ and of spray off the water that there is; the \
            same for what frames show: points inside the surface and outside solids, and drops. What was moved to where the flow did \
            not put it, in the time of a fall through the domain. The rise of kinetic and potential energy above an \
            earlier value, over that of the start above the state of rest, in scenes without inflows and moving \
            solids. The highest speed over √(v² + 2gH), where H is the domain's height and v the speed of the fastest \
            liquid, inflow or solid.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

/// A figure of a run.
struct Figure {
    name: &'static str,
    unit: &'static str,
    /// The heading of its column.
    column: &'static str,
    of: fn(&Seen) -> f64,
}

const REACHED: Figure =
    Figure { name: "part of its time that is reached", unit: "", column: "reached", of: |s| s.reached };
const BEYOND: Figure = Figure {
    name: "volume beyond walls, most",
    unit: "cells",
    column: "beyond walls, cells",
    of: |s| s.beyond,
};
const BOOKS: Figure = Figure { name: "error of the books, most", unit: "", column: "books", of: |s| s.books };
const SHOWN: Figure = Figure {
    name: "volume off the water there is, most",
    unit: "%",
    column: "volume off, %",
    of: |s| 100.0 * s.shown,
};
const FRAMES: Figure = Figure {
    name: "water in frames off the water there is, most",
    unit: "%",
    column: "frames off, %",
    of: |s| 100.0 * s.frames,
};
const MOVED: Figure = Figure {
    name: "moved by hand in the time of a fall, most",
    unit: "%",
    column: "moved, %",
    of: |s| 100.0 * s.moved,
};
const ENERGY: Figure =
    Figure { name: "largest rise of energy", unit: "%", column: "energy, %", of: |s| 100.0 * s.energy };
const SPEED: Figure =
    Figure { name: "highest speed over that of a fall", unit: "", column: "speed", of: |s| s.speed };

/// All of them, in the order of columns.
const FIGURES: [&Figure; 8] = [&REACHED, &BEYOND, &BOOKS, &SHOWN, &FRAMES, &MOVED, &ENERGY, &SPEED];

/// Returns the name of a quantity.
fn name(scene: &Everyday, figure: &Figure) -> String {
    format!("{}: {}", scene.name, figure.name)
}

/// Returns whether a method can keep volume cell by cell.
fn keeps_books(method: &str) -> bool {
    supports_in_water(method, "numerics.volume_correction", "local")
}

/// Returns whether a figure has a meaning in a scene.
fn is_measured(scene: &Everyday, figure: &Figure) -> bool {
    match figure.name {
        name if name == BEYOND.name => scene.walls.is_some(),
        name if name == ENERGY.name => scene.rest.is_some(),
        _ => true,
    }
}

/// Returns the quantities without what is known about the method.
pub(crate) fn declared(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for scene in scenes(quick) {
        for figure in FIGURES.into_iter().filter(|f| is_measured(scene, f)) {
            all.push(declare(method, scene, figure));
        }
    }
    all
}

fn declare(method: &str, scene: &Everyday, figure: &Figure) -> Quantity {
    const OURS: &str = "our own requirement for everyday scenes";
    let q = Quantity::new(name(scene, figure), figure.unit);
    let limit = |q: Quantity, limit: Limit| q.limit(limit, OURS);
    let at_most = |q: Quantity, most: f64| limit(q, Limit::AtMost(most)).expected(0.0);
    let keeps = keeps_books(method);
    match figure.column {
        c if c == REACHED.column => limit(q, Limit::AtLeast(1.0)).expected(1.0),
        c if c == BEYOND.column => at_most(q, 0.0),
        c if c == BOOKS.column && keeps => at_most(q, 1e-10),
        c if c == BOOKS.column => q.not_available("volume that is kept cell by cell"),
        c if c == SHOWN.column => at_most(q, if keeps { 0.5 } else { 2.0 }),
        c if c == FRAMES.column && keeps => at_most(q, 1.0),
        c if c == MOVED.column && keeps => at_most(q, 0.1),
        c if c == ENERGY.column => at_most(q, 0.5),
        c if c == SPEED.column => limit(q, Limit::AtMost(2.0)),
        _ => q,
    }
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    misses::apply(&misses::of(method), quick, declared(method, quick))
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut rows = Vec::new();
    for scene in scenes(context.quick) {
        let mut worst = [f64::NAN; FIGURES.len()];
        for &factor in factors(context.quick) {
            let read = scene.scene(context.method, factor, context.quick)?;
            let seen = observe(context, scene, &read)?;
            for (worst, figure) in worst.iter_mut().zip(FIGURES) {
                let value = (figure.of)(&seen);
                // The fraction that is reached is worst where it is least.
                *worst = if figure.column == REACHED.column { worst.min(value) } else { worst.max(value) };
            }
            rows.push(row(scene, read.domain.resolution, &seen));
        }
        for (value, figure) in worst.into_iter().zip(FIGURES) {
            let is_kept = figure.column != BOOKS.column || keeps_books(context.method);
            if is_measured(scene, figure) && is_kept {
                m.set(name(scene, figure), value);
            }
        }
    }
    let mut columns = vec!["scene".to_owned(), "cells".to_owned()];
    columns.extend(FIGURES.iter().map(|f| f.column.to_owned()));
    columns.extend(["most cells", "seconds", "what ended it"].map(str::to_owned));
    m.tables.push(Table { title: "Every run".to_owned(), columns, rows });
    Ok(m)
}

/// Returns a row of the table.
fn row(scene: &Everyday, cells: u32, seen: &Seen) -> Vec<String> {
    let mut row = vec![scene.name.to_owned(), cells.to_string()];
    for figure in FIGURES {
        let value = (figure.of)(seen);
        let text = || if figure.column == BOOKS.column { number::error(value) } else { number::short(value) };
        row.push(if is_measured(scene, figure) && value.is_finite() { text() } else { String::new() });
    }
    row.extend([seen.cells.to_string(), number::short(seen.seconds), seen.trouble.clone()]);
    row
}
