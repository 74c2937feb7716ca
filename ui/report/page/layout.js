// Where cards stand. Every open scope is laid out by itself, inner ones first, in layers (Sugiyama, Tagawa and Toda 1981): longest path, barycentre ordering,
// then horizontal places that come as near to their neighbours as order and width allow (isotonic regression by pooling adjacent violators).

const cardHeight = 44, foldedHeight = 52, terminalHeight = 26, gapX = 22, gapY = 44, boxHeader = 26, boxPadding = 16;
const mostSpan = 24; // layers that a line is led through; longer ones are drawn straight

class Layout {
  constructor(graph, open, horizontal, measure) {
    this.graph = graph;
    this.open = open; // set of scope indexes
    this.horizontal = horizontal;
    this.measure = measure;
    this.cards = [];
    this.boxes = [];
    this.lines = [];
    this.build();
  }

  // The folded scope that hides a node (the outermost one that is not open), or -1; and the open scope that holds the card.
  place(node) {
    const scopes = this.graph.raw.scopes;
    let scope = this.graph.raw.scopeOfNode[node], hidden = -1, home = scope;
    for (; scope > 0; scope = scopes[scope][2]) {
      if (!this.open.has(scope)) {
        hidden = scope;
        home = scopes[scope][2];
      }
    }
    return [hidden, home];
  }

  build() {
    const { graph } = this, scopes = graph.raw.scopes;
    this.cardOfNode = new Int32Array(graph.count);
    const cardOfScope = new Map();
    for (let node = 0; node < graph.count; ++node) {
      const [hidden, home] = this.place(node);
      if (hidden < 0) this.cardOfNode[node] = this.addCard({ key: "n" + node, node, scope: -1, home, nodes: 1, rank: graph.ranks[node] });
      else {
        if (!cardOfScope.has(hidden)) cardOfScope.set(hidden, this.addCard({ key: "s" + hidden, node: -1, scope: hidden, home, nodes: 0, rank: graph.ranks[node] }));
        this.cardOfNode[node] = cardOfScope.get(hidden);
        const card = this.cards[this.cardOfNode[node]];
        ++card.nodes;
        card.rank = Math.min(card.rank, graph.ranks[node]);
      }
    }
    this.addTerminals();
    for (const card of this.cards) [card.w, card.h] = this.measure(card);
    this.joinCards();
    this.layoutScopes();
  }

  addCard(card) {
    this.cards.push(card);
    return this.cards.length - 1;
  }

  addTerminals() {
    const { graph } = this;
    this.terminals = [];
    graph.raw.inputs.forEach((value) => {
      if (graph.consumers[value].length && graph.producer[value] < 0) this.terminals.push([this.addCard({ key: "i" + value, node: -1, scope: -1, home: 0, value, kind: "input", nodes: 0, rank: -1 }), value]);
    });
    graph.raw.outputs.forEach((value) => {
      if (graph.producer[value] >= 0) this.terminals.push([this.addCard({ key: "o" + value, node: -1, scope: -1, home: 0, value, kind: "output", nodes: 0, rank: graph.count + 1 }), value]);
    });
  }

  // Lines between cards, each pair once, with the value of the first.
  joinCards() {
    const { graph } = this, seen = new Set();
    const join = (from, to, value) => {
      const key = from * this.cards.length + to;
      if (from === to || seen.has(key)) return;
      seen.add(key);
      this.lines.push({ from, to, value });
    };
    for (let value = 0; value < graph.producer.length; ++value) {
      const producer = graph.producer[value];
      if (producer >= 0) for (const consumer of graph.consumers[value]) join(this.cardOfNode[producer], this.cardOfNode[consumer], value);
    }
    for (const [card, value] of this.terminals) {
      if (this.cards[card].kind === "input") for (const consumer of graph.consumers[value]) join(card, this.cardOfNode[consumer], value);
      else join(this.cardOfNode[graph.producer[value]], card, value);
    }
  }

