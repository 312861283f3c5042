# Writes crates/tailrank-models/tests/fixtures/mars_stress_{data,fits}.csv: fits of mda::mars on small data made to
# hit its corners (ties, integer and binary inputs, copies, near copies, scales, few rows, degrees 1 to 3).
#   Rscript scripts/fixtures_mars.R [cases] [folder] [first seed]
suppressMessages(library(mda))
args <- commandArgs(TRUE)
cases <- if (length(args) > 0) as.integer(args[1]) else 40L
folder <- if (length(args) > 1) args[2] else "crates/tailrank-models/tests/fixtures"
first <- if (length(args) > 2) as.integer(args[3]) else 0L
g <- function(v) sprintf("%.17g", v)

make <- function(case) {
  set.seed(1000 + first + case)
  n <- sample(c(8, 12, 20, 30, 60, 90), 1)
  p <- sample(1:4, 1)
  kind <- sample(c("normal", "ties", "integer", "binary", "copy", "near", "scale", "sum"), 1)
  x <- matrix(rnorm(n * p), n)
  if (kind == "ties") x <- round(x * 2) / 2
  if (kind == "integer") x <- round(x * 3)
  if (kind == "binary") x[, 1] <- as.numeric(x[, 1] > 0)
  if (kind == "copy") x <- cbind(x, x[, 1])
  if (kind == "near") x <- cbind(x, x[, 1] + 1e-3 * rnorm(n))
  if (kind == "scale") x <- x * 10^sample(-3:2, 1)
  if (kind == "sum") x <- cbind(x, rowSums(x), 1)
  x <- signif(x, 6)
  s <- max(abs(x))
  y <- 2 * pmax(x[, 1] - s / 10, 0) / s + sin(3 * x[, ncol(x)] / s) +
    (if (ncol(x) > 1) x[, 1] * x[, 2] / s^2 else 0) + sample(c(0, .05, .5), 1) * rnorm(n)
  list(x = x, y = signif(y, 6), kind = kind)
}

data <- file(file.path(folder, "mars_stress_data.csv"), "w")
fits <- file(file.path(folder, "mars_stress_fits.csv"), "w")
writeLines("case,y,inputs...", data)
writeLines("case,fit,kind,degree,penalty,threshold,nk,prune,gcv,slot,coefficient,terms: variable:sign:cut", fits)
for (case in seq_len(cases)) {
  d <- make(case)
  writeLines(paste(case, g(d$y), apply(d$x, 1, function(r) paste(g(r), collapse = ",")), sep = ","), data)
  for (k in 1:3) {
    degree <- sample(1:3, 1); penalty <- sample(c(-1, 0, 1, 2, 4, 6), 1)
    threshold <- sample(c(0, .0005, .001, .01, .05), 1); nk <- sample(c(5, 11, 12, 21), 1)
    prune <- runif(1) < 0.85
    m <- mars(d$x, d$y, degree = degree, penalty = penalty, thresh = threshold, nk = nk, prune = prune)
    b <- as.vector(m$coefficients)
    for (i in seq_along(m$selected.terms)) {
      slot <- m$selected.terms[i]
      used <- which(m$factor[slot, ] != 0)
      term <- paste(used, m$factor[slot, used], g(m$cuts[slot, used]), sep = ":", collapse = " ")
      writeLines(paste(case, k, d$kind, degree, penalty, threshold, nk, prune, g(m$gcv), slot, g(b[i]),
                       if (length(used)) term else "", sep = ","), fits)
    }
  }
}
close(data); close(fits)
