# The paper's grid in R, for scripts/bench/peers.py:
#   Rscript peers.R cores family train.csv test.csv [train.csv test.csv ...]
# `family` is nnet, mars, svm or forest; `svm=400,0.0005` is one variant of it.
args <- commandArgs(trailingOnly = TRUE)
cores <- as.integer(args[1])
what <- strsplit(args[2], "[=,]")[[1]]
family <- what[1]
files <- matrix(args[-(1:2)], ncol = 2, byrow = TRUE)
tasks <- lapply(seq_len(nrow(files)), function(i) {
  train <- read.csv(files[i, 1])
  test <- read.csv(files[i, 2])
  list(x = as.matrix(train[, -1]), y = train$y, z = as.matrix(test[, -1]), truth = test$y)
})
grids <- list(
  nnet = expand.grid(b = c(.01, .05, .1), a = c(5, 10, 15, 20, 30)),
  mars = expand.grid(b = c(.01, .005, .001, .0005), a = 1:4),
  svm = expand.grid(b = c(.01, .005, .001, .0005), a = c(400, 500, 600, 700)),
  forest = data.frame(a = seq(50, 500, 50), b = 0))
grid <- if (length(what) == 3) data.frame(a = as.numeric(what[2]), b = as.numeric(what[3])) else grids[[family]]
fit <- function(task, a, b) with(task, {
  p <- switch(family,
    nnet = predict(nnet::nnet(x, y, size = a, decay = b, linout = TRUE, trace = FALSE, MaxNWts = 5000), z),
    mars = predict(mda::mars(x, y, penalty = a, thresh = b), z),
    svm = predict(e1071::svm(x, y, cost = a, gamma = b, cachesize = 1000), z),
    forest = predict(randomForest::randomForest(x, y, ntree = a), z))
  e <- as.numeric(p) - truth
  c(mean(abs(e)), sqrt(mean(e^2)), sum(abs(p) >= 0.02))
})
jobs <- expand.grid(variant = seq_len(nrow(grid)), task = seq_along(tasks))
one <- function(j) {
  set.seed(1234 + j)
  fit(tasks[[jobs$task[j]]], grid$a[jobs$variant[j]], grid$b[jobs$variant[j]])
}
found <- if (cores > 1) {
  parallel::mclapply(seq_len(nrow(jobs)), one, mc.cores = cores, mc.preschedule = FALSE)
} else {
  lapply(seq_len(nrow(jobs)), one)
}
for (row in found) {
  if (inherits(row, "try-error") || is.null(row)) cat("failed", gsub("\n", " ", as.character(row)), "\n") else cat("fit", row, "\n")
}
