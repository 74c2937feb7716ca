// One HTML file: the matrix, coloured and lettered by outcome, and below it what each cell found. No script is needed
// to read it, and nothing is fetched.
#include "sweep/answers/matrix.h"

#include "engine/base/format.h"
#include "engine/base/printable.h"

namespace cutaway::sweep {

namespace {

constexpr const char* kStyle = R"(
body{font:14px/1.45 system-ui,sans-serif;margin:24px;color:#1c2430;background:#fff}
table{border-collapse:collapse}th,td{border:1px solid #d5dae1;padding:3px 8px;text-align:left;vertical-align:top}
th{background:#f2f4f7;position:sticky;top:0}td.m{font-family:ui-monospace,monospace;white-space:nowrap}
td a{color:inherit;text-decoration:none;display:block}td.f{text-align:right;font-variant-numeric:tabular-nums}
.ok{background:#e3f2e6}.open{background:#f4f4f4;color:#67707c}.check{background:#fde8c8}.bad{background:#eceff3}
.refused{background:#e4e8fb}.crashed{background:#f9d6d5}section{margin:18px 0;content-visibility:auto;contain-intrinsic-size:160px}
section h3{margin:0 0 4px;font-size:15px}.sub{color:#67707c}
@media (prefers-color-scheme:dark){body{background:#15191f;color:#dfe5ee}th{background:#222831}th,td{border-color:#39424f}
.ok{background:#1d3a26}.open{background:#20252c;color:#98a3b1}.check{background:#4d3a14}.bad{background:#2b323b}
.refused{background:#283060}.crashed{background:#5a2222}}
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char each : printable(text)) {
    switch (each) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += each;
    }
  }
  return out;
}

const char* styleOf(const MatrixCell& cell) {
  if (cell.isEmpty()) return "";
  switch (cell.worst()) {
    case Outcome::kOk:
      return cell.open() > 0 ? "open" : "ok";
    case Outcome::kCheckFailed:
      return "check";
    case Outcome::kBadModel:
      return "bad";
    case Outcome::kRefused:
      return "refused";
    default:
      return "crashed";
  }
}

std::string matrixTable(const Matrix& matrix) {
  std::string html = "<table><tr><th>model</th>";
  for (const std::string& configuration : matrix.configurations)
    html += fmt::format("<th>{}</th>", escaped(configuration));
  html += "</tr>\n";
  for (size_t m = 0; m < matrix.models.size(); ++m) {
    html += fmt::format("<tr><td class=\"m\">{}</td>", escaped(matrix.models[m]));
    for (size_t c = 0; c < matrix.configurations.size(); ++c) {
      const MatrixCell& cell = matrix.at(m, c);
      html += cell.isEmpty() ? "<td></td>"
                             : fmt::format("<td class=\"{}\"><a href=\"#c{}-{}\">{}</a></td>", styleOf(cell), m, c,
                                           escaped(cellText(cell)));
    }
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string details(const MatrixCell& cell) {
  std::string html;
  if (const auto* providers = cell.providers()) html += fmt::format("<p>{}</p>", escaped(shareText(*providers)));
  const auto figures = cell.figures();
  if (!figures.empty()) {
    html += "<table><tr><th>figure</th><th>value</th><th>from</th><th>to</th><th>is</th></tr>";
    for (const auto& [name, figure] : figures) {
      const Figure low = {.value = figure.low, .unit = figure.unit}, high = {.value = figure.high, .unit = figure.unit};
      const bool isRange = figure.low != figure.high;
      html += fmt::format(
          "<tr><td>{}</td><td class=\"f\">{}</td><td class=\"f\">{}</td><td class=\"f\">{}</td><td>{}</td></tr>",
          escaped(name), figureText(figure), isRange ? figureText(low) : "", isRange ? figureText(high) : "",
          escaped(figure.truth));
    }
    html += "</table>";
  }
  for (const CellResult* each : cell.results) {
    const Record& record = each->record;
    if (!each->isDone)
      html += fmt::format("<p>{}: open</p>", measureName(each->cell.measure));
    else if (record.outcome != Outcome::kOk)
      html += fmt::format("<p>{}: <b>{}</b> {}</p>", measureName(each->cell.measure), outcomeName(record.outcome),
                          escaped(record.message));
    for (const RefusalCount& refusal : record.findings.refusals)
      html += fmt::format("<div class=\"sub\">{} refused {}: {}</div>", escaped(refusal.provider), refusal.nodes,
                          escaped(refusal.reason));
  }
  return html;
}

}  // namespace

std::string matrixPage(const Matrix& matrix, const std::string& title, const std::string& program) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n<p "
      "class=\"sub\">{2}</p>\n",
      escaped(title), kStyle, escaped(program));
  std::string counts;
  for (const auto& [outcome, count] : matrix.outcomes)
    counts += fmt::format("{} {}, ", formatCount(count), outcomeName(outcome));
  html += fmt::format("<p>{} models, {} configurations, {} jobs: {}{} open</p>\n",
                      formatCount(static_cast<int64_t>(matrix.models.size())), matrix.configurations.size(),
                      formatCount(matrix.jobs), counts, formatCount(matrix.open));
  html += matrixTable(matrix);
  for (size_t m = 0; m < matrix.models.size(); ++m) {
    for (size_t c = 0; c < matrix.configurations.size(); ++c) {
      if (matrix.at(m, c).isEmpty()) continue;
      html += fmt::format("<section id=\"c{}-{}\"><h3>{} <span class=\"sub\">{}</span></h3>{}</section>\n", m, c,
                          escaped(matrix.models[m]), escaped(matrix.configurations[c]), details(matrix.at(m, c)));
    }
  }
  return html + "</body></html>\n";
}

}  // namespace cutaway::sweep
