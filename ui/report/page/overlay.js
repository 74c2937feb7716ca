// What colours mean: providers and families of operators as categories with letters, time, memory and order as ramps.

const overlays = [
  { id: "provider", title: "Provider" },
  { id: "operator", title: "Operator" },
  { id: "time", title: "Time" },
  { id: "memory", title: "Memory" },
  { id: "order", title: "Order" },
  { id: "none", title: "None" },
];
const overlayOfStage = { load: "operator", resolve: "operator", optimize: "operator", partition: "provider", schedule: "order", allocate: "memory", pattern: "memory", run: "time", context: "provider" };
const versionOfStage = { load: "loaded", resolve: "loaded", optimize: "optimized", partition: "partitioned", schedule: "partitioned", allocate: "partitioned", pattern: "partitioned", run: "partitioned", context: "partitioned" };

class Overlay {
  constructor(id, graph) {
    this.id = id;
    this.graph = graph;
    this.isRamp = id === "time" || id === "memory" || id === "order";
    this.category = new Int8Array(graph.count).fill(-1);
    this.amount = new Float64Array(graph.count).fill(-1);
    this.names = id === "provider" ? (data.partition ? data.partition.providers : []) : id === "operator" ? data.families : [];
    this.largest = 0;
    for (let node = 0; node < graph.count; ++node) this.read(node);
    this.counts = this.names.map((_, index) => this.category.reduce((sum, one) => sum + (one === index), 0));
  }

  read(node) {
    const { graph, id } = this;
    if (id === "provider") this.category[node] = this.names.findIndex(([name]) => name && name === this.providerOf(node));
    else if (id === "operator") this.category[node] = graph.raw.nodes.family[node];
    else if (id === "time") {
      const timing = graph.version === "partitioned" ? story.time(graph.index, node) : null;
      this.amount[node] = timing ? timing[2] : -1;
    } else if (id === "memory") this.amount[node] = graph.outputBytes(node);
    else if (id === "order") this.amount[node] = graph.version === "partitioned" ? story.step(graph.index, node) : -1;
    this.largest = Math.max(this.largest, this.amount[node]);
  }

  // Before partitioning nodes have no provider of their own: the one that took what they became.
  providerOf(node) {
    const own = this.graph.provider(node);
    if (own || !data.partition) return own;
    const [first] = story.nodesFrom("partitioned", story.origins(this.graph, node));
    return first ? text(data.versions[data.versions.length - 1].graphs[first[0]].nodes.provider[first[1]]) : "";
  }

  share(amount) { return amount < 0 || this.largest <= 0 ? -1 : this.id === "order" ? amount / this.largest : Math.sqrt(amount / this.largest); }
  amountText(amount) { return amount < 0 ? "unknown" : this.id === "time" ? timeText(amount) : this.id === "memory" ? bytesText(amount) : "step " + amount; }
  get missing() {
    if (this.id === "time" && !data.run) return "Times need a run: run the model before you write the report, or give --runs N.";
    if (this.id === "provider" && !data.partition) return "Partitioning was not reached.";
    return this.isRamp && this.largest <= 0 ? "Nothing is known for this version of the graph." : "";
  }
}

const themeName = () => document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const themeColours = () => data.themes[themeName()];
const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const categoryColours = (index) => {
  const list = themeColours().categories;
  return index < 0 ? list[list.length - 1] : list[index % (list.length - 1)];
};
const rampColour = (share) => {
  const stops = themeColours().ramp, place = Math.max(0, Math.min(1, share)) * (stops.length - 1), low = Math.min(stops.length - 2, Math.floor(place));
  const channel = (stop, at) => parseInt(stops[stop].slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(channel(low, at) + (channel(low + 1, at) - channel(low, at)) * (place - low)));
  return "rgb(" + mixed.join(",") + ")";
};
const inkOn = (colour) => {
  const [r, g, b] = colour.startsWith("#") ? [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) : colour.match(/\d+/g).map(Number);
  return 0.2126 * r * r + 0.7152 * g * g + 0.0722 * b * b > 0.2 * 65025 ? "#10151b" : "#ffffff";
};
