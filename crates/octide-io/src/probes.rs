//! `probes.csv`: comment lines (`#`) that describe the probes, a line with the names of the columns, then
//! one line per step. A field is empty if there is nothing to measure.
//!
//! Positions and vectors use the axes of the scene file, even if `output.up` turns the axes of other files.

use crate::file_error::DiskError;
use crate::lines::Lines;
use octide_core::probes::{Room, columns};
use octide_core::scene::{ProbeKind, Scene};
use std::path::Path;

/// Writes `probes.csv` during a run. Each line is written at once, so that other programs can follow the
/// file.
#[derive(Debug)]
pub struct ProbesWriter {
    lines: Lines,
    n_columns: usize,
}

impl ProbesWriter {
    /// Creates the file and writes its header.
    pub fn create(path: &Path, scene: &Scene) -> Result<Self, DiskError> {
        let mut probes = Self { lines: Lines::create(path)?, n_columns: n_columns(scene) };
        probes.lines.write(&head(scene))?;
        Ok(probes)
    }

    /// Truncates the file to `length` bytes and appends to it, as a resumed run does. Creates it if the
    /// probes have changed.
    pub fn resume(path: &Path, scene: &Scene, length: u64) -> Result<Self, DiskError> {
        // Lines with other columns cannot be appended to a table.
        let head = head(scene);
        let names = head.lines().last().unwrap_or_default();
        let is_same = std::fs::read_to_string(path).is_ok_and(|text| text.lines().any(|l| l == names));
        let lines = Lines::cut_back(path, length)?;
        if lines.length() == 0 || !is_same {
            return Self::create(path, scene);
        }
        Ok(Self { lines, n_columns: n_columns(scene) })
    }

    /// Length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.lines.length()
    }

    /// Syncs all lines to disk.
    pub fn sync(&self) -> Result<(), DiskError> {
        self.lines.sync()
    }

    /// Writes the values of all probes after a step.
    pub fn step(&mut self, step: u64, time: f64, values: &[Option<f64>]) -> Result<(), DiskError> {
        debug_assert_eq!(values.len(), self.n_columns);
        let mut line = format!("{time:?},{step}");
        for value in values {
            line.push(',');
            if let Some(x) = value.filter(|x| x.is_finite()) {
                line.push_str(&format!("{x:?}"));
            }
        }
        line.push('\n');
        self.lines.write(&line)
    }
}

fn n_columns(scene: &Scene) -> usize {
    scene.probes.iter().map(|p| columns(&p.kind, scene.is_smoke()).len()).sum()
}

fn head(scene: &Scene) -> String {
    let room = Room::new(scene);
    let mut text = format!(
        "# octide-probes 1, octide {}; axes as in the scene file; an empty field: nothing to measure\n",
        env!("CARGO_PKG_VERSION")
    );
    let mut names = "time_s,step".to_owned();
    for probe in &scene.probes {
        text.push_str(&format!("# {}: {}\n", probe.name, described(&probe.kind, &room, scene.is_smoke())));
        for column in columns(&probe.kind, scene.is_smoke()) {
            names.push_str(&format!(",{}.{column}", probe.name));
        }
    }
    text + &names + "\n"
}

fn described(kind: &ProbeKind, room: &Room, is_smoke: bool) -> String {
    let axis = |a: usize| ["x", "y", "z"][a];
    match kind {
        ProbeKind::Point(p) => {
            let [x, y, z] = p.to_array();
            format!("point at x = {x} m, y = {y} m, z = {z} m")
        }
        ProbeKind::Gauge(foot) => {
            let place: Vec<String> = (0..3)
                .filter(|&a| a != room.up.axis)
                .map(|a| format!("{} = {} m", axis(a), foot[a]))
                .collect();
            let (up, floor) = (room.up.name(), room.floor());
            format!(
                "gauge at {}, upright along {up}; height over the floor at {} = {floor} m",
                place.join(", "),
                axis(room.up.axis)
            )
        }
        ProbeKind::Front(heading) => {
            format!(
                "front along {}; water of at least {} m counts; a coordinate",
                heading.name(),
                0.5 * room.dx
            )
        }
        ProbeKind::Whole if is_smoke => "all of the air, and the smoke in it".to_owned(),
        ProbeKind::Whole => "all of the water".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file::{LoadOptions, load_str};

    fn scene() -> Scene {
        let text = "octide = 1\nresolution = 64\ndomain.size = [1, 0.5, 1]\n\
            [[liquid]]\nshape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }\n\
            [[probe]]\nname = \"wave\"\ngauge = { x = 0.25, z = 0.5 }\n\
            [[probe]]\nname = \"tip\"\nfront = \"+x\"\n\
            [[probe]]\nname = \"sensor\"\npoint = [1, 0.125, 0.5]\n\
            [[probe]]\nname = \"all\"\nwhole = true\n";
        load_str(text, "a.toml", Path::new("."), &LoadOptions::new(octide_methods::ABILITIES)).unwrap().scene
    }

    #[test]
    fn the_file_explains_itself_and_has_one_line_for_each_step() {
        let path = crate::test_dir("probes").join("probes.csv");
        let mut probes = ProbesWriter::create(&path, &scene()).unwrap();
        let mut values = vec![Some(0.0); 17];
        (values[0], values[2], values[3]) = (Some(0.1), None, Some(f64::NAN));
        probes.step(0, 0.0, &values).unwrap();
        values[1] = Some(1e-17);
        probes.step(1, 0.004, &values).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let (first, rest) = text.split_once('\n').unwrap();
        assert!(first.starts_with("# octide-probes 1, octide "));
        assert_eq!(
            rest,
            "# wave: gauge at x = 0.25 m, z = 0.5 m, upright along +y; height over the floor at y = 0 m\n\
             # tip: front along +x; water of at least 0.0078125 m counts; a coordinate\n\
             # sensor: point at x = 1 m, y = 0.125 m, z = 0.5 m\n\
             # all: all of the water\n\
             time_s,step,wave.height_m,wave.depth_m,tip.front_m,sensor.pressure_Pa,sensor.velocity_x_m_per_s,\
             sensor.velocity_y_m_per_s,sensor.velocity_z_m_per_s,sensor.phi_m,all.volume_m3,all.kinetic_energy_J,\
             all.potential_energy_J,all.momentum_x_kg_m_per_s,all.momentum_y_kg_m_per_s,\
             all.momentum_z_kg_m_per_s,all.center_x_m,all.center_y_m,all.center_z_m\n\
             0.0,0,0.1,0.0,,,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0\n\
             0.004,1,0.1,1e-17,,,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0\n"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let failed = ProbesWriter::create(Path::new("/dev/full"), &scene()).unwrap_err();
        assert!(failed.to_string().starts_with("cannot write /dev/full: "), "{failed}");
    }
}
