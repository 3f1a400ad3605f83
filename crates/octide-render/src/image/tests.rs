use super::animation::delay;
use super::*;

/// A temporary folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("octide-render-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns a gradient with a bright square and a bright pixel that move with `k`, the pixel farther right.
fn picture(k: u32) -> Picture {
    let (width, height) = (31, 17);
    let mut rgb = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let on = (x / 4 == k && y / 4 == 2) || (x, y) == (29 - k, 3);
            rgb.extend(if on { [250, 240, 10] } else { [x as u8 * 5, y as u8 * 9, 77] });
        }
    }
    Picture { width, height, rgb }
}

/// Returns all frames of an animation, composed as a viewer would, and the delay of the first.
fn play(path: &Path) -> (Vec<Picture>, (u16, u16)) {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let n = reader.info().animation_control().unwrap().num_frames;
    let (width, height) = (reader.info().width, reader.info().height);
    let mut shown = vec![0; (width * height * 3) as usize];
    let mut time = (0, 0);
    let frames = (0..n)
        .map(|k| {
            let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut buffer).unwrap();
            let control = *reader.info().frame_control().unwrap();
            if k == 0 {
                time = (control.delay_num, control.delay_den);
            }
            for y in 0..control.height {
                let from = (y * control.width * 3) as usize;
                let to = (((y + control.y_offset) * width + control.x_offset) * 3) as usize;
                let n = (control.width * 3) as usize;
                shown[to..to + n].copy_from_slice(&buffer[from..from + n]);
            }
            Picture { width, height, rgb: shown.clone() }
        })
        .collect();
    (frames, time)
}

#[test]
fn png_comes_back() {
    let folder = Folder::new("png");
    let path = folder.0.join("a.png");
    picture(1).write(&path).unwrap();
    picture(3).write(&path).unwrap();
    assert_eq!(Picture::read(&path).unwrap(), picture(3));
    assert_eq!(folder.names(), ["a.png"]);
}

#[test]
fn animation_comes_back_from_files() {
    let folder = Folder::new("apng");
    let order = [0, 1, 1, 5, 2];
    let files: Vec<PathBuf> = (0..order.len()).map(|i| folder.0.join(format!("{i}.png"))).collect();
    for (file, k) in files.iter().zip(order) {
        picture(k).write(file).unwrap();
    }
    let path = folder.0.join("all.png");
    animate(&path, &files, 24.0).unwrap();
    let (frames, time) = play(&path);
    assert_eq!(frames, order.map(picture));
    assert_eq!(time, (1, 24));
    assert_eq!(Picture::read(&path).unwrap(), picture(0));
}

#[test]
fn unfinished_animation_leaves_no_file() {
    let folder = Folder::new("unfinished");
    let path = folder.0.join("a.png");
    let mut animation = Animation::create(&path, 31, 17, 2, 30.0).unwrap();
    animation.push(picture(0)).unwrap();
    let small = Picture { width: 1, height: 1, rgb: vec![0; 3] };
    assert!(matches!(animation.push(small), Err(ImageError::Unfit { .. })));
    assert!(matches!(animation.finish(), Err(ImageError::Unfit { .. })));
    assert!(folder.names().is_empty());
}

#[test]
fn too_many_frames_are_refused() {
    let folder = Folder::new("many");
    let mut animation = Animation::create(&folder.0.join("a.png"), 31, 17, 1, 30.0).unwrap();
    animation.push(picture(0)).unwrap();
    assert!(animation.push(picture(1)).is_err());
    animation.finish().unwrap();
    assert_eq!(folder.names(), ["a.png"]);
}

#[test]
fn errors_name_the_file() {
    let missing = Path::new("/nonexistent/octide/a.png");
    assert!(matches!(picture(0).write(missing), Err(ImageError::Io { .. })));
    assert!(Picture::read(missing).unwrap_err().to_string().contains("octide/a.png"));
    assert!(animate(missing, &[], 24.0).is_err());
    let folder = Folder::new("empty");
    assert!(Picture::default().write(&folder.0.join("a.png")).is_err());
    assert!(folder.names().is_empty());
}

#[test]
fn frame_rates_become_fractions() {
    assert_eq!(delay(24.0), Some((1, 24)));
    assert_eq!(delay(23.976), Some((1000, 23976)));
    assert_eq!(delay(30_000.0 / 1001.0), Some((1001, 30000)));
    assert_eq!(delay(12.5), Some((10, 125)));
    assert_eq!(delay(0.0), None);
    assert_eq!(delay(f64::NAN), None);
}
