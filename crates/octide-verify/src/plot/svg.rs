//! A plot as SVG: 720 wide, readable on light and dark backgrounds, no scripts.

use super::scale::{Fitted, shows};
use super::{Look, Plot, Series};
use crate::escape::escape;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
/// Margins around the frame: left, right, top, bottom.
const MARGIN: [f64; 4] = [84.0, 16.0, 40.0, 54.0];
const FRAME_HEIGHT: f64 = 300.0;
/// Height of a line of the legend, and its number of columns.
const LEGEND_LINE: f64 = 22.0;
const LEGEND_COLUMNS: usize = 2;

/// Colors of a plot. Series also differ by their marks.
pub const STYLE: &str = "\
.plot{font:14px system-ui,sans-serif;--ink:#1c2430;--faint:#d5dae1;--c0:#0b62b8;--c1:#b3450b;--c2:#1b7a3d;--c3:#7a3bb0;--c4:#9a1750;--c5:#5b6470}\
@media(prefers-color-scheme:dark){.plot{--ink:#e4e8ee;--faint:#3a434f;--c0:#6cb4ff;--c1:#ff9d5c;--c2:#67d58b;--c3:#c79bf5;--c4:#ff86b4;--c5:#a7b0bb}}\
.plot text{fill:var(--ink)}.plot .title{font-weight:600}.plot .grid{stroke:var(--faint)}\
.plot .frame{fill:none;stroke:var(--ink)}.plot .line{fill:none;stroke-width:2}.plot .guide{stroke-dasharray:6 5;stroke-width:1.5}\
.plot .mark{stroke-width:1.8}";

/// Returns the plot as an SVG element; `standalone` adds its own style, for a file.
pub fn svg(plot: &Plot, standalone: bool) -> String {
    let n_lines = plot.series.len().div_ceil(LEGEND_COLUMNS);
    let height = MARGIN[2] + FRAME_HEIGHT + MARGIN[3] + LEGEND_LINE * n_lines as f64;
    let mut out = format!(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{}\"{}>\n",
        escape(&plot.title),
        if standalone { format!(" width=\"{WIDTH}\" height=\"{height}\"") } else { String::new() },
    );
    if standalone {
        line(&mut out, format_args!("<style>{STYLE}</style>"));
    }
    text(&mut out, MARGIN[0], 24.0, "start", "title", &plot.title);
    let visible = |p: &&[f64; 2]| shows(plot.x.scale, p[0]) && shows(plot.y.scale, p[1]);
    let points = || plot.series.iter().flat_map(|s| s.points.iter().filter(visible));
    let (x, y) = (Fitted::new(&plot.x, points().map(|p| p[0])), Fitted::new(&plot.y, points().map(|p| p[1])));
    if let (Some(x), Some(y)) = (x, y) {
        axes(&mut out, plot, &x, &y);
        for (i, series) in plot.series.iter().enumerate() {
            let at: Vec<[f64; 2]> = series
                .points
                .iter()
                .filter(visible)
                .map(|p| [across(x.place(p[0])), up(y.place(p[1]))])
                .collect();
            curve(&mut out, i, series, &at);
        }
        legend(&mut out, plot);
    } else {
        frame(&mut out);
        text(&mut out, across(0.5), up(0.5), "middle", "", "nothing to show");
    }
    out.push_str("</svg>\n");
    out
}

fn across(share: f64) -> f64 {
    MARGIN[0] + share * (WIDTH - MARGIN[0] - MARGIN[1])
}

fn up(share: f64) -> f64 {
    MARGIN[2] + (1.0 - share) * FRAME_HEIGHT
}

fn line(out: &mut String, what: std::fmt::Arguments) {
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{what}");
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, class: &str, what: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    line(
        out,
        format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{class}>{}</text>",
            escape(what)
        ),
    );
}

