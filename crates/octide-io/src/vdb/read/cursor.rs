//! A cursor over bytes that never reads beyond their end.

/// What is wrong with a file.
pub struct Bad(pub &'static str);

pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

const SHORT: Bad = Bad("it ends too early");

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Bad> {
        let end = self.at.checked_add(n).ok_or(SHORT)?;
        let out = self.bytes.get(self.at..end).ok_or(SHORT)?;
        self.at = end;
        Ok(out)
    }

    /// Moves forward only, so that reading always ends.
    pub fn go_to(&mut self, at: u64) -> Result<(), Bad> {
        let at = usize::try_from(at).ok().filter(|&at| at >= self.at && at <= self.bytes.len());
        self.at = at.ok_or(Bad("its grids are not where it says"))?;
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Bad> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    pub fn u32(&mut self) -> Result<u32, Bad> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn i32(&mut self) -> Result<i32, Bad> {
        self.array().map(i32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Bad> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn f64(&mut self) -> Result<f64, Bad> {
        self.array().map(f64::from_le_bytes)
    }

    pub fn string(&mut self) -> Result<&'a [u8], Bad> {
        let n = self.u32()? as usize;
        self.take(n)
    }

    /// Calls `f` with the name and the bytes of each entry.
    pub fn metadata(&mut self, mut f: impl FnMut(&'a [u8], &'a [u8])) -> Result<(), Bad> {
        for _ in 0..self.u32()? {
            let (name, _) = (self.string()?, self.string()?);
            let value = self.string()?;
            f(name, value);
        }
        Ok(())
    }
}
