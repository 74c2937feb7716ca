// What the gate found, for people, for JUnit's readers and for GitHub.
#include "sweep/answers/gate.h"

#include "engine/base/printable.h"

namespace cutaway::sweep {

namespace {

constexpr size_t kShownNotes = 10;

std::string titleOf(const Cell& cell) {
  return fmt::format("{}, {}, {}", cell.model, cell.configuration, measureName(cell.measure));
}

// Control characters are none in XML 1.0, not even escaped: printable() has written them out.
std::string escapedXml(const std::string& text) {
  std::string out;
  for (const char each : printable(text)) {
    if (each == '&')
      out += "&amp;";
    else if (each == '<')
      out += "&lt;";
    else if (each == '>')
      out += "&gt;";
    else if (each == '"')
      out += "&quot;";
    else
      out += each;
  }
  return out;
}

// GitHub reads %25, %0D and %0A in messages, and in properties %3A and %2C too.
std::string escapedCommand(const std::string& text, bool isProperty) {
  std::string out;
  for (const char each : printable(text)) {
    const bool isSpecial = each == '%' || each == '\r' || each == '\n' || (isProperty && (each == ':' || each == ','));
    out += isSpecial ? fmt::format("%{:02X}", static_cast<unsigned char>(each)) : std::string(1, each);
  }
  return out;
}

}  // namespace

std::string gateText(const GateReport& report) {
  std::string text;
  for (const GateFinding& finding : report.worse)
    text += fmt::format("{}\n  {}: {}\n", titleOf(finding.cell), gateKindName(finding.kind), finding.text);
  for (size_t i = 0; i < std::min(report.notes.size(), kShownNotes); ++i)
    text += fmt::format("note: {}\n", report.notes[i]);
  if (report.notes.size() > kShownNotes) text += fmt::format("note: {} more\n", report.notes.size() - kShownNotes);
  return text + fmt::format("{} cells compared, {} worse; baseline {}, now {}\n", report.compared, report.worse.size(),
                            report.baselineProgram, report.program);
}

std::string gateJunit(const GateReport& report) {
  std::map<Cell, std::vector<const GateFinding*>> worse;
  for (const GateFinding& finding : report.worse)
    worse[finding.cell].push_back(&finding);
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"cutaway gate\" tests=\"{}\" failures=\"{}\">\n",
      report.cells.size(), worse.size());
  for (const Cell& cell : report.cells) {
    xml += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", escapedXml(cell.model),
                       escapedXml(fmt::format("{}, {}", cell.configuration, measureName(cell.measure))));
    const auto found = worse.find(cell);
    if (found == worse.end()) {
      xml += "/>\n";
      continue;
    }
    std::string message, kinds;
    for (const GateFinding* each : found->second) {
      message += fmt::format("{}: {}\n", gateKindName(each->kind), each->text);
      kinds += (kinds.empty() ? "" : ", ") + std::string(gateKindName(each->kind));
    }
    xml += fmt::format(">\n    <failure message=\"{}\">{}</failure>\n  </testcase>\n", escapedXml(kinds),
                       escapedXml(message));
  }
  return xml + "</testsuite>\n";
}

std::string gateAnnotations(const GateReport& report, const std::string& plan) {
  std::string text;
  for (const GateFinding& finding : report.worse)
    text += fmt::format("::error file={},title={}::{}\n", escapedCommand(plan, true),
                        escapedCommand(std::string(gateKindName(finding.kind)), true),
                        escapedCommand(fmt::format("{}: {}", titleOf(finding.cell), finding.text), false));
  return text;
}

Json gateJson(const GateReport& report) {
  Json worse = Json::array();
  for (const GateFinding& finding : report.worse)
    worse.push_back({{"kind", gateKindName(finding.kind)},
                     {"model", finding.cell.model},
                     {"configuration", finding.cell.configuration},
                     {"measure", measureName(finding.cell.measure)},
                     {"file", finding.file},
                     {"text", finding.text}});
  return {{"compared", report.compared},
          {"worse", worse},
          {"notes", report.notes},
          {"baseline_program", report.baselineProgram},
          {"program", report.program}};
}

}  // namespace cutaway::sweep
