// φ, α and ζ as the tailrank-metrics crate computes them, operation by operation: what-if scores have the same bits.
(function (tr) {
  // eˣ by the split n·ln 2 + r, as in exp.rs; Math.exp differs from browser to browser in the last digit.
  var LOG2_E = 1.4426950408889634, LN2_HIGH = 6.931471803691238e-1, LN2_LOW = 1.9082149292705877e-10;
  var ROUNDER = 6755399441055744;
  var P0 = 1.6666666666666602e-1, P1 = -2.7777777777015593e-3, P2 = 6.613756321437934e-5;
  var P3 = -1.6533902205465252e-6, P4 = 4.1381367970572385e-8;
  var powers = new Float64Array(2048), ZERO = 1024; // powers[ZERO + n] = 2ⁿ
  powers[ZERO] = 1;
  for (var k = 1; k < 1023; k++) {
    powers[ZERO + k] = powers[ZERO + k - 1] * 2;
    powers[ZERO - k] = powers[ZERO - k + 1] / 2;
  }

  // 1/(1 + e⁻ᵗ)
  function logistic(t) {
    var x = -t;
    x = x > 708 ? 708 : x;
    x = x < -708 ? -708 : x;
    var n = x * LOG2_E + ROUNDER - ROUNDER;
    var r = x - n * LN2_HIGH - n * LN2_LOW;
    var z = r * r;
    var q = 2 - (r - z * (P0 + z * (P1 + z * (P2 + z * (P3 + z * P4)))));
    return q / (q + powers[ZERO + n] * (q + 2 * r));
  }

  // 1 − eˣ
  function oneMinusExp(x) {
    x = x > 708 ? 708 : x;
    x = x < -708 ? -708 : x;
    var n = x * LOG2_E + ROUNDER - ROUNDER;
    var r = x - n * LN2_HIGH - n * LN2_LOW;
    var z = r * r;
    var q = 2 - (r - z * (P0 + z * (P1 + z * (P2 + z * (P3 + z * P4)))));
    var power = powers[ZERO + n];
    return 1 - power - power * (2 * r / q);
  }

  // PR09 eq. 4–5; of two sides the larger exponent counts.
  function sigmoid(phi) {
    var slope = function (c) { return phi.logit / Math.abs(c * phi.k); };
    var hasLow = phi.low !== null, hasHigh = phi.high !== null;
    var lowSlope = hasLow ? slope(phi.low) : 0, highSlope = hasHigh ? slope(phi.high) : 0;
    var low = hasLow ? phi.low : 0, high = hasHigh ? phi.high : 0;
    var lowFloor = hasLow ? 0 : -1e300, highFloor = hasHigh ? 0 : -1e300;
    return function (y) {
      var a = highSlope * (y - high) + highFloor, b = lowSlope * (low - y) + lowFloor;
      return logistic(b > a ? b : a);
    };
  }

  // Piecewise cubic; the run hands over control points and the slopes after uba's monotonicity correction.
  function pchip(phi) {
    var y = phi.points.map(function (p) { return p[0]; });
    var f = phi.points.map(function (p) { return p[1]; });
    var m = phi.slopes, last = y.length - 1;
    var pieces = [[y[0], f[0], m[0], 0, 0]];
    for (var i = 0; i < last; i++) {
      var h = y[i + 1] - y[i], secant = (f[i + 1] - f[i]) / h;
      pieces.push([y[i], f[i], m[i], (3 * secant - 2 * m[i] - m[i + 1]) / h, (m[i] - 2 * secant + m[i + 1]) / (h * h)]);
    }
    pieces.push([y[last], f[last], m[last], 0, 0]);
    return function (value) {
      var piece = 0;
      for (var j = 0; j <= last; j++) if (value >= y[j]) piece++;
      var c = pieces[piece], s = value - c[0];
      var out = c[1] + s * (c[2] + s * (c[3] + s * c[4]));
      return out < 0 ? 0 : out > 1 ? 1 : out;
    };
  }

  function table(phi) {
    var p = phi.points;
    return function (y) {
      var after = 0;
      while (after < p.length && p[after][0] <= y) after++;
      if (after === 0) return p[0][1];
      if (after === p.length) return p[after - 1][1];
      var a = p[after - 1], b = p[after], w = (y - a[0]) / (b[0] - a[0]);
      var out = a[1] * (1 - w) + b[1] * w;
      return Math.min(Math.max(out, Math.min(a[1], b[1])), Math.max(a[1], b[1]));
    };
  }

  // JSON has no infinity: an open end is null.
  function indicator(phi) {
    return function (y) {
      return phi.ranges.some(function (r) { return (r[0] === null || y >= r[0]) && (r[1] === null || y <= r[1]); }) ? 1 : 0;
    };
  }

  tr.relevance = function (phi) {
    return { sigmoid: sigmoid, pchip: pchip, table: table, indicator: indicator }[phi.kind](phi);
  };

  // PR09 eq. 8–9.
  tr.accuracy = function (shape, k, tL) {
    if (shape === "indicator") return function (loss) { return loss <= tL ? 1 : 0; };
    if (shape === "linear") return function (loss) { var a = 1 - loss / tL; return a > 0 ? a : 0; };
    return function (loss) {
      var shortOf = loss - tL;
      shortOf = shortOf < 0 ? shortOf : 0;
      var u = shortOf / tL;
      return oneMinusExp(-k * (u * u));
    };
  };

  // UT08 eq. 1–2, from φ(y), φ(ŷ) and the absolute error.
  var NEGATIVE_LN_DELTA = 9.210340371976182; // −ln 1e-4
  tr.utility = function (benefit, t, p) {
    var eta = NEGATIVE_LN_DELTA / t;
    return function (phiY, phiZ, loss) {
      var slack = t - loss;
      var size = benefit * oneMinusExp(-eta * Math.abs(slack));
      var zeta = (slack < 0 ? -size : size) + 0;
      var weight = loss <= t ? (phiY < phiZ ? phiY : phiZ) : (1 - p) * phiZ + p * phiY;
      return weight * zeta;
    };
  };

  // The ranges of y with φ(y) ≥ t between two ends, for bands in figures.
  tr.eventRanges = function (phi, tE, from, to) {
    var f = tr.relevance(phi), steps = 2000, ranges = [], open = null;
    for (var i = 0; i <= steps; i++) {
      var y = from + (to - from) * i / steps, inside = f(y) >= tE;
      if (inside && open === null) open = y;
      if (!inside && open !== null) { ranges.push([open, y]); open = null; }
    }
    if (open !== null) ranges.push([open, to]);
    return ranges;
  };
})(tailrank);
