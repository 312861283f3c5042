# The R peers of scripts/bench/peers.py --fits: reads `peer fit data seconds` lines, answers each with one line of JSON, as
# fits_python.py does.
seconds_used <- function() sum(proc.time()[c(1, 2, 4, 5)], na.rm = TRUE)
nnet_grid <- expand.grid(b = c(.01, .05, .1), a = c(5, 10, 15, 20, 30))
mars_grid <- expand.grid(b = c(.01, .005, .001, .0005), a = 1:4)
svm_grid <- expand.grid(b = c(.01, .005, .001, .0005), a = c(400, 500, 600, 700))
ridge <- c(1, .1, .01, .001, .0001)
lasso <- c(1e-4, 3e-5, 1e-5, 3e-6, 1e-6)
last <- function(grid, fit) { for (i in seq_len(nrow(grid))) found <- fit(grid$a[i], grid$b[i]); found }

# The function (x, y, z) -> predictions for z that is timed.
runner <- function(peer, what, a) {
  key <- paste(peer, what)
  switch(key,
    "ranger forest" = function(x, y, z) predict(ranger::ranger(x = x, y = y, num.trees = a[1], mtry = ncol(x) %/% 3, min.node.size = 5, num.threads = 1), data = z, num.threads = 1)$predictions,
    "ranger extra" = function(x, y, z) predict(ranger::ranger(x = x, y = y, num.trees = a[1], mtry = ncol(x) %/% 3, min.node.size = 5, splitrule = "extratrees", replace = FALSE, sample.fraction = 1, num.threads = 1), data = z, num.threads = 1)$predictions,
    "earth mars" = function(x, y, z) predict(earth::earth(x, y, penalty = a[1], thresh = a[2]), z),
    "earth mars2" = function(x, y, z) predict(earth::earth(x, y, degree = 2, penalty = 3, thresh = .001, nk = max(21, 2 * ncol(x) + 1)), z),
    "earth mars-grid" = function(x, y, z) last(mars_grid, function(p, t) predict(earth::earth(x, y, penalty = p, thresh = t), z)),
    "R mars" = function(x, y, z) predict(mda::mars(x, y, penalty = a[1], thresh = a[2]), z),
    "R nnet" = function(x, y, z) predict(nnet::nnet(x, y, size = a[1], decay = a[2], linout = TRUE, trace = FALSE, MaxNWts = 5000), z),
    "R svm" = function(x, y, z) predict(e1071::svm(x, y, cost = a[1], gamma = a[2], cachesize = 1000), z),
    "R ols" = function(x, y, z) cbind(1, z) %*% .lm.fit(cbind(1, x), y)$coefficients,
    "glmnet ridge" = function(x, y, z) predict(glmnet::glmnet(x, y, alpha = 0, lambda = ridge, standardize = FALSE), z)[, 1],
    "glmnet lasso" = function(x, y, z) predict(glmnet::glmnet(x, y, alpha = 1, lambda = lasso * if (length(a)) a[1] else 1, standardize = FALSE), z)[, 1],
    "rpart cart" = function(x, y, z) predict(rpart::rpart(y ~ ., data.frame(y = y, x), control = rpart::rpart.control(cp = a[1], xval = 0)), data.frame(z)),
    stop(paste(peer, "has no", what)))
}

answer <- function(peer, fit, tables, seconds) {
  parts <- strsplit(fit, "[=,]")[[1]]
  run <- runner(peer, parts[1], as.numeric(parts[-1]))
  times <- c()
  repetitions <- 1
  # The first run also pays for loading a package: there is a second one unless it took so long that this does not matter.
  while (length(times) == 0 || length(times) == 1 && times[1] < 20 || sum(times[-1]) * repetitions < seconds && length(times) < 8 && length(times) > 1) {
    set.seed(1)
    begin <- seconds_used()
    # R counts milliseconds: short fits are timed in packs.
    for (i in seq_len(repetitions)) found <- run(tables$x, tables$y, tables$z)
    times <- c(times, (seconds_used() - begin) / repetitions)
    if (length(times) == 1 || length(times) == 2 && repetitions == 1) repetitions <- max(1, min(20, round(seconds / 4 / max(min(times), .001))))
  }
  if (length(times) > 1) times <- times[-1]
  rmse <- sqrt(mean((as.numeric(found) - tables$truth)^2))
  sprintf('{"seconds": [%s], "rmse": %.10g}', paste(sprintf("%.6f", times), collapse = ", "), rmse)
}

loaded <- ""
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  fields <- strsplit(line, "\t")[[1]]
  text <- tryCatch({
    if (loaded != fields[3]) {
      tables <- lapply(c("train", "test"), function(part) as.matrix(read.csv(paste0(fields[3], "-", part, ".csv"), header = FALSE, colClasses = "numeric")))
      inputs <- seq_len(ncol(tables[[1]]) - 1)
      tables <- list(x = tables[[1]][, inputs], y = tables[[1]][, length(inputs) + 1], z = tables[[2]][, inputs], truth = tables[[2]][, length(inputs) + 1])
      loaded <- fields[3]
    }
    answer(fields[1], fields[2], tables, as.numeric(fields[4]))
  }, error = function(e) sprintf('{"skipped": "%s"}', gsub('["\\\\\n]', " ", conditionMessage(e))))
  cat("answer ", text, "\n", sep = "")
  flush(stdout())
}
