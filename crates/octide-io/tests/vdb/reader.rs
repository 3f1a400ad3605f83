//! A reader of VDB files for tests, based on the format and not on the writer: everything is looked up voxel
//! by voxel, and an extra or missing byte anywhere causes a panic.

use flate2::read::ZlibDecoder;
use std::collections::BTreeMap;
use std::io::Read;

/// A vector, or a number followed by zeros.
pub type Value = [f32; 3];

/// A metadata entry: its type and its bytes.
pub type Entry = (String, Vec<u8>);

pub struct File {
    pub uuid: String,
    pub metadata: BTreeMap<String, Entry>,
    pub grids: Vec<Grid>,
}

pub struct Grid {
    pub name: String,
    pub kind: String,
    pub metadata: BTreeMap<String, Entry>,
    pub map: String,
    /// All numbers of the map, three for each of its parts.
    pub map_values: Vec<[f64; 3]>,
    pub background: Value,
    /// The upper nodes by their lowest voxel.
    pub uppers: BTreeMap<[i32; 3], Node>,
    pub n_leaves: usize,
}

/// A node of any level with its slots.
pub struct Node {
    pub log2_children: u32,
    pub slots: Vec<Slot>,
}

pub enum Slot {
    Value { value: Value, active: bool },
    Child(Node),
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, n: usize) -> &'a [u8] {
        let out = &self.bytes[self.at..self.at + n];
        self.at += n;
        out
    }
    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take(4).try_into().unwrap())
    }
    fn i32(&mut self) -> i32 {
        self.u32() as i32
    }
    fn i64(&mut self) -> i64 {
        i64::from_le_bytes(self.take(8).try_into().unwrap())
    }
    fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.take(8).try_into().unwrap())
    }
    fn string(&mut self) -> String {
        let n = self.u32() as usize;
        String::from_utf8(self.take(n).to_vec()).unwrap()
    }
    fn metadata(&mut self) -> BTreeMap<String, Entry> {
        (0..self.u32())
            .map(|_| {
                let (name, kind) = (self.string(), self.string());
                let n = self.u32() as usize;
                (name, (kind, self.take(n).to_vec()))
            })
            .collect()
    }
    fn mask(&mut self, n_bits: usize) -> Vec<bool> {
        let bytes = self.take(n_bits / 8);
        (0..n_bits).map(|i| bytes[i / 8] >> (i % 8) & 1 == 1).collect()
    }
}

/// The encoding of a grid's values.
#[derive(Clone)]
struct Format {
    n_components: usize,
    is_half: bool,
    zip: bool,
    background: Value,
}

impl Format {
    fn numbers(&self, cursor: &mut Cursor<'_>, n: usize) -> Vec<f32> {
        let n_bytes = n * if self.is_half { 2 } else { 4 };
        if self.is_half && n == 0 {
            return Vec::new();
        }
        let bytes = if self.zip {
            let length = cursor.i64();
            if length <= 0 {
                cursor.take(-length as usize).to_vec()
            } else {
                let mut out = Vec::new();
                ZlibDecoder::new(cursor.take(length as usize)).read_to_end(&mut out).unwrap();
                out
            }
        } else {
            cursor.take(n_bytes).to_vec()
        };
        assert_eq!(bytes.len(), n_bytes);
        if self.is_half {
            bytes.chunks(2).map(|b| from_half(u16::from_le_bytes([b[0], b[1]]))).collect()
        } else {
            bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
        }
    }

    /// Returns all values of a node, with masks resolved.
    fn values(&self, cursor: &mut Cursor<'_>, active: &[bool]) -> Vec<Value> {
        let minus = self.background.map(|v| 0.0 - v);
        let code = cursor.take(1)[0];
        let outside = match code {
            0 => vec![true; active.len()],
            1 => vec![false; active.len()],
            3 => cursor.mask(active.len()),
            _ => panic!("code {code} is not one that is written"),
        };
        let n_active = active.iter().filter(|a| **a).count();
        let numbers = self.numbers(cursor, n_active * self.n_components);
        let mut next = numbers.chunks(self.n_components);
        (0..active.len())
            .map(|i| match (active[i], outside[i]) {
                (true, _) => value(next.next().unwrap()),
                (false, true) => self.background,
                (false, false) => minus,
            })
            .collect()
    }
}

