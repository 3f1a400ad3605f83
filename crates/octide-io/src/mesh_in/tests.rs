use super::*;
use octide_core::DVec3;
use octide_core::geometry::primitives::icosphere;

fn read(bytes: &[u8], name: &str) -> Result<TriMesh, MeshReadError> {
    let path = Path::new(name);
    parse_mesh(bytes, MeshFormat::of(path).unwrap(), path)
}

fn said(bytes: &[u8], name: &str) -> String {
    read(bytes, name).unwrap_err().to_string()
}

fn ball() -> TriMesh {
    icosphere(DVec3::new(0.5, -1.0, 3.0), 1.25, 1)
}

fn obj(m: &TriMesh) -> String {
    let v: String = m.positions.iter().map(|p| format!("v {} {} {}\n", p[0], p[1], p[2])).collect();
    let f: String =
        m.triangles.iter().map(|t| format!("f {} {}/3 {}/1/2\n", t[0] + 1, t[1] + 1, t[2] + 1)).collect();
    format!("# a ball\no ball\n{v}s off\n{f}")
}

fn ply_header(m: &TriMesh, format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment a ball\nelement vertex {}\nproperty double x\nproperty uchar red\n\
         property float y\nproperty float z\nelement other 2\nproperty list uchar short things\nelement face {}\n\
         property uchar flags\nproperty list uchar int vertex_indices\nend_header\n",
        m.positions.len(),
        m.triangles.len()
    )
}

fn ply_text(m: &TriMesh) -> String {
    let v: String = m.positions.iter().map(|p| format!("{} 200 {} {}\n", p[0], p[1], p[2])).collect();
    let f: String = m.triangles.iter().map(|t| format!("7 3 {} {} {}\n", t[0], t[1], t[2])).collect();
    format!("{}{v}2 5 -6\n0\n{f}", ply_header(m, "ascii"))
}

fn ply_binary(m: &TriMesh, big: bool) -> Vec<u8> {
    let format = if big { "binary_big_endian" } else { "binary_little_endian" };
    let mut out = ply_header(m, format).into_bytes();
    let mut put = |le: &[u8]| if big { out.extend(le.iter().rev()) } else { out.extend(le) };
    for p in &m.positions {
        put(&f64::from(p[0]).to_le_bytes());
        put(&[200]);
        put(&p[1].to_le_bytes());
        put(&p[2].to_le_bytes());
    }
    put(&[2]);
    put(&5i16.to_le_bytes());
    put(&(-6i16).to_le_bytes());
    put(&[0]);
    for t in &m.triangles {
        put(&[7]);
        put(&[3]);
        t.iter().for_each(|v| put(&v.to_le_bytes()));
    }
    out
}

fn stl_text(m: &TriMesh) -> String {
    let mut out = "solid a ball\n".to_owned();
    for t in &m.triangles {
        out += "facet normal 0 0 0\n outer loop\n";
        for v in t {
            let p = m.positions[*v as usize];
            out += &format!("  vertex {} {} {:e}\n", p[0], p[1], p[2]);
        }
        out += " endloop\nendfacet\n";
    }
    out + "endsolid a ball\n"
}

fn stl_binary(m: &TriMesh, title: &[u8]) -> Vec<u8> {
    let mut out = title.to_vec();
    out.resize(80, 0);
    out.extend((m.triangles.len() as u32).to_le_bytes());
    for t in &m.triangles {
        out.extend([0; 12]);
        t.iter().flat_map(|v| m.positions[*v as usize]).for_each(|x| out.extend(x.to_le_bytes()));
        out.extend([0; 2]);
    }
    out
}

/// Returns whether two meshes have the same corners in the same order, whatever the indices of their
/// vertices.
fn same_corners(a: &TriMesh, b: &TriMesh) -> bool {
    let corners = |m: &TriMesh| (0..m.triangles.len()).map(|t| m.corners(t)).collect::<Vec<_>>();
    corners(a) == corners(b)
}

