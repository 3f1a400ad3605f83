//! Polyhedra that share faces.

/// Polyhedra, given by their faces. A face between two of them is stored once.
///
/// Lists of different lengths are concatenated into one list; `…_ends` gives the end of each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polyhedra {
    /// The vertices around each face.
    pub face_vertices: Vec<u32>,
    /// The end of each face's vertices in `face_vertices`.
    pub face_ends: Vec<u32>,
    /// The faces of each polyhedron.
    pub cell_faces: Vec<CellFace>,
    /// The end of each polyhedron's faces in `cell_faces`.
    pub cell_ends: Vec<u32>,
}

/// A face of a polyhedron, with its orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellFace(u32);

impl CellFace {
    /// Returns face `number`, whose vertices are counter-clockwise seen from outside the polyhedron, or
    /// clockwise if `reversed`.
    pub fn new(number: u32, reversed: bool) -> Self {
        debug_assert!(number < 1 << 31);
        Self(number << 1 | u32::from(reversed))
    }

    /// Returns the face's number.
    pub fn number(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Returns whether its vertices are clockwise seen from outside the polyhedron.
    pub fn is_reversed(self) -> bool {
        self.0 & 1 == 1
    }

    /// Encodes number and orientation as one number: twice the face's number, plus one if it is reversed.
    pub fn code(self) -> u32 {
        self.0
    }

    /// Decodes a face from its [`code`](Self::code).
    pub fn from_code(code: u32) -> Self {
        Self(code)
    }
}

impl Polyhedra {
    /// Returns the number of polyhedra.
    pub fn len(&self) -> usize {
        self.cell_ends.len()
    }

    /// Returns whether there are no polyhedra.
    pub fn is_empty(&self) -> bool {
        self.cell_ends.is_empty()
    }

    /// Returns the number of faces.
    pub fn n_faces(&self) -> usize {
        self.face_ends.len()
    }

    /// Adds a face and returns its number.
    pub fn add_face(&mut self, vertices: &[u32]) -> u32 {
        self.face_vertices.extend_from_slice(vertices);
        self.face_ends.push(self.face_vertices.len() as u32);
        self.face_ends.len() as u32 - 1
    }

    /// Adds a polyhedron.
    pub fn add_cell(&mut self, faces: impl IntoIterator<Item = CellFace>) {
        self.cell_faces.extend(faces);
        self.cell_ends.push(self.cell_faces.len() as u32);
    }

    /// Returns the vertices around a face.
    pub fn face(&self, face: usize) -> &[u32] {
        part(&self.face_vertices, &self.face_ends, face)
    }

    /// Returns the faces of a polyhedron.
    pub fn faces_of(&self, cell: usize) -> &[CellFace] {
        part(&self.cell_faces, &self.cell_ends, cell)
    }

    /// Returns the vertices of a polyhedron in ascending order.
    pub fn vertices(&self, cell: usize) -> Vec<u32> {
        let faces = self.faces_of(cell).iter();
        let mut vertices: Vec<u32> = faces.flat_map(|f| self.face(f.number())).copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// Checks lists that come from outside and returns what is wrong.
    pub(super) fn check(&self, n_vertices: usize) -> Result<(), &'static str> {
        if self.face_vertices.iter().any(|&v| v as usize >= n_vertices) {
            return Err("a face has a vertex that does not exist");
        }
        if self.cell_faces.iter().any(|f| f.number() >= self.n_faces()) {
            return Err("a polyhedron has a face that does not exist");
        }
        let ends_well =
            |ends: &[u32], n: usize| ends.is_sorted() && ends.last().map_or(0, |&end| end as usize) == n;
        if !ends_well(&self.face_ends, self.face_vertices.len())
            || !ends_well(&self.cell_ends, self.cell_faces.len())
        {
            return Err("a list of faces does not end where it should");
        }
        if (0..self.n_faces()).any(|f| self.face(f).len() < 3) {
            return Err("a face has fewer than three vertices");
        }
        Ok(())
    }
}

/// Returns list `number` of several concatenated lists.
fn part<'a, T>(all: &'a [T], ends: &[u32], number: usize) -> &'a [T] {
    let start = if number == 0 { 0 } else { ends[number - 1] as usize };
    &all[start..ends[number] as usize]
}
