# Relevance between its points, and PR09's fences, by base R: the answers of crates/tailrank-metrics/tests/oracle_base_r.rs.
#
#   Rscript scripts/fixtures_phi.R crates/tailrank-metrics/tests/fixtures
#
# cubic: R's own Fritsch-Carlson correction of the slopes (the C routine behind splinefun(method = "monoH.FC")), then
#        cubic Hermite interpolation (splinefunH); outside the points straight with the corrected end slopes.
# table: approx(rule = 2).
# fence: quantile(type = 7).
out <- commandArgs(trailingOnly = TRUE)[1]
options(digits = 17)
write <- function(frame, name) write.csv(frame, file.path(out, name), row.names = FALSE, quote = FALSE)

cubics <- list(
  # Steep: both slopes of an interval beyond the circle of radius 3.
  steep = list(y = c(-2, 0, 1, 4), phi = c(0, 0.3, 0.5, 1), slope = c(0.9, 0.8, 1.1, 0.7)),
  # One interval is corrected and the next sees the corrected slope.
  chain = list(y = c(-1, -0.2, 0.1, 0.9, 2), phi = c(0, 0.1, 0.6, 0.7, 1), slope = c(2, 3, 4, 1.5, 2.5)),
  # A level interval has level ends.
  level = list(y = c(-3, -1, 0, 2), phi = c(1, 0.4, 0.4, 0), slope = c(-0.6, -2, -1, -0.9)),
  # Falling, uneven.
  fall = list(y = c(0, 0.5, 3), phi = c(1, 0.2, 0), slope = c(-6, -5, -0.4)),
  # Nothing to correct.
  gentle = list(y = c(-2, 0, 3), phi = c(0, 0.5, 1), slope = c(0.1, 0.2, 0.1))
)
tables <- list(
  rise = list(y = c(-1.5, 0.25, 0.75, 4), phi = c(0.1, 0.2, 0.9, 1)),
  valley = list(y = c(-3, -1, 2, 2.5), phi = c(1, 0, 0.3, 0.85))
)
points <- data.frame()
values <- data.frame()
for (case in names(cubics)) {
  p <- cubics[[case]]
  secant <- diff(p$phi) / diff(p$y)
  m <- .Call(stats:::C_monoFC_m, as.double(p$slope), as.double(secant))
  grid <- seq(min(p$y) - 0.3, max(p$y) + 0.3, length.out = 173)
  points <- rbind(points, data.frame(kind = "cubic", case, y = p$y, phi = p$phi, slope = p$slope, corrected = m))
  values <- rbind(values, data.frame(kind = "cubic", case, y = grid, phi = splinefunH(p$y, p$phi, m)(grid)))
}
for (case in names(tables)) {
  p <- tables[[case]]
  grid <- seq(min(p$y) - 0.5, max(p$y) + 0.5, length.out = 151)
  points <- rbind(points, data.frame(kind = "table", case, y = p$y, phi = p$phi, slope = 0, corrected = 0))
  values <- rbind(values, data.frame(kind = "table", case, y = grid, phi = approx(p$y, p$phi, grid, rule = 2)$y))
}
data <- read.csv(file.path(out, "c_data.csv"))
fences <- data.frame()
for (column in c("y", "p1", "p2")) for (n in c(7, 10, 23, 48, 200)) {
  q <- quantile(data[[column]][1:n], c(0.25, 0.75), type = 7, names = FALSE)
  fences <- rbind(fences, data.frame(column, n, low = q[1] - 1.5 * diff(q), high = q[2] + 1.5 * diff(q)))
}
number <- function(frame) { for (j in seq_along(frame)) if (is.numeric(frame[[j]])) frame[[j]] <- sprintf("%.17g", frame[[j]]); frame }
write(number(points), "c_phi_base_r_points.csv")
write(number(values), "c_phi_base_r.csv")
write(number(fences), "c_fences_base_r.csv")
