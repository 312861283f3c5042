//! Figures as PDF. The text stays text, in a font that the file holds, so that no font of the machine
//! matters.

use std::{collections::BTreeSet, sync::Arc};

use krilla::{Document, geom::Size, page::PageSettings};
use krilla_svg::{SurfaceExt, SvgSettings};
use usvg::{Group, Node, Options, Tree, fontdb};

use crate::{Result, error::problem};

/// Arimo has Helvetica's widths, with which figures are laid out.
const FAMILY: &str = "Arimo";
static FONTS: [&[u8]; 2] =
    [include_bytes!("../assets/fonts/Arimo-Regular.ttf"), include_bytes!("../assets/fonts/Arimo-Bold.ttf")];
/// Points in the unit of an SVG document.
const POINTS: f32 = 72.0 / 96.0;

/// Turns the figures of [`export::figures`](crate::export::figures) into PDF.
pub struct PdfWriter {
    options: Options<'static>,
}

/// A figure as PDF.
#[derive(Debug)]
pub struct PdfFigure {
    /// The file.
    pub bytes: Vec<u8>,
    /// Letters that the font lacks, in place of which the figure shows boxes.
    pub missing: String,
}

impl Default for PdfWriter {
    fn default() -> Self {
        let mut fonts = fontdb::Database::new();
        for font in FONTS {
            fonts.load_font_source(fontdb::Source::Binary(Arc::new(font)));
        }
        fonts.set_sans_serif_family(FAMILY);
        let options =
            Options { font_family: FAMILY.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
        Self { options }
    }
}

impl PdfWriter {
    /// The figure `svg`, named `figure` in errors, at the size that it states.
    ///
    /// # Errors
    ///
    /// If `svg` is no SVG document.
    pub fn write(&self, figure: &str, svg: &str) -> Result<PdfFigure> {
        let tree = Tree::from_str(svg, &self.options).map_err(|e| problem(figure, &e))?;
        let (width, height) = (POINTS * tree.size().width(), POINTS * tree.size().height());
        let size = Size::from_wh(width, height).ok_or_else(|| problem(figure, &"it has no size"))?;
        let mut document = Document::new();
        let mut page = document.start_page_with(PageSettings::new(size));
        let mut surface = page.surface();
        let drawn = surface.draw_svg(&tree, size, SvgSettings::default());
        surface.finish();
        page.finish();
        drawn.ok_or_else(|| problem(figure, &"it cannot be drawn as PDF"))?;
        let bytes = document.finish().map_err(|e| problem(figure, &format!("{e:?}")))?;
        let mut missing = BTreeSet::new();
        find_missing(tree.root(), &mut missing);
        Ok(PdfFigure { bytes, missing: missing.into_iter().collect() })
    }
}

/// Glyph 0 of a font stands for all that it lacks.
fn find_missing(group: &Group, missing: &mut BTreeSet<char>) {
    for node in group.children() {
        match node {
            Node::Group(inner) => find_missing(inner, missing),
            Node::Text(text) => {
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                missing.extend(glyphs.filter(|glyph| glyph.id.0 == 0).flat_map(|glyph| glyph.text.chars()));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 84 20\" width=\"84mm\" height=\"20mm\">\
        <text x=\"1\" y=\"9\" font-size=\"3\">a &lt;b> &amp; φ 東</text>\
        <text x=\"1\" y=\"15\" font-size=\"3\" font-weight=\"600\">bold</text></svg>";

    /// Everything that the file says, its compressed streams unpacked.
    fn plain(pdf: &[u8]) -> String {
        let mut text = String::from_utf8_lossy(pdf).into_owned();
        for at in memchr_all(pdf, b"\nstream\n") {
            let mut unpacked = Vec::new();
            if flate2::read::ZlibDecoder::new(&pdf[at..]).read_to_end(&mut unpacked).is_ok() {
                text.push_str(&String::from_utf8_lossy(&unpacked));
            }
        }
        text
    }

    fn memchr_all<'a>(pdf: &'a [u8], mark: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        pdf.windows(mark.len())
            .enumerate()
            .filter(move |(_, w)| *w == mark)
            .map(move |(at, _)| at + mark.len())
    }

    #[test]
    fn text_stays_text_in_a_font_that_the_file_holds() {
        let figure = PdfWriter::default().write("f", SVG).unwrap();
        assert_eq!(figure.missing, "東");
        let said = plain(&figure.bytes);
        // 84 mm and 20 mm in points.
        assert!(said.contains("/MediaBox[0 0 238.11") && said.contains(" 56.69"), "the size is another");
        assert_eq!(said.matches("/FontFile").count(), 2);
        // What a reader may search for and copy: <, & and φ.
        for letter in ["003C", "0026", "03C6"] {
            assert!(said.to_uppercase().contains(&format!("<{letter}>")), "{letter} is not told");
        }
        let again = PdfWriter::default().write("f", SVG).unwrap();
        assert!(figure.bytes == again.bytes, "two files of one figure differ");
    }

    #[test]
    fn what_is_no_figure_is_refused_by_name() {
        let said = PdfWriter::default().write("rank-flow", "<p>").unwrap_err().to_string();
        assert!(said.contains("rank-flow"), "{said}");
    }
}
