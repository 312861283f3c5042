# CPU seconds of R for the MARS or nnet variants of the stock-returns study, or the two CSV files of one task.
#   Rscript scripts/bench_mars_nnet.R data quotes.csv train.csv test.csv     (column 2: closing prices)
#   Rscript scripts/bench_mars_nnet.R mars|nnet train.csv test.csv
args <- commandArgs(TRUE)
if (args[1] == "data") {
  p <- read.csv(args[2])[[2]]
  h <- 3; n <- length(p)
  r <- c(rep(NA, h), (p[(h + 1):n] - p[1:(n - h)]) / p[1:(n - h)])
  t <- (h + 24):(n - h)
  d <- cbind(r[t + h], sapply(0:23, function(l) r[t - l]))
  write <- function(m, file) {
    write.table(matrix(sprintf("%.17g", m), nrow(m)), file, sep = ",", quote = FALSE, row.names = FALSE,
                col.names = c("y", paste0("x", 1:24)))
  }
  write(d[1:5000, ], args[3])
  write(d[-(1:5000), ], args[4])
  quit()
}
suppressMessages({ library(mda); library(nnet) })
train <- read.csv(args[2]); test <- read.csv(args[3])
x <- as.matrix(train[, -1]); new <- as.matrix(test[, -1])
seconds <- 0
fit <- function(make) {
  seconds <<- seconds + sum(system.time(mean(abs(predict(make(), new) - test$y)))[1:2])
}
if (args[1] == "mars") {
  for (p in 1:4) for (t in c(.01, .005, .001, .0005)) fit(function() mars(x, train$y, penalty = p, thresh = t))
} else {
  for (s in c(5, 10, 15, 20, 30)) for (d in c(.01, .05, .1)) {
    set.seed(1234)
    fit(function() nnet(x, train$y, size = s, decay = d, linout = TRUE, trace = FALSE, MaxNWts = 5000))
  }
}
cat(sprintf("cpu_seconds %.4f\n", seconds))
