# Writes the weighted fits of R that tests/weights_reference.rs checks the families against.
#   Rscript scripts/weights_r.R
# Reads d_train.csv, d_test.csv and weights_cases.csv (scripts/weights_sklearn.py) from crates/tailrank-models/tests/fixtures
# and writes beside them weights_r.csv (model, i, pred) and weights_rpart_cptable.csv.
library(rpart)
library(nnet)
folder <- "crates/tailrank-models/tests/fixtures"
read <- function(name) read.csv(file.path(folder, name))
train <- read("d_train.csv")
test <- read("d_test.csv")
w <- read("weights_cases.csv")$w
out <- NULL
add <- function(model, pred) out <<- rbind(out, data.frame(model, i = seq_along(pred), pred = sprintf("%.17g", pred)))

add("lm", predict(lm(y ~ ., train, weights = w), test))

folds <- rep(1:10, length.out = nrow(train))
table <- NULL
for (cp in c(0.01, 0.001)) {
  tree <- rpart(y ~ ., train, weights = w, cp = cp, xval = folds)
  add(paste0("rpart_", cp), predict(tree, test))
  table <- rbind(table, data.frame(tree = cp, tree$cptable, check.names = FALSE))
}
write.csv(format(table, digits = 17), file.path(folder, "weights_rpart_cptable.csv"), row.names = FALSE, quote = FALSE)

for (decay in c(0.01, 0.5)) {
  set.seed(4)
  net <- nnet(y ~ ., train, weights = w, size = 3, decay = decay, linout = TRUE, maxit = 60, trace = FALSE)
  add(paste0("nnet_", decay), predict(net, test)[, 1])
}
write.csv(out, file.path(folder, "weights_r.csv"), row.names = FALSE, quote = FALSE)
