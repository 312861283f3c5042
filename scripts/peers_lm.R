# Writes crates/tailrank-models/tests/fixtures/peers_lm_aliased.csv: R's lm with dependent inputs.
#
#     Rscript scripts/peers_lm.R
#
# To the five inputs of d_train.csv come x6 = x1 + x2, x7 = 3 and x8 = x3 + 1e-9 * x4, all of which lm leaves out, and
# x9 = x3 + 1e-5 * x5^2, which it keeps. In the test rows x6 = x1 - x2, x7 = x4 and x8 = -x3, so that a solution which shares
# the weight among dependent inputs predicts otherwise.
dir <- "crates/tailrank-models/tests/fixtures/"
train <- read.csv(paste0(dir, "d_train.csv"))
test <- read.csv(paste0(dir, "d_test.csv"))
train <- transform(train, x6 = x1 + x2, x7 = 3, x8 = x3 + 1e-9 * x4, x9 = x3 + 1e-5 * x5^2)
test <- transform(test, x6 = x1 - x2, x7 = x4, x8 = -x3, x9 = x3 + 1e-5 * x5^2)
fit <- lm(y ~ ., train)
stopifnot(identical(unname(which(is.na(coef(fit)))), 7:9))
pred <- suppressWarnings(predict(fit, test))
write.csv(data.frame(i = seq_along(pred), pred = sprintf("%.17g", pred)),
          paste0(dir, "peers_lm_aliased.csv"), row.names = FALSE, quote = FALSE)
