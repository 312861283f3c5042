//! Series and tables in, embeddings and leak-free splits out.
