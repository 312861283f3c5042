//! Colours of heights. Families own the bright colours, so these are quiet; lightness alone tells the height.

/// A colour between others, given as red, green, blue.
fn between(stops: &[[f64; 3]], share: f64) -> String {
    let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let i = (place.floor() as usize).min(stops.len() - 2);
    let t = place - i as f64;
    let mix = |c: usize| (stops[i][c] + t * (stops[i + 1][c] - stops[i][c])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// Light to dark for 0 to 1.
pub(super) fn sequential(share: f64) -> String {
    between(
        &[[250.0, 250.0, 252.0], [190.0, 192.0, 218.0], [122.0, 120.0, 172.0], [58.0, 47.0, 110.0]],
        share,
    )
}

/// Brown over white to violet for −1 to 1. In grey both ends are dark: dashed iso-lines mark what is below zero.
pub(super) fn diverging(height: f64) -> String {
    between(
        &[
            [127.0, 69.0, 16.0],
            [216.0, 168.0, 105.0],
            [250.0, 250.0, 250.0],
            [166.0, 155.0, 205.0],
            [74.0, 48.0, 130.0],
        ],
        0.5 * (height + 1.0),
    )
}

/// Whether white text reads better than black on a colour `#rrggbb`.
pub(super) fn is_dark(colour: &str) -> bool {
    let part =
        |i: usize| colour.get(i..i + 2).and_then(|h| u8::from_str_radix(h, 16).ok()).map_or(255.0, f64::from);
    0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) < 140.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lightness_falls_with_the_height() {
        let lightness = |c: &str| {
            let p = |i: usize| f64::from(u8::from_str_radix(&c[i..i + 2], 16).unwrap());
            0.299 * p(1) + 0.587 * p(3) + 0.114 * p(5)
        };
        let seq: Vec<f64> = (0..=20).map(|i| lightness(&sequential(f64::from(i) / 20.0))).collect();
        assert!(seq.windows(2).all(|w| w[0] > w[1]));
        let div: Vec<f64> = (0..=20).map(|i| lightness(&diverging(f64::from(i) / 20.0))).collect();
        assert!(div.windows(2).all(|w| w[0] > w[1]));
        assert!(is_dark(&sequential(1.0)) && !is_dark(&sequential(0.0)));
    }
}
