// The page around the data: head, ribbon, sections with what stands without script, data, script.
#include "ui/report/report_page.h"

#include <map>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include <QCryptographicHash>
#include <QFile>

#include "engine/base/format.h"
#include "engine/report/json.h"
#include "engine/report/measured_time.h"
#include "engine/report/truth.h"
#include "ui/base/stage_words.h"
#include "ui/base/theme.h"
#include "ui/report/formula_tables.h"
#include "ui/report/html_text.h"
#include "ui/report/report_data.h"
#include "ui/report/report_tables.h"
#include "ui/report/still_picture.h"

// A static library's resources are only linked in when they are asked for; the macro must stand outside namespaces.
static void initialisePage() {
  Q_INIT_RESOURCE(page);
}

namespace cutaway::ui {

namespace {

constexpr size_t kStillRows = 100;  // of a table, for readers without script
constexpr const char* kScripts[] = {"model.js",        "story.js",      "layout.js", "overlay.js",
                                    "graph_view.js",   "side_panel.js", "tables.js", "chart_frame.js",
                                    "memory_chart.js", "timeline.js",   "main.js"};

QByteArray pageFile(const char* name) {
  static const bool initialised = (initialisePage(), true);
  Q_UNUSED(initialised);
  QFile file(QStringLiteral(":/report/%1").arg(QLatin1String(name)));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray script() {
  QByteArray all = "\"use strict\";\n";
  for (const char* name : kScripts)
    all += pageFile(name);
  return all;
}

std::string variables(const Theme& theme) {
  std::string css;
  const auto put = [&css](const char* name, const QColor& color) {
    css += fmt::format("--{}:{};", name, color.name().toStdString());
  };
  put("window", theme.window), put("canvas", theme.canvas), put("surface", theme.surface), put("raised", theme.raised),
      put("border", theme.border), put("edge", theme.borderStrong);
  put("text", theme.text), put("quiet", theme.textSecondary), put("faint", theme.textFaint),
      put("accent", theme.accent), put("accent-text", theme.accentText), put("accent-soft", theme.accentSoft);
  put("hit", theme.hit), put("error", theme.error), put("error-soft", theme.errorSoft);
  return css;
}

std::string style() {
  const std::string light = variables(Theme::light()), dark = variables(Theme::darkTheme());
  return fmt::format(
             ":root{{color-scheme:light;{}}}\n@media (prefers-color-scheme: "
             "dark){{:root:not([data-theme=light]){{color-scheme:dark;{}}}}}\n:root[data-theme=dark]{{color-scheme:"
             "dark;{}}}\n",
             light, dark, dark) +
         pageFile("page.css").toStdString();
}

std::string stillTable(const ReportTable& table, size_t index) {
  std::string html = fmt::format(
      "<div class=\"table\" data-table=\"{}\"><h3>{} <small>{} rows</small></h3><div class=\"rows\"><table><thead><tr>",
      index, escapeHtml(table.title), formatCount(static_cast<int64_t>(table.rows.size())));
  const auto cellClass = [&](size_t column) {
    return table.columns[column].kind == ColumnKind::kText ? "" : " class=\"figure\"";
  };
  for (size_t column = 0; column < table.columns.size(); ++column)
    html += fmt::format("<th{}>{}</th>", cellClass(column), escapeHtml(table.columns[column].title));
  html += "</tr></thead><tbody>\n";
  for (size_t row = 0; row < std::min(kStillRows, table.rows.size()); ++row) {
    html += "<tr>";
    for (size_t column = 0; column < table.rows[row].size(); ++column)
      html += fmt::format("<td{}>{}</td>", cellClass(column), escapeHtml(cellText(table, row, column)));
    html += "</tr>\n";
  }
  html += "</tbody></table></div>";
  if (table.rows.size() > kStillRows)
    html += fmt::format("<p class=\"quiet\">... and {} more rows, which the page shows with script allowed.</p>",
                        table.rows.size() - kStillRows);
  return html + "</div>\n";
}

std::string charts(const WalkReport& walk, Stage stage) {
  std::string html;
  if (stage == Stage::kPattern && walk.pattern && walk.partitionedGraphs) {
    if (!walk.pattern->reason.empty()) html += "<p>" + escapeHtml(walk.pattern->reason) + "</p>\n";
    for (size_t i = 0; i < walk.pattern->graphs.size(); ++i) {
      const GraphPattern& pattern = walk.pattern->graphs[i];
      if (pattern.blocks.empty()) continue;
      const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(pattern.graph)];
      html += fmt::format(
          "<h3>{} on {}: peak {}, lower bound {}, without sharing {}</h3><div class=\"chart\" "
          "data-memory=\"{}\">{}</div>\n",
          escapeHtml(graph.title), escapeHtml(pattern.device), formatBytes(pattern.peakBytes),
          formatBytes(pattern.lowerBoundBytes), formatBytes(pattern.naiveBytes), i, stillMemoryChart(graph, pattern));
    }
  }
  if (stage == Stage::kRun && walk.run) {
    html += fmt::format("<p>{}; {}; measured memory {} of {} planned.{}</p>\n",
                        escapeHtml(measuredText(measuredTime(*walk.run))), escapeHtml(walk.run->executor),
                        formatBytes(walk.run->measuredPeakBytes), formatBytes(walk.run->plannedPeakBytes),
                        walk.run->spans.empty() || fastestRunText(*walk.run).empty()
                            ? std::string()
                            : fmt::format(" The timeline is of {}.", fastestRunText(*walk.run)));
    if (!walk.run->spans.empty()) html += "<div class=\"chart\" data-timeline></div>\n";
  }
  return html;
}

std::string sections(const WalkReport& walk, const std::vector<ReportTable>& tables) {
  std::string html;
  for (int i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    std::string content = charts(walk, stage);
    for (size_t table = 0; table < tables.size(); ++table) {
      if (tables[table].stage == stage) content += stillTable(tables[table], table);
    }
    if (content.empty()) continue;
    html += fmt::format("<section id=\"{}\"><h2>{}</h2><p class=\"quiet\">{}</p>\n{}</section>\n", stageId(stage),
                        escapeHtml(plainStageWords(stage)), escapeHtml(stageHeadline(walk, stage)), content);
  }
  return html;
}

std::string ribbon(const WalkReport& walk) {
  std::string html = "<nav id=\"ribbon\" aria-label=\"Stages\">\n";
  for (int i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    const std::string headline = stageHeadline(walk, stage);
    if (headline.empty()) continue;
    const Truth truth = stageTruth(walk, stage);
    html += fmt::format(
        "<a href=\"#{0}\" data-stage=\"{0}\" title=\"{4}\"><b>{1}</b><span>{2}</span><small>{3}, {5}</small></a>\n",
        stageId(stage), escapeHtml(plainStageWords(stage)), escapeHtml(headline),
        formatTime(walk.stages[static_cast<size_t>(stage)].timeNs), escapeHtml(truthText(truth)),
        truthKindName(truth.kind));
  }
  return html + "</nav>\n";
}

std::string head(const std::string& name, const QByteArray& code) {
  const QByteArray hash = QCryptographicHash::hash(code, QCryptographicHash::Sha256).toBase64();
  // Nothing may be fetched, framed or sent; only this one script runs.
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; base-uri "
      "'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>{} - "
      "Cutaway</title>\n<style>\n{}</style></head>\n",
      hash.toStdString(), escapeHtml(name), style());
}

}  // namespace

