//! What a file of a page holds, packed or not; the command line's tests read it, too.

use std::io::Read;

/// A file's text; of a packed script what it holds: a task's text and its columns, value after value.
pub(crate) fn text(bytes: Vec<u8>) -> Option<String> {
    if !bytes.starts_with(&[0xFF, 0xFE]) {
        return String::from_utf8(bytes).ok();
    }
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
    let script = String::from_utf16(&units).unwrap();
    let (call, rest) = script.split_once('"').unwrap();
    let letters = rest.strip_suffix("\");\n").unwrap();
    let length: usize = call.trim_end_matches(", ").rsplit([' ', '(']).next().unwrap().parse().unwrap();
    let (mut bits, mut held, mut packed) = (0_u32, 0, Vec::new());
    for letter in letters.chars() {
        bits = (bits << 15) | (u32::from(letter) - 0x4000);
        held += 15;
        while held >= 8 {
            held -= 8;
            packed.push((bits >> held) as u8);
        }
    }
    let mut all = Vec::new();
    flate2::read::GzDecoder::new(&packed[..length]).read_to_end(&mut all).unwrap();
    if !call.contains("taskPacked") {
        return Some(format!("{call}{}", String::from_utf8(all).unwrap()));
    }
    let (head, rest) = all.split_at(4);
    let (text, columns) = rest.split_at(u32::from_le_bytes(head.try_into().unwrap()) as usize);
    let values = columns.len() / 8;
    let value = |i: usize| f64::from_le_bytes(std::array::from_fn(|byte| columns[byte * values + i]));
    let values: String = (0..values).map(|i| format!("\n{:?}", value(i))).collect();
    Some(format!("{call}\n{}{values}\n", str::from_utf8(text).unwrap()))
}
