use super::*;
use proptest::prelude::*;

fn axis(scale: Scale) -> Axis {
    Axis { label: "a < b & \"c\"".to_owned(), scale, ticks: Vec::new() }
}

fn plot(x: Scale, y: Scale, points: &[[f64; 2]]) -> Plot {
    let series = [Series::measured, Series::reference, Series::guide, Series::line]
        .map(|make| make("<name>", points.to_vec()))
        .to_vec();
    Plot { title: "errors & 'orders'".to_owned(), x: axis(x), y: axis(y), series }
}

/// What is wrong with it as XML or as a picture.
fn flaw(svg: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        if rest[..start].contains('>') {
            return Some(format!("a bare > in {:?}", &rest[..start]));
        }
        let end = start + rest[start..].find('>')?;
        let tag = &rest[start + 1..end];
        if tag.matches('"').count() % 2 == 1 {
            return Some(format!("quotes in {tag}"));
        }
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next()?;
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) if open.pop() != Some(name) => return Some(format!("</{name}> closes nothing")),
            (false, false) => open.push(name),
            _ => {}
        }
        rest = &rest[end + 1..];
    }
    let words = ["NaN", "nan", "inf"].into_iter().find(|w| svg.contains(w));
    (!open.is_empty()).then(|| format!("{open:?} stay open")).or(words.map(str::to_owned))
}

/// All numbers of points and paths lie near the picture.
fn in_sight(svg: &str) -> bool {
    svg.split("points=\"").skip(1).all(|part| {
        part.split('"').next().unwrap_or("").split([' ', ',']).all(|n| {
            let v: f64 = n.parse().unwrap();
            (-1.0..=721.0).contains(&v)
        })
    })
}

#[track_caller]
fn good(p: &Plot) -> String {
    for standalone in [false, true] {
        let text = svg(p, standalone);
        assert_eq!(flaw(&text), None, "{text}");
        assert!(in_sight(&text), "{text}");
    }
    svg(p, false)
}

#[test]
fn one_point_equal_points_zeros_and_nothing_can_be_drawn() {
    use Scale::{Linear, Log};
    let bad = [[f64::NAN, 1.0], [1.0, f64::INFINITY], [1.0, f64::NAN]];
    let lists: [&[[f64; 2]]; 8] = [
        &[],
        &[[8.0, 1e-3]],
        &[[8.0, 1e-3], [8.0, 1e-3]],
        &[[0.0, 0.0]],
        &[[0.0, 0.0], [8.0, 1e-3], [16.0, -1e-3]],
        &bad,
        &[[1e-320, 1e308], [1e308, 1e-320]],
        &[[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]],
    ];
    for points in lists {
        for (x, y) in [(Log, Log), (Linear, Linear), (Log, Linear), (Linear, Log)] {
            good(&plot(x, y, points));
        }
    }
    assert!(good(&plot(Log, Log, &[[0.0, 1.0]])).contains("nothing to show"));
    assert!(!good(&plot(Linear, Linear, &[[0.0, 0.0]])).contains("nothing to show"));
    let none = Plot { series: Vec::new(), ..plot(Log, Log, &[]) };
    good(&none);
}

#[test]
fn what_cannot_be_shown_is_left_out_and_the_rest_drawn() {
    let text = good(&plot(Scale::Log, Scale::Log, &[[8.0, 1e-2], [16.0, 0.0], [32.0, 1e-3]]));
    let line = text.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(line.split(' ').count(), 2, "{line}");
}

#[test]
fn axes_have_sensible_marks() {
    let labels = |axis: &Axis, values: &[f64]| -> Vec<String> {
        let fitted = scale::Fitted::new(axis, values.iter().copied()).unwrap();
        fitted.ticks.into_iter().map(|t| t.1).collect()
    };
    let ticks = vec![8.0, 16.0, 32.0];
    assert_eq!(labels(&Axis { ticks, ..axis(Scale::Log) }, &[8.0, 32.0]), ["8", "16", "32"]);
    assert_eq!(labels(&axis(Scale::Log), &[1e-5, 1e-2]), ["10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"]);
    assert_eq!(labels(&axis(Scale::Linear), &[0.0, 1.0]), ["0", "0.5", "1"]);
    assert_eq!(labels(&axis(Scale::Linear), &[-2.0, 7.0]), ["-2", "0", "2", "4", "6"]);
    assert!(labels(&axis(Scale::Log), &[3e-4, 5e-4]).len() >= 2);
    assert!((2..=10).contains(&labels(&axis(Scale::Log), &[1e-300, 1e299]).len()));
}

proptest! {
    #[test]
    fn any_numbers_make_a_picture(points in prop::collection::vec(prop::array::uniform2(prop::num::f64::ANY), 0..12)) {
        for scale in [Scale::Linear, Scale::Log] {
            good(&plot(scale, scale, &points));
        }
    }
}
