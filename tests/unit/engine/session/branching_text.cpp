#include "tests/unit/engine/session/branching_text.h"

#include <random>
#include <set>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace cutaway {

std::string branchingText(uint32_t seed, const BranchingOptions& options) {
  std::mt19937 random(seed);
  const auto below = [&](size_t count) { return static_cast<size_t>(random() % count); };
  std::vector<std::string> values{"x"};
  std::set<std::string> unread;
  std::string nodes;
  // Near the end of the list more often: branches of some length.
  const auto pick = [&] {
    const size_t back = std::min(below(values.size()), below(values.size()));
    const std::string& value = values[values.size() - 1 - back];
    unread.erase(value);
    return value;
  };
  for (int i = 0; i < options.nodes; ++i) {
    const std::string out = fmt::format("v{}", i);
    static constexpr const char* kOne[] = {"Relu", "Tanh", "Sigmoid", "Abs", "Neg", "Softsign"};
    static constexpr const char* kTwo[] = {"Add", "Sub", "Max", "Min"};
    const size_t kind = below(options.bodies ? 20 : 19);
    if (kind < 9) {
      nodes += fmt::format("  {} = {} ({})\n", out, kOne[below(6)], pick());
    } else if (kind < 16 || !options.joins) {
      const std::string a = pick(), b = pick();
      nodes += fmt::format("  {} = {} ({}, {})\n", out, kTwo[below(4)], a, b);
    } else if (kind < 18) {
      const std::string a = pick(), b = pick();
      nodes += fmt::format(
          "  c{0} = Concat <axis = 0> ({1}, {2})\n  l{0}, h{0} = Split <axis = 0, num_outputs = 2> (c{0})\n  {3} = Add "
          "(l{0}, h{0})\n",
          i, a, b, out);
    } else if (kind < 19) {
      nodes += fmt::format(
          "  r{0} = Reshape (keep, flat)\n  s{0} = Reshape ({1}, flat)\n  t{0} = Mul (r{0}, s{0})\n  {2} = Reshape "
          "(t{0}, wide)\n",
          i, pick(), out);
    } else {
      const std::string a = pick(), b = pick();
      nodes += fmt::format(
          "  {0} = If <then_branch = yes () => (float[{3},16] y{4}) {{ p{4} = Tanh ({1})\n y{4} = Add (p{4}, {2}) }}, "
          "else_branch = no () => (float[{3},16] z{4}) {{ z{4} = Sub ({1}, {2}) }}> (flag)\n",
          out, a, b, options.openBatch ? "n" : "8", i);
    }
    values.push_back(out);
    unread.insert(out);
  }
  if (unread.empty()) unread.insert(values.back());
  const std::string dims = options.openBatch ? "n,16" : "8,16";
  std::string outputs;
  for (const std::string& value : unread)
    outputs += fmt::format("{}float[{}] {}", outputs.empty() ? "" : ", ", dims, value);
  return fmt::format(
      "<ir_version: 9, opset_import: [\"\" : 18]>\nmain (float[{0}] x, bool flag) => ({1}) <int64[1] flat = {{-1}}, "
      "int64[2] wide = {{-1, 16}}> {{\n  keep = Sigmoid (x)\n{2}}}",
      dims, outputs, nodes);
}

}  // namespace cutaway
