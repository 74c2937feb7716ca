// The data of the page: texts, versions of the graph, and look-ups over them.

const data = JSON.parse(document.getElementById("data").textContent);
const text = (index) => (index < 0 || index === undefined ? "" : data.strings[index]);

const bytesText = (bytes) => {
  if (bytes === null || bytes < 0) return "unknown";
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["KB", 1e3]]) {
    if (bytes >= size) return (bytes / size).toPrecision(3) + " " + unit;
  }
  return bytes + " B";
};
const timeText = (ns) => {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["us", 1e3]]) {
    if (ns >= size) return (ns / size).toPrecision(3) + " " + unit;
  }
  return Math.round(ns) + " ns";
};
const countText = (count) => count.toLocaleString("en");

// One graph of one version: the columns of the data, with producers and consumers.
class Graph {
  constructor(version, index, raw) {
    this.version = version;
    this.index = index;
    this.raw = raw;
    this.title = text(raw.title);
    this.count = raw.nodes.op.length;
    this.producer = new Int32Array(raw.values.name.length).fill(-1);
    this.consumers = raw.values.name.map(() => []);
    for (let node = 0; node < this.count; ++node) {
      for (const value of raw.nodes.outputs[node]) if (value >= 0) this.producer[value] = node;
      for (const value of new Set(this.inputsOf(node))) if (value >= 0) this.consumers[value].push(node);
    }
  }
  // Places in an order in which producers come first (Kahn 1962), by index among equals: stored order is not always one after partitioning.
  get ranks() {
    if (this.rankList) return this.rankList;
    const waits = new Int32Array(this.count), ranks = new Int32Array(this.count).fill(this.count);
    const producers = (node) => new Set(this.inputsOf(node).map((value) => (value < 0 ? -1 : this.producer[value])).filter((one) => one >= 0));
    for (let node = 0; node < this.count; ++node) waits[node] = producers(node).size;
    const ready = [];
    for (let node = this.count - 1; node >= 0; --node) if (waits[node] === 0) ready.push(node);
    for (let rank = 0; ready.length; ++rank) {
      const node = ready.pop();
      ranks[node] = rank;
      const next = new Set(this.outputsOf(node).flatMap((value) => (value < 0 ? [] : this.consumers[value])));
      for (const consumer of next) if (--waits[consumer] === 0) ready.push(consumer);
    }
    return (this.rankList = ranks);
  }
  inputsOf(node) { return this.raw.nodes.inputs[node].concat(this.raw.nodes.implicit[node] || []); }
  outputsOf(node) { return this.raw.nodes.outputs[node]; }
  name(node) { return text(this.raw.nodes.name[node]) || this.op(node) + " #" + node; }
  op(node) { return text(this.raw.nodes.op[node]); }
  provider(node) { return text(this.raw.nodes.provider[node]); }
  valueName(value) { return text(this.raw.values.name[value]); }
  valueType(value) { return text(this.raw.values.type[value]); }
  shortName(node) { // the last part of its name, when that says more than the operator
    const last = text(this.raw.nodes.name[node]).split(/[\/.]/).filter(Boolean).pop() || "";
    return last === this.op(node) ? "" : last;
  }
  // What a search looks through: name, operator, provider, types and values around it, attributes.
  words(node) {
    if (!this.wordList) this.wordList = new Array(this.count);
    if (this.wordList[node] === undefined) {
      const values = this.inputsOf(node).concat(this.outputsOf(node)).filter((value) => value >= 0);
      const attributes = (this.raw.nodes.attributes[node] || []).map(([name, , value]) => text(name) + "=" + text(value));
      this.wordList[node] = [this.name(node), this.op(node), this.provider(node), ...values.map((value) => this.valueName(value) + " " + this.valueType(value)), ...attributes].join("\n").toLowerCase();
    }
    return this.wordList[node];
  }
  outputBytes(node) {
    let sum = 0;
    for (const value of this.outputsOf(node)) {
      if (value < 0) continue;
      const size = this.raw.values.size[value];
      if (size < 0) return -1;
      sum += size;
    }
    return sum;
  }
}

const versions = data.versions.map((raw) => ({ id: raw.id, graphs: [] }));
const graphOf = (version, index) => {
  const place = data.versions.findIndex((raw) => raw.id === version);
  if (place < 0 || !data.versions[place].graphs[index]) return null;
  const graphs = versions[place].graphs;
  return graphs[index] || (graphs[index] = new Graph(version, index, data.versions[place].graphs[index]));
};
const newestVersion = versions.length ? versions[versions.length - 1].id : null;
const versionTitles = { loaded: "as loaded", optimized: "optimized", partitioned: "partitioned" };
