#include "providers/onnxruntime/client/log_facts.h"

#include <optional>
#include <string_view>

namespace cutaway::onnxruntime {

namespace {

// What stands between two texts; nullopt where they do not stand in the line in this order.
std::optional<std::string> between(std::string_view line, std::string_view before, std::string_view after) {
  const size_t start = line.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(start + before.size());
  const size_t end = rest.find(after);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(rest.substr(0, end));
}

// "Add MemcpyToHost before VALUE for PROVIDER"; a value's name may have " for " in it, a provider's has not.
std::optional<InsertedCopy> copyIn(std::string_view line, std::string_view start, bool toHost) {
  constexpr std::string_view kFor = " for ";
  const size_t begin = line.find(start);
  const size_t end = line.rfind(kFor);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + start.size())
    return std::nullopt;
  return InsertedCopy{.value = std::string(line.substr(begin + start.size(), end - begin - start.size())),
                      .provider = std::string(line.substr(end + kFor.size())),
                      .toHost = toHost};
}

}  // namespace

std::vector<OptimizerPass> passesIn(std::span<const LogLine> log) {
  std::vector<OptimizerPass> passes;
  for (const LogLine& line : log) {
    const std::optional<std::string> name = between(line.message, "GraphTransformer ", " modified: ");
    if (name) passes.push_back({*name, line.message.find(" modified: 1") != std::string::npos});
  }
  return passes;
}

std::vector<InsertedCopy> copiesIn(std::span<const LogLine> log) {
  std::vector<InsertedCopy> copies;
  for (const LogLine& line : log) {
    if (const auto copy = copyIn(line.message, "Add MemcpyToHost before ", true)) copies.push_back(*copy);
    if (const auto copy = copyIn(line.message, "Add MemcpyFromHost after ", false)) copies.push_back(*copy);
  }
  return copies;
}

std::vector<std::string> forcedToCpuIn(std::span<const LogLine> log) {
  std::vector<std::string> nodes;
  for (const LogLine& line : log) {
    const std::optional<std::string> node =
        between(line.message, "Force fallback to CPU execution for node: ", " because ");
    if (node) nodes.push_back(*node);
  }
  return nodes;
}

}  // namespace cutaway::onnxruntime
