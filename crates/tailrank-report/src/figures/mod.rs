//! Static figures, as SVG.
