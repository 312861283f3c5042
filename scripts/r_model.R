# A model of an R package as a model of an experiment (family = "command").
#
#   Rscript r_model.R MODEL TRAIN TEST OUT SEED [name=value ...]
#
# TRAIN has the inputs and the target y, TEST the inputs; OUT gets one prediction per row of TEST (all CSV).
# MODEL is lm, rpart, nnet, svm or randomForest; name=value sets its parameters. experiments/external.toml shows the
# other side.

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 5) stop("usage: r_model.R MODEL TRAIN TEST OUT SEED [name=value ...]")
train <- read.csv(arguments[2])
test <- read.csv(arguments[3])
# Words are factors, with the same levels in both.
for (name in names(test)[sapply(test, is.character)]) {
  levels <- union(train[[name]], test[[name]])
  train[[name]] <- factor(train[[name]], levels)
  test[[name]] <- factor(test[[name]], levels)
}
out <- arguments[4]
set.seed(as.numeric(arguments[5]) %% .Machine$integer.max)

settings <- list()
for (pair in arguments[-(1:5)]) {
  name <- sub("=.*", "", pair)
  settings[[name]] <- type.convert(sub("[^=]*=", "", pair), as.is = TRUE)
}
fit <- function(f, ...) do.call(f, c(list(y ~ ., data = train), settings, list(...)))

model <- switch(arguments[1],
  lm = fit(lm),
  rpart = fit(rpart::rpart),
  nnet = fit(nnet::nnet, linout = TRUE, trace = FALSE, MaxNWts = 1e5),
  svm = { library(e1071); fit(svm) },
  randomForest = { suppressMessages(library(randomForest)); fit(randomForest) },
  stop("no model is called '", arguments[1], "'; it is one of lm, rpart, nnet, svm, randomForest")
)
write.csv(data.frame(prediction = as.numeric(predict(model, test))), out, row.names = FALSE)