fn frame(out: &mut String) {
    let (w, h) = (across(1.0) - across(0.0), FRAME_HEIGHT);
    let (x, y) = (across(0.0), up(1.0));
    line(out, format_args!("<rect class=\"frame\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>"));
}

fn axes(out: &mut String, plot: &Plot, x: &Fitted, y: &Fitted) {
    for (v, label) in &x.ticks {
        let at = across(x.place(*v));
        line(out, format_args!("<path class=\"grid\" d=\"M{at:.1} {:.1}V{:.1}\"/>", up(0.0), up(1.0)));
        text(out, at, up(0.0) + 18.0, "middle", "", label);
    }
    for (v, label) in &y.ticks {
        let at = up(y.place(*v));
        line(
            out,
            format_args!("<path class=\"grid\" d=\"M{:.1} {at:.1}H{:.1}\"/>", across(0.0), across(1.0)),
        );
        text(out, across(0.0) - 8.0, at + 5.0, "end", "", label);
    }
    frame(out);
    text(out, across(0.5), up(0.0) + 42.0, "middle", "", &plot.x.label);
    let (cx, cy) = (18.0, up(0.5));
    line(
        out,
        format_args!(
            "<text x=\"{cx}\" y=\"{cy}\" text-anchor=\"middle\" transform=\"rotate(-90 {cx} {cy})\">{}</text>",
            escape(&plot.y.label)
        ),
    );
}

fn curve(out: &mut String, number: usize, series: &Series, at: &[[f64; 2]]) {
    let color = color(number);
    if series.look != Look::Reference && at.len() > 1 {
        let way: Vec<String> = at.iter().map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect();
        let class = if series.look == Look::Guide { "line guide" } else { "line" };
        line(
            out,
            format_args!(
                "<polyline class=\"{class}\" style=\"stroke:{color}\" points=\"{}\"/>",
                way.join(" ")
            ),
        );
    }
    if matches!(series.look, Look::Measured | Look::Reference) {
        at.iter().for_each(|&p| mark(out, number, series.look, p));
    }
}

fn color(number: usize) -> String {
    format!("var(--c{})", number % 6)
}

/// Circles, squares, diamonds and triangles in turn; hollow for references.
fn mark(out: &mut String, number: usize, look: Look, [x, y]: [f64; 2]) {
    let r = 4.5;
    let shape = match number % 4 {
        0 => format!("M{:.1} {y:.1}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 -{} 0z", x - r, 2.0 * r, 2.0 * r),
        1 => format!("M{:.1} {:.1}h{}v{}h-{}z", x - 4.0, y - 4.0, 8, 8, 8),
        2 => format!("M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", y - 5.5),
        _ => format!("M{x:.1} {:.1}l5 9h-10z", y - 5.5),
    };
    let color = color(number);
    let fill = if look == Look::Reference { "none" } else { color.as_str() };
    line(out, format_args!("<path class=\"mark\" style=\"stroke:{color};fill:{fill}\" d=\"{shape}\"/>"));
}

fn legend(out: &mut String, plot: &Plot) {
    let column = (WIDTH - MARGIN[0] - MARGIN[1]) / LEGEND_COLUMNS as f64;
    for (i, series) in plot.series.iter().enumerate() {
        let x = across(0.0) + column * (i % LEGEND_COLUMNS) as f64;
        let y = up(0.0) + MARGIN[3] + 8.0 + LEGEND_LINE * (i / LEGEND_COLUMNS) as f64;
        let sample = [[x, y], [x + 15.0, y], [x + 30.0, y]];
        match series.look {
            Look::Measured | Look::Reference => {
                if series.look == Look::Measured {
                    curve(out, i, &Series::line("", Vec::new()), &sample);
                }
                mark(out, i, series.look, sample[1]);
            }
            Look::Guide | Look::Line => curve(out, i, series, &sample),
        }
        text(out, x + 38.0, y + 5.0, "start", "", &series.name);
    }
}