Result<std::string> htmlReport(const WalkReport& walk, const CancelToken& cancel,
                               const study::ModelFormulas* formulas) {
  const std::string path = walk.load ? walk.load->path : std::string("model");
  const std::string name = path.substr(path.find_last_of('/') + 1);
  std::vector<ReportTable> tables = reportTables(walk);
  if (formulas) addFormulaTables(walk, *formulas, tables);
  const nlohmann::json data = reportData(walk, tables, cancel);
  const std::string still = stillGraph(walk, cancel);
  if (cancel.cancelled()) return fail(cancelledError());
  const QByteArray code = script();
  std::string html = head(name, code);
  html += fmt::format(
      "<body>\n<header><h1>{}</h1><p>Every stage of the engine, from the file to the memory pattern.</p></header>\n",
      escapeHtml(name));
  html += ribbon(walk);
  if (walk.error)
    html += "<div class=\"failure\" role=\"alert\"><b>A stage failed.</b> " + escapeHtml(describe(*walk.error)) +
            "</div>\n";
  html += "<div id=\"workbench\"><div id=\"still\">" +
          (still.empty() ? std::string("<p class=\"quiet\">The graph is drawn with script allowed.</p>") : still) +
          "</div></div>\n";
  html += "<main>\n" + sections(walk, tables) + "</main>\n";
  html += "<script type=\"application/json\" id=\"data\">" + escapeScriptData(dumpJson(data, -1)) +
          "</script>\n<script>" + code.toStdString() + "</script>\n</body></html>\n";
  if (cancel.cancelled()) return fail(cancelledError());
  return html;
}

}  // namespace cutaway::ui
