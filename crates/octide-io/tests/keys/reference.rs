//! The tables in `docs/scene-file.md` are current. With `OCTIDE_BLESS=1` they are regenerated.

use octide_io::scene_file::update_reference;
use std::path::Path;

#[test]
fn the_reference_of_the_scene_file_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene-file.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let updated = update_reference(&page, octide_methods::ABILITIES)
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    if std::env::var_os("OCTIDE_BLESS").is_some() {
        std::fs::write(&file, updated).unwrap();
        return;
    }
    assert!(
        page == updated,
        "docs/scene-file.md is out of date; run OCTIDE_BLESS=1 cargo test -p octide-io --test keys reference"
    );
}

#[test]
fn a_page_that_lacks_a_table_is_noticed() {
    assert!(update_reference("# A page", octide_methods::ABILITIES).is_err());
    assert!(
        update_reference("<!-- keys: nothing -->\n<!-- end of keys -->", octide_methods::ABILITIES).is_err()
    );
    assert!(update_reference("<!-- keys: time -->\n", octide_methods::ABILITIES).is_err());
}
