//! Numbers, strings and metadata as bytes.

use glam::IVec3;

/// A growing list of bytes.
#[derive(Clone, Default)]
pub(super) struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub fn number(&mut self, n: u32) {
        self.raw(&n.to_le_bytes());
    }

    pub fn string(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.raw(text.as_bytes());
    }

    pub fn doubles(&mut self, values: [f64; 3]) {
        values.iter().for_each(|v| self.raw(&v.to_le_bytes()));
    }

    pub fn place(&mut self, at: IVec3) {
        at.to_array().iter().for_each(|v| self.raw(&v.to_le_bytes()));
    }

    pub fn mask(&mut self, words: &[u64]) {
        words.iter().for_each(|w| self.raw(&w.to_le_bytes()));
    }
}

/// The metadata of a file or a grid: named values.
#[derive(Clone, Default)]
pub(super) struct Metadata {
    n: u32,
    entries: Bytes,
}

impl Metadata {
    pub fn entry(&mut self, name: &str, kind: &str, value: &[u8]) {
        self.n += 1;
        self.entries.string(name);
        self.entries.string(kind);
        self.entries.number(value.len() as u32);
        self.entries.raw(value);
    }

    pub fn string(&mut self, name: &str, text: &str) {
        self.entry(name, "string", text.as_bytes());
    }

    pub fn vector(&mut self, name: &str, v: IVec3) {
        let bytes: Vec<u8> = v.to_array().iter().flat_map(|c| c.to_le_bytes()).collect();
        self.entry(name, "vec3i", &bytes);
    }

    pub fn write(&self, out: &mut Bytes) {
        out.number(self.n);
        out.raw(&self.entries.0);
    }
}

/// Returns an identifier of the content: readers assume that files with the same one are the same.
pub(super) fn uuid(parts: &[Vec<u8>]) -> String {
    let mut hash = [0x9e37_79b9_7f4a_7c15u64, 0xbf58_476d_1ce4_e5b9];
    for part in parts {
        for chunk in part.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            hash[0] = (hash[0] ^ word).wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(29);
            hash[1] = (hash[1].rotate_left(23) ^ word).wrapping_mul(0x2545_f491_4f6c_dd1d);
        }
        hash[0] ^= part.len() as u64;
    }
    let [a, b] = hash.map(|h| (h ^ h >> 31).wrapping_mul(0xd6e8_feb8_6659_fd93));
    let tail = |n: u64| n & 0xffff;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        a >> 32,
        tail(a >> 16),
        tail(a),
        b >> 48,
        b & 0xffff_ffff_ffff
    )
}
