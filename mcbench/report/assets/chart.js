// Convergence curves: every box of the class "chart" draws the data that it holds as JSON.
(function () {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const MARGIN = { top: 12, right: 18, bottom: 46, left: 66 };
  const MARKS = 8;
  const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  const SHAPES = {
    o: "M-3 0A3 3 0 1 0 3 0A3 3 0 1 0 -3 0Z",
    s: "M-3 -3H3V3H-3Z",
    "^": "M0 -3.6L3.4 2.8H-3.4Z",
    v: "M0 3.6L3.4 -2.8H-3.4Z",
    D: "M0 -4L4 0L0 4L-4 0Z",
    P: "M-1.2 -3.6H1.2V-1.2H3.6V1.2H1.2V3.6H-1.2V1.2H-3.6V-1.2H-1.2Z",
    X: "M-3.4 -1.7L-1.7 -3.4L0 -1.7L1.7 -3.4L3.4 -1.7L1.7 0L3.4 1.7L1.7 3.4L0 1.7L-1.7 3.4L-3.4 1.7L-1.7 0Z",
  };

  let choices = 0;

  function make(name, attributes, parent, text) {
    const element = document.createElement(name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  }

  function draw(name, attributes, parent, text) {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  function pick(label, options, parent, onchange) {
    const field = make("div", { class: "field" }, parent);
    const id = `choice-${++choices}`;
    make("label", { for: id }, field, label);
    const select = make("select", { id }, field);
    options.forEach((option, i) => make("option", { value: i }, select, option));
    select.addEventListener("change", onchange);
    return select;
  }

  function tick(label, parent, onchange) {
    const box = make("label", { class: "check" }, parent);
    const input = make("input", { type: "checkbox" }, box);
    box.append(label);
    input.addEventListener("change", onchange);
    return input;
  }

  function shortly(value) {
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2).replace(/\.?0+e\+?/, "e");
    return String(Number(value.toPrecision(6)));
  }

  function power(exponent) {
    if (exponent >= -2 && exponent <= 4) return String(Number((10 ** exponent).toPrecision(1)));
    return "10" + Array.from(String(exponent), (sign) => SUPERSCRIPTS[sign]).join("");
  }

  // A scale maps values to [0, 1] and has ticks: values with texts.
  function logScale(low, high) {
    if (low === high) { low /= 2; high *= 2; }
    const a = Math.log10(low);
    const span = Math.log10(high) - a;
    const ticks = [];
    const step = Math.max(1, Math.ceil(span / 7));
    for (let e = Math.ceil(a - 1e-9); e <= a + span + 1e-9; e += step) ticks.push([10 ** e, power(e)]);
    if (ticks.length < 2) {
      ticks.length = 0;
      for (let e = Math.floor(a); e <= a + span; e++) {
        for (const m of span < 0.7 ? [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 5]) {
          const value = m * 10 ** e;
          if (value >= low && value <= high) ticks.push([value, shortly(value)]);
        }
      }
    }
    // Within a fraction of a decade a logarithm is nearly straight.
    const near = ticks.length < 2 ? linearScale(low, high).ticks : ticks;
    return { at: (value) => (Math.log10(value) - a) / span, ticks: near };
  }

  function linearScale(low, high) {
    if (low === high) {
      const pad = Math.abs(low) / 2 || 1;
      low -= pad;
      high += pad;
    }
    const rough = (high - low) / 6;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = unit * [1, 2, 5, 10].find((m) => m * unit >= rough);
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push([i * step, shortly(i * step)]);
    return { at: (value) => (value - low) / (high - low), ticks };
  }

  class Chart {
    constructor(box) {
      this.data = JSON.parse(box.querySelector("script").textContent);
      this.runs = box.dataset.runs;
      this.name = box.dataset.name;
      this.off = new Set();
      this.chosen = null;
      this.build(box);
      this.reset();
      new ResizeObserver(() => this.render()).observe(this.plot);
    }

    build(box) {
      const controls = make("div", { class: "controls" }, box);
      const again = () => this.reset();
      this.panel = pick("Data", this.data.panels.map((panel) => panel.name), controls, again);
      this.panel.parentElement.hidden = this.data.panels.length < 2;
      this.y = pick("Vertical", this.data.y.map((axis) => axis.label), controls, () => { this.logY.checked = this.axis("y").log; this.render(); });
      this.x = pick("Horizontal", this.data.x.map((axis) => axis.label), controls, () => { this.logX.checked = this.axis("x").log; this.render(); });
      this.logY = tick("log vertical", controls, () => this.render());
      this.logX = tick("log horizontal", controls, () => this.render());
      this.logX.checked = this.axis("x").log;
      this.logY.checked = this.axis("y").log;
      this.plot = make("div", { class: "plot" }, box);
      this.svg = draw("svg", { role: "application", tabindex: "0" }, this.plot);
      this.tip = make("div", { class: "tip", role: "status", hidden: "" }, this.plot);
      this.legend = make("ul", { class: "legend", "aria-label": "Curves" }, box);
      this.svg.addEventListener("pointermove", (event) => this.point(event));
      // A press opens the run of a point that is told already: by a mouse that hovers, or by a
      // finger that pressed there before.
      this.svg.addEventListener("pointerdown", (event) => {
        const told = String(this.chosen);
        this.point(event);
        this.told = this.chosen !== null && told === String(this.chosen);
      });
      this.svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.choose(null); });
      this.svg.addEventListener("blur", () => this.choose(null));
      this.svg.addEventListener("click", () => { if (this.told) this.open(); });
      this.svg.addEventListener("keydown", (event) => this.press(event));
    }

    axis(which) { return this.data[which][Number(this[which].value)]; }

    curves() { return this.data.panels[Number(this.panel.value)].curves; }

    // Another data set: all its curves, and a legend of them.
    reset() {
      this.off.clear();
      this.legend.replaceChildren();
      const curves = this.curves();
      curves.forEach((curve, i) => {
        const button = make("button", { type: "button", "aria-pressed": "true" }, make("li", {}, this.legend));
        const sample = draw("svg", { width: 34, height: 12, "aria-hidden": "true" }, button);
        this.stroke("M1 6H33", curve, sample);
        this.mark(17, 6, curve, sample);
        const seeds = curve.runs.length > 1 ? ` (${curve.runs.length} runs)` : "";
        button.append(curve.name + seeds);
        button.addEventListener("click", () => {
          if (!this.off.delete(i)) this.off.add(i);
          button.setAttribute("aria-pressed", String(!this.off.has(i)));
          this.render();
        });
      });
      this.legend.hidden = curves.length < 2;
      this.render();
    }

    stroke(path, curve, parent) {
      return draw("path", { d: path, class: "curve", stroke: curve.colour, "stroke-dasharray": curve.dashes.map((d) => d * 1.8).join(" ") || "none" }, parent);
    }

    mark(x, y, curve, parent) {
      draw("path", { d: SHAPES[curve.marker] || SHAPES.o, transform: `translate(${x} ${y})`, fill: curve.colour, class: "mark" }, parent);
    }

    // The points that the axes can show, for each run whose curve is on.
    points() {
      const [x, y] = [this.axis("x").key, this.axis("y").key];
      const fits = (value, log) => value !== null && value !== undefined && (!log || value > 0);
      const found = [];
      this.curves().forEach((curve, i) => {
        if (this.off.has(i)) return;
        for (const run of curve.runs) {
          const points = [];
          (run[x] || []).forEach((value, k) => {
            const other = (run[y] || [])[k];
            if (fits(value, this.logX.checked) && fits(other, this.logY.checked)) points.push({ x: value, y: other });
          });
          if (points.length) found.push({ curve, run, points });
        }
      });
      return found;
    }

    render() {
      const width = Math.max(280, this.plot.clientWidth);
      const height = Math.round(Math.min(420, Math.max(260, width * 0.5)));
      const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
      const [axisX, axisY] = [this.axis("x"), this.axis("y")];
      this.shown = this.points();
      this.svg.replaceChildren();
      this.choose(null);
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      this.svg.setAttribute("height", height);
      const panel = this.data.panels[Number(this.panel.value)].name;
      const count = this.shown.length === 1 ? "1 run" : `${this.shown.length} runs`;
      this.svg.setAttribute("aria-label", `${axisY.label} against ${axisX.label}, ${panel}, ${count}; the arrow keys go along the points`);
      const all = this.shown.flatMap((line) => line.points);
      if (!all.length) {
        const why = this.off.size === this.curves().length ? "No curve is chosen." : "Nothing to show on these axes: a logarithmic axis has no place for zero.";
        draw("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, this.svg, why);
        return;
      }
      const scale = (name, log) => {
        const low = all.reduce((least, point) => Math.min(least, point[name]), Infinity);
        const high = all.reduce((most, point) => Math.max(most, point[name]), -Infinity);
        return log ? logScale(low, high) : linearScale(low, high);
      };
      const [sx, sy] = [scale("x", this.logX.checked), scale("y", this.logY.checked)];
      this.px = (value) => MARGIN.left + sx.at(value) * inner.width;
      this.py = (value) => MARGIN.top + (1 - sy.at(value)) * inner.height;
      this.frame(sx, sy, axisX, axisY, width, height, inner);
      for (const line of this.shown) {
        const path = line.points.map((point) => `${this.px(point.x).toFixed(1)} ${this.py(point.y).toFixed(1)}`).join("L");
        line.path = this.stroke("M" + path, line.curve, this.svg);
        const every = Math.max(1, Math.floor(line.points.length / MARKS));
        line.points.forEach((point, k) => {
          if (k % every === 0) this.mark(this.px(point.x).toFixed(1), this.py(point.y).toFixed(1), line.curve, this.svg);
        });
      }
      this.spot = draw("circle", { r: 6, class: "spot", visibility: "hidden" }, this.svg);
    }

    frame(sx, sy, axisX, axisY, width, height, inner) {
      const bottom = MARGIN.top + inner.height;
      let last = -Infinity;
      for (const [value, text] of sx.ticks) {
        const x = this.px(value);
        draw("line", { x1: x, x2: x, y1: MARGIN.top, y2: bottom, class: "grid" }, this.svg);
        if (x - last < 10 + 7 * text.length) continue; // texts must not touch
        draw("text", { x, y: bottom + 17, "text-anchor": "middle" }, this.svg, text);
        last = x;
      }
      for (const [value, text] of sy.ticks) {
        const y = this.py(value);
        draw("line", { x1: MARGIN.left, x2: MARGIN.left + inner.width, y1: y, y2: y, class: "grid" }, this.svg);
        draw("text", { x: MARGIN.left - 7, y: y + 4, "text-anchor": "end" }, this.svg, text);
      }
      draw("path", { d: `M${MARGIN.left} ${MARGIN.top}V${bottom}H${MARGIN.left + inner.width}`, class: "axis", fill: "none" }, this.svg);
      draw("text", { x: MARGIN.left + inner.width / 2, y: height - 8, "text-anchor": "middle", class: "label-x" }, this.svg, axisX.label);
      const middle = MARGIN.top + inner.height / 2;
      draw("text", { x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})`, class: "label-y" }, this.svg, axisY.label);
    }

    point(event) {
      const box = this.svg.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      let best = null;
      let least = 60 * 60;
      this.shown.forEach((line, i) => line.points.forEach((point, k) => {
        const distance = (this.px(point.x) - x) ** 2 + (this.py(point.y) - y) ** 2;
        if (distance < least) { least = distance; best = [i, k]; }
      }));
      this.choose(best);
    }

    press(event) {
      const [i, k] = this.chosen || [0, -1];
      const moves = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
      if (event.key === "Enter") this.open();
      else if (event.key === "Escape") this.choose(null);
      else if (moves[event.key] && this.shown.length) {
        event.preventDefault();
        const line = (i + moves[event.key][0] + this.shown.length) % this.shown.length;
        const last = this.shown[line].points.length - 1;
        this.choose([line, Math.min(last, Math.max(0, k + moves[event.key][1]))]);
      }
    }

    open() {
      if (!this.chosen) return;
      const id = this.shown[this.chosen[0]].run.id;
      const page = `${this.runs}${encodeURIComponent(id)}.html`;
      if (!location.pathname.endsWith(`/${id}.html`)) location.assign(page);
    }

    // Show what a point is: the curve, the run, both values.
    choose(which) {
      if (this.chosen && this.shown[this.chosen[0]] && this.shown[this.chosen[0]].path) this.shown[this.chosen[0]].path.classList.remove("near");
      this.chosen = which;
      this.tip.hidden = !which;
      this.svg.style.cursor = which ? "pointer" : "";
      if (this.spot) this.spot.setAttribute("visibility", which ? "visible" : "hidden");
      if (!which) return;
      const line = this.shown[which[0]];
      const point = line.points[which[1]];
      const [x, y] = [this.px(point.x), this.py(point.y)];
      line.path.classList.add("near");
      this.spot.setAttribute("cx", x);
      this.spot.setAttribute("cy", y);
      this.tip.replaceChildren();
      make("b", {}, this.tip, line.curve.name);
      if (line.curve.name !== line.run.id) make("span", {}, this.tip, `run ${line.run.id.slice(0, 8)}${line.run.seed === null ? "" : `, seed ${line.run.seed}`}`);
      make("span", {}, this.tip, `${this.axis("y").label}: ${shortly(point.y)}`);
      make("span", {}, this.tip, `${this.axis("x").label}: ${shortly(point.x)}`);
      const room = this.plot.clientWidth - this.tip.offsetWidth;
      this.tip.style.left = `${Math.max(0, Math.min(room, x + 14))}px`;
      this.tip.style.top = `${Math.max(0, y - this.tip.offsetHeight - 10)}px`;
    }
  }

  for (const box of document.querySelectorAll(".chart")) new Chart(box);
})();
