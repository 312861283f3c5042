# The 57 variants of the stock-returns study by R's own packages on the bundled Coca-Cola quotes:
#
#   Rscript scripts/fixtures_r_grid.R > crates/tailrank-models/tests/fixtures/r_grid_KO.csv
#
# 3-day returns, 24 lags, the return of the next 3 days as target; of the complete rows the first 3000 train and the next
# 2000 test. `signals` counts predictions beyond 2 %; `extra` is the number of support vectors, of MARS terms, the
# network's objective, or the forest's out-of-bag error. R 4.2.2, e1071 1.7-13, mda 0.5-3, nnet 7.3-18, randomForest 4.7-1.1.
suppressMessages({ library(e1071); library(mda); library(nnet); library(randomForest) })
prices <- read.csv(gzfile("crates/tailrank-data/data/KO.csv.gz"))$Close
h <- 3
returns <- c(rep(NA, h), prices[-(1:h)] / head(prices, -h) - 1)
at <- (h + 24):(length(prices) - h)
x <- sapply(0:23, function(lag) returns[at - lag])
y <- returns[at + h]
train <- 1:3000
test <- 3001:5000
X <- x[train, ]; Y <- y[train]; Z <- x[test, ]; truth <- y[test]

cat("family,first,second,mad,rmse,signals,extra\n")
report <- function(family, a, b, p, extra) {
  e <- as.numeric(p) - truth
  cat(sprintf("%s,%g,%g,%.15g,%.15g,%d,%.15g\n", family, a, b, mean(abs(e)), sqrt(mean(e^2)), sum(abs(p) >= 0.02), extra))
}
for (a in 1:4) for (b in c(.01, .005, .001, .0005)) {
  m <- mars(X, Y, penalty = a, thresh = b)
  report("mars", a, b, predict(m, Z), length(m$selected.terms))
}
for (a in c(400, 500, 600, 700)) for (b in c(.01, .005, .001, .0005)) {
  m <- svm(X, Y, cost = a, gamma = b, cachesize = 1000)
  report("svm", a, b, predict(m, Z), m$tot.nSV)
}
for (a in c(5, 10, 15, 20, 30)) for (b in c(.01, .05, .1)) {
  set.seed(1234)
  m <- nnet(X, Y, size = a, decay = b, linout = TRUE, trace = FALSE, MaxNWts = 5000)
  report("nnet", a, b, predict(m, Z), m$value)
}
for (a in seq(50, 500, 50)) {
  set.seed(1234)
  m <- randomForest(X, Y, ntree = a)
  report("forest", a, 0, predict(m, Z), tail(m$mse, 1))
}
