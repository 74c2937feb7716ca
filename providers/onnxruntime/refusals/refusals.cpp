#include "providers/onnxruntime/refusals/refusals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "providers/onnxruntime/refusals/log_lines.h"

namespace cutaway::onnxruntime {
namespace {

constexpr std::string_view kNoCause = "Failed to add node.";  // QNN: the cause stands in the lines before
constexpr int64_t kHighestRank = 5;                           // of QNN's HTP

struct Phrase {
  std::string_view text;
  RefusalCode code;
};
// The first that stands in a reason says what it is about.
constexpr std::array<Phrase, 14> kPhrases{{
    {"Operators of type `", RefusalCode::kOperator},
    {"Cannot get shape", RefusalCode::kOpenShape},
    {"dynamic shape", RefusalCode::kOpenShape},
    {"is configured to", RefusalCode::kOption},
    {"must be constant", RefusalCode::kConstant},
    {"dynamic scale", RefusalCode::kConstant},
    {"Dynamic", RefusalCode::kConstant},
    {"initializer", RefusalCode::kConstant},
    {"data type", RefusalCode::kType},
    {"datatype", RefusalCode::kType},
    {"rank", RefusalCode::kRank},
    {"non-default", RefusalCode::kAttribute},
    {"default dilation", RefusalCode::kAttribute},
    {"attribute", RefusalCode::kAttribute},
}};

// "qnn_execution_provider.cc:1713 LogNodeSupport" -> "LogNodeSupport"
std::string_view functionOf(std::string_view location) {
  const size_t space = location.rfind(' ');
  return space == std::string_view::npos ? location : location.substr(space + 1);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// What stands between two marks, the first of each; nothing where one is missing.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after) {
  const size_t start = text.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  text.remove_prefix(start + before.size());
  const size_t end = text.find(after);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(0, end);
}

int64_t numberAt(std::string_view text) {
  int64_t value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

RefusalCode codeOf(std::string_view reason) {
  const auto* const phrase = std::ranges::find_if(
      kPhrases, [&](const Phrase& each) { return reason.find(each.text) != std::string_view::npos; });
  return phrase == kPhrases.end() ? RefusalCode::kOther : phrase->code;
}

// "Operators of type `X` are not supported by QNN EP.X node `n` will not ...": two sentences without a blank between,
// the second of which says what the row says.
std::string_view firstSentence(std::string_view reason, std::string_view opType) {
  const size_t second = reason.find(fmt::format(".{} node `", opType));
  return second == std::string_view::npos ? reason : reason.substr(0, second + 1);
}

struct Tensor {
  std::string name;
  int64_t rank = 0;
};

// What was said of a node of QNN's graph before the verdict on the ONNX node it stands for.
struct CompilerWords {
  std::vector<Tensor> tensors{};
  std::vector<std::string> complaints{};
  std::string asked{};               // element types: "FLOAT_64 -> FLOAT_64"
  std::vector<std::string> taken{};  // "FP16: FLOAT_16 -> FLOAT_16 or FLOAT_32 -> FLOAT_32"
  std::string operatorName{};
  int32_t error = 0;
};

// The sets of a list of "in[0]:QNN_DATATYPE_FLOAT_16" lines: "FLOAT_16 -> FLOAT_16 or FLOAT_32 -> FLOAT_32".
std::string typesIn(std::string_view message) {
  constexpr std::string_view kPrefix = "QNN_DATATYPE_";
  std::vector<std::string> sets;
  bool isInOutputs = true;
  for (const std::string_view raw : linesOf(message)) {
    const std::string_view line = trimmed(raw);
    const size_t type = line.find(kPrefix);
    const bool isInput = line.starts_with("in[");
    if (type == std::string_view::npos || (!isInput && !line.starts_with("out["))) continue;
    if (sets.empty() || (isInput && isInOutputs)) {
      sets.emplace_back();
    } else {
      sets.back() += isInput == !isInOutputs ? ", " : " -> ";
    }
    sets.back() += line.substr(type + kPrefix.size());
    isInOutputs = !isInput;
  }
  std::string text;
  for (const std::string& set : sets)
    text += (text.empty() ? "" : " or ") + set;
  return text;
}

class Reader {
 public:
  void read(const LogLine& line) {
    const std::string_view function = functionOf(line.location);
    if (function == kVerdictLines) {
      readVerdict(line.message);
      words_ = {};
    } else if (function == kCompilerLines) {
      readNode(line.message);
    } else if (function == kComplaintLines) {
      readComplaint(line.message);
    } else if (function == kPassLines) {
      readPass(line.message);
    } else if (function == kPreferenceLines) {
      readPreference(line.message);
    }
  }
  std::vector<Refusal> take() { return std::move(rows_); }

 private:
  // "Validation FAILED for 2 nodes in OrtNodeUnit (Conv) :", a line for each node, one with the reason.
  void readVerdict(std::string_view message) {
    if (!message.starts_with(kRefusedVerdict)) return;
    const std::string unit(between(message, "OrtNodeUnit (", ")").value_or(""));
    const size_t mark = message.find("\tREASON : ");
    const std::string_view nodes = message.substr(0, mark);
    const std::string_view reason =
        mark == std::string_view::npos ? std::string_view{} : trimmed(message.substr(mark + 10));
    for (const std::string_view line : linesOf(nodes)) {
      const std::optional<std::string_view> opType = between(line, "\tOperator type: ", " Node name: ");
      const size_t last = line.rfind(" Node index: ");
      if (!opType || last == std::string_view::npos) continue;
      const size_t name = line.find(" Node name: ") + 12;
      Refusal row{.node = name <= last ? std::string(line.substr(name, last - name)) : std::string(),
                  .opType = std::string(*opType),
                  .unit = unit,
                  .index = numberAt(line.substr(last + 13)),
                  .pass = pass_};
      explain(row, reason);
      rows_.push_back(std::move(row));
    }
  }

  void explain(Refusal& row, std::string_view reason) const {
    row.vendorError = words_.error;
    if (reason != kNoCause || words_.error == 0) {
      row.reason = firstSentence(reason, row.opType);
      row.code = codeOf(reason);
      return;
    }
    row.code = RefusalCode::kCompiler;
    const std::string who = fmt::format("its compiler refuses the {} it becomes (error {})",
                                        words_.operatorName.empty() ? "operator" : words_.operatorName, words_.error);
    const auto high = std::ranges::find_if(words_.tensors, [](const Tensor& each) { return each.rank > kHighestRank; });
    if (high != words_.tensors.end()) {
      row.code = RefusalCode::kRank;
      row.reason =
          fmt::format("{}: value '{}' has rank {}, and at most {} is taken", who, high->name, high->rank, kHighestRank);
      return;
    }
    if (!words_.taken.empty()) {
      row.code = RefusalCode::kType;
      row.reason = fmt::format("{} for {}; it takes {}", who, words_.asked, fmt::join(words_.taken, "; "));
      return;
    }
    std::string complaints;
    for (const std::string& each : words_.complaints)
      complaints += (complaints.empty() ? ": " : "; ") + each;
    if (complaints.find("Rank") != std::string::npos) row.code = RefusalCode::kRank;
    row.reason = who + complaints;
  }

  // The node with its tensors, or that the compiler's check failed.
  void readNode(std::string_view message) {
    if (message.starts_with(kCompilerNode)) {
      words_ = {};
      words_.operatorName = between(message, "QNN_op_type: ", " ").value_or("");
      for (const std::string_view line : linesOf(message.substr(0, message.find(" node_params:")))) {
        const std::optional<std::string_view> name = between(line, " name=", " id=");
        const size_t rank = line.find(" rank=");
        if (name && rank != std::string_view::npos)
          words_.tensors.push_back({std::string(*name), numberAt(line.substr(rank + 6))});
      }
      return;
    }
    const size_t code = message.rfind(" with error code ");
    if (message.find("backendValidateOpConfig() failed") != std::string_view::npos && code != std::string_view::npos)
      words_.error = static_cast<int32_t>(std::clamp<int64_t>(numberAt(message.substr(code + 17)), -1, INT32_MAX));
  }

  // " <E> [4294967295] has incorrect Rank 6.": the number is none, it stands for no tensor of the model's.
  // " <E> Supported I/O datatype sets for the configuration: FP16\n   1:\n   in[0]:QNN_DATATYPE_FLOAT_16 ..."
  void readComplaint(std::string_view message) {
    message = trimmed(message);
    if (!message.starts_with("<E> ")) return;
    message.remove_prefix(4);
    if (message.starts_with("[")) {
      const size_t end = message.find("] ");
      if (end == std::string_view::npos) return;
      const std::string_view complaint = trimmed(message.substr(end + 2));
      if (std::ranges::find(words_.complaints, complaint) == words_.complaints.end())
        words_.complaints.emplace_back(complaint);
    } else if (message.starts_with("Requested I/O datatype set:")) {
      words_.asked = typesIn(message);
    } else if (message.starts_with("Supported I/O datatype sets")) {
      const std::string_view head = message.substr(0, message.find('\n'));
      const size_t colon = head.rfind(": ");
      std::string taken = fmt::format("{}: {}", colon == std::string_view::npos ? "?" : trimmed(head.substr(colon + 2)),
                                      typesIn(message));
      if (std::ranges::find(words_.taken, taken) == words_.taken.end()) words_.taken.push_back(std::move(taken));
    }
  }

  // QNN's passes; of WebGPU the kernels that are missing.
  void readPass(std::string_view message) {
    if (message.starts_with("GetCapability pass ")) {
      pass_ = static_cast<int32_t>(std::clamp<int64_t>(numberAt(message.substr(19)), 0, INT32_MAX));
      return;
    }
    constexpr std::string_view kNameMark = " node name: ";
    const std::optional<std::string_view> opType = between(message, "not found in registries for Op type: ", kNameMark);
    if (!opType) return;
    const size_t name = message.find(kNameMark) + kNameMark.size();
    rows_.push_back({.node = std::string(trimmed(message.substr(name))),
                     .opType = std::string(*opType),
                     .unit = std::string(*opType),
                     .code = RefusalCode::kKernel,
                     .reason = "it has no kernel for this operator, version or element type"});
  }

  void readPreference(std::string_view message) {
    std::optional<std::string_view> node = between(message, "Force fallback to CPU execution for node", " because ");
    if (!node) return;
    if (node->starts_with(':')) node->remove_prefix(1);
    rows_.push_back({.node = std::string(trimmed(*node)),
                     .opType = {},
                     .unit = {},
                     .code = RefusalCode::kFaster,
                     .reason = "ONNX Runtime leaves it to the CPU: copying would take longer than computing"});
  }

  std::vector<Refusal> rows_;
  CompilerWords words_;
  int32_t pass_ = 0;
};

}  // namespace

std::string_view refusalCodeName(RefusalCode code) {
  switch (code) {
    case RefusalCode::kOperator:
      return "operator";
    case RefusalCode::kOpenShape:
      return "open shape";
    case RefusalCode::kRank:
      return "rank";
    case RefusalCode::kType:
      return "element type";
    case RefusalCode::kAttribute:
      return "attribute";
    case RefusalCode::kConstant:
      return "not constant";
    case RefusalCode::kOption:
      return "option";
    case RefusalCode::kCompiler:
      return "vendor's compiler";
    case RefusalCode::kKernel:
      return "no kernel";
    case RefusalCode::kFaster:
      return "CPU is faster";
    case RefusalCode::kOther:
      break;
  }
  return "other";
}

std::vector<Refusal> readRefusals(std::span<const LogLine> log) {
  Reader reader;
  for (const LogLine& line : log)
    reader.read(line);
  return reader.take();
}

}  // namespace cutaway::onnxruntime
