//! The header of a PLY file.

use super::super::error::Problem;
use super::super::shown;
use super::super::text::Words;

/// The encoding of the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    Text,
    Binary { big_endian: bool },
}

/// The types of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Clone, Debug)]
pub(super) struct Property {
    pub name: String,
    pub kind: Kind,
}

impl Property {
    pub fn is_vertex_list(&self) -> bool {
        self.name == "vertex_indices" || self.name == "vertex_index"
    }
}

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
}

#[derive(Clone, Debug)]
pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Number of bytes before the first value.
    pub length: usize,
    /// Number of lines before the first value.
    pub lines: usize,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Header, Problem> {
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    let (mut length, mut lines) = (0, 0);
    loop {
        let rest = &bytes[length..];
        if rest.is_empty() {
            return Err(Problem::file(
                "the header has no line \"end_header\"",
                "the file is incomplete: copy or export it again",
            ));
        }
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len() - 1);
        let text = String::from_utf8_lossy(&rest[..=end]);
        length += end + 1;
        lines += 1;
        let mut words = Words::new(lines, &text);
        let word = words.next().unwrap_or_default();
        if lines == 1 && word != "ply" {
            return Err(Problem::line(
                1,
                "a PLY file begins with \"ply\"",
                "the file has another format or is damaged: export it again",
            ));
        }
        match word {
            "format" => encoding = Some(parse_encoding(&mut words)?),
            "element" => {
                let name = words.next().unwrap_or_default().to_owned();
                // Checks of one element would not hold for the other.
                if elements.iter().any(|e| e.name == name) {
                    let what = format!("the element {} appears twice", shown(&name));
                    return Err(Problem::line(lines, what, "the header is damaged: export the mesh again"));
                }
                elements.push(Element { name, count: words.number("a count")?, properties: Vec::new() });
            }
            "property" => {
                let property = parse_property(&mut words)?;
                let Some(element) = elements.last_mut() else {
                    return Err(Problem::line(
                        lines,
                        "a property comes before the first element",
                        "the header is damaged: export the mesh again",
                    ));
                };
                element.properties.push(property);
            }
            "end_header" => break,
            "ply" | "comment" | "obj_info" | "" => {}
            other => {
                return Err(Problem::line(
                    lines,
                    format!("{} is not a keyword of PLY headers", shown(other)),
                    "the keywords are format, element, property, comment, obj_info and end_header",
                ));
            }
        }
    }
    let Some(encoding) = encoding else {
        return Err(Problem::file("the header has no line \"format\"", "export the mesh again"));
    };
    check(&elements)?;
    Ok(Header { encoding, elements, length, lines })
}

fn check(elements: &[Element]) -> Result<(), Problem> {
    let element = |name: &str| elements.iter().find(|e| e.name == name);
    let Some(vertex) = element("vertex") else {
        return Err(Problem::file("the header has no element \"vertex\"", "export the mesh again"));
    };
    for axis in ["x", "y", "z"] {
        let is_axis = |p: &Property| p.name == axis && matches!(p.kind, Kind::Scalar(_));
        if !vertex.properties.iter().any(is_axis) {
            let what = format!("the vertices have no property {axis:?}");
            return Err(Problem::file(what, "export the mesh with positions"));
        }
    }
    let is_faces = |p: &Property| p.is_vertex_list() && matches!(p.kind, Kind::List { .. });
    if element("face").is_some_and(|f| f.count > 0 && !f.properties.iter().any(is_faces)) {
        return Err(Problem::file("the faces have no list \"vertex_indices\"", "export the mesh again"));
    }
    Ok(())
}

fn parse_encoding(words: &mut Words<'_>) -> Result<Encoding, Problem> {
    match words.next() {
        Some("ascii") => Ok(Encoding::Text),
        Some("binary_little_endian") => Ok(Encoding::Binary { big_endian: false }),
        Some("binary_big_endian") => Ok(Encoding::Binary { big_endian: true }),
        other => Err(Problem::line(
            words.line,
            format!("unknown format {}", shown(other.unwrap_or_default())),
            "the formats are ascii, binary_little_endian and binary_big_endian",
        )),
    }
}

fn parse_property(words: &mut Words<'_>) -> Result<Property, Problem> {
    let kind = match words.next() {
        Some("list") => Kind::List {
            count: parse_scalar(words.next(), words.line)?,
            item: parse_scalar(words.next(), words.line)?,
        },
        other => Kind::Scalar(parse_scalar(other, words.line)?),
    };
    Ok(Property { name: words.next().unwrap_or_default().to_owned(), kind })
}

fn parse_scalar(word: Option<&str>, line: usize) -> Result<Scalar, Problem> {
    Ok(match word.unwrap_or_default() {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        other => {
            let remedy = "char, uchar, short, ushort, int, uint, float and double are";
            return Err(Problem::line(line, format!("the type {} is not known", shown(other)), remedy));
        }
    })
}
