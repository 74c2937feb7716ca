#include <array>

#include "engine/context_binary/inside_nodes.h"
#include "tests/fuzz/context/mutate.h"
#include "tests/fuzz/context/targets.h"

namespace cutaway::fuzz {
namespace {

std::string chain(int nodes) {
  Graph graph("group");
  ValueId last = graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim(4)}));
  const ValueId weights = graph.addInitializer("w", Tensor::of<float>(std::array<float, 3>{1, 2, 3}));
  for (int i = 0; i < nodes; ++i) {
    Node node{.name = "node \"" + std::to_string(i), .opType = "Add"};
    node.setAttribute("axes", std::vector<int64_t>{1, -1});
    last = graph
               .node(graph.addNode(std::move(node), std::initializer_list<ValueId>{last, ValueId(), weights},
                                   {"value_" + std::to_string(i)}))
               .outputs[0];
  }
  graph.addOutput(last);
  return context_binary::writeInside(graph);
}

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made = corpusFiles(".json");
    for (const int nodes : {0, 1, 3, 12})
      made.push_back(chain(nodes));
    return made;
  }();
  return all;
}

// A number, text or bracket becomes another one: what is still JSON gets further.
void damageToken(std::string& text, Random& random) {
  static constexpr std::array<const char*, 16> kTokens{
      "-1",    "-2",  "0",    "1",    "2147483647", "2147483648", "4294967296", "18446744073709551615",
      "1e400", "0.5", "null", "\"\"", "[]",         "{}",         "[[[[[[[[[",  "\"\\ud800\""};
  const size_t at = text.find_first_of("0123456789\"[", random.below(text.size() + 1));
  if (at == std::string::npos) return;
  size_t end = at + 1;
  if (text[at] == '"' || text[at] == '[')
    end = text.find(text[at] == '"' ? '"' : ']', end);
  else
    end = text.find_first_not_of("0123456789", end);
  if (end == std::string::npos) return;
  if (text[at] == '"' || text[at] == '[') ++end;
  text.replace(at, end - at, kTokens[random.below(kTokens.size())]);
}

void checkNumbers(const std::vector<int32_t>& numbers, size_t count, int32_t least) {
  for (const int32_t number : numbers)
    require(number >= least && number < static_cast<int64_t>(count), "a number leads nowhere");
}

}  // namespace

void fuzzInside(Random& random) {
  std::string text = seeds()[random.below(seeds().size())];
  for (size_t i = random.below(4); i > 0; --i)
    damageToken(text, random);
  if (random.oneIn(2)) damageBytes(text, seeds(), random);
  const auto report = context_binary::readInside(std::string(text));
  if (!report) {
    require(report.error().code == ErrorCode::kInvalidGraph, "another error: " + describe(report.error()));
    return;
  }
  countAccepted();
  for (const NodeReport& node : report->nodes) {
    for (const auto* const values : {&node.inputs, &node.outputs, &node.implicitInputs})
      checkNumbers(*values, report->values.size(), kNone);
  }
  for (const ValueReport& value : report->values) {
    checkNumbers(value.consumers, report->nodes.size(), 0);
    checkNumbers({value.producer}, report->nodes.size(), kNone);
  }
  checkNumbers(report->inputs, report->values.size(), 0);
  checkNumbers(report->outputs, report->values.size(), 0);
}

}  // namespace cutaway::fuzz
