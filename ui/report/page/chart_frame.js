// A canvas with two axes that zoom and pan: wheel zooms at the pointer (with Shift only upwards), drag pans, double click and F show all; W and S zoom, A and D pan.

class ChartFrame {
  constructor(element, label, height) {
    this.canvas = make("canvas", { tabIndex: 0, role: "img", "aria-label": label });
    this.tip = make("div", { className: "tip", hidden: true });
    element.replaceChildren(this.canvas, this.tip);
    this.canvas.style.height = height + "px";
    this.context = this.canvas.getContext("2d");
    this.left = 84;
    this.bottom = 26;
    this.ranges = { x: [0, 1], y: [0, 1] };
    this.whole = { x: [0, 1], y: [0, 1] };
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.listen();
  }

  setWhole(x, y) {
    this.whole = { x, y };
    this.all();
  }
  all() {
    this.ranges = { x: [...this.whole.x], y: [...this.whole.y] };
    this.redraw();
  }
  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    this.draw();
  }
  redraw() {
    if (!this.pending) requestAnimationFrame(() => ((this.pending = false), this.draw()));
    this.pending = true;
  }
  px(x) { return this.left + ((x - this.ranges.x[0]) / (this.ranges.x[1] - this.ranges.x[0])) * (this.width - this.left - 8); }
  py(y) { return this.height - this.bottom - ((y - this.ranges.y[0]) / (this.ranges.y[1] - this.ranges.y[0])) * (this.height - this.bottom - 8); }
  xAt(screen) { return this.ranges.x[0] + ((screen - this.left) / (this.width - this.left - 8)) * (this.ranges.x[1] - this.ranges.x[0]); }
  yAt(screen) { return this.ranges.y[0] + ((this.height - this.bottom - screen) / (this.height - this.bottom - 8)) * (this.ranges.y[1] - this.ranges.y[0]); }

  zoomAxis(axis, factor, at) {
    const [low, high] = this.ranges[axis], [least, most] = this.whole[axis], span = Math.min(most - least, (high - low) / factor);
    const start = Math.max(least, Math.min(most - span, at - ((at - low) / (high - low)) * span));
    this.ranges[axis] = [start, start + span];
  }
  panAxis(axis, by) {
    const [low, high] = this.ranges[axis], [least, most] = this.whole[axis], start = Math.max(least, Math.min(most - (high - low), low + by));
    this.ranges[axis] = [start, start + high - low];
  }

  begin() {
    const { context } = this, ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.font = "11px Inter, 'Noto Sans', 'DejaVu Sans', system-ui, sans-serif";
  }
  axes(xText, yText) {
    const { context } = this;
    context.strokeStyle = cssColour("border");
    context.fillStyle = cssColour("quiet");
    context.lineWidth = 1;
    for (let tick = 0; tick <= 4 && yText; ++tick) {
      const value = this.ranges.y[0] + ((this.ranges.y[1] - this.ranges.y[0]) * tick) / 4, y = this.py(value);
      context.beginPath();
      context.moveTo(this.left, y);
      context.lineTo(this.width - 8, y);
      context.stroke();
      context.textAlign = "right";
      context.fillText(yText(value), this.left - 8, y + 4);
    }
    context.textAlign = "center";
    for (let tick = 0; tick <= 6; ++tick) {
      const value = this.ranges.x[0] + ((this.ranges.x[1] - this.ranges.x[0]) * tick) / 6;
      context.fillText(xText(value), Math.min(this.width - 30, this.px(value)), this.height - 8);
    }
    context.textAlign = "left";
  }
  clip() {
    this.context.save();
    this.context.beginPath();
    this.context.rect(this.left, 4, this.width - this.left - 8, this.height - this.bottom);
    this.context.clip();
  }

  listen() {
    const { canvas } = this;
    let drag = null;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [x, y] = place(event), factor = Math.exp(-event.deltaY / 400);
      if (!event.shiftKey) this.zoomAxis("x", factor, this.xAt(x));
      if (event.shiftKey || this.zoomsBoth) this.zoomAxis("y", factor, this.yAt(y));
      this.redraw();
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => ((drag = { at: place(event), moved: false }), canvas.setPointerCapture(event.pointerId)));
    canvas.addEventListener("pointermove", (event) => {
      const now = place(event);
      if (!drag) return this.showTip(...now);
      if (!drag.moved && Math.hypot(now[0] - drag.at[0], now[1] - drag.at[1]) < 4) return;
      this.panAxis("x", this.xAt(drag.at[0]) - this.xAt(now[0]));
      this.panAxis("y", this.yAt(drag.at[1]) - this.yAt(now[1]));
      drag = { at: now, moved: true };
      this.redraw();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved) this.clicked(...place(event));
      drag = null;
    });
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    canvas.addEventListener("dblclick", () => this.all());
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const { x } = this.ranges, middle = (x[0] + x[1]) / 2, tenth = (x[1] - x[0]) / 10;
    const key = event.key.toLowerCase();
    if (key === "w") this.zoomAxis("x", 1.3, middle);
    else if (key === "s") this.zoomAxis("x", 1 / 1.3, middle);
    else if (key === "a") this.panAxis("x", -tenth);
    else if (key === "d") this.panAxis("x", tenth);
    else if (key === "f") this.all();
    else return;
    event.preventDefault();
    this.redraw();
  }

  showTip(x, y) {
    const words = this.hit(x, y);
    this.tip.hidden = !words;
    this.canvas.style.cursor = words ? "pointer" : "grab";
    if (!words) return;
    this.tip.textContent = words;
    this.tip.style.left = Math.min(x + 14, this.width - 280) + "px";
    this.tip.style.top = y + 14 + "px";
  }
  hit() { return ""; }
  clicked() {}
}
