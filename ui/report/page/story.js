// One node followed through the stages, in both directions: nodes of all versions meet in the original nodes that they come from.

class Story {
  constructor() { this.places = {}; }

  // origin -> nodes of a version; made when first asked for.
  nodesFrom(version, origins) {
    if (!this.places[version]) {
      const map = (this.places[version] = new Map());
      const raw = data.versions.find((one) => one.id === version);
      (raw ? raw.graphs : []).forEach((graph, index) => graph.nodes.origins.forEach((list, node) => {
        for (const origin of list) {
          if (!map.has(origin)) map.set(origin, []);
          map.get(origin).push([index, node]);
        }
      }));
    }
    const found = new Map();
    for (const origin of origins) for (const place of this.places[version].get(origin) || []) found.set(place.join(), place);
    return [...found.values()];
  }

  origins(graph, node) { return graph.raw.nodes.origins[node]; }

  rewrites(origins) {
    const wanted = new Set(origins);
    return data.rewrites.filter(([, , touched]) => touched.some((origin) => wanted.has(origin))).map(([pass, note]) => ({ pass: text(pass), note: text(note) }));
  }

  answers(graphIndex, node) {
    if (!data.partition) return null;
    if (!this.placed) this.placed = new Map(data.partition.nodes.map((row) => [row[0] + "," + row[1], row]));
    return this.placed.get(graphIndex + "," + node) || null;
  }

  step(graphIndex, node) {
    if (!this.steps) this.steps = new Map((data.schedule || []).map((row) => [row.graph, new Map(row.order.map((one, step) => [one, step]))]));
    const steps = this.steps.get(graphIndex);
    return steps && steps.has(node) ? steps.get(node) : -1;
  }

  stepCount(graphIndex) {
    this.step(graphIndex, 0);
    return this.steps.has(graphIndex) ? this.steps.get(graphIndex).size : 0;
  }

  buffer(graphIndex, value) {
    const plan = (data.allocate || []).find((row) => row.graph === graphIndex);
    if (!plan || !plan.values[value]) return null;
    const [kind, root, reason] = plan.values[value];
    const block = this.block(graphIndex, root >= 0 ? root : value);
    return { kind: text(kind), root, reason: text(reason), block };
  }

  block(graphIndex, root) {
    if (!this.blocks) {
      this.blocks = new Map();
      for (const pattern of data.pattern || []) for (const block of pattern.blocks) if (block[0] >= 0) this.blocks.set(pattern.graph + "," + block[0], block);
    }
    return this.blocks.get(graphIndex + "," + root) || null;
  }

  time(graphIndex, node) {
    if (!this.times) this.times = new Map((data.run ? data.run.nodes : []).map((row) => [row[0] + "," + row[1], row]));
    return this.times.get(graphIndex + "," + node) || null;
  }
}

const story = new Story();
