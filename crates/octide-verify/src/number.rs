//! Numbers as text for people.

/// Returns four digits: plain if that is short, else with a power of ten.
pub fn short(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() { "not a number".to_owned() } else { format!("{x}") };
    }
    let a = x.abs();
    if x == x.trunc() && a < 1e6 {
        return format!("{}", x + 0.0);
    }
    if (1e-3..1e6).contains(&a) {
        let digits = (3 - a.log10().floor() as i32).clamp(0, 6) as usize;
        let text = format!("{x:.digits$}");
        return if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        };
    }
    let text = format!("{x:.3e}");
    match text.split_once('e') {
        Some((digits, power)) => format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.')),
        None => text,
    }
}

/// Returns four digits with a power of ten, for tables of errors.
pub fn error(x: f64) -> String {
    if x.is_finite() { format!("{x:.3e}") } else { short(x) }
}

/// Returns a power of ten with a superscript exponent.
pub fn power_of_ten(exponent: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => c.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(c),
    };
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", exponent.to_string().chars().map(raised).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_four_figures() {
        let cases = [
            (1.9, "1.9"),
            (0.0, "0"),
            (-0.0, "0"),
            (128.0, "128"),
            (1.98765, "1.988"),
            (0.001234567, "0.001235"),
            (1e-9, "1e-9"),
            (123456.7, "123457"),
            (-2.5e7, "-2.5e7"),
            (f64::NAN, "not a number"),
        ];
        for (x, text) in cases {
            assert_eq!(short(x), text);
        }
        assert_eq!([0, 1, 3, -4, -15].map(power_of_ten), ["1", "10", "10³", "10⁻⁴", "10⁻¹⁵"]);
    }
}
