// The graph on a canvas: draws what is in sight with as much detail as there is room for; wheel, drag, keys; folding with the eye's place kept.

const cardFont = "600 13px Inter, 'Noto Sans', 'DejaVu Sans', system-ui, sans-serif";
const textFont = "12px Inter, 'Noto Sans', 'DejaVu Sans', system-ui, sans-serif";
const stillMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const shorten = (words, most) => (words.length > most ? words.slice(0, most - 1) + "\u2026" : words);

class GraphView {
  constructor(canvas, onSelect) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.onSelect = onSelect;
    this.scale = 1;
    this.x = this.y = 0; // the place of the canvas that is at the left upper corner
    this.horizontal = false;
    this.selected = -1;
    this.hover = -1;
    this.hits = new Set();
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.listen();
  }

  show(graph) {
    this.graph = graph;
    this.open = new Set();
    if (graph.count <= 400) for (let scope = 1; scope < graph.raw.scopes.length; ++scope) this.open.add(scope);
    this.selected = -1;
    this.hits = new Set();
    this.arrange();
    this.fit();
  }

  measure(card) {
    const context = this.context, graph = this.graph;
    const width = (font, words) => ((context.font = font), context.measureText(words).width);
    if (card.kind) return [Math.max(60, width(textFont, shorten(graph.valueName(card.value), 32)) + 28), terminalHeight];
    if (card.scope >= 0) return [Math.max(120, width(cardFont, shorten(text(graph.raw.scopes[card.scope][0]), 36)) + 50), foldedHeight];
    const key = graph.raw.nodes.op[card.node] + " " + graph.shortName(card.node).length;
    if (!this.widths) this.widths = new Map();
    if (!this.widths.has(key)) this.widths.set(key, Math.max(84, width(cardFont, graph.op(card.node)) + 48, Math.min(30, graph.shortName(card.node).length) * 6.8 + 22));
    return [this.widths.get(key), cardHeight];
  }

  arrange() {
    this.layout = new Layout(this.graph, this.open, this.horizontal, (card) => this.measure(card));
    this.linesOfCard = this.layout.cards.map(() => []);
    this.layout.lines.forEach((line, index) => (this.linesOfCard[line.from].push(index), this.linesOfCard[line.to].push(index)));
  }

  setOverlay(overlay) {
    this.overlay = overlay;
    this.redraw();
  }

  fit() {
    const { w, h } = this.layout.size, margin = 24;
    this.scale = Math.min(1.4, (this.width - 2 * margin) / Math.max(1, w), (this.height - 2 * margin) / Math.max(1, h));
    if (!(this.scale > 0)) this.scale = 0.01;
    // A chain fitted whole would be a hair: then its beginning is shown.
    const readable = 0.6;
    if (this.scale < readable / 2 && Math.min(this.width / w, this.height / h) * 4 < Math.max(this.width / w, this.height / h)) this.scale = Math.min(readable, Math.max(this.width / w, this.height / h) * 0.9);
    this.x = (w - this.width / this.scale) / 2;
    this.y = (h - this.height / this.scale) / 2;
    if (h * this.scale > this.height) this.y = -margin / this.scale;
    if (w * this.scale > this.width && this.horizontal) this.x = -margin / this.scale;
    this.redraw();
  }

  // Zooms by a factor around a point of the screen.
  zoom(factor, screenX = this.width / 2, screenY = this.height / 2) {
    const scale = Math.max(0.004, Math.min(4, this.scale * factor));
    this.x += screenX / this.scale - screenX / scale;
    this.y += screenY / this.scale - screenY / scale;
    this.scale = scale;
    this.redraw();
  }

  centre(card) {
    if (this.scale < 0.5) this.scale = 0.9;
    this.x = card.x + card.w / 2 - this.width / 2 / this.scale;
    this.y = card.y + card.h / 2 - this.height / 2 / this.scale;
    this.redraw();
  }

  select(node, reveal = false) {
    this.selected = node;
    if (node >= 0 && reveal) {
      let changed = false;
      for (let scope = this.graph.raw.scopeOfNode[node]; scope > 0; scope = this.graph.raw.scopes[scope][2]) {
        if (!this.open.has(scope)) this.open.add(scope), (changed = true);
      }
      if (changed) this.arrange();
      this.centre(this.layout.cards[this.layout.cardOfNode[node]]);
    }
    this.redraw();
    this.onSelect(node);
  }

  // Folds or unfolds a scope; what was pointed at stays where it is on the screen, the rest glides.
  toggle(scope) {
    const shape = (layout) => layout.boxes.find((box) => box.scope === scope) || layout.cards.find((card) => card.scope === scope);
    const before = this.layout, anchor = shape(before);
    if (this.open.has(scope)) this.open.delete(scope);
    else this.open.add(scope);
    this.arrange();
    const now = shape(this.layout);
    if (anchor && now) {
      this.x += now.x + now.w / 2 - (anchor.x + anchor.w / 2);
      this.y += now.y - anchor.y;
    }
    this.glide(before, anchor && now ? [now.x + now.w / 2 - anchor.x - anchor.w / 2, now.y - anchor.y] : [0, 0]);
  }

  setAll(open) {
    this.open = new Set();
    if (open) for (let scope = 1; scope < this.graph.raw.scopes.length; ++scope) this.open.add(scope);
    this.arrange();
    this.fit();
  }

  glide(before, [shiftX, shiftY]) {
    const old = new Map(before.cards.map((card) => [card.key, card]));
    if (stillMotion() || this.layout.cards.length > 4000) return this.redraw();
    const start = performance.now();
    const moves = this.layout.cards.filter((card) => old.has(card.key)).map((card) => [card, card.x, card.y, old.get(card.key).x + shiftX, old.get(card.key).y + shiftY]);
    const tick = (now) => {
      const t = Math.min(1, (now - start) / 220), eased = 1 - (1 - t) ** 3;
      for (const [card, x, y, fromX, fromY] of moves) Object.assign(card, { x: fromX + (x - fromX) * eased, y: fromY + (y - fromY) * eased });
      this.draw();
      if (t < 1) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  resize() {
    const ratio = devicePixelRatio || 1, first = !this.width;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    if (first && this.layout) this.fit();
    else this.draw();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => ((this.pending = false), this.draw()));
  }

  draw() {
    if (!this.layout || !this.width) return;
    const context = this.context, ratio = devicePixelRatio || 1, began = performance.now();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = cssColour("canvas");
    context.fillRect(0, 0, this.width, this.height);
    context.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, -this.x * this.scale * ratio, -this.y * this.scale * ratio);
    this.window = { left: this.x, top: this.y, right: this.x + this.width / this.scale, bottom: this.y + this.height / this.scale };
    this.colours = Object.fromEntries(["surface", "raised", "border", "edge", "text", "quiet", "accent", "hit", "canvas"].map((name) => [name, cssColour(name)]));
    this.drawBoxes();
    this.drawLines();
    this.drawCards();
    this.frameMs = performance.now() - began;
  }

  inSight(x, y, w, h) {
    const { left, top, right, bottom } = this.window;
    return x <= right && y <= bottom && x + w >= left && y + h >= top;
  }

  drawBoxes() {
    const { context, colours } = this;
    for (const box of this.layout.boxes) {
      if (!this.inSight(box.x, box.y, box.w, box.h)) continue;
      context.fillStyle = colours.raised;
      context.strokeStyle = colours.border;
      context.lineWidth = 1 / Math.min(1, this.scale);
      context.globalAlpha = 0.65;
      context.beginPath();
      context.roundRect(box.x, box.y, box.w, box.h, 10);
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
      if (this.scale < 0.3) continue;
      context.font = cardFont;
      context.fillStyle = colours.quiet;
      context.fillText("\u2212  " + shorten(box.title, Math.max(4, Math.floor(box.w / 9))), box.x + 10, box.y + 18);
    }
  }

  drawLines() {
    const { context, colours, layout } = this, cards = layout.cards;
    const chosen = this.selected >= 0 ? new Set(this.linesOfCard[layout.cardOfNode[this.selected]]) : null;
    const path = (line) => {
      const from = cards[line.from], to = cards[line.to];
      const [ax, ay, bx, by] = this.horizontal ? [from.x + from.w, from.y + from.h / 2, to.x, to.y + to.h / 2] : [from.x + from.w / 2, from.y + from.h, to.x + to.w / 2, to.y];
      if (!this.inSight(Math.min(ax, bx) - 40, Math.min(ay, by) - 40, Math.abs(ax - bx) + 80, Math.abs(ay - by) + 80)) return;
      context.moveTo(ax, ay);
      const bend = this.horizontal ? Math.min(90, Math.max(18, Math.abs(bx - ax) / 2)) : Math.min(90, Math.max(18, Math.abs(by - ay) / 2));
      if (this.scale < 0.08) context.lineTo(bx, by);
      else if (this.horizontal) context.bezierCurveTo(ax + bend, ay, bx - bend, by, bx, by);
      else context.bezierCurveTo(ax, ay + bend, bx, by - bend, bx, by);
    };
    context.lineWidth = Math.max(1, 0.7 / this.scale);
    context.strokeStyle = colours.edge;
    context.globalAlpha = 0.7;
    context.beginPath();
    layout.lines.forEach((line, index) => !(chosen && chosen.has(index)) && path(line));
    context.stroke();
    context.globalAlpha = 1;
    if (!chosen) return;
    context.lineWidth = Math.max(2.2, 1.6 / this.scale);
    context.strokeStyle = colours.accent;
    context.beginPath();
    for (const index of chosen) path(layout.lines[index]);
    context.stroke();
    if (this.scale > 0.55) for (const index of chosen) this.drawShape(layout.lines[index]);
  }

  drawShape(line) {
    const type = this.graph.valueType(line.value), from = this.layout.cards[line.from], to = this.layout.cards[line.to];
    if (!type) return;
    this.context.font = textFont;
    this.context.fillStyle = this.colours.quiet;
    this.context.fillText(shorten(type, 40), (from.x + from.w / 2 + to.x + to.w / 2) / 2 + 6, (from.y + from.h + to.y) / 2 + 4);
  }

  fillOf(card) {
    const overlay = this.overlay;
    if (card.kind) return [this.colours.raised, this.colours.quiet, ""];
    if (!overlay || overlay.id === "none") return [this.colours.surface, this.colours.text, ""];
    if (overlay.isRamp) {
      const share = overlay.share(card.scope >= 0 ? this.scopeAmount(card) : overlay.amount[card.node]);
      if (share < 0) return [this.colours.surface, this.colours.text, ""];
      const colour = rampColour(share);
      return [colour, inkOn(colour), ""];
    }
    const category = card.scope >= 0 ? this.scopeCategory(card) : overlay.category[card.node];
    const [strong] = categoryColours(category);
    return [strong, inkOn(strong), category >= 0 && overlay.names[category] ? overlay.names[category][1] : ""];
  }

  // What a folded scope shows: the commonest category, the largest amount.
  summary(card) {
    if (card.summaryOf === this.overlay) return card.sums;
    const votes = new Map();
    let most = -1;
    const index = this.layout.cards.indexOf(card);
    this.layout.cardOfNode.forEach((one, node) => {
      if (one !== index) return;
      votes.set(this.overlay.category[node], (votes.get(this.overlay.category[node]) || 0) + 1);
      most = Math.max(most, this.overlay.amount[node]);
    });
    card.summaryOf = this.overlay;
    return (card.sums = { category: [...votes].sort((a, b) => b[1] - a[1])[0][0], amount: most });
  }
  scopeCategory(card) { return this.summary(card).category; }
  scopeAmount(card) { return this.summary(card).amount; }

  drawCards() {
    const { context, colours, layout } = this, isFar = this.scale < 0.22;
    const chosen = this.selected >= 0 ? layout.cardOfNode[this.selected] : -1;
    layout.cards.forEach((card, index) => {
      if (!this.inSight(card.x, card.y, card.w, card.h)) return;
      const [fill, ink, letter] = this.fillOf(card);
      context.fillStyle = fill;
      if (isFar) context.fillRect(card.x, card.y, card.w, card.h);
      else {
        context.beginPath();
        context.roundRect(card.x, card.y, card.w, card.h, card.kind ? card.h / 2 : 7);
        context.fill();
        context.lineWidth = 1;
        context.strokeStyle = colours.border;
        context.stroke();
        this.drawWords(card, ink, letter);
      }
      const isHit = this.hits.size && (card.node >= 0 ? this.hits.has(card.node) : this.hitCards && this.hitCards.has(index));
      if (index === chosen || isHit || index === this.hover) this.drawRing(card, index === chosen ? colours.accent : isHit ? colours.hit : colours.edge);
    });
  }

  drawRing(card, colour) {
    const { context } = this, room = 3 / Math.min(1, this.scale);
    context.lineWidth = Math.max(2.5, 2 / this.scale);
    context.strokeStyle = colour;
    context.beginPath();
    context.roundRect(card.x - room, card.y - room, card.w + 2 * room, card.h + 2 * room, 9);
    context.stroke();
  }

  drawWords(card, ink, letter) {
    const { context, graph } = this;
    context.fillStyle = ink;
    if (card.kind) {
      context.font = textFont;
      context.fillText(shorten(graph.valueName(card.value), 32), card.x + 14, card.y + 17);
      return;
    }
    context.font = cardFont;
    const line = card.scope >= 0 || graph.shortName(card.node) ? 18 : 27;
    const title = card.scope >= 0 ? "+  " + shorten(text(graph.raw.scopes[card.scope][0]), 36) : graph.op(card.node);
    context.fillText(title, card.x + 11, card.y + line);
    if (letter) context.fillText(letter, card.x + card.w - 20, card.y + line);
    if (this.scale < 0.45) return;
    context.font = textFont;
    const second = card.scope >= 0 ? countText(card.nodes) + " nodes" : shorten(graph.shortName(card.node), 30);
    context.fillText(second, card.x + 11, card.y + 35);
  }

  at(screenX, screenY) {
    const x = this.x + screenX / this.scale, y = this.y + screenY / this.scale;
    return this.layout.cards.findIndex((card) => x >= card.x && x <= card.x + card.w && y >= card.y && y <= card.y + card.h);
  }
  boxAt(screenX, screenY) {
    const x = this.x + screenX / this.scale, y = this.y + screenY / this.scale;
    return this.layout.boxes.filter((box) => x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + boxHeader).pop();
  }

  click(screenX, screenY) {
    const index = this.at(screenX, screenY), card = this.layout.cards[index];
    if (!card) {
      const box = this.boxAt(screenX, screenY);
      return box ? this.toggle(box.scope) : this.select(-1);
    }
    if (card.scope >= 0) return this.toggle(card.scope);
    if (card.node >= 0) return this.select(card.node);
    const ends = card.kind === "input" ? this.graph.consumers[card.value][0] : this.graph.producer[card.value];
    if (ends >= 0) this.select(ends);
  }

  listen() {
    const canvas = this.canvas;
    let drag = null;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      if (event.shiftKey) this.pan(event.deltaY || event.deltaX, 0);
      else this.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return this.point(event);
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (!drag.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      drag = { x: event.clientX, y: event.clientY, moved: true };
      this.pan(-dx, -dy);
    });
    canvas.addEventListener("pointerup", (event) => {
      const box = canvas.getBoundingClientRect();
      if (drag && !drag.moved) this.click(event.clientX - box.left, event.clientY - box.top);
      drag = null;
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect(), index = this.at(event.clientX - box.left, event.clientY - box.top), card = this.layout.cards[index];
    this.canvas.style.cursor = card || this.boxAt(event.clientX - box.left, event.clientY - box.top) ? "pointer" : "grab";
    this.canvas.title = card && card.node >= 0 ? this.graph.name(card.node) + (this.overlay && this.overlay.isRamp ? "\n" + this.overlay.amountText(this.overlay.amount[card.node]) : "") : "";
    if (index !== this.hover) (this.hover = index), this.redraw();
  }

  pan(dx, dy) {
    this.x += dx / this.scale;
    this.y += dy / this.scale;
    this.redraw();
  }

  // Arrows go to producers, consumers and neighbours; without a selection they pan.
  key(event) {
    const step = { ArrowUp: [0, -60], ArrowDown: [0, 60], ArrowLeft: [-60, 0], ArrowRight: [60, 0] }[event.key];
    if (step && this.selected >= 0 && !event.shiftKey) this.walk(event.key);
    else if (step) this.pan(...step);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === " ") this.fit();
    else if (event.key === "Home" && this.graph.count) this.select(0, true);
    else if (event.key === "Escape") this.select(-1);
    else return;
    event.preventDefault();
  }

  walk(key) {
    const { graph, selected } = this;
    const forward = this.horizontal ? "ArrowRight" : "ArrowDown", backward = this.horizontal ? "ArrowLeft" : "ArrowUp";
    const consumers = (node) => graph.outputsOf(node).flatMap((value) => (value < 0 ? [] : graph.consumers[value]));
    const producers = (node) => graph.inputsOf(node).map((value) => (value < 0 ? -1 : graph.producer[value])).filter((one) => one >= 0);
    let next = -1;
    if (key === forward) [next = -1] = consumers(selected);
    else if (key === backward) [next = -1] = producers(selected);
    else {
      const siblings = [...new Set(producers(selected).flatMap(consumers))].sort((a, b) => this.layout.cards[this.layout.cardOfNode[a]].x - this.layout.cards[this.layout.cardOfNode[b]].x);
      next = siblings[siblings.indexOf(selected) + (key === "ArrowRight" || key === "ArrowDown" ? 1 : -1)] ?? -1;
    }
    if (next >= 0) this.select(next, true);
  }

  // Terms divided by spaces must all be there; op: and name: narrow a term down.
  find(query) {
    const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
    this.hits = new Set();
    this.hitCards = new Set();
    const fits = (node, term) => {
      const { graph } = this;
      if (term.startsWith("op:")) return graph.op(node).toLowerCase().includes(term.slice(3));
      if (term.startsWith("name:")) return graph.name(node).toLowerCase().includes(term.slice(5));
      if (term.startsWith("provider:")) return graph.provider(node).toLowerCase().includes(term.slice(9));
      return graph.words(node).includes(term);
    };
    if (terms.length) {
      for (let node = 0; node < this.graph.count; ++node) {
        if (!terms.every((term) => fits(node, term))) continue;
        this.hits.add(node);
        this.hitCards.add(this.layout.cardOfNode[node]);
      }
    }
    this.redraw();
    return [...this.hits];
  }
}
