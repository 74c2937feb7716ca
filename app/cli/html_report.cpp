#include "app/cli/html_report.h"

#include "app/cli/html_sections.h"

namespace cutaway::cli {

namespace {

constexpr const char* kStyle = R"(<style>
:root { color-scheme: light dark; --ink: #1d2530; --quiet: #5c6875; --paper: #fbfcfd; --card: #fff; --line: #dde3ea; --accent: #0b62a4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --quiet: #97a3b0; --paper: #14181d; --card: #1c2128; --line: #323a44; --accent: #6cb6f0; } }
body { margin: 0; font: 14px/1.5 "Inter", "Noto Sans", "DejaVu Sans", system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, nav, main { max-width: 1240px; margin: 0 auto; padding: 0 24px; }
header h1 { margin: 28px 0 4px; font-size: 24px; }
header p, .summary, .empty { color: var(--quiet); margin: 0 0 12px; }
nav { display: flex; flex-wrap: wrap; gap: 8px; padding-bottom: 12px; }
nav a { flex: 1 1 120px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: var(--ink); text-decoration: none; }
nav a:hover { border-color: var(--accent); }
nav b { display: block; font-size: 12px; color: var(--accent); }
nav small { color: var(--quiet); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 20px; margin: 16px 0; }
h2 { margin: 0; font-size: 18px; } h3 { margin: 18px 0 6px; font-size: 14px; }
.scroll { overflow: auto; max-height: 520px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { position: sticky; top: 0; background: var(--card); text-align: left; font-size: 12px; color: var(--quiet); }
th, td { padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.right { text-align: right; white-space: nowrap; }
.graph { overflow: auto; max-height: 720px; } .graph svg { max-width: 100%; height: auto; }
.chart { width: 100%; } .chart .grid { stroke: var(--line); } .chart .axis { fill: var(--quiet); font-size: 11px; } .chart .bound { stroke: var(--ink); stroke-dasharray: 6 4; }
.error { border-color: #d55e00; }
</style>
)";

struct SectionLink {
  Stage stage;
  const char* id;
};
constexpr SectionLink kSections[] = {{Stage::kLoad, "load"},      {Stage::kResolve, "inputs"},      {Stage::kOptimize, "optimize"}, {Stage::kPartition, "partition"},
                                     {Stage::kSchedule, "order"}, {Stage::kAllocate, "allocation"}, {Stage::kPattern, "pattern"},   {Stage::kRun, "run"}};

void writeRibbon(HtmlWriter& html, const WalkReport& walk) {
  html.raw("<nav aria-label=\"stages\">\n");
  for (const SectionLink& link : kSections) {
    const std::string headline = stageHeadline(walk, link.stage);
    if (headline.empty()) continue;
    html.raw(fmt::format("<a href=\"#{}\"><b>{}</b>{}<br><small>{}</small></a>\n", link.id, escapeHtml(stageTitle(link.stage)), escapeHtml(headline), formatTime(walk.stages[static_cast<size_t>(link.stage)].timeNs)));
  }
  html.raw("</nav>\n");
}

}  // namespace

std::string htmlReport(const WalkReport& walk, const std::string& graphSvg) {
  const std::string path = walk.load ? walk.load->path : std::string("model");
  const std::string name = path.substr(path.find_last_of('/') + 1);
  HtmlWriter html;
  html.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>" + escapeHtml(name) + " - Cutaway</title>\n");
  html.raw(kStyle);
  html.raw("</head><body>\n<header><h1>" + escapeHtml(name) + "</h1><p>Every stage from file to memory pattern, as Cutaway's engine walked it.</p></header>\n");
  writeRibbon(html, walk);
  html.raw("<main>\n");
  if (walk.error) {
    html.raw("<section class=\"error\"><h2>The walk stopped</h2>");
    html.paragraph(describe(*walk.error));
    html.endSection();
  }
  if (!graphSvg.empty()) html.raw("<section><h2>Graph</h2><div class=\"graph\">" + graphSvg + "</div></section>\n");
  writeLoad(html, walk);
  writeInputs(html, walk);
  writeOptimize(html, walk);
  writePartition(html, walk);
  writeOrder(html, walk);
  writeAllocation(html, walk);
  writePattern(html, walk);
  writeRun(html, walk);
  html.raw("</main></body></html>\n");
  return html.html();
}

}  // namespace cutaway::cli
