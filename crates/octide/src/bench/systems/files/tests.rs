use super::*;

/// A new, empty folder that is removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("octide-systems-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        Self(dir)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All systems of a folder.
fn read_folder(dir: &Path) -> Result<Vec<System>, SystemError> {
    names_in(dir)?.iter().map(|name| read(dir, name)).collect()
}

/// ( 2 −1  0 )
/// (−1  2 −1 ) x = ( 1 2 3 )
/// ( 0 −1  2 )
fn small(name: &str) -> System {
    let (offsets, columns) = (vec![0, 2, 5, 7], vec![0, 1, 0, 1, 2, 1, 2]);
    let values = vec![2.0, -1.0, -1.0, 2.0, -1.0, -1.0, 2.0];
    System {
        name: name.to_owned(),
        matrix: Csr::from_parts(3, offsets, columns, values).unwrap(),
        rhs: vec![1.0, 2.0, 3.0],
        cells: vec![[1, 0, 0, 0], [2, 3, 1, 0], [-5, 4, 4, 4]],
    }
}

#[test]
fn what_is_written_is_read_again_in_the_order_of_names() {
    let dir = Dir::new("round");
    let without_cells = System { cells: Vec::new(), ..small("a") };
    let systems = [without_cells, small("b"), super::super::uniform(6).unwrap()];
    for system in systems.iter().rev() {
        write(&dir.0, system).unwrap();
    }
    fs::write(dir.0.join("other.txt"), "not a system").unwrap();
    assert_eq!(read_folder(&dir.0).unwrap(), systems);
    assert!(!dir.0.join("a.cells.bin").exists());
}

#[test]
fn files_have_the_layout_that_others_read() {
    let dir = Dir::new("layout");
    write(&dir.0, &small("s")).unwrap();
    let bytes = |end: &str| fs::read(dir.0.join(format!("s{end}"))).unwrap();
    let mut a: Vec<u8> = Vec::new();
    a.extend([3_i64, 0, 2, 5, 7, 0, 1, 0, 1, 2, 1, 2].iter().flat_map(|i| i.to_le_bytes()));
    a.extend([2.0_f64, -1.0, -1.0, 2.0, -1.0, -1.0, 2.0].iter().flat_map(|v| v.to_le_bytes()));
    assert_eq!(bytes(MATRIX), a);
    assert_eq!(bytes(RHS)[..16], [3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes(RHS)[24..32], 2.0_f64.to_le_bytes());
    assert_eq!(bytes(CELLS)[32..], [251, 255, 255, 255, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]);
}

#[test]
fn a_folder_without_systems_is_told() {
    let dir = Dir::new("empty");
    assert!(read_folder(&dir.0).unwrap_err().to_string().contains("cannot be read"));
    fs::create_dir_all(&dir.0).unwrap();
    assert!(read_folder(&dir.0).unwrap_err().what.contains("no system"));
}

/// What is told about a system of which one file was changed by `change`.
fn damaged(end: &str, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let dir = Dir::new(&format!("damaged-{end}"));
    write(&dir.0, &small("s")).unwrap();
    let path = dir.0.join(format!("s{end}"));
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(&path, bytes).unwrap();
    let e = read_folder(&dir.0).unwrap_err();
    assert_eq!(e.path, path, "{e}");
    e.what
}

fn put(bytes: &mut [u8], at: usize, word: [u8; 8]) {
    bytes[at..at + 8].copy_from_slice(&word);
}

#[test]
fn a_damaged_matrix_is_told_with_its_place() {
    // Rows are counted at byte 0, offsets begin at 8, columns at 40, values at 96; the file ends at 152.
    let with = |at: usize, word: [u8; 8]| damaged(MATRIX, |b| put(b, at, word));
    let cut = |n: usize| damaged(MATRIX, |b| b.truncate(n));
    assert_eq!(cut(0), "ends at byte 0, within a head of 16 bytes");
    assert_eq!(cut(30), "ends at byte 30; its 3 rows need 40 bytes");
    assert_eq!(cut(150), "ends at byte 150, within an entry: from byte 40 on each takes 16 bytes");
    assert_eq!(cut(136), "row offset 3 is 7, not in 0..7");
    assert_eq!(
        with(0, u64::MAX.to_le_bytes()),
        "names 18446744073709551615 rows at byte 0: more than 32 bits can number"
    );
    assert!(with(0, 0xffff_fff0_u64.to_le_bytes()).contains("rows need 34359738256 bytes"));
    assert_eq!(with(16, (-1_i64).to_le_bytes()), "row offset 1 is -1, not in 0..8");
    assert_eq!(with(16, (1_i64 << 32).to_le_bytes()), "row offset 1 is 4294967296, not in 0..8");
    assert!(with(32, 6_i64.to_le_bytes()).contains("ends at entry 6, but the file has room for 7"));
    assert!(with(24, 1_i64.to_le_bytes()).contains("offsets of row 1"));
    assert_eq!(with(48, 3_i64.to_le_bytes()), "column of entry 1 is 3, not in 0..3");
    assert_eq!(with(48, (-1_i64).to_le_bytes()), "column of entry 1 is -1, not in 0..3");
    assert!(with(48, 0_i64.to_le_bytes()).contains("columns of row 0 do not increase"));
    assert!(with(104, f64::NAN.to_le_bytes()).contains("row 0 has a value that is not finite"));
    assert!(damaged(MATRIX, |b| b.extend([0; 16])).contains("has room for 8"));
}

#[test]
fn a_damaged_right_hand_side_is_told_with_its_place() {
    let with = |at: usize, word: [u8; 8]| damaged(RHS, |b| put(b, at, word));
    assert_eq!(damaged(RHS, |b| b.truncate(9)), "ends at byte 9, within a head of 16 bytes");
    assert_eq!(damaged(RHS, |b| b.truncate(39)), "ends at byte 39; its 3 rows need 40 bytes");
    assert_eq!(with(0, 2_u64.to_le_bytes()), "names 2 rows at byte 0, but the matrix has 3");
    assert_eq!(with(8, 2_u64.to_le_bytes()), "names 2 vectors at byte 8, not 1");
    assert_eq!(with(24, f64::INFINITY.to_le_bytes()), "row 1 is not finite");
    assert_eq!(damaged(RHS, |b| b.extend([0; 3])), "goes on for 3 bytes after its end at byte 40");
    let dir = Dir::new("no-rhs");
    write(&dir.0, &small("s")).unwrap();
    fs::remove_file(dir.0.join("s.b.bin")).unwrap();
    let e = read_folder(&dir.0).unwrap_err();
    assert!(e.to_string().contains("s.b.bin: cannot be read"), "{e}");
}

#[test]
fn damaged_cells_are_told_with_their_place() {
    let with = |at: usize, word: i32| damaged(CELLS, |b| b[at..at + 4].copy_from_slice(&word.to_le_bytes()));
    assert_eq!(damaged(CELLS, |b| b.truncate(47)), "ends at byte 47; 3 rows need 48 bytes");
    assert_eq!(damaged(CELLS, |b| b.push(0)), "goes on for 1 bytes after its end at byte 48");
    assert_eq!(with(4, 2), "the cell of row 0, [1, 2, 0, 0], is not in the unit cube");
    assert_eq!(with(20, -1), "the cell of row 1, [2, -1, 1, 0], is not in the unit cube");
    assert_eq!(with(44, 5), "the cell of row 2, [-5, 4, 4, 5], is not in the unit cube");
    assert_eq!(with(16, i32::MAX), "the cell of row 1, [2147483647, 3, 1, 0], is not in the unit cube");
}
