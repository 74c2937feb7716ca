// Lines of words and numbers: a reader that takes exactly what the writer writes.
#include "providers/openvino/stored_group.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::openvino {

namespace {

constexpr std::string_view kMark = "cutaway-openvino 1";
constexpr size_t kMostPorts = 1 << 16;
constexpr size_t kMostRank = 64;
constexpr std::array<std::string_view, 3> kPrecisions{"f32", "f16", "bf16"};

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const size_t space = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, space));
    line.remove_prefix(std::min(space + 1, line.size()));
  }
  return words;
}

template <typename Number>
bool readNumber(std::string_view text, Number least, Number most, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
}

// "0 1 static 1 3 224 224" and, for outputs, "0 1 static - 1 1000".
bool readPort(std::string_view line, bool isOutput, StoredPort& port) {
  const std::vector<std::string_view> words = wordsOf(line);
  const size_t fixed = isOutput ? 4 : 3;
  if (words.size() < fixed || words.size() > fixed + kMostRank) return false;
  if (!readNumber<size_t>(words[0], 0, kMostPorts, port.slot) ||
      !readNumber<int32_t>(words[1], 1, kElementTypeCount, port.element))
    return false;
  if (words[2] != "static" && words[2] != "open") return false;
  port.isStatic = words[2] == "static";
  if (isOutput && words[3] != "passed" && words[3] != "-") return false;
  port.isPassed = isOutput && words[3] == "passed";
  for (size_t i = fixed; i < words.size(); ++i) {
    if (!readNumber<int64_t>(words[i], -1, int64_t{1} << 48, port.dims.emplace_back())) return false;
  }
  return !port.isStatic || std::all_of(port.dims.begin(), port.dims.end(), [](int64_t dim) { return dim >= 0; });
}

bool readLine(std::string_view key, std::string_view value, StoredGroup& group) {
  const auto take = [&](std::string& text) {
    if (!text.empty() || value.empty()) return false;
    text = value;
    return true;
  };
  if (key == "build") return take(group.build);
  if (key == "device") return take(group.device);
  if (key == "precision")
    return std::find(kPrecisions.begin(), kPrecisions.end(), value) != kPrecisions.end() && take(group.precision);
  if (key == "blob") return group.blobBytes == 0 && readNumber<uint64_t>(value, 1, uint64_t{1} << 48, group.blobBytes);
  if (key == "integers")
    return group.integerBits == kDeviceIntegerBits &&
           readNumber<int>(value, 1, kDeviceIntegerBits - 1, group.integerBits);
  if (key != "input" && key != "output") return false;
  std::vector<StoredPort>& ports = key == "input" ? group.inputs : group.outputs;
  return ports.size() < kMostPorts && readPort(value, key == "output", ports.emplace_back());
}

std::string portText(const char* key, const StoredPort& port, bool isOutput) {
  std::string text = fmt::format("{} {} {} {}", key, port.slot, port.element, port.isStatic ? "static" : "open");
  if (isOutput) text += port.isPassed ? " passed" : " -";
  for (const int64_t dim : port.dims)
    text += fmt::format(" {}", dim);
  return text + "\n";
}

}  // namespace

std::vector<StoredPort> storedPorts(const std::vector<Port>& compiled, const std::vector<size_t>& slots) {
  std::vector<StoredPort> ports;
  for (size_t i = 0; i < compiled.size(); ++i)
    ports.push_back({slots[i], compiled[i].element, compiled[i].isStatic, compiled[i].isPassed, compiled[i].dims});
  return ports;
}

std::string writeStoredGroup(const StoredGroup& group) {
  std::string text = fmt::format("{}\nbuild {}\ndevice {}\nprecision {}\nblob {}\n", kMark, group.build, group.device,
                                 group.precision, group.blobBytes);
  if (group.integerBits < kDeviceIntegerBits) text += fmt::format("integers {}\n", group.integerBits);
  for (const StoredPort& port : group.inputs)
    text += portText("input", port, false);
  for (const StoredPort& port : group.outputs)
    text += portText("output", port, true);
  return text;
}

Result<StoredGroup> readStoredGroup(std::string_view text) {
  StoredGroup group;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const auto refused = [&] {
      return fail(ErrorCode::kEpFail,
                  "line {} of the group's description is '{}{}': the context was made by another version, or changed",
                  number, line.substr(0, 60), line.size() > 60 ? "..." : "");
    };
    ++number;
    if (end == std::string_view::npos) return refused();
    text.remove_prefix(end + 1);
    if (number == 1) {
      if (line != kMark) return refused();
      continue;
    }
    const size_t space = std::min(line.find(' '), line.size());
    if (space == line.size() || !readLine(line.substr(0, space), line.substr(space + 1), group)) return refused();
  }
  if (group.build.empty() || group.device.empty() || group.precision.empty() || group.blobBytes == 0)
    return fail(ErrorCode::kEpFail, "the group's description has {} lines and is not complete", number);
  return group;
}

}  // namespace cutaway::openvino
