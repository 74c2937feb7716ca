// The last profiled run: a lane for every thread, nested calls below each other.

class Timeline extends ChartFrame {
  constructor(element, run, jump) {
    const depths = new Map();
    for (const [, , , thread, depth] of run.spans) depths.set(thread, Math.max(depths.get(thread) || 0, depth + 1));
    const lanes = [...depths.keys()].sort((a, b) => a - b), rows = new Map();
    let count = 0;
    for (const lane of lanes) {
      rows.set(lane, count);
      count += depths.get(lane) + 0.4;
    }
    super(element, "Profile timeline: calls over time, a lane for every thread", Math.min(460, 60 + count * 24));
    Object.assign(this, { run, jump, rows, count, lanes });
    const end = run.spans.reduce((most, span) => Math.max(most, span[5] + span[6]), 1), start = run.spans.reduce((least, span) => Math.min(least, span[5]), Infinity);
    this.setWhole([start, end], [0, count]);
  }

  name([name, graph, node]) {
    const there = node >= 0 ? graphOf("partitioned", graph) : null;
    return name >= 0 ? text(name) : there ? there.op(node) + " " + there.shortName(node) : "?";
  }
  rowTop(thread, depth) { return 6 + ((this.rows.get(thread) + depth) / this.count) * (this.height - this.bottom - 12); }

  draw() {
    if (!this.width || !this.run) return;
    this.begin();
    this.axes((ns) => timeText(Math.max(0, ns - this.whole.x[0])), null);
    const { context } = this, rowHeightPx = ((this.height - this.bottom - 12) / this.count) * 0.92;
    context.fillStyle = cssColour("quiet");
    for (const lane of this.lanes) context.fillText("lane " + lane, 8, this.rowTop(lane, 0) + 14);
    this.clip();
    for (const span of this.run.spans) {
      const x = this.px(span[5]), w = Math.max(0.6, this.px(span[5] + span[6]) - x);
      if (x > this.width || x + w < this.left) continue;
      const y = this.rowTop(span[3], span[4]), node = span[2], graph = node >= 0 ? graphOf("partitioned", span[1]) : null;
      const [strong, , ink] = categoryColours(graph ? graph.raw.nodes.family[node] : -1);
      context.fillStyle = strong;
      context.fillRect(x, y, Math.max(0.6, w - 0.4), rowHeightPx);
      if (w < 46) continue;
      context.fillStyle = ink;
      context.fillText(shorten(this.name(span), Math.floor(w / 7)), Math.max(x, this.left) + 4, y + rowHeightPx / 2 + 4);
    }
    context.restore();
  }

  spanAt(x, y) {
    const ns = this.xAt(x);
    return this.run.spans.find((span) => {
      const top = this.rowTop(span[3], span[4]);
      return ns >= span[5] && ns <= span[5] + span[6] && y >= top && y <= this.rowTop(span[3], span[4] + 1);
    });
  }
  hit(x, y) {
    const span = x > this.left ? this.spanAt(x, y) : null;
    return span ? this.name(span) + "\n" + timeText(span[6]) + " from " + timeText(span[5] - this.whole.x[0]) + "\nlane " + span[3] : "";
  }
  clicked(x, y) {
    const span = this.spanAt(x, y);
    if (span && span[2] >= 0) this.jump("partitioned", span[1], span[2]);
  }
}
