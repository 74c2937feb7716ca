// Tables that sort and filter; only the rows in sight are elements of the page, so that long ones stay quick.

const rowHeight = 26;
const formats = { count: countText, bytes: bytesText, time: timeText, percent: (share) => share.toFixed(1) + " %", real: (number) => String(Number(number.toPrecision(4))) };
const cellWords = (kind, cell) => (kind === "text" ? text(cell) : cell === null ? "" : formats[kind](cell));

class Table {
  constructor(element, table, jump) {
    this.table = table;
    this.jump = jump;
    this.order = table.rows.map((_, index) => index);
    this.sortColumn = -1;
    this.build(element);
    this.apply();
  }

  build(element) {
    const { columns, rows, title } = this.table;
    this.count = make("small", {});
    this.filter = make("input", { type: "search", placeholder: "Filter", "aria-label": "Filter " + title, oninput: () => this.apply() });
    const heads = columns.map(([name, kind], index) => make("th", { className: kind === "text" ? "" : "figure", scope: "col" }, make("button", { onclick: () => this.sortBy(index) }, name)));
    this.heads = heads;
    this.body = make("tbody", {});
    const grid = make("table", {}, make("colgroup", {}, ...this.widths()), make("thead", {}, make("tr", {}, ...heads)), this.body);
    grid.style.minWidth = this.leastWidth;
    this.scroller = make("div", { className: "rows", tabIndex: 0, role: "region", "aria-label": title, onscroll: () => this.paint() }, grid);
    this.scroller.style.maxHeight = Math.min(420, (rows.length + 1) * rowHeight + 22) + "px";
    element.replaceChildren(make("div", { className: "tablehead" }, make("h3", {}, title, " ", this.count), rows.length > 5 ? this.filter : ""), this.scroller);
  }

  // Columns as wide as their longest words among the first rows, within reason.
  widths() {
    const { columns, rows } = this.table;
    const longest = columns.map(([name, kind], index) => rows.slice(0, 200).reduce((most, row) => Math.max(most, Math.min(48, cellWords(kind, row[index]).length + 2)), name.length + 3));
    const sum = longest.reduce((a, b) => a + b, 0);
    this.leastWidth = Math.round(sum * 7) + "px";
    return longest.map((length) => {
      const column = make("col", {});
      column.style.width = (100 * length) / sum + "%";
      return column;
    });
  }

  sortBy(column) {
    this.descending = this.sortColumn === column ? !this.descending : this.table.columns[column][1] !== "text";
    this.sortColumn = column;
    this.heads.forEach((head, index) => (index === column ? head.setAttribute("aria-sort", this.descending ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    this.apply();
  }

  apply() {
    const { columns, rows } = this.table, words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const line = (row) => columns.map(([, kind], index) => cellWords(kind, row[index])).join("\n").toLowerCase();
    this.order = rows.map((_, index) => index).filter((index) => !words.length || words.every((word) => line(rows[index]).includes(word)));
    if (this.sortColumn >= 0) {
      const column = this.sortColumn, isText = columns[column][1] === "text", sign = this.descending ? -1 : 1;
      const compare = isText ? (a, b) => text(rows[a][column]).localeCompare(text(rows[b][column]), "en", { numeric: true }) : (a, b) => (rows[a][column] ?? -Infinity) - (rows[b][column] ?? -Infinity);
      this.order.sort((a, b) => sign * compare(a, b) || a - b);
    }
    this.count.textContent = this.order.length === rows.length ? countText(rows.length) + " rows" : countText(this.order.length) + " of " + countText(rows.length) + " rows";
    this.paint();
  }

  paint() {
    const { columns, rows, nodes } = this.table;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowHeight) - 10), last = Math.min(this.order.length, first + 50);
    const spacer = (count) => {
      const row = make("tr", { "aria-hidden": "true" });
      row.style.height = count * rowHeight + "px";
      return row;
    };
    const painted = this.order.slice(first, last).map((index) => {
      const row = make("tr", {}, ...columns.map(([, kind], column) => {
        const words = cellWords(kind, rows[index][column]);
        return make("td", { className: kind === "text" ? "" : "figure", title: words }, words);
      }));
      const node = nodes[index];
      if (node >= 0) {
        row.className = "leads";
        row.tabIndex = 0;
        row.onclick = () => this.jump(this.table.version, this.table.graph, node);
        row.onkeydown = (event) => event.key === "Enter" && row.onclick();
      }
      return row;
    });
    this.body.replaceChildren(spacer(first), ...painted, spacer(this.order.length - last));
  }
}