#[test]
fn every_dialect_gives_the_mesh_back() {
    let m = ball();
    assert_eq!(read(obj(&m).as_bytes(), "a.obj").unwrap(), m);
    assert_eq!(read(obj(&m).replace('\n', "\r\n").as_bytes(), "a.OBJ").unwrap(), m);
    assert_eq!(read(ply_text(&m).as_bytes(), "a.ply").unwrap(), m);
    assert_eq!(read(ply_text(&m).replace('\n', "\r\n").as_bytes(), "a.ply").unwrap(), m);
    assert_eq!(read(&ply_binary(&m, false), "a.ply").unwrap(), m);
    assert_eq!(read(&ply_binary(&m, true), "a.ply").unwrap(), m);
    for stl in [stl_text(&m).into_bytes(), stl_binary(&m, b"ball"), stl_binary(&m, b"solid ball")] {
        let read = read(&stl, "a.stl").unwrap();
        assert!(same_corners(&read, &m) && read.positions.len() == m.positions.len());
        assert!(read.is_closed_manifold());
    }
}

#[test]
fn files_are_read_from_disk() {
    let path = std::env::temp_dir().join(format!("octide-mesh-in-{}.obj", std::process::id()));
    std::fs::write(&path, obj(&ball())).unwrap();
    let found = read_mesh(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(found.unwrap(), ball());
    assert!(matches!(read_mesh(&path), Err(MeshReadError::Io { .. })));
}

#[test]
fn only_files_of_a_size_that_can_be_read_are_read() {
    let folder = crate::test_dir("mesh-sizes");
    std::fs::create_dir(folder.join("folder.obj")).unwrap();
    let error = read_mesh(&folder.join("folder.obj")).unwrap_err().to_string();
    assert!(error.contains("it is not a file; name a .obj, .ply or .stl file"), "{error}");
    // A sparse file: it takes no space on the disk.
    let huge = folder.join("huge.stl");
    std::fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    let error = read_mesh(&huge).unwrap_err().to_string();
    assert!(error.contains("the file has 1099.5 GB; files up to 8.6 GB are read"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn polygons_are_fanned_and_indices_may_count_backwards() {
    let square = "v 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\n";
    let expected = vec![[0, 1, 2], [0, 2, 3]];
    for face in ["f 1 2 3 4", "f -4 -3 -2 -1", "f 1//5 2//5 \\\n 3//5 4//5", "\tf 1/1/1   2/2/2 3 4 "] {
        assert_eq!(
            read(format!("{square}{face}\n").as_bytes(), "a.obj").unwrap().triangles,
            expected,
            "{face}"
        );
    }
    // A face may come before its vertices.
    assert_eq!(read(format!("f 1 2 3 4\n{square}").as_bytes(), "a.obj").unwrap().triangles, expected);
}

#[test]
fn obj_errors_name_the_line() {
    for (text, expected) in [
        ("v 0 0\n", "a.obj, line 1: the line ends where a coordinate should be; complete the line"),
        ("v 0 0 0\nv 1 x 0\n", "a.obj, line 2: \"x\" is not a coordinate; put a number there"),
        (
            "v 0 0 0\nf 1 1\n",
            "a.obj, line 2: a face has 2 corners; give it at least three corners, or remove it",
        ),
        (
            "v 0 0 0\nf 1 0 1\n",
            "a.obj, line 2: the face's corner \"0\" refers to vertex 0; number vertices from 1 on, or from -1 on backward from the face",
        ),
        (
            "v 0 0 0\nf 1 -2 1\n",
            "a.obj, line 2: the face's corner \"-2\" refers to a vertex that does not exist; number vertices from 1 on, or from -1 on backward from the face",
        ),
        (
            "v 0 0 0\nf 1 1 9\nf 1 1 1\n",
            "a.obj, line 2: a face refers to vertex 9, but the file has only 1; the file is incomplete: export it again",
        ),
        (
            "v 0 0 0\nv 0 nan 0\nf 1 2 1\n",
            "a.obj, line 2: vertex 2 has the position [0.0, NaN, 0.0], which is not finite; repair the vertex; \
             coordinates must be from -1e12 to 1e12",
        ),
        ("v 0 0 0\n", "a.obj: the mesh has no faces; export it with faces, not as points"),
        ("", "a.obj: the file is empty; export the mesh again"),
    ] {
        assert_eq!(said(text.as_bytes(), "a.obj"), expected);
    }
}

#[test]
fn ply_errors_name_the_place() {
    let m = ball();
    let text = ply_text(&m);
    assert!(said(b"plx\n", "a.ply").contains("line 1: a PLY file begins with \"ply\""));
    assert!(said(b"ply\nformat ascii 1.0\n", "a.ply").contains("no line \"end_header\""));
    let odd = text.replace("ascii", "utf16");
    assert!(
        said(odd.as_bytes(), "a.ply")
            .contains("line 2: unknown format \"utf16\"; the formats are ascii, binary_little")
    );
    let odd = text.replace("property double x", "property quad x");
    assert!(said(odd.as_bytes(), "a.ply").contains("line 5: the type \"quad\" is not known"));
    let odd = text.replace("property float z", "property float w");
    assert!(said(odd.as_bytes(), "a.ply").contains("the vertices have no property \"z\""));
    let odd = text.replace("vertex_indices", "strips");
    assert!(said(odd.as_bytes(), "a.ply").contains("the faces have no list \"vertex_indices\""));
    let odd = text.replacen("7 3 ", "7 3 99", 1);
    let line = 15 + m.positions.len() + 2 + 1 - 1;
    assert!(
        said(odd.as_bytes(), "a.ply").contains(&format!("line {line}: face 1 refers to vertex 99")),
        "{}",
        said(odd.as_bytes(), "a.ply")
    );
    let binary = ply_binary(&m, false);
    let cut = &binary[..binary.len() - 3];
    assert!(
        said(cut, "a.ply")
            .contains(&format!("byte {}: the file ends within a face's corner", binary.len() - 4))
    );
}

#[test]
fn false_counts_neither_panic_nor_take_memory() {
    let m = ball();
    let huge = u64::MAX.to_string();
    for (from, to) in [
        ("element vertex 42", format!("element vertex {huge}")),
        ("element face 80", format!("element face {huge}")),
    ] {
        let text = ply_text(&m).replace(from, &to);
        assert_ne!(text, ply_text(&m));
        assert!(said(text.as_bytes(), "a.ply").contains("ends within"));
    }
    let mut stl = stl_binary(&m, b"ball");
    stl[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(
        said(&stl, "a.stl").contains("promises 4294967295 triangles, but the file has bytes for only 80")
    );
}

#[test]
fn stl_errors_name_the_place() {
    assert!(said(b"hello\n", "a.stl").contains(
        "line 1: an STL file in text form begins with \"solid\", but this file begins with \"hello\""
    ));
    let text = stl_text(&ball());
    let odd = text.replacen("  vertex", "  vortex", 1);
    assert!(said(odd.as_bytes(), "a.stl").contains("line 4: \"vortex\" is not a keyword of STL files"));
    let end = text.find("endloop").unwrap();
    assert!(said(&text.as_bytes()[..end], "a.stl").contains("the file ends inside a facet"));
    assert!(said(b"solid nothing\nendsolid\n", "a.stl").contains("the mesh has no faces"));
}

#[test]
fn other_extensions_are_refused_with_those_that_are_read() {
    for name in ["a.gltf", "a", "a.obj.gz"] {
        let error = read_mesh(Path::new(name)).unwrap_err().to_string();
        assert!(error.contains(".obj, .ply or .stl"), "{error}");
    }
}

#[test]
fn damaged_files_never_panic() {
    let m = ball();
    let files = [
        (obj(&m).into_bytes(), "a.obj"),
        (ply_text(&m).into_bytes(), "a.ply"),
        (ply_binary(&m, true), "a.ply"),
        (stl_text(&m).into_bytes(), "a.stl"),
        (stl_binary(&m, b"x"), "a.stl"),
    ];
    for (bytes, name) in files {
        for n in (0..bytes.len()).step_by(5) {
            // Truncated, or with one byte changed: an error or a mesh, but never a panic.
            let _ = read(&bytes[..n], name);
            let mut odd = bytes.clone();
            odd[n] = odd[n].wrapping_mul(31).wrapping_add(97);
            if let Ok(mesh) = read(&odd, name) {
                assert!(mesh.triangles.iter().flatten().all(|v| (*v as usize) < mesh.positions.len()));
            }
        }
    }
}
