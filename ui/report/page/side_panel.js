// What there is to say about a node: attributes, inputs and outputs, and its story through the stages.

const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

class SidePanel {
  constructor(element, jump) {
    this.element = element;
    this.jump = jump; // (version, graph, node) => shows it
  }

  showModel(graph) {
    const { raw } = graph;
    const list = (values) => make("ul", { className: "values" }, ...values.map((value) => make("li", {}, make("b", {}, graph.valueName(value)), " ", make("span", { className: "quiet" }, graph.valueType(value)))));
    this.element.replaceChildren(make("h2", {}, graph.title), make("p", { className: "quiet" }, countText(graph.count) + " nodes, " + versionTitles[graph.version] + ". Click a node, or search; Space shows all."),
      make("h3", {}, "Inputs"), list(raw.inputs), make("h3", {}, "Outputs"), list(raw.outputs));
  }

  show(graph, node) {
    if (node < 0) return this.showModel(graph);
    const { raw } = graph, domain = text(raw.nodes.domain[node]);
    const parts = [make("h2", {}, graph.op(node)), make("p", { className: "name" }, graph.name(node))];
    parts.push(this.facts([["domain", domain && domain !== "ai.onnx" ? domain : ""], ["since opset", raw.nodes.since[node] || ""], ["provider", graph.provider(node)], ["FLOPs", this.figure(raw.nodes.flops, node, countText)],
      ["bytes moved", this.figure(raw.nodes.moved, node, bytesText)], ["weights", this.figure(raw.nodes.weights, node, bytesText)]]));
    const attributes = (raw.nodes.attributes[node] || []).map(([name, , value]) => [text(name), text(value)]);
    if (attributes.length) parts.push(make("h3", {}, "Attributes"), this.facts(attributes));
    parts.push(make("h3", {}, "Inputs"), this.values(graph, node, graph.inputsOf(node), true), make("h3", {}, "Outputs"), this.values(graph, node, graph.outputsOf(node), false));
    for (const body of raw.nodes.bodies[node] || []) parts.push(this.link("Open " + text(data.versions.find((one) => one.id === graph.version).graphs[body].title), graph.version, body, -1));
    parts.push(make("h3", {}, "Through the stages"), this.storyOf(graph, node));
    const notes = raw.nodes.notes[node];
    if (notes !== undefined) parts.push(make("h3", {}, "Documentation"), make("p", {}, text(notes)));
    this.element.replaceChildren(...parts);
    this.element.scrollTop = 0;
  }

  figure(column, node, format) { return column && column[node] >= 0 ? format(column[node]) : ""; }

  facts(rows) {
    const table = make("dl", {});
    for (const [name, value] of rows) if (value !== "" && value !== undefined) table.append(make("dt", {}, name), make("dd", {}, String(value)));
    return table;
  }

  link(title, version, graph, node) {
    return make("button", { className: "link", onclick: () => this.jump(version, graph, node) }, title);
  }

  values(graph, node, values, areInputs) {
    const list = make("ul", { className: "values" });
    for (const value of values) {
      if (value < 0) continue;
      const row = make("li", {}, make("b", {}, graph.valueName(value)), " ", make("span", { className: "quiet" }, graph.valueType(value)));
      const ends = areInputs ? [graph.producer[value]].filter((one) => one >= 0) : graph.consumers[value];
      const role = text(graph.raw.values.role[value]);
      if (areInputs && !ends.length && role) row.append(make("small", {}, role));
      for (const end of ends.slice(0, 12)) row.append(this.link((areInputs ? "from " : "to ") + graph.op(end) + " " + shorten(graph.shortName(end), 24), graph.version, graph.index, end));
      if (ends.length > 12) row.append(make("small", {}, "and " + (ends.length - 12) + " more"));
      const preview = graph.raw.values.preview[value];
      if (preview !== undefined) row.append(make("small", {}, text(preview)));
      list.append(row);
    }
    return list.children.length ? list : make("p", { className: "quiet" }, "None.");
  }

  storyOf(graph, node) {
    const origins = story.origins(graph, node), list = make("ol", { className: "story" });
    const step = (title, ...content) => list.append(make("li", {}, make("b", {}, title), ...content));
    const places = (version) => story.nodesFrom(version, origins).slice(0, 12).map(([index, one]) => {
      const there = graphOf(version, index);
      return this.link(there.op(one) + " " + shorten(there.shortName(one), 28), version, index, one);
    });
    step("Loaded", ...(origins.length ? places("loaded") : [make("p", { className: "quiet" }, "Made by the engine.")]));
    for (const rewrite of story.rewrites(origins)) step("Rewritten by " + rewrite.pass, make("p", {}, rewrite.note));
    if (data.versions.some((one) => one.id === "optimized")) step("Optimized", ...(places("optimized").length ? places("optimized") : [make("p", { className: "quiet" }, "Not in this version.")]));
    for (const [index, one] of story.nodesFrom("optimized", origins).slice(0, 4)) this.addAnswers(step, index, one);
    const last = graph.version === "partitioned" ? [[graph.index, node]] : story.nodesFrom("partitioned", origins).slice(0, 4);
    for (const [index, one] of last) this.addPlan(step, index, one, graph);
    return list;
  }

  addAnswers(step, index, node) {
    const row = story.answers(index, node);
    if (!row) return;
    const answers = row[3].map(([provider, verdict, cause, reason, seen, remedy]) => make("li", {}, make("b", {}, text(provider)), " " + text(verdict) + (cause >= 0 ? " (" + text(cause) + "): " + text(reason) : ""),
      ...(text(seen) ? [make("small", {}, "found: " + text(seen))] : []), ...(text(remedy) ? [make("small", {}, "would help: " + text(remedy))] : [])));
    const group = row[2] >= 0 ? data.partition.groups[row[2]] : null;
    step("Answers of the providers", make("ul", {}, ...answers), ...(group && text(group[0]) ? [make("small", {}, "in group " + text(group[0]))] : []));
  }

  addPlan(step, index, node, from) {
    const graph = graphOf("partitioned", index);
    if (!graph) return;
    step("Partitioned", from.version === "partitioned" ? make("p", {}, "on " + (graph.provider(node) || "no provider")) : this.link(graph.op(node) + " on " + graph.provider(node), "partitioned", index, node));
    const place = story.step(index, node);
    if (place >= 0) step("Step " + place + " of " + story.stepCount(index));
    for (const value of graph.outputsOf(node)) {
      const buffer = value < 0 ? null : story.buffer(index, value);
      if (!buffer) continue;
      const where = buffer.block ? "offset " + countText(buffer.block[2]) + ", " + bytesText(buffer.block[3]) + ", steps " + buffer.block[4] + " to " + buffer.block[5] : "";
      step("Buffer of " + shorten(graph.valueName(value), 40), make("p", {}, buffer.kind + (where ? ": " + where : "")), make("small", {}, buffer.reason));
    }
    const timing = story.time(index, node);
    if (timing) step("Measured " + timeText(timing[2]), make("p", { className: "quiet" }, [timing[3] > 1 ? timing[3] + " calls a run" : "", text(timing[4])].filter(Boolean).join(", ")));
  }
}
