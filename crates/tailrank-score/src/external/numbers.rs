//! Columns of numbers as people write them: with a decimal point or a decimal comma.

use tailrank_data::{
    NumberFormat,
    frame::{Column, Frame},
};

/// How the frame's text columns of numbers are written; none where no column tells.
fn format_of(frame: &Frame) -> Option<NumberFormat> {
    let all = |cells: &[String], format: NumberFormat| {
        let mut present = cells.iter().filter(|cell| !is_gap(cell)).peekable();
        present.peek().is_some() && present.all(|cell| format.parse(cell.trim()).is_some())
    };
    let mut texts = frame.columns().iter().filter_map(|(_, column)| match column {
        Column::Text(cells) => Some((all(cells, NumberFormat::Point), all(cells, NumberFormat::Comma))),
        Column::Real(_) | Column::Int(_) => None,
    });
    texts.find_map(|fits| match fits {
        (true, false) => Some(NumberFormat::Point),
        (false, true) => Some(NumberFormat::Comma),
        _ => None,
    })
}

/// What R and this program's own tables write where there is no value.
fn is_gap(cell: &str) -> bool {
    matches!(cell.trim(), "" | "NA" | "N/A" | "–")
}

/// The numbers of a column, NaN where a cell is empty.
///
/// # Errors
/// Row (from 1), cell and what is wrong with it.
pub(super) fn numbers(frame: &Frame, place: usize) -> Result<Vec<f64>, String> {
    let format = format_of(frame);
    match &frame.columns()[place].1 {
        // Read with a point: "1.234" would be a thousand and more where the other columns have decimal
        // commas.
        Column::Real(values) => match values.iter().position(|v| v.is_finite() && v.fract() != 0.0) {
            Some(row) if format == Some(NumberFormat::Comma) => Err(format!(
                "row {} is {} with a decimal point, where other columns have decimal commas; write all in one way",
                row + 1,
                values[row]
            )),
            _ => Ok(values.clone()),
        },
        Column::Int(values) => Ok(values.iter().map(|v| *v as f64).collect()),
        Column::Text(cells) => of_texts(cells, format),
    }
}

fn of_texts(cells: &[String], format: Option<NumberFormat>) -> Result<Vec<f64>, String> {
    let number = |row: usize, cell: &str| {
        let (point, comma) = (NumberFormat::Point.parse(cell), NumberFormat::Comma.parse(cell));
        match (point, comma, format) {
            (_, Some(value), Some(NumberFormat::Comma)) | (Some(value), _, Some(NumberFormat::Point)) => {
                Ok(value)
            }
            (Some(value), Some(other), _) if value == other => Ok(value),
            (Some(value), Some(other), _) => Err(format!(
                "row {} is '{cell}', which may be {value} or {other}; write numbers without a sign for thousands",
                row + 1
            )),
            (Some(value), None, None) | (None, Some(value), None) => Ok(value),
            _ => Err(format!("row {} is '{cell}', which is not a number", row + 1)),
        }
    };
    let cell = |(row, cell): (usize, &String)| {
        if is_gap(cell) { Ok(f64::NAN) } else { number(row, cell.trim()) }
    };
    cells.iter().enumerate().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, place: usize) -> Result<Vec<f64>, String> {
        numbers(&tailrank_data::frame::read("t.csv", text.as_bytes()).unwrap(), place)
    }

    #[test]
    fn decimal_commas_are_read() {
        assert_eq!(read("y;a\n1,5;2\n-2,25;3\n", 0), Ok(vec![1.5, -2.25]));
        assert_eq!(read("y;a\n1,5;2\n-2,25;3\n", 1), Ok(vec![2.0, 3.0]));
        // One column tells how the others are written.
        assert_eq!(read("y;a\n1,5;1,234\n2,5;2,345\n", 1), Ok(vec![1.234, 2.345]));
        let told = read("y;a\n1,5;1.5\n2,5;2.5\n", 1).unwrap_err();
        assert!(told.starts_with("row 1 is 1.5 with a decimal point"), "{told}");
        assert_eq!(read("y;a\n1,5;2\nx;3\n", 0).unwrap_err(), "row 2 is 'x', which is not a number");
        assert_eq!(read("y,a\n1,NA\n2,3.5\n", 1).map(|v| (v[0].is_nan(), v[1])), Ok((true, 3.5)));
    }
}
