// φ, α and ζ as the tailrank-metrics crate computes them, operation by operation: what-if scores have the same bits.
((tr) => {
  // eˣ by the split n·ln 2 + r, as in exp.rs; Math.exp differs from browser to browser in the last digit.
  const LOG2_E = 1.4426950408889634,
    LN2_HIGH = 6.931471803691238e-1,
    LN2_LOW = 1.9082149292705877e-10;
  const ROUNDER = 6755399441055744;
  const P0 = 1.6666666666666602e-1,
    P1 = -2.7777777777015593e-3,
    P2 = 6.613756321437934e-5;
  const P3 = -1.6533902205465252e-6,
    P4 = 4.1381367970572385e-8;
  const powers = new Float64Array(2048),
    ZERO = 1024; // powers[ZERO + n] = 2ⁿ
  powers[ZERO] = 1;
  for (let k = 1; k < 1023; k++) {
    powers[ZERO + k] = powers[ZERO + k - 1] * 2;
    powers[ZERO - k] = powers[ZERO - k + 1] / 2;
  }

  // 1/(1 + e⁻ᵗ)
  function logistic(t) {
    let x = -t;
    x = x > 708 ? 708 : x;
    x = x < -708 ? -708 : x;
    const n = x * LOG2_E + ROUNDER - ROUNDER;
    const r = x - n * LN2_HIGH - n * LN2_LOW;
    const z = r * r;
    const q = 2 - (r - z * (P0 + z * (P1 + z * (P2 + z * (P3 + z * P4)))));
    return q / (q + powers[ZERO + n] * (q + 2 * r));
  }

  // 1 − eˣ
  function oneMinusExp(x) {
    x = x > 708 ? 708 : x;
    x = x < -708 ? -708 : x;
    const n = x * LOG2_E + ROUNDER - ROUNDER;
    const r = x - n * LN2_HIGH - n * LN2_LOW;
    const z = r * r;
    const q = 2 - (r - z * (P0 + z * (P1 + z * (P2 + z * (P3 + z * P4)))));
    const power = powers[ZERO + n];
    return 1 - power - power * ((2 * r) / q);
  }

  // PR09 eq. 4–5; of two sides the larger exponent counts.
  function sigmoid(phi) {
    const slope = (c) => phi.logit / Math.abs(c * phi.k);
    const hasLow = phi.low !== null,
      hasHigh = phi.high !== null;
    const lowSlope = hasLow ? slope(phi.low) : 0,
      highSlope = hasHigh ? slope(phi.high) : 0;
    const low = hasLow ? phi.low : 0,
      high = hasHigh ? phi.high : 0;
    const lowFloor = hasLow ? 0 : -1e300,
      highFloor = hasHigh ? 0 : -1e300;
    return (y) => {
      const a = highSlope * (y - high) + highFloor,
        b = lowSlope * (low - y) + lowFloor;
      return logistic(b > a ? b : a);
    };
  }

  // Piecewise cubic; the run hands over control points and the slopes after uba's monotonicity correction.
  function pchip(phi) {
    const y = phi.points.map((p) => p[0]);
    const f = phi.points.map((p) => p[1]);
    const m = phi.slopes,
      last = y.length - 1;
    const pieces = [[y[0], f[0], m[0], 0, 0]];
    for (let i = 0; i < last; i++) {
      const h = y[i + 1] - y[i],
        secant = (f[i + 1] - f[i]) / h;
      pieces.push([y[i], f[i], m[i], (3 * secant - 2 * m[i] - m[i + 1]) / h, (m[i] - 2 * secant + m[i + 1]) / (h * h)]);
    }
    pieces.push([y[last], f[last], m[last], 0, 0]);
    return (value) => {
      let piece = 0;
      for (let j = 0; j <= last; j++) if (value >= y[j]) piece++;
      const c = pieces[piece],
        s = value - c[0];
      const out = c[1] + s * (c[2] + s * (c[3] + s * c[4]));
      return out < 0 ? 0 : out > 1 ? 1 : out;
    };
  }

  function table(phi) {
    const p = phi.points;
    return (y) => {
      let after = 0;
      while (after < p.length && p[after][0] <= y) after++;
      if (after === 0) return p[0][1];
      if (after === p.length) return p[after - 1][1];
      const a = p[after - 1],
        b = p[after],
        w = (y - a[0]) / (b[0] - a[0]);
      const out = a[1] * (1 - w) + b[1] * w;
      return Math.min(Math.max(out, Math.min(a[1], b[1])), Math.max(a[1], b[1]));
    };
  }

  // JSON has no infinity: an open end is null.
  function indicator(phi) {
    return (y) => (phi.ranges.some((r) => (r[0] === null || y >= r[0]) && (r[1] === null || y <= r[1])) ? 1 : 0);
  }

  tr.relevance = (phi) =>
    ({
      sigmoid,
      pchip,
      table,
      indicator
    })[phi.kind](phi);

  // PR09 eq. 8–9.
  tr.accuracy = (shape, k, tL) => {
    if (shape === "indicator") return (loss) => (loss <= tL ? 1 : 0);
    if (shape === "linear")
      return (loss) => {
        const a = 1 - loss / tL;
        return a > 0 ? a : 0;
      };
    return (loss) => {
      let shortOf = loss - tL;
      shortOf = shortOf < 0 ? shortOf : 0;
      const u = shortOf / tL;
      return oneMinusExp(-k * (u * u));
    };
  };

  // UT08 eq. 1–2, from φ(y), φ(ŷ) and the absolute error.
  const NEGATIVE_LN_DELTA = 9.210340371976182; // −ln 1e-4
  tr.utility = (benefit, t, p) => {
    const eta = NEGATIVE_LN_DELTA / t;
    return (phiY, phiZ, loss) => {
      const slack = t - loss;
      const size = benefit * oneMinusExp(-eta * Math.abs(slack));
      const zeta = (slack < 0 ? -size : size) + 0;
      const weight = loss <= t ? (phiY < phiZ ? phiY : phiZ) : (1 - p) * phiZ + p * phiY;
      return weight * zeta;
    };
  };

  // The ranges of y with φ(y) ≥ t between two ends, for bands in figures.
  tr.eventRanges = (phi, tE, from, to) => {
    const f = tr.relevance(phi);
    const steps = 2000;
    const ranges = [];
    let open = null;
    let before = from;
    // The edge between a value inside and one outside, by bisection.
    function edge(inside, outside) {
      for (let i = 0; i < 60; i++) {
        const middle = (inside + outside) / 2;
        if (f(middle) >= tE) inside = middle;
        else outside = middle;
      }
      return inside;
    }
    for (let i = 0; i <= steps; i++) {
      const y = from + ((to - from) * i) / steps,
        inside = f(y) >= tE;
      if (inside && open === null) open = i === 0 ? from : edge(y, before);
      if (!inside && open !== null) {
        ranges.push([open, edge(before, y)]);
        open = null;
      }
      before = y;
    }
    if (open !== null) ranges.push([open, to]);
    return ranges;
  };
})(tailrank);
