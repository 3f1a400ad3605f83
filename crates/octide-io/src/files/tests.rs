use super::*;
use std::io::{Read, Write};

fn write(path: &Path, text: &str) -> io::Result<()> {
    let new = NewFile::create(path)?;
    new.handle()?.write_all(text.as_bytes())?;
    new.keep()
}

/// Names and contents of all files in a folder, by name.
fn content(folder: &Path) -> Vec<(String, String)> {
    let read = |e: fs::DirEntry| {
        (e.file_name().to_string_lossy().into_owned(), fs::read_to_string(e.path()).unwrap_or_default())
    };
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|e| read(e.unwrap())).collect();
    all.sort();
    all
}

#[test]
fn a_new_file_has_a_random_name_until_it_is_kept() {
    let dir = crate::test_dir("files-new");
    let [one, two] = [(); 2].map(|()| NewFile::create(&dir.join("a.txt")).unwrap());
    assert_ne!(one.temporary, two.temporary);
    for new in [&one, &two] {
        assert_eq!(final_name(new.temporary_name().unwrap().to_str().unwrap()), Some("a.txt"));
    }
    one.keep().unwrap();
    drop(two);
    assert_eq!(content(&dir), [("a.txt".to_owned(), String::new())]);
    check_writable(&dir).unwrap();
    assert_eq!(content(&dir).len(), 1);
}

#[test]
fn temporary_names_of_all_versions_are_known() {
    for (temporary, name) in [
        (".0007.ply.0123456789abcdef.part", Some("0007.ply")),
        (".0007.ply.part", Some("0007.ply")),
        ("0007.png.tmp", Some("0007.png")),
        (".a.b.part", Some("a.b")),
        ("0007.ply", None),
        (".0007.ply", None),
        (".part", None),
    ] {
        assert_eq!(final_name(temporary), name, "{temporary}");
    }
    assert!(is_probe(".octide-probe.part") && is_probe(".octide-probe.00000000000000ff.part"));
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A folder with a file that links lead to, and an empty folder `run`.
    fn with_victim(name: &str) -> (PathBuf, PathBuf) {
        let dir = crate::test_dir(name);
        fs::write(dir.join("victim"), "precious").unwrap();
        fs::create_dir(dir.join("run")).unwrap();
        (dir.join("run"), dir.join("victim"))
    }

    fn assert_unharmed(victim: &Path) {
        assert_eq!(fs::read_to_string(victim).unwrap(), "precious");
    }

    #[test]
    fn a_link_is_replaced_and_its_target_is_unharmed() {
        let (run, victim) = with_victim("files-replace");
        for (i, link) in [true, false].into_iter().enumerate() {
            let [a, b] = [0, 1].map(|k| run.join(format!("{i}{k}")));
            for path in [&a, &b] {
                if link { symlink(&victim, path).unwrap() } else { fs::hard_link(&victim, path).unwrap() }
            }
            write(&a, "new").unwrap();
            create_in_place(&b).unwrap().write_all(b"new").unwrap();
            for path in [&a, &b] {
                assert!(!is_a_link(path));
                assert_eq!(fs::read_to_string(path).unwrap(), "new");
            }
        }
        assert_unharmed(&victim);
    }

    #[test]
    fn a_file_is_continued_but_not_through_a_link() {
        let (run, victim) = with_victim("files-continue");
        symlink(&victim, run.join("soft")).unwrap();
        symlink("nowhere", run.join("dangling")).unwrap();
        for name in ["soft", "dangling"] {
            let refused = open_to_continue(&run.join(name)).unwrap_err();
            assert!(refused.to_string().starts_with("it is a link"), "{refused}");
        }
        // The other name of a hard link keeps its content; this one has a copy.
        let hard = run.join("hard");
        fs::hard_link(&victim, &hard).unwrap();
        let mut file = open_to_continue(&hard).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        file.write_all(b", and more").unwrap();
        assert_eq!(
            (text.as_str(), fs::read_to_string(&hard).unwrap().as_str()),
            ("precious", "precious, and more")
        );
        assert_unharmed(&victim);
        // An ordinary file is continued in place.
        write(&run.join("plain"), "one").unwrap();
        open_to_continue(&run.join("plain")).unwrap().set_len(1).unwrap();
        assert_eq!(fs::read_to_string(run.join("plain")).unwrap(), "o");
    }

    #[test]
    fn nothing_is_written_or_removed_in_a_folder_that_is_a_link() {
        let (run, victim) = with_victim("files-folder");
        let elsewhere = victim.with_file_name("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("0000.ply"), "precious").unwrap();
        let linked = run.join("surface");
        symlink(&elsewhere, &linked).unwrap();
        let before = content(&elsewhere);
        let file = linked.join("0000.ply");
        assert!(write(&file, "new").is_err() && open_to_continue(&file).is_err());
        for failed in [
            make_folder(&linked),
            remove_files(&linked, |_| true),
            remove_file(&file),
            check_writable(&linked),
        ] {
            assert!(failed.unwrap_err().to_string().contains("it is a link"));
        }
        remove_empty_folder(&linked);
        assert_eq!(content(&elsewhere), before);
        // A folder that the user names may be a link.
        assert_eq!(resolve_folder(&linked).unwrap(), elsewhere.canonicalize().unwrap());
        assert_eq!(resolve_folder(&linked.join("")).unwrap(), elsewhere.canonicalize().unwrap());
        assert_eq!(resolve_folder(&run).unwrap(), run);
        assert_eq!(resolve_folder(&run.join("not there")).unwrap(), run.join("not there"));
        // A link among files is removed, not followed.
        symlink(&victim, run.join("0001.ply")).unwrap();
        remove_files(&run, |name| name.ends_with(".ply")).unwrap();
        assert!(!run.join("0001.ply").exists());
        assert_unharmed(&victim);
    }

    #[test]
    fn a_folder_that_is_exchanged_for_a_link_changes_nothing() {
        let (run, victim) = with_victim("files-race");
        let elsewhere = victim.with_file_name("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        let frames = run.join("surface");
        fs::create_dir(&frames).unwrap();
        let new = NewFile::create(&frames.join("0000.ply")).unwrap();
        fs::rename(&frames, run.join("moved")).unwrap();
        symlink(&elsewhere, &frames).unwrap();
        new.keep().unwrap();
        assert!(content(&elsewhere).is_empty());
        assert_eq!(content(&run.join("moved")).len(), 1);
    }

    #[test]
    fn a_device_is_not_replaced() {
        let failed = NewFile::create(Path::new("/dev/full")).unwrap_err();
        assert!(failed.to_string().contains("not a regular file"), "{failed}");
    }
}
