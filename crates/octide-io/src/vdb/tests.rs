use super::half::half;

fn back(h: u16) -> f32 {
    let (exponent, mantissa) = (i32::from(h >> 10 & 31), f32::from(h & 1023));
    let size = match exponent {
        0 => mantissa * 2f32.powi(-24),
        e => (1.0 + mantissa / 1024.0) * 2f32.powi(e - 15),
    };
    if h & 0x8000 != 0 { -size } else { size }
}

#[test]
fn all_half_floats_come_back_and_ties_go_to_even() {
    for h in (0..0x7c00).chain(0x8000..0xfc00) {
        assert_eq!(half(back(h)), h);
    }
    for h in 0..0x7bff {
        let (a, b) = (back(h), back(h + 1));
        let middle = 0.5 * (a + b);
        assert_eq!(half(middle), if h % 2 == 0 { h } else { h + 1 });
        assert_eq!(half(middle + 0.2 * (b - a)), h + 1);
        assert_eq!(half(middle - 0.2 * (b - a)), h);
    }
}

#[test]
fn numbers_without_a_half_float_become_one() {
    assert_eq!([1e9, f32::INFINITY, -1e9, f32::NAN, 1e-12].map(half), [0x7bff, 0x7bff, 0xfbff, 0, 0]);
}
