// Memory pattern: x = step, y = offset; a block for every buffer, the lower bound and what is live as lines. Zooms down to bytes.

class MemoryChart extends ChartFrame {
  constructor(element, pattern, jump) {
    super(element, "Memory pattern: offset over steps", 320);
    this.zoomsBoth = true;
    this.pattern = pattern;
    this.graph = graphOf("partitioned", pattern.graph);
    this.jump = jump;
    const last = pattern.blocks.reduce((most, block) => Math.max(most, block[5] + 1), 1);
    this.setWhole([0, last], [0, Math.max(1, pattern.peak)]);
  }

  draw() {
    if (!this.width) return;
    this.begin();
    this.axes((step) => countText(Math.round(step)), (bytes) => (this.ranges.y[1] - this.ranges.y[0] < 4096 ? countText(Math.round(bytes)) + " B" : bytesText(Math.round(bytes))));
    this.clip();
    const { context } = this;
    for (const block of this.pattern.blocks) this.drawBlock(block);
    context.lineWidth = 1.5;
    context.strokeStyle = cssColour("text");
    context.setLineDash([6, 4]);
    context.beginPath();
    context.moveTo(this.left, this.py(this.pattern.bound));
    context.lineTo(this.width, this.py(this.pattern.bound));
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    this.pattern.live.forEach((bytes, step) => {
      context.lineTo(this.px(step), this.py(bytes));
      context.lineTo(this.px(step + 1), this.py(bytes));
    });
    context.stroke();
    context.restore();
  }

  drawBlock(block) {
    const [value, node, offset, size, first, last] = block, { context } = this;
    const x = this.px(first), y = this.py(offset + size), w = Math.max(1, this.px(last + 1) - x - 0.5), h = Math.max(1, this.py(offset) - y - 0.5);
    if (x > this.width || x + w < this.left || y > this.height || y + h < 0) return;
    const [strong, , ink] = categoryColours((value >= 0 ? value : node) % 7);
    context.fillStyle = strong;
    context.globalAlpha = block === this.marked ? 1 : 0.82;
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    if (block === this.marked) (context.strokeStyle = cssColour("text")), (context.lineWidth = 2), context.strokeRect(x, y, w, h);
    if (w > 60 && h > 14) {
      context.fillStyle = ink;
      context.fillText(shorten(this.title(block), Math.floor(w / 7)), Math.max(x, this.left) + 4, y + 11);
    }
  }

  title([value, node]) { return value >= 0 ? this.graph.valueName(value) : "bodies of " + this.graph.name(node); }
  blockAt(x, y) {
    const step = this.xAt(x), bytes = this.yAt(y);
    return this.pattern.blocks.find(([, , offset, size, first, last]) => step >= first && step < last + 1 && bytes >= offset && bytes < offset + size);
  }
  hit(x, y) {
    const block = x > this.left ? this.blockAt(x, y) : null;
    if (block !== this.marked) (this.marked = block), this.redraw();
    return block ? this.title(block) + "\n" + bytesText(block[3]) + " at offset " + countText(block[2]) + "\nsteps " + block[4] + " to " + block[5] : "";
  }
  clicked(x, y) {
    const block = this.blockAt(x, y);
    if (block) this.jump("partitioned", this.pattern.graph, block[0] >= 0 ? this.graph.producer[block[0]] : block[1]);
  }
}
