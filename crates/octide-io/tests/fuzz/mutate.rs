//! Reproducible damage to files by seed: flipped bits, changed bytes, pieces cut, doubled, moved, copied from
//! another file or from a dictionary, numbers replaced (in text and in binary), lines swapped, ends cut off.

/// Maximum size of inputs.
const LONGEST: usize = 64 << 10;

/// A generator of pseudorandom numbers.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, or 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// Numbers that often cause errors in readers, as text.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "16",
    "64",
    "127",
    "128",
    "255",
    "256",
    "8192",
    "8193",
    "65535",
    "65536",
    "1000001",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1000000000000",
    "-2147483649",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "1e308",
    "1e309",
    "-1e309",
    "1e-308",
    "5e-324",
    "1e-400",
    "0.5",
    "0.1",
    "1e6",
    "1e-4",
    "3.4e38",
    "3.5e38",
    "1e38",
    "1e30",
    "1e-30",
    "1e19",
    ".1",
    "1.",
    "0x10",
    "1_000",
    "99999999999999999999999999999",
    "0.00000000000000000000000000000000001",
    "179.99999",
    "360",
    "1e16",
    "+5",
    "--5",
    "1e",
    "e1",
];

/// The same, as bytes.
const WORDS: &[u64] = &[
    0,
    1,
    2,
    3,
    4,
    255,
    256,
    65535,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7f80_0000,
    0x7fc0_0000,
    0xff80_0000,
    0x7f7f_ffff,
    0x0000_0001,
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    u64::MAX,
    1 << 40,
    1 << 62,
    0x3f80_0000,
    0x4f00_0000,
    0x5f00_0000,
];

/// Returns a damaged copy of `seed`; `others` are files to copy pieces from.
pub fn mutate(seed: &[u8], others: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut out = seed.to_vec();
    for _ in 0..=rng.below(4) {
        once(&mut out, others, words, rng);
        out.truncate(LONGEST);
    }
    out
}

fn once(out: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], rng: &mut Rng) {
    let at = rng.below(out.len() + 1);
    match rng.below(15) {
        0 if at < out.len() => out[at] ^= 1 << rng.below(8),
        1 if at < out.len() => out[at] = rng.next() as u8,
        2 => drop(out.splice(at..at, (0..=rng.below(8)).map(|_| rng.next() as u8).collect::<Vec<_>>())),
        3 => {
            let end = (at + 1 + rng.below(16)).min(out.len());
            out.drain(at.min(end)..end);
        }
        4 => out.truncate(at),
        5 => {
            let piece = piece(out, rng, 64);
            let n = [1, 1, 2, 16, 300][rng.below(5)];
            out.splice(at..at, piece.repeat(n));
        }
        6 | 7 => {
            let word = rng.pick(words).copied().unwrap_or(" ");
            let end = if rng.below(2) == 0 { at } else { (at + rng.below(12)).min(out.len()) };
            out.splice(at..end, word.bytes());
        }
        8..=10 => {
            let number = rng.pick(NUMBERS).copied().unwrap_or("0");
            let range = number_after(out, at).unwrap_or(at..at);
            out.splice(range, number.bytes());
        }
        11 => binary_number(out, at, rng),
        12 => {
            if let Some(other) = rng.pick(others) {
                let piece = piece(other, rng, 400);
                out.splice(at..at, piece);
            }
        }
        13 => {
            if let Some(other) = rng.pick(others) {
                let from = rng.below(other.len() + 1);
                out.truncate(at);
                out.extend_from_slice(&other[from..]);
            }
        }
        _ => lines(out, rng),
    }
}

fn piece(from: &[u8], rng: &mut Rng, longest: usize) -> Vec<u8> {
    let start = rng.below(from.len() + 1);
    let end = (start + 1 + rng.below(longest)).min(from.len());
    from[start.min(end)..end].to_vec()
}

/// Returns the range of the first number in the text from `at` on.
fn number_after(text: &[u8], at: usize) -> Option<std::ops::Range<usize>> {
    let is = |b: &u8| b.is_ascii_digit() || b"+-.".contains(b);
    let start = at + text[at..].iter().position(|b| b.is_ascii_digit())?;
    let end = text[start..].iter().position(|b| !is(b)).map_or(text.len(), |n| start + n);
    Some(start..end)
}

fn binary_number(out: &mut [u8], at: usize, rng: &mut Rng) {
    let word = rng.pick(WORDS).copied().unwrap_or(0);
    let n = [1, 2, 4, 4, 8][rng.below(5)];
    let mut bytes = word.to_le_bytes()[..n].to_vec();
    if rng.below(3) == 0 {
        bytes.reverse();
    }
    // Numbers usually begin at a multiple of their size from the end.
    let end = out.len().saturating_sub(out.len().saturating_sub(at) / n * n);
    for (i, b) in bytes.into_iter().enumerate() {
        if let Some(place) = out.get_mut(end + i) {
            *place = b;
        }
    }
}

fn lines(out: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = out.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(3) {
        0 => lines.swap(a, b),
        1 => drop(lines.remove(a)),
        _ => lines.insert(b, lines[a].clone()),
    }
    *out = lines.join(&b'\n');
}
