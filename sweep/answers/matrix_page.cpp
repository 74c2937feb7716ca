// One HTML file: the matrix, coloured and lettered by outcome or by what one chooses above it, and below it what each
// cell found. No script is needed to read it, and nothing is fetched.
#include <algorithm>

#include "sweep/answers/views.h"

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
input[name=v]{position:absolute;opacity:0}label{display:inline-block;padding:3px 10px;margin:0 6px 8px 0;border:1px solid #d5dae1;
border-radius:5px;cursor:pointer}input[name=v]:checked+label{background:#1c5fb8;color:#fff}input[name=v]:focus-visible+label{outline:2px solid #1c5fb8;
outline-offset:2px}.v{display:none;margin:-3px -8px;padding:3px 8px}.w{background:rgba(222,130,30,calc(var(--w)*.75))}
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

const char* viewTitle(MatrixView view) {
  switch (view) {
    case MatrixView::kSummary:
      return "outcome";
    case MatrixView::kProviders:
      return "nodes per provider";
    case MatrixView::kTime:
      return "time";
    case MatrixView::kMemory:
      return "planned memory";
    case MatrixView::kError:
      break;
  }
  return "error";
}

// A view and its faces, without those that no cell has anything to say in.
using Views = std::vector<std::pair<MatrixView, std::vector<CellFace>>>;

Views viewsOf(const Matrix& matrix) {
  Views views;
  for (const MatrixView view : kMatrixViews) {
    std::vector<CellFace> faces = facesOf(matrix, view);
    const bool says = std::ranges::any_of(faces, [](const CellFace& face) { return face.strength >= 0; });
    if (says || view == MatrixView::kSummary) views.emplace_back(view, std::move(faces));
  }
  return views;
}

// Which view is shown is chosen by a button that is the table's sibling.
std::string viewButtons(const Views& views) {
  std::string html, style;
  for (size_t i = 0; i < views.size(); ++i) {
    html += fmt::format("<input type=\"radio\" name=\"v\" id=\"v{0}\"{1}><label for=\"v{0}\">{2}</label>", i,
                        i == 0 ? " checked" : "", viewTitle(views[i].first));
    style += fmt::format("#v{0}:checked~table .v{0}{{display:block}}", i);
  }
  return "<style>" + style + "</style>\n" + (views.size() > 1 ? html : html.substr(0, html.find("<label"))) + "\n";
}

std::string cellLink(const Views& views, size_t model, size_t configuration, size_t columns) {
  std::string html = fmt::format("<a href=\"#c{}-{}\">", model, configuration);
  for (size_t i = 0; i < views.size(); ++i) {
    const CellFace& face = views[i].second[model * columns + configuration];
    const std::string weight =
        face.strength >= 0 ? fmt::format(" w v{}\" style=\"--w:{:.2f}", i, face.strength) : fmt::format(" v{}", i);
    html += fmt::format("<span class=\"v{}\">{}</span>", weight, face.text.empty() ? "&nbsp;" : escaped(face.text));
  }
  return html + "</a>";
}

std::string matrixTable(const Matrix& matrix) {
  const Views views = viewsOf(matrix);
  const std::string folder = sharedFolder(matrix.models);
  std::string html = viewButtons(views) + "<table><tr><th>model</th>";
  for (const std::string& configuration : matrix.configurations)
    html += fmt::format("<th>{}</th>", escaped(configuration));
  html += "</tr>\n";
  for (size_t m = 0; m < matrix.models.size(); ++m) {
    html += fmt::format("<tr><td class=\"m\">{}</td>", escaped(matrix.models[m].substr(folder.size())));
    for (size_t c = 0; c < matrix.configurations.size(); ++c) {
      const MatrixCell& cell = matrix.at(m, c);
      html += cell.isEmpty() ? "<td></td>"
                             : fmt::format("<td class=\"{}\">{}</td>", styleOf(cell),
                                           cellLink(views, m, c, matrix.configurations.size()));
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

// The figures that are worth following, of every version of the program that has them.
std::string trendTable(const Trend& trend) {
  if (trend.size() < 2) return "";
  constexpr std::pair<const char*, const char*> kFollowed[] = {{"median_ms", "time"},
                                                               {"planned_peak_bytes", "planned memory"},
                                                               {"max_abs_error", "error"},
                                                               {"fallback_nodes", "nodes on the last provider"}};
  std::string html = "<table><tr><th>version</th>";
  for (const auto& [name, words] : kFollowed)
    html += fmt::format("<th>{}</th>", words);
  html += "</tr>";
  for (const TrendPoint& point : trend) {
    html += fmt::format("<tr><td>{}</td>", escaped(point.program));
    for (const auto& [name, words] : kFollowed) {
      const auto found = point.figures.find(name);
      html += fmt::format("<td class=\"f\">{}</td>",
                          found == point.figures.end() ? "" : escaped(figureText(found->second)));
    }
    html += "</tr>";
  }
  return html + "</table>";
}

}  // namespace

std::string matrixPage(const Matrix& matrix, const std::string& title, const std::string& program,
                       const std::vector<Trend>& trends) {
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
  if (const std::string folder = sharedFolder(matrix.models); !folder.empty())
    html += fmt::format("<p class=\"sub\">models in {}</p>\n", escaped(folder));
  html += matrixTable(matrix);
  for (size_t m = 0; m < matrix.models.size(); ++m) {
    for (size_t c = 0; c < matrix.configurations.size(); ++c) {
      if (matrix.at(m, c).isEmpty()) continue;
      const size_t place = m * matrix.configurations.size() + c;
      html += fmt::format("<section id=\"c{}-{}\"><h3>{} <span class=\"sub\">{}</span></h3>{}{}</section>\n", m, c,
                          escaped(matrix.models[m]), escaped(matrix.configurations[c]), details(matrix.at(m, c)),
                          place < trends.size() ? trendTable(trends[place]) : "");
    }
  }
  return html + "</body></html>\n";
}

}  // namespace cutaway::sweep
