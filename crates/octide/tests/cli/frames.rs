//! Numbers, times and axes of frames.

use crate::Dir;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn stats(run: &Path) -> Vec<Value> {
    let text = fs::read_to_string(run.join("stats.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn frames_are_hit_exactly_and_steps_are_even() {
    let dir = Dir::new("times");
    dir.small("a", &["--no-pictures", "--set", "time.fps=24", "--frames", "3"]).expect(0);
    let lines = stats(&dir.path("a"));
    assert_eq!(lines[0]["format"], "octide-stats");
    assert_eq!((&lines[1]["frame"], &lines[1]["step"]), (&Value::from(0), &Value::from(0)));
    for k in 1..=3u32 {
        let of_frame: Vec<&Value> = lines[2..].iter().filter(|l| l["frame"] == k).collect();
        let end = of_frame.last().unwrap()["time"].as_f64().unwrap();
        assert!((end - f64::from(k) / 24.0).abs() < 1e-14, "{k} {end}");
        let dts: Vec<f64> = of_frame.iter().map(|l| l["dt"].as_f64().unwrap()).collect();
        let (least, most) =
            (dts.iter().copied().fold(f64::INFINITY, f64::min), dts.iter().copied().fold(0.0, f64::max));
        assert!(least > 0.3 * most, "{dts:?}");
        let ply = fs::read(dir.path(&format!("a/surface/{k:04}.ply"))).unwrap();
        let time = format!("{}", f64::from(k) / 24.0);
        assert!(header(&ply).contains(&time), "{}", header(&ply));
    }
    for (i, line) in lines[1..].iter().enumerate() {
        assert_eq!(line["step"], i);
        assert!(line["volume"].as_f64().unwrap() > 0.2);
        #[cfg(target_os = "linux")]
        assert!(line["memory_bytes"].as_u64().unwrap() > 1 << 20);
    }
}

#[test]
fn changes_by_flag_and_by_set_reach_the_run() {
    let dir = Dir::new("set");
    dir.small(
        "a",
        &[
            "--no-pictures",
            "--frames",
            "1",
            "--set",
            "physics.density=800",
            "--set",
            "output.cells=true",
            "--set",
            "output.particles=false",
        ],
    )
    .expect(0);
    let scene = fs::read_to_string(dir.path("a/scene.toml")).unwrap();
    for part in ["density = 800.0", "frames = 1", "resolution = 32", "preview = false"] {
        assert!(scene.contains(part), "{part}");
    }
    assert!(dir.path("a/cells/0001.ply").is_file());
    assert!(!dir.path("a/volume").exists() && !dir.path("a/particles").exists());
}

#[test]
fn numbers_start_where_the_scene_says() {
    let dir = Dir::new("first");
    dir.small("a", &["--set", "output.first_frame=1001"]).expect(0);
    for number in 1001..=1003 {
        assert!(dir.path(&format!("a/surface/{number}.ply")).is_file());
        assert!(dir.path(&format!("a/particles/{number}.ply")).is_file());
        assert!(dir.path(&format!("a/preview/{number}.png")).is_file());
    }
    assert_eq!(dir.files().iter().filter(|f| f.ends_with(".ply")).count(), 6);
}

#[test]
fn z_up_turns_what_is_written() {
    let dir = Dir::new("up");
    dir.small("y", &["--no-pictures"]).expect(0);
    dir.small("z", &["--no-pictures", "--set", "output.up=z"]).expect(0);
    let [y, z] = ["y", "z"].map(|d| fs::read(dir.path(&format!("{d}/surface/0002.ply"))).unwrap());
    let (in_y, in_z) = (first_vertices(&y, 50), first_vertices(&z, 50));
    // Position, normal and velocity are rotated alike.
    let turned: Vec<[f32; 3]> = in_y.iter().map(|v| [v[0], -v[2], v[1]]).collect();
    assert_eq!(turned, in_z);
    assert!(in_y != in_z && header(&z).contains("up z"), "{}", header(&z));
}

fn header(ply: &[u8]) -> String {
    let end = ply.windows(11).position(|w| w == b"end_header\n").unwrap();
    String::from_utf8(ply[..end].to_vec()).unwrap()
}

/// Returns position, normal and velocity of the first vertices, one after the other.
fn first_vertices(ply: &[u8], n: usize) -> Vec<[f32; 3]> {
    let data = &ply[header(ply).len() + 11..];
    let number = |i: usize| f32::from_le_bytes(data[4 * i..4 * i + 4].try_into().unwrap());
    (0..3 * n).map(|i| [number(3 * i), number(3 * i + 1), number(3 * i + 2)]).collect()
}
