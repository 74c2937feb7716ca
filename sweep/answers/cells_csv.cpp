#include "sweep/answers/matrix.h"

namespace cutaway::sweep {

namespace {

// Quoted where RFC 4180 asks for it. A field that a spreadsheet would take for a formula gets an apostrophe.
std::string field(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char each : text)
    quoted += each == '"' ? std::string("\"\"") : std::string(1, each);
  return quoted + "\"";
}

}  // namespace

std::string cellsCsv(const std::vector<CellResult>& cells) {
  std::string text =
      "model,configuration,measure,repeat,program,key,outcome,machine,host,wall_s,figure,value,low,high,runs,unit,"
      "truth\r\n";
  for (const CellResult& cell : cells) {
    const Record& record = cell.record;
    const std::string front = fmt::format(
        "{},{},{},{},{},{},{},{},{},{}", field(cell.cell.model), field(cell.cell.configuration),
        measureName(cell.cell.measure), cell.cell.repeat, field(cell.program), cell.key,
        cell.isDone ? outcomeName(record.outcome) : "open", cell.isDone ? field(record.machine.className()) : "",
        field(record.machine.host), record.wallSeconds);
    if (record.findings.figures.empty()) text += front + ",,,,,,,\r\n";
    for (const auto& [name, figure] : record.findings.figures)
      text += fmt::format("{},{},{},{},{},{},{},{}\r\n", front, field(name), figure.value, figure.low, figure.high,
                          figure.runs, field(figure.unit), field(figure.truth));
  }
  return text;
}

}  // namespace cutaway::sweep