fn value(numbers: &[f32]) -> Value {
    [0, 1, 2].map(|a| numbers.get(a).copied().unwrap_or(0.0))
}

fn from_half(h: u16) -> f32 {
    let (exponent, mantissa) = (i32::from(h >> 10 & 31), f32::from(h & 1023));
    let size = match exponent {
        0 => mantissa * 2f32.powi(-24),
        31 => f32::INFINITY,
        e => (1.0 + mantissa / 1024.0) * 2f32.powi(e - 15),
    };
    if h & 0x8000 != 0 { -size } else { size }
}

fn topology(cursor: &mut Cursor<'_>, format: &Format, log2: &[u32]) -> Node {
    let n = 1usize << (3 * log2[0]);
    if log2.len() == 1 {
        let active = cursor.mask(n);
        let slots = active.into_iter().map(|active| Slot::Value { value: [0.0; 3], active }).collect();
        return Node { log2_children: log2[0], slots };
    }
    let (children, active) = (cursor.mask(n), cursor.mask(n));
    assert!(!active.iter().any(|a| *a), "no tile is active");
    let values = format.values(cursor, &active);
    let slots = children.iter().zip(values).map(|(is_child, value)| {
        if *is_child {
            Slot::Child(topology(cursor, format, &log2[1..]))
        } else {
            Slot::Value { value, active: false }
        }
    });
    Node { log2_children: log2[0], slots: slots.collect() }
}

fn blocks(cursor: &mut Cursor<'_>, format: &Format, node: &mut Node, n_leaves: &mut usize) {
    if node.log2_children == 3 {
        *n_leaves += 1;
        let active = cursor.mask(512);
        let values = format.values(cursor, &active);
        for ((slot, read), is_on) in node.slots.iter_mut().zip(values).zip(active) {
            let Slot::Value { value, active } = slot else { panic!("a leaf has no children") };
            assert_eq!(*active, is_on, "masks of topology and block agree");
            *value = read;
        }
        return;
    }
    for slot in &mut node.slots {
        if let Slot::Child(child) = slot {
            blocks(cursor, format, child, n_leaves);
        }
    }
}

pub fn parse(bytes: &[u8]) -> File {
    let mut cursor = Cursor { bytes, at: 0 };
    assert_eq!(cursor.take(8), b" BDV\0\0\0\0");
    assert_eq!(cursor.u32(), 224);
    let _library = (cursor.u32(), cursor.u32());
    assert_eq!(cursor.take(1), [1], "offsets are there");
    let uuid = String::from_utf8(cursor.take(36).to_vec()).unwrap();
    let metadata = cursor.metadata();
    let n_grids = cursor.u32();
    let grids = (0..n_grids).map(|_| grid(&mut cursor)).collect();
    assert_eq!(cursor.at, bytes.len(), "nothing follows the last grid");
    File { uuid, metadata, grids }
}