  layoutScopes() {
    const scopes = this.graph.raw.scopes;
    const isOpen = (scope) => scope === 0 || this.open.has(scope);
    const parts = new Map(); // open scope -> what stands in it
    const partOf = new Map(); // open scope -> its own part in the scope around it
    const partOfCard = new Array(this.cards.length);
    const add = (home, part) => {
      if (!parts.has(home)) parts.set(home, []);
      parts.get(home).push(part);
      part.index = parts.get(home).length - 1;
      return part;
    };
    parts.set(0, []);
    this.cards.forEach((card, index) => (partOfCard[index] = add(card.home, { card: index, scope: -1, w: card.w, h: card.h, rank: card.rank, kind: card.kind })));
    // Boxes around open scopes, outer ones first in the data.
    const shown = [];
    for (let scope = 1; scope < scopes.length; ++scope) {
      let visible = isOpen(scope);
      for (let outer = scopes[scope][2]; visible && outer > 0; outer = scopes[outer][2]) visible = this.open.has(outer);
      if (!visible) continue;
      shown.push(scope);
      partOf.set(scope, add(scopes[scope][2], { card: -1, scope, w: 0, h: 0, rank: Infinity }));
    }
    const links = this.linksOfScopes(partOfCard, partOf);
    for (const scope of shown.concat().reverse().concat(0)) {
      const own = parts.get(scope) || [];
      for (const part of own) if (part.scope > 0) part.rank = part.firstRank;
      const size = layered(own, links.get(scope) || [], this.horizontal);
      const part = partOf.get(scope);
      if (part) {
        part.w = size.w + 2 * boxPadding;
        part.h = size.h + boxHeader + boxPadding;
        part.firstRank = own.reduce((least, one) => Math.min(least, one.rank), Infinity);
      } else this.size = size;
    }
    this.settle(parts, partOf);
  }

  // A line between cards belongs to the innermost scope that holds both ends.
  linksOfScopes(partOfCard, partOf) {
    const scopes = this.graph.raw.scopes, depth = new Int32Array(scopes.length);
    for (let scope = 1; scope < scopes.length; ++scope) depth[scope] = depth[scopes[scope][2]] + 1;
    const links = new Map();
    for (const line of this.lines) {
      let a = this.cards[line.from].home, b = this.cards[line.to].home, partA = partOfCard[line.from], partB = partOfCard[line.to];
      while (a !== b) {
        if (depth[a] >= depth[b]) [partA, a] = [partOf.get(a), scopes[a][2]];
        else [partB, b] = [partOf.get(b), scopes[b][2]];
      }
      if (!links.has(a)) links.set(a, []);
      links.get(a).push([partA, partB]);
    }
    return links;
  }

  // From places within scopes to places on the canvas, outer scopes first.
  settle(parts, partOf) {
    const scopes = this.graph.raw.scopes, origin = new Map([[0, [0, 0]]]);
    for (const [scope, own] of [...parts].sort((a, b) => a[0] - b[0])) {
      const [left, top] = origin.get(scope) || [0, 0];
      for (const part of own) {
        const x = left + part.x, y = top + part.y;
        if (part.scope > 0) {
          origin.set(part.scope, [x + boxPadding, y + boxHeader]);
          this.boxes.push({ key: "s" + part.scope, scope: part.scope, title: text(scopes[part.scope][0]), x, y, w: part.w, h: part.h });
        } else Object.assign(this.cards[part.card], { x, y });
      }
    }
  }
}

// Places parts ({w, h, rank}) joined by links in layers; gives each x and y from 0, and the size of the whole.
function layered(parts, links, horizontal) {
  if (horizontal) for (const part of parts) [part.w, part.h] = [part.h, part.w];
  const layers = makeLayers(parts, links);
  orderLayers(layers);
  const width = placeAcross(layers);
  let y = 0;
  for (const layer of layers) {
    const height = layer.reduce((most, part) => Math.max(most, part.h), 0);
    for (const part of layer) part.y = y + (height - part.h) / 2;
    y += height + gapY;
  }
  const size = { w: width, h: Math.max(0, y - gapY) };
  if (!horizontal) return size;
  for (const part of parts) {
    [part.w, part.h] = [part.h, part.w];
    [part.x, part.y] = [part.y, part.x];
  }
  return { w: size.h, h: size.w };
}

