//! Tables for other tools: Markdown, LaTeX, JSON.