fn grid(cursor: &mut Cursor<'_>) -> Grid {
    let (name, kind, parent) = (cursor.string(), cursor.string(), cursor.string());
    assert_eq!(parent, "");
    let (starts, blocks_at, end) = (cursor.i64(), cursor.i64(), cursor.i64());
    assert_eq!(starts as usize, cursor.at);
    let compression = cursor.u32();
    assert!(compression & 2 == 2 && compression & 4 == 0, "active values, no blosc");
    let metadata = cursor.metadata();
    let map = cursor.string();
    assert_eq!(map, "UniformScaleTranslateMap");
    let map_values = (0..6).map(|_| [cursor.f64(), cursor.f64(), cursor.f64()]).collect();
    assert_eq!(cursor.u32(), 1, "one buffer");
    let n_components = if kind.contains("vec3s") { 3 } else { 1 };
    let background: Vec<f32> =
        (0..n_components).map(|_| f32::from_le_bytes(cursor.take(4).try_into().unwrap())).collect();
    let background = value(&background);
    let is_half = kind.ends_with("_HalfFloat");
    let format = Format { n_components, is_half, zip: compression & 1 == 1, background };
    assert_eq!(cursor.u32(), 0, "no tiles at the top");
    let mut uppers = BTreeMap::new();
    let mut before = [i32::MIN; 3];
    for _ in 0..cursor.u32() {
        let low = [cursor.i32(), cursor.i32(), cursor.i32()];
        assert!(low > before && low.iter().all(|c| c.rem_euclid(4096) == 0), "in order: {before:?}, {low:?}");
        before = low;
        uppers.insert(low, topology(cursor, &format, &[5, 4, 3]));
    }
    assert_eq!(blocks_at as usize, cursor.at);
    let mut n_leaves = 0;
    uppers.values_mut().for_each(|node| blocks(cursor, &format, node, &mut n_leaves));
    assert_eq!(end as usize, cursor.at);
    Grid { name, kind, metadata, map, map_values, background, uppers, n_leaves }
}

impl Grid {
    /// Returns the value of a voxel and whether it is active.
    pub fn at(&self, voxel: [i32; 3]) -> (Value, bool) {
        let Some(mut node) = self.uppers.get(&voxel.map(|c| c.div_euclid(4096) * 4096)) else {
            return (self.background, false);
        };
        let mut edge = 4096;
        loop {
            let n = 1 << node.log2_children;
            let child = edge / n;
            let [i, j, k] = voxel.map(|c| c.rem_euclid(edge) / child);
            match &node.slots[((i * n + j) * n + k) as usize] {
                Slot::Value { value, active } => return (*value, *active),
                Slot::Child(next) => (node, edge) = (next, child),
            }
        }
    }

    /// Returns the position of a voxel in space.
    pub fn position(&self, voxel: [i32; 3]) -> [f64; 3] {
        let (shift, scale) = (self.map_values[0], self.map_values[1]);
        [0, 1, 2].map(|a| shift[a] + scale[a] * f64::from(voxel[a]))
    }

    /// Returns the voxel whose center is at a position.
    pub fn voxel(&self, p: [f64; 3]) -> [i32; 3] {
        let (shift, scale) = (self.map_values[0], self.map_values[1]);
        [0, 1, 2].map(|a| ((p[a] - shift[a]) / scale[a]).round() as i32)
    }

    /// Returns all active voxels.
    pub fn active(&self) -> Vec<([i32; 3], Value)> {
        fn walk(node: &Node, low: [i32; 3], edge: i32, out: &mut Vec<([i32; 3], Value)>) {
            let n = 1 << node.log2_children;
            let child = edge / n;
            for (s, slot) in node.slots.iter().enumerate() {
                let s = s as i32;
                let at = [s / (n * n), s / n % n, s % n];
                let at = [0, 1, 2].map(|a| low[a] + child * at[a]);
                match slot {
                    Slot::Child(next) => walk(next, at, child, out),
                    Slot::Value { value, active: true } => out.push((at, *value)),
                    Slot::Value { .. } => {}
                }
            }
        }
        let mut out = Vec::new();
        self.uppers.iter().for_each(|(low, node)| walk(node, *low, 4096, &mut out));
        out
    }

    pub fn text(&self, name: &str) -> String {
        let (kind, bytes) = &self.metadata[name];
        assert_eq!(kind, "string");
        String::from_utf8(bytes.clone()).unwrap()
    }

    pub fn vector(&self, name: &str) -> [i32; 3] {
        let (kind, bytes) = &self.metadata[name];
        assert_eq!((kind.as_str(), bytes.len()), ("vec3i", 12));
        [0, 4, 8].map(|i| i32::from_le_bytes(bytes[i..i + 4].try_into().unwrap()))
    }

    pub fn int64(&self, name: &str) -> i64 {
        let (kind, bytes) = &self.metadata[name];
        assert_eq!(kind, "int64");
        i64::from_le_bytes(bytes.as_slice().try_into().unwrap())
    }
}
