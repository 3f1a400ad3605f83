//! Finds the word that a mistyped word was meant to be.

/// Returns the word that takes the fewest edits to reach; `None` if all differ too much.
pub(super) fn nearest<'a>(word: &str, among: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = normalized(word);
    among
        .into_iter()
        .map(|candidate| (effort(&word, &normalized(candidate)), candidate))
        .filter(|&(d, candidate)| {
            let longer = candidate.chars().count().max(word.len());
            d < longer && d <= (longer / 3).max(1)
        })
        .min_by_key(|&(d, _)| d)
        .map(|(_, candidate)| candidate)
}

/// Normalizes a word: upper and lower case are equal, as are `-` and `_`.
fn normalized(word: &str) -> Vec<char> {
    // Words longer than any key are never close, and need not be compared in full.
    word.chars().take(64).flat_map(char::to_lowercase).map(|c| if c == '-' { '_' } else { c }).collect()
}

/// Returns the cost of changing `a` to `b`. A word that continues the other one is close to it.
fn effort(a: &[char], b: &[char]) -> usize {
    let common = a.len().min(b.len());
    if common >= 3 && a[..common] == b[..common] { 1.min(a.len().abs_diff(b.len())) } else { distance(a, b) }
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbors that lead from `a` to
/// `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            let replaced = above[j] + usize::from(a[i] != b[j]);
            row[j + 1] = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = above;
        above = row;
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_typing_mistakes_and_nothing_far() {
        let keys = ["resolution", "rounded-box", "box", "seed"];
        assert_eq!(nearest("resolutoin", keys), Some("resolution"));
        assert_eq!(nearest("Rounded_Box", keys), Some("rounded-box"));
        assert_eq!(nearest("bx", keys), Some("box"));
        assert_eq!(nearest("box-shaped", keys), Some("box"));
        assert_eq!(nearest("gravity", keys), None);
        assert_eq!(nearest("x", ["y", "z"]), None);
    }

    #[test]
    fn counts_edits() {
        let d = |a: &str, b: &str| distance(&normalized(a), &normalized(b));
        assert_eq!((d("", "abc"), d("abc", "abc"), d("abc", "acb"), d("kitten", "sitting")), (3, 0, 1, 3));
    }
}
