#include "providers/onnxruntime/plugin/qnn_profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "providers/onnxruntime/model_writer.h"

namespace cutaway::onnxruntime {

namespace {

constexpr std::string_view kHead =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier";
constexpr size_t kColumns = 7;
enum Column : size_t { kMessage = 1, kTime = 2, kUnit = 3, kLevel = 5, kIdentifier = 6 };
using Fields = std::array<std::string_view, kColumns>;

bool split(std::string_view line, Fields& fields) {
  for (size_t column = 0; column < kColumns; ++column) {
    const size_t end = line.find(',');
    if (end == std::string_view::npos && column + 1 < kColumns) return false;
    fields[column] = line.substr(0, end);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return true;
}

std::string unitOf(std::string_view unit) {
  std::string text(unit);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

// "relu0:OpId_26 (cycles)" -> "relu0", "Input OpId_2 (cycles)" -> "Input", "Accelerator (execute) time (cycles)" as it
// is: the unit stands beside.
std::string_view plainName(std::string_view identifier) {
  constexpr std::string_view kCycles = " (cycles)";
  if (identifier.ends_with(kCycles)) identifier.remove_suffix(kCycles.size());
  const size_t operation = identifier.find("OpId_");
  if (operation != std::string_view::npos && operation > 0) identifier = identifier.substr(0, operation - 1);
  return identifier;
}

class ProfileReader {
 public:
  explicit ProfileReader(const std::function<NodeWords(NodeId)>& wordsOf) : m_wordsOf(wordsOf) {}

  void read(const Fields& fields) {
    double value = 0;
    const std::string_view time = fields[kTime];
    const auto [end, problem] = std::from_chars(time.data(), time.data() + time.size(), value);
    if (problem != std::errc() || end != time.data() + time.size()) return;
    const std::string_view message = fields[kMessage];
    if (fields[kLevel] == "ROOT") m_inCompile = message == "FINALIZE";
    OwnFigure figure{.part = m_inCompile ? OwnPart::kCompile : OwnPart::kRun,
                     .name = {},
                     .opType = {},
                     .unit = unitOf(fields[kUnit])};
    figure.name = plainName(fields[kIdentifier]);
    if (message == "NODE") {
      figure.part = OwnPart::kNode;
      if (const std::optional<NodeId> id = numberIn(figure.name)) {
        NodeWords words = m_wordsOf(*id);
        if (!words.name.empty()) figure.name = std::move(words.name);
        figure.opType = std::move(words.opType);
      }
    }
    add(std::move(figure), value);
    // A run's events end with its own line.
    if (message == "EXECUTE") endRun();
  }

  std::vector<OwnFigure> end() {
    endRun();
    for (OwnFigure& figure : m_figures)
      figure.mean /= static_cast<double>(std::max<int64_t>(figure.times, 1));
    return std::move(m_figures);
  }

 private:
  void add(OwnFigure figure, double value) {
    const std::string key = fmt::format("{}|{}|{}", static_cast<int>(figure.part), figure.unit, figure.name);
    const auto [place, isNew] = m_places.emplace(key, m_figures.size());
    const size_t index = place->second;
    if (isNew) m_figures.push_back(std::move(figure));
    if (m_figures[index].part != OwnPart::kNode) {
      count(m_figures[index], value);
    } else {
      m_ofRun[index] += value;
    }
  }

  void endRun() {
    for (const auto& [index, value] : m_ofRun)
      count(m_figures[index], value);
    m_ofRun.clear();
  }

  // The mean holds the sum until the end.
  static void count(OwnFigure& figure, double value) {
    figure.minimum = figure.times == 0 ? value : std::min(figure.minimum, value);
    figure.maximum = figure.times == 0 ? value : std::max(figure.maximum, value);
    figure.mean += value;
    ++figure.times;
  }

  const std::function<NodeWords(NodeId)>& m_wordsOf;
  bool m_inCompile = false;
  std::vector<OwnFigure> m_figures;
  std::map<std::string, size_t> m_places;  // in m_figures
  std::map<size_t, double> m_ofRun;        // sums of the nodes of the run in hand
};

}  // namespace

Result<std::vector<OwnFigure>> readQnnProfile(std::string_view csv, size_t from,
                                              const std::function<NodeWords(NodeId)>& wordsOf) {
  if (!csv.starts_with(kHead))
    return fail(ErrorCode::kInvalidArgument, "its first line is '{}', and not '{}'",
                csv.substr(0, std::min(csv.find('\n'), kHead.size())), kHead);
  ProfileReader reader(wordsOf);
  for (csv.remove_prefix(std::min(from, csv.size())); !csv.empty();) {
    const size_t end = std::min(csv.find('\n'), csv.size());
    std::string_view line = csv.substr(0, end);
    csv.remove_prefix(std::min(end + 1, csv.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    Fields fields;
    // The head has no number where the time stands.
    if (split(line, fields)) reader.read(fields);
  }
  return reader.end();
}

}  // namespace cutaway::onnxruntime
