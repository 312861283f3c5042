# Writes crates/tailrank-models/tests/fixtures/nnet_seeds.csv: networks R fits on d_train.csv after set.seed, with and
# without a skip layer, far from and near convergence.  Rscript scripts/fixtures_nnet.R
suppressMessages(library(nnet))
folder <- "crates/tailrank-models/tests/fixtures"
train <- read.csv(file.path(folder, "d_train.csv"))
x <- as.matrix(train[, -1])
out <- file(file.path(folder, "nnet_seeds.csv"), "w")
writeLines("seed,size,decay,skip,maxit,convergence,value,weight", out)
for (skip in c(FALSE, TRUE)) for (seed in c(1, 77)) for (maxit in c(30, 400)) for (size in c(0, 2, 7)) {
  if (size == 0 && !skip) next
  decay <- if (seed == 1) 0.05 else 0.001
  set.seed(seed)
  m <- nnet(x, train$y, size = size, decay = decay, skip = skip, linout = TRUE, maxit = maxit, trace = FALSE)
  writeLines(paste(seed, size, decay, skip, maxit, m$convergence, sprintf("%.17g", m$value),
                   sprintf("%.17g", m$wts), sep = ","), out)
}
close(out)
