use super::*;
use octide_core::snapshot::{Column, Snapshot, Store, Values};
use proptest::prelude::*;
use std::fs;
use std::io::{self, Write};

fn fill(store: &mut dyn Store) {
    store.put("phi", Values::F64(&[1.5, -0.0, f64::MIN_POSITIVE]));
    store.put("scene", Values::U8("größe = 1\n".as_bytes()));
    store.put("none", Values::F32(&[]));
    store.put("ids", Values::U32(&[0, u32::MAX]));
    store.put("steps", Values::U64(&[1 << 40]));
    store.put("heat", Values::F32(&[0.25; 300]));
}

fn bytes() -> Vec<u8> {
    let mut out = Vec::new();
    write_checkpoint_to(&mut out, fill).unwrap();
    out
}

#[test]
fn columns_come_back_as_they_were() {
    let mut expected = Snapshot::default();
    fill(&mut expected);
    assert_eq!(read_checkpoint_bytes(&bytes()).unwrap(), expected);
    // Longer than a chunk of the reader and the writer.
    let long: Vec<f64> = (0..200_001).map(f64::from).collect();
    let mut out = Vec::new();
    write_checkpoint_to(&mut out, |store| store.put("long", Values::F64(&long))).unwrap();
    assert_eq!(read_checkpoint_bytes(&out).unwrap().raw_f64s("long").unwrap(), long);
}

#[test]
fn every_cut_and_every_flipped_bit_is_found() {
    let good = bytes();
    for n in 0..good.len() {
        assert!(read_checkpoint_bytes(&good[..n]).is_err(), "cut at {n}");
    }
    for i in 0..8 * good.len() {
        let mut bad = good.clone();
        bad[i / 8] ^= 1 << (i % 8);
        assert!(read_checkpoint_bytes(&bad).is_err(), "bit {i}");
    }
    assert!(read_checkpoint_bytes(&[&good[..], &[0]].concat()).unwrap_err().contains("data after its end"));
}

#[test]
fn lengths_are_not_believed() {
    // A column of 2⁶¹ numbers in a file of a few bytes, with correct checksums.
    for n in [u64::MAX, 1 << 61, 1 << 40, 9] {
        let mut bad = bytes()[..16].to_vec();
        let head = [&3u32.to_le_bytes()[..], &F64.to_le_bytes(), &n.to_le_bytes(), b"phi"].concat();
        bad.extend(&head);
        bad.extend([0; 64]);
        assert_eq!(read_checkpoint_bytes(&bad).unwrap_err(), "it is truncated", "{n}");
    }
}

#[test]
fn newer_formats_are_named() {
    let mut other = bytes();
    other[8] = 2;
    let mut sum = flate2::Crc::new();
    sum.update(&other[..12]);
    other[12..16].copy_from_slice(&sum.sum().to_le_bytes());
    let reason = read_checkpoint_bytes(&other).unwrap_err();
    assert_eq!(reason, "it has format 2, but this version of octide reads format 1");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(tail in prop::collection::vec(any::<u8>(), 0..400), keep in 0usize..200) {
        let good = bytes();
        let _ = read_checkpoint_bytes(&tail);
        let _ = read_checkpoint_bytes(&[&good[..keep.min(good.len())], &tail].concat());
    }
}

/// A writer that fails after a number of bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(self.0);
        self.0 -= n;
        if n == 0 { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(n) }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_disk_that_fills_up_anywhere_is_an_error() {
    let n = bytes().len();
    for room in (0..n).step_by(7) {
        let error = write_checkpoint_to(&mut Full(room), fill).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room}");
    }
    write_checkpoint_to(&mut Full(n), fill).unwrap();
}

#[test]
fn the_last_two_are_kept_and_newer_ones_than_the_chosen_are_removed() {
    let folder = crate::test_dir("checkpoints").join("checkpoints");
    let numbered = |n: u64| move |store: &mut dyn Store| store.put("n", Values::U64(&[n]));
    let mut kept = Checkpoints::of(folder.clone());
    assert!(kept.files().unwrap().is_empty());
    for n in [3, 20, 100] {
        kept.write(n, numbered(n)).unwrap();
    }
    fs::write(folder.join("notes.octide"), "mine").unwrap();
    let name = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let names = || -> Vec<String> {
        Checkpoints::of(folder.clone()).files().unwrap().iter().map(|p| name(p)).collect()
    };
    assert_eq!(names(), ["00000100.octide", "00000020.octide"]);

    // A run that resumes from the previous one removes the newest.
    let mut again = Checkpoints::of(folder.clone());
    assert_eq!(again.last(), None);
    again.resume_from(&folder.join("00000020.octide")).unwrap();
    assert_eq!(names(), ["00000020.octide"]);
    again.write(50, numbered(50)).unwrap();
    assert_eq!(names(), ["00000050.octide", "00000020.octide"]);
    assert_eq!(name(again.last().unwrap()), "00000050.octide");
    // The same step again.
    again.write(50, numbered(51)).unwrap();
    assert_eq!(names(), ["00000050.octide", "00000020.octide"]);
    assert_eq!(fs::read_to_string(folder.join("notes.octide")).unwrap(), "mine");
}

#[test]
fn columns_of_all_types_have_a_place() {
    let back = read_checkpoint_bytes(&bytes()).unwrap();
    let kinds: Vec<u8> = back
        .columns()
        .map(|(_, c)| match c {
            Column::U8(_) => 1,
            Column::U32(_) => 2,
            Column::U64(_) => 3,
            Column::F32(_) => 4,
            Column::F64(_) => 5,
        })
        .collect();
    assert_eq!(kinds, [4, 2, 4, 5, 1, 3]);
}