function makeLayers(parts, links) {
  for (const part of parts) Object.assign(part, { up: [], down: [], layer: 0 });
  // Ranks are places in the file, which is in topological order; a folded scope may still close a circle, whose backward lines do not count here.
  const sorted = [...parts].sort((a, b) => a.rank - b.rank);
  sorted.forEach((part, index) => (part.turn = index));
  const pairs = new Map();
  for (const [from, to] of links) if (from.turn < to.turn) pairs.set(from.turn * parts.length + to.turn, [from, to]);
  const outgoing = new Map();
  for (const [from, to] of pairs.values()) {
    if (!outgoing.has(from)) outgoing.set(from, []);
    outgoing.get(from).push(to);
  }
  for (const from of sorted) for (const to of outgoing.get(from) || []) to.layer = Math.max(to.layer, from.layer + 1);
  const hasIncoming = new Set([...pairs.values()].map(([, to]) => to));
  for (const part of sorted) { // what nothing leads to stands right above its first reader
    if (!hasIncoming.has(part) && outgoing.has(part)) part.layer = Math.max(0, Math.min(...outgoing.get(part).map((to) => to.layer)) - 1);
  }
  const layers = [];
  const put = (part) => {
    while (layers.length <= part.layer) layers.push([]);
    layers[part.layer].push(part);
  };
  sorted.forEach(put);
  for (const [from, targets] of outgoing) leadThrough(from, targets, put);
  return layers.filter((layer) => layer.length);
}

// One chain of points for all lines of a part: readers join it in the layer above their own.
function leadThrough(from, targets, put) {
  const chain = [from];
  for (const to of targets.sort((a, b) => a.layer - b.layer)) {
    let last = chain[Math.min(chain.length - 1, to.layer - from.layer - 1)];
    if (to.layer - from.layer <= mostSpan) {
      while (chain.length < to.layer - from.layer) {
        const point = { w: 1, h: 0, rank: from.rank, layer: from.layer + chain.length, up: [chain[chain.length - 1]], down: [], isPoint: true };
        chain[chain.length - 1].down.push(point);
        chain.push(point);
        put(point);
      }
      last = chain[to.layer - from.layer - 1];
    }
    last.down.push(to);
    to.up.push(last);
  }
}

function orderLayers(layers) {
  const number = (layer) => layer.forEach((part, index) => (part.order = index));
  layers.forEach(number);
  const sweep = (layer, side) => {
    for (const part of layer) {
      const near = part[side];
      part.wanted = near.length ? near.reduce((sum, one) => sum + one.order, 0) / near.length : part.order;
    }
    layer.sort((a, b) => a.wanted - b.wanted);
    number(layer);
  };
  for (let round = 0; round < 4; ++round) {
    for (let i = 1; i < layers.length; ++i) sweep(layers[i], "up");
    for (let i = layers.length - 2; i >= 0; --i) sweep(layers[i], "down");
  }
}

function placeAcross(layers) {
  for (const layer of layers) {
    let x = 0;
    for (const part of layer) {
      part.centre = x + part.w / 2;
      x += part.w + (part.isPoint ? 6 : gapX);
    }
  }
  const middles = (part, sides) => {
    let sum = 0, count = 0;
    for (const side of sides) for (const one of part[side]) sum += one.centre, ++count;
    return count ? sum / count : part.centre;
  };
  for (let round = 0; round < 6; ++round) {
    const sides = round % 3 === 0 ? ["up"] : round % 3 === 1 ? ["down"] : ["up", "down"];
    const downwards = round % 3 !== 1;
    for (let i = 0; i < layers.length; ++i) pool(layers[downwards ? i : layers.length - 1 - i], (part) => middles(part, sides));
  }
  let left = Infinity, right = -Infinity;
  for (const layer of layers) for (const part of layer) left = Math.min(left, part.centre - part.w / 2), right = Math.max(right, part.centre + part.w / 2);
  for (const layer of layers) for (const part of layer) part.x = part.centre - part.w / 2 - left;
  return layers.length ? right - left : 0;
}

// Nearest places to the wanted ones that keep order and distance.
function pool(layer, wanted) {
  const blocks = [];
  let offset = 0;
  layer.forEach((part, index) => {
    if (index > 0) offset += (layer[index - 1].w + part.w) / 2 + (part.isPoint || layer[index - 1].isPoint ? 8 : gapX);
    part.offset = offset;
    let block = { sum: wanted(part) - offset, count: 1 };
    while (blocks.length && blocks[blocks.length - 1].sum / blocks[blocks.length - 1].count > block.sum / block.count) {
      const before = blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count };
    }
    blocks.push(block);
  });
  let index = 0;
  for (const block of blocks) for (let i = 0; i < block.count; ++i, ++index) layer[index].centre = block.sum / block.count + layer[index].offset;
}
