"use strict";
// Plots as drawings: bars for levels, curves over time. Axes have ticks with round numbers; a logarithmic scale says so.

const PLOT = { width: 900, height: 200, left: 70, right: 15, top: 12, bottom: 34 };

/** Round numbers from 0 to at least `most`. */
function ticks(most, count = 4) {
  const raw = most / count,
    power = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? power * 10;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

const compact = (n) => new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 }).format(n);

/** Axes with ticks and names; gives the scales. */
function axes(svg, xMost, yMost, xName, yName) {
  const inner = { width: PLOT.width - PLOT.left - PLOT.right, height: PLOT.height - PLOT.top - PLOT.bottom };
  const yTicks = ticks(Math.max(yMost, 1)),
    top = yTicks[yTicks.length - 1];
  const x = (value) => PLOT.left + (value / (xMost || 1)) * inner.width;
  const y = (value) => PLOT.top + inner.height - (value / top) * inner.height;
  const floor = PLOT.top + inner.height;
  for (const tick of yTicks) {
    svg.append(
      draw("line", { x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y(tick), y2: y(tick), class: "axis" }),
      draw("text", { x: PLOT.left - 6, y: y(tick) + 4, "text-anchor": "end" }, compact(tick)),
    );
  }
  for (const tick of ticks(xMost, 6).filter((tick) => tick <= xMost * 1.001)) {
    svg.append(draw("text", { x: x(tick), y: floor + 15, "text-anchor": "middle" }, compact(tick)));
  }
  svg.append(
    draw("text", { x: PLOT.width - PLOT.right, y: PLOT.height - 3, "text-anchor": "end" }, xName),
    draw("text", { x: 4, y: 10 }, yName),
  );
  return { x, y, floor };
}

const canvasFor = (label) =>
  draw("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, class: "plot", role: "img", "aria-label": label });

/** Bars: how many of something at each level from 0 on. */
function barPlot(counts, what) {
  const svg = canvasFor(`${what} per level`);
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const { x, y, floor } = axes(svg, counts.length, most, "level", what);
  const wide = x(1) - x(0);
  counts.forEach((count, i) =>
    svg.append(
      draw(
        "rect",
        { x: x(i), y: y(count), width: Math.max(0.6, wide * 0.9), height: floor - y(count), class: "bar" },
        draw("title", {}, `level ${i}: ${grouped(count)} ${what}`),
      ),
    ),
  );
  return make("div", { class: "scroll" }, svg);
}

/** A curve through points over time. */
function curvePlot(points, what) {
  const svg = canvasFor(`${what} over time`);
  const last = points[points.length - 1][0];
  const { x, y } = axes(
    svg,
    last,
    points.reduce((most, [, value]) => Math.max(most, value), 0),
    "seconds",
    what,
  );
  svg.append(
    draw("path", {
      d: points.map(([time, value], i) => `${i ? "L" : "M"} ${x(time).toFixed(1)} ${y(value).toFixed(1)}`).join(" "),
      class: "curve",
    }),
  );
  for (const [time, value] of points) {
    svg.append(
      draw(
        "circle",
        { cx: x(time), cy: y(value), r: 2.5, class: "dot" },
        draw("title", {}, `${seconds(time)}: ${grouped(Math.round(value))} ${what}`),
      ),
    );
  }
  return make("div", { class: "scroll" }, svg);
}

/** The time of a run: when each step is taken, and how the clocks grow and are set. */
function timeAxis(steps, choose) {
  const times = steps.map((step) => step.time?.decimal);
  if (steps.length === 0 || times.some((time) => typeof time !== "number")) return null;
  const names = Object.keys(steps[0].clocks ?? {}).slice(0, 16);
  const band = 34,
    top = 40,
    left = 120,
    right = 20,
    width = 900,
    height = top + names.length * band + 8;
  const most = Math.max(...times, 1e-9),
    scale = (width - left - right) / most;
  const x = (time) => left + time * scale;
  const svg = draw("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "plot time",
    role: "img",
    "aria-label": "time axis with delays and clocks",
  });
  svg.append(
    draw("line", { x1: left, x2: width - right, y1: 24, y2: 24, class: "axis" }),
    draw("text", { x: 4, y: 28 }, "time"),
  );
  for (const tick of ticks(most, 8).filter((tick) => tick <= most * 1.001)) {
    svg.append(
      draw("line", { x1: x(tick), x2: x(tick), y1: 20, y2: height - 6, class: "axis" }),
      draw("text", { x: x(tick), y: 12, "text-anchor": "middle" }, compact(tick)),
    );
  }
  const marks = steps.map((step, i) => {
    const mark = draw(
      "circle",
      { cx: x(times[i]), cy: 24, r: 5, class: "moment", "data-step": i, onclick: () => choose(i) },
      draw(
        "title",
        {},
        `step ${i} at time ${step.time.exact}${i > 0 ? `, after ${step.delay.exact}` : ""}: ${step.rule}`,
      ),
    );
    svg.append(mark);
    return mark;
  });
  names.forEach((name, row) => {
    const floor = top + (row + 1) * band - 4;
    const highest = Math.max(
      1e-9,
      ...steps.flatMap((step) => [step.clocks[name].decimal, step.clocks_before[name].decimal]),
    );
    const y = (value) => floor - (value / highest) * (band - 10);
    const way = steps.flatMap((step, i) => [
      [x(times[i]), y(step.clocks_before[name].decimal)],
      [x(times[i]), y(step.clocks[name].decimal)],
    ]);
    svg.append(
      draw("line", { x1: left, x2: width - right, y1: floor, y2: floor, class: "axis" }),
      draw("text", { x: 4, y: floor - 4 }, shortened(name, 16), draw("title", {}, name)),
      draw("text", { x: left - 6, y: y(highest) + 4, "text-anchor": "end" }, compact(highest)),
      draw("path", {
        d: way.map(([a, b], i) => `${i ? "L" : "M"} ${a.toFixed(1)} ${b.toFixed(1)}`).join(" "),
        class: "curve",
      }),
    );
  });
  return {
    element: make("div", { class: "scroll" }, svg),
    mark: (at) => marks.forEach((mark, i) => mark.classList.toggle("chosen", i === at)),
  };
}
