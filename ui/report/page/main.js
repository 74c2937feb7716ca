// Puts the page together: workbench with canvas and side panel, ribbon, tables, charts, theme.

class Page {
  constructor() {
    this.buildWorkbench();
    this.buildTheme();
    document.querySelectorAll("[data-stage]").forEach((link) => link.addEventListener("click", () => this.showStage(link.dataset.stage)));
    const jump = (version, graph, node) => this.jump(version, graph, node);
    document.querySelectorAll("[data-table]").forEach((element) => new Table(element, data.tables[Number(element.dataset.table)], jump));
    this.charts = [...document.querySelectorAll("[data-memory]")].map((element) => new MemoryChart(element, data.pattern[Number(element.dataset.memory)], jump));
    document.querySelectorAll("[data-timeline]").forEach((element) => this.charts.push(new Timeline(element, data.run, jump)));
    document.addEventListener("keydown", (event) => this.key(event));
    if (newestVersion) this.show(newestVersion, 0);
  }

  buildWorkbench() {
    const choice = (label, options, onchange) => make("label", {}, label, " ", make("select", { onchange }, ...options.map(([value, title]) => make("option", { value }, title))));
    const button = (title, hint, onclick) => make("button", { title: hint, onclick }, title);
    this.version = choice("Graph", versions.map(({ id }) => [id, versionTitles[id]]), (event) => this.show(event.target.value, 0));
    this.overlay = choice("Colours", overlays.map(({ id, title }) => [id, title]), () => this.paintOverlay());
    this.search = make("input", { type: "search", placeholder: "Search: name, op:Conv, float16 ...   (/)", "aria-label": "Search nodes", oninput: () => this.find(), onkeydown: (event) => event.key === "Enter" && this.nextHit(event.shiftKey ? -1 : 1) });
    this.found = make("span", { className: "quiet", role: "status" });
    this.way = make("span", {});
    const canvas = make("canvas", { tabIndex: 0, role: "application", "aria-label": "Graph. Arrow keys go to producers and consumers, plus and minus zoom, Space shows all." });
    this.legend = make("div", { id: "legend" });
    const side = make("aside", { id: "side", tabIndex: 0, "aria-label": "Selected node", "aria-live": "polite" });
    const bar = make("div", { id: "bar", role: "toolbar", "aria-label": "Graph" }, this.version, this.overlay, this.search, this.found, this.way, make("span", { className: "spring" }),
      make("span", { className: "keys" }, button("Fold", "Fold all groups", () => this.view.setAll(false)), button("Unfold", "Unfold all groups", () => this.view.setAll(true)), button("Turn", "Across or downwards", () => this.turn()), button("\u2212", "Zoom out", () => this.view.zoom(0.8)),
      button("+", "Zoom in", () => this.view.zoom(1.25)), button("Fit", "Show all (Space)", () => this.view.fit())));
    document.getElementById("workbench").replaceChildren(bar, make("div", { id: "panes" }, make("div", { id: "scene" }, canvas, this.legend), side));
    this.panel = new SidePanel(side, (version, graph, node) => this.jump(version, graph, node));
    this.view = new GraphView(canvas, (node) => this.panel.show(this.view.graph, node));
  }

  buildTheme() {
    const turn = () => {
      document.documentElement.dataset.theme = themeName() === "dark" ? "light" : "dark";
      this.repaint();
    };
    document.querySelector("header").append(make("button", { id: "theme", title: "Light or dark", onclick: turn }, "Light / dark"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
  }
  repaint() {
    this.paintOverlay();
    this.charts.forEach((chart) => chart.redraw());
  }

  show(version, graph) {
    const there = graphOf(version, graph);
    if (!there) return;
    this.version.querySelector("select").value = version;
    this.view.show(there);
    this.way.replaceChildren(...(graph ? [make("button", { onclick: () => this.show(version, 0) }, "\u2190 main graph"), " " + there.title] : []));
    const select = this.overlay.querySelector("select");
    if (!this.chosen) select.value = version === "partitioned" ? "provider" : "operator";
    this.paintOverlay();
    this.panel.showModel(there);
    if (this.search.value) this.find();
  }

  paintOverlay() {
    if (!this.view.graph) return;
    const overlay = new Overlay(this.overlay.querySelector("select").value, this.view.graph);
    this.view.setOverlay(overlay);
    this.legend.replaceChildren(...(overlay.missing ? [make("span", { className: "quiet" }, overlay.missing)] : overlay.isRamp ? this.rampLegend(overlay) : this.categoryLegend(overlay)));
    this.legend.hidden = !this.legend.children.length;
  }
  rampLegend(overlay) {
    const bar = make("span", { className: "ramp" });
    bar.style.background = "linear-gradient(90deg," + [0, 0.25, 0.5, 0.75, 1].map(rampColour).join(",") + ")";
    return [make("span", {}, overlay.id === "order" ? "first" : "0"), bar, make("span", {}, overlay.amountText(overlay.largest))];
  }
  categoryLegend(overlay) {
    return overlay.names.map(([name, letter], index) => {
      if (!overlay.counts[index]) return "";
      const mark = make("i", {}, letter);
      [mark.style.background] = categoryColours(index);
      mark.style.color = inkOn(categoryColours(index)[0]);
      return make("span", {}, mark, name + " ", make("small", {}, countText(overlay.counts[index])));
    }).filter(Boolean);
  }

  showStage(stage) {
    document.querySelectorAll("[data-stage]").forEach((link) => link.toggleAttribute("aria-current", link.dataset.stage === stage));
    const version = versionOfStage[stage], node = this.view.selected, origins = node >= 0 ? story.origins(this.view.graph, node) : [];
    this.chosen = true;
    this.overlay.querySelector("select").value = overlayOfStage[stage];
    if (this.view.graph.version !== version && graphOf(version, 0)) {
      this.show(version, 0);
      const [first] = story.nodesFrom(version, origins).filter(([graph]) => graph === 0);
      if (first) this.view.select(first[1], true);
    } else this.paintOverlay();
    this.chosen = false;
  }

  jump(version, graph, node) {
    if (this.view.graph.version !== version || this.view.graph.index !== graph) this.show(version, graph);
    if (node >= 0) this.view.select(node, true);
    const box = document.getElementById("workbench").getBoundingClientRect();
    if (box.bottom < 160 || box.top > innerHeight - 160) document.getElementById("workbench").scrollIntoView({ behavior: stillMotion() ? "auto" : "smooth" });
  }

  turn() {
    this.view.horizontal = !this.view.horizontal;
    this.view.arrange();
    this.view.fit();
  }

  find() {
    this.hits = this.view.find(this.search.value);
    this.hit = -1;
    this.found.textContent = this.search.value ? countText(this.hits.length) + " found" : "";
  }
  nextHit(by) {
    if (!this.hits || !this.hits.length) return;
    this.hit = (this.hit + by + this.hits.length) % this.hits.length;
    this.view.select(this.hits[this.hit], true);
    this.found.textContent = this.hit + 1 + " of " + countText(this.hits.length);
  }

  key(event) {
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "/" || (event.key === "f" && event.ctrlKey)) {
      event.preventDefault();
      this.search.focus();
    }
  }
}

const page = new Page();
