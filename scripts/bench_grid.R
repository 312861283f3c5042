# One family of PR09's grid in R, for scripts/bench_grid.py: Rscript bench_grid.R train.csv test.csv family
args <- commandArgs(trailingOnly = TRUE)
train <- read.csv(args[1])
test <- read.csv(args[2])
x <- as.matrix(train[, -1])
z <- as.matrix(test[, -1])
say <- function(p) {
  p <- as.numeric(p)
  e <- p - test$y
  cat("fit", mean(abs(e)), sqrt(mean(e^2)), sum(abs(p) >= 0.02), "\n")
}
set.seed(1234)
switch(args[3],
  nnet = for (size in c(5, 10, 15, 20, 30)) for (decay in c(.01, .05, .1))
    say(predict(nnet::nnet(x, train$y, size = size, decay = decay, linout = TRUE, trace = FALSE, MaxNWts = 5000), z)),
  mars = for (penalty in 1:4) for (thresh in c(.01, .005, .001, .0005))
    say(predict(mda::mars(x, train$y, penalty = penalty, thresh = thresh), z)),
  svm = for (cost in c(400, 500, 600, 700)) for (gamma in c(.01, .005, .001, .0005))
    say(predict(e1071::svm(x, train$y, cost = cost, gamma = gamma, cachesize = 1000), z)),
  forest = for (trees in seq(50, 500, 50))
    say(predict(randomForest::randomForest(x, train$y, ntree = trees), z)))
