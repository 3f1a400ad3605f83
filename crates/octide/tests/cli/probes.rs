//! `probes.csv` as a user reads it.

use crate::Dir;
use std::collections::BTreeMap;
use std::fs;

const TANK: &str = r#"
octide = 1
resolution = 32
domain.size = [1, 0.5, 0.5]
physics.density = 900
time = { frames = 2, fps = 50 }
output.preview = false
[[liquid]]
shape.box = { min = [0, 0, 0], max = [1, 0.203, 0.5] }
[[probe]]
name = "sensor"
point = [0.37, 0.05, 0.21]
[[probe]]
name = "floor"
point = [1, 0, 0.5]
[[probe]]
name = "dry"
point = [0.5, 0.4, 0.25]
[[probe]]
name = "wave"
gauge = { x = 0.61, z = 0.11 }
[[probe]]
name = "tip"
front = "-x"
[[probe]]
name = "all"
whole = true
"#;

/// Returns all columns by name; an empty field is `None`.
pub fn columns(csv: &str) -> BTreeMap<String, Vec<Option<f64>>> {
    let mut lines = csv.lines().filter(|l| !l.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut columns: BTreeMap<String, Vec<Option<f64>>> = BTreeMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), names.len(), "{line}");
        for (name, field) in names.iter().zip(fields) {
            let value = (!field.is_empty()).then(|| field.parse().unwrap());
            columns.entry((*name).to_owned()).or_default().push(value);
        }
    }
    columns
}

#[test]
fn still_water_shows_its_weight_height_and_energy() {
    let dir = Dir::new("probes");
    fs::write(dir.path("tank.toml"), TANK).unwrap();
    dir.octide(&["run", "tank.toml", "--out", "a", "--threads", "1"]).expect(0);
    dir.octide(&["run", "tank.toml", "--out", "b", "--threads", "2"]).expect(0);
    let csv = fs::read_to_string(dir.path("a/probes.csv")).unwrap();
    assert_eq!(csv, fs::read_to_string(dir.path("b/probes.csv")).unwrap());
    assert!(csv.contains("# wave: gauge at x = 0.61 m, z = 0.11 m") && csv.ends_with('\n'), "{csv}");

    let columns = columns(&csv);
    let n_steps = fs::read_to_string(dir.path("a/stats.jsonl")).unwrap().lines().count() - 1;
    let of = |name: &str| {
        assert_eq!(columns[name].len(), n_steps, "{name}");
        columns[name].iter().copied()
    };
    assert_eq!((of("time_s").next(), of("time_s").last()), (Some(Some(0.0)), Some(Some(0.04))));
    assert!(of("step").eq((0..n_steps).map(|i| Some(i as f64))));
    let is = |name: &str, value: f64, within: f64, skip: usize| {
        for x in of(name).skip(skip) {
            assert!((x.unwrap() - value).abs() <= within, "{name}: {x:?} {value}");
        }
    };
    for (name, depth) in [("sensor", 0.153), ("floor", 0.203)] {
        let name = format!("{name}.pressure_Pa");
        let weight = 900.0 * 9.8 * depth;
        assert_eq!(of(&name).next(), Some(None), "no pressure has acted at the start");
        is(&name, weight, 0.01 * weight, 1);
    }
    is("dry.pressure_Pa", 0.0, 0.0, 1);
    assert!(of("dry.velocity_x_m_per_s").all(|v| v.is_none()));
    is("sensor.velocity_y_m_per_s", 0.0, 1e-4, 0);
    is("sensor.phi_m", -0.153, 1e-4, 0);
    is("wave.height_m", 0.203, 1e-4, 0);
    is("wave.depth_m", 0.203, 1e-4, 0);
    is("tip.front_m", 0.0, 0.0, 0);
    let volume = 0.5 * 0.203;
    is("all.volume_m3", volume, 1e-3 * volume, 0);
    let energy = 900.0 * 9.8 * volume * 0.5 * 0.203;
    is("all.potential_energy_J", energy, 0.01 * energy, 0);
    is("all.center_y_m", 0.1015, 1e-3, 0);
}

#[test]
fn scenes_without_probes_have_no_table() {
    let dir = Dir::new("no-probes");
    dir.small("a", &["--no-pictures"]).expect(0);
    assert!(!dir.path("a/probes.csv").exists());
}

#[test]
fn a_breaking_dam_shows_the_same_on_any_number_of_threads() {
    let dir = Dir::new("probes-threads");
    let run = |n: &str| {
        let front = "probe.1={ name = \"tip\", front = \"+z\" }";
        let args = ["run", "dam-break", "--resolution", "32", "--frames", "3", "--no-pictures", "--out", n];
        dir.octide(&[&args[..], &["--threads", n, "--set", front]].concat()).expect(0);
        fs::read_to_string(dir.path(&format!("{n}/probes.csv"))).unwrap()
    };
    let first = run("1");
    assert!(first.lines().count() > 5 && first.contains("tip.front_m"), "{first}");
    assert_eq!(first, run("2"));
}

#[test]
fn a_table_that_cannot_be_written_is_code_5() {
    let dir = Dir::new("probes-disk");
    fs::write(dir.path("tank.toml"), TANK).unwrap();
    fs::create_dir_all(dir.path("a/probes.csv")).unwrap();
    fs::write(dir.path("a/scene.toml"), "").unwrap();
    dir.octide(&["run", "tank.toml", "--out", "a", "--overwrite"])
        .expect(5)
        .tells(&["error: cannot write", "probes.csv"]);
}
