#include "engine/study/second_opinion/second_opinion.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "engine/base/format.h"

namespace cutaway::study {

namespace {

constexpr const char* kMeasuredOnce = "measured once";

struct Spread {
  int64_t median = 0, lower = 0, upper = 0;  // quartiles
};
Spread spreadOf(std::vector<int64_t> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  const auto at = [&](double share) {
    return times[static_cast<size_t>(share * static_cast<double>(times.size() - 1))];
  };
  return {at(0.5), at(0.25), at(0.75)};
}
std::string spreadText(const Spread& spread) {
  return fmt::format("{} ({} to {})", formatTime(spread.median), formatTime(spread.lower), formatTime(spread.upper));
}

// Declared shapes are compared dimension by dimension: an open one may have any name on either side.
std::string withoutSymbols(const std::string& type) {
  std::string out;
  bool inDims = false, symbol = false;
  for (const char c : type) {
    if (c == '[') inDims = true;
    if (inDims && (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '?')) symbol = true;
    if (inDims && (c == ',' || c == ']')) {
      if (symbol) out += '?';
      symbol = false;
    }
    if (!symbol) out += c;
  }
  return out;
}

void compareValues(const char* what, const std::vector<std::pair<std::string, std::string>>& ours,
                   const std::vector<OtherValue>& theirs, StageOpinion& stage) {
  std::map<std::string, std::string> other;
  for (const OtherValue& value : theirs)
    other.emplace(value.name, value.type);
  for (const auto& [name, type] : ours) {
    const auto found = other.find(name);
    const std::string told = found == other.end() ? "-" : found->second;
    stage.rows.push_back({fmt::format("{} {}", what, name), type, told});
    if (found != other.end() && told.empty()) {  // no tensor: the other engine tells no more
      other.erase(found);
      continue;
    }
    if (found == other.end())
      stage.differences.push_back({fmt::format("{} {}", what, name), type, "not there", "", "", {name}});
    else if (withoutSymbols(type) != withoutSymbols(told)) {
      const bool sameElement = type.substr(0, type.find('[')) == told.substr(0, told.find('['));
      stage.differences.push_back({fmt::format("{} {}", what, name),
                                   type,
                                   told,
                                   sameElement ? "inferred type" : "",
                                   sameElement ? "the declared shape is open; one engine infers what it becomes" : "",
                                   {name}});
    }
    if (found != other.end()) other.erase(found);
  }
  for (const auto& [name, type] : other)
    stage.differences.push_back({fmt::format("{} {}", what, name), "not there", type, "", ""});
}

std::vector<std::pair<std::string, std::string>> valuesOf(const GraphReport& graph, bool outputs) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const int32_t index : outputs ? graph.outputs : graph.inputs) {
    const ValueReport& value = graph.values[static_cast<size_t>(index)];
    if (outputs || !value.isInitializer) values.emplace_back(value.name, value.type);
  }
  return values;
}

// A draw of random numbers anywhere in the model explains that results differ.
bool drawsRandomNumbers(const WalkReport& walk) {
  static const std::set<std::string> kRandom = {
      "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli", "Dropout"};
  if (!walk.optimizedGraphs) return false;
  for (const GraphReport& graph : walk.optimizedGraphs->graphs)
    for (const NodeReport& node : graph.nodes)
      if (node.opType != "Dropout" && kRandom.contains(node.opType)) return true;
  return false;
}

bool isQuantised(const WalkReport& walk) {
  if (!walk.loadedGraphs) return false;
  for (const GraphReport& graph : walk.loadedGraphs->graphs)
    for (const NodeReport& node : graph.nodes)
      if (node.opType.find("Quantize") != std::string::npos || node.opType.find("Integer") != std::string::npos ||
          node.opType.starts_with("QLinear"))
        return true;
  return false;
}

}  // namespace

StageOpinion compareModels(const OurEngine& ours, const OtherEngine& theirs) {
  StageOpinion stage{.stage = OpinionStage::kModel};
  if (!ours.walk || !ours.walk->loadedGraphs) {
    stage.problem = "this engine did not load the model";
    return stage;
  }
  const GraphReport& graph = ours.walk->loadedGraphs->graphs.front();
  const auto inputs = valuesOf(graph, false), outputs = valuesOf(graph, true);
  const auto counted = [](size_t in, size_t out) {
    return fmt::format("{} input{}, {} output{}", in, in == 1 ? "" : "s", out, out == 1 ? "" : "s");
  };
  stage.ours = counted(inputs.size(), outputs.size());
  stage.theirs = counted(theirs.inputs.size(), theirs.outputs.size());
  compareValues("input", inputs, theirs.inputs, stage);
  compareValues("output", outputs, theirs.outputs, stage);
  return stage;
}

StageOpinion compareCreation(const OurEngine& ours, const OtherEngine& theirs) {
  StageOpinion stage{.stage = OpinionStage::kSession};
  stage.ours = formatTime(ours.createNs);
  stage.theirs = formatTime(theirs.createNs);
  stage.rows.push_back({"making the session", stage.ours, stage.theirs, kMeasuredOnce});
  return stage;
}

StageOpinion compareRuns(const OurEngine& ours, const OtherEngine& theirs) {
  StageOpinion stage{.stage = OpinionStage::kRun};
  stage.problem = !ours.runProblem.empty()     ? "this engine did not run: " + ours.runProblem
                  : !theirs.runProblem.empty() ? theirs.name + " did not run: " + theirs.runProblem
                                               : "";
  if (!stage.problem.empty() || ours.runNs.empty() || theirs.runNs.empty()) return stage;
  const Spread here = spreadOf(ours.runNs), there = spreadOf(theirs.runNs);
  stage.ours = spreadText(here);
  stage.theirs = spreadText(there);
  const std::string figure =
      fmt::format("measured, median of {} and {} runs (quartiles)", ours.runNs.size(), theirs.runNs.size());
  stage.rows.push_back({"one run", stage.ours, stage.theirs, figure});
  // Quartiles that overlap say nothing about who is faster.
  const bool apart = here.upper < there.lower || there.upper < here.lower;
  const double ratio = static_cast<double>(here.median) / static_cast<double>(std::max<int64_t>(1, there.median));
  stage.rows.push_back({"our time / theirs",
                        apart ? fmt::format("{:.2f}", ratio) : fmt::format("{:.2f}, within the noise", ratio), "1",
                        figure});
  return stage;
}

StageOpinion compareResults(const OurEngine& ours, const OtherEngine& theirs, const ErrorTolerance& tolerance,
                            std::vector<ValueAccuracy>& values) {
  StageOpinion stage{.stage = OpinionStage::kOutputs};
  if (ours.results.empty() || theirs.results.empty()) {
    stage.problem = "not both have results";
    return stage;
  }
  int64_t inside = 0, compared = 0;
  for (const execute::Feed& own : ours.results) {
    const auto found = std::ranges::find(theirs.results, own.name, &execute::Feed::name);
    if (!own.value.isTensor()) {
      stage.rows.push_back({"output " + own.name, "no tensor", "not compared"});
      continue;
    }
    ++compared;
    ValueAccuracy accuracy;
    accuracy.value = own.name;
    accuracy.isOutput = true;
    if (found == theirs.results.end())
      accuracy.problem = "the other engine gives none";
    else
      measureError(own.value, found->value, tolerance, accuracy);
    const bool good = accuracy.problem.empty() && accuracy.outsideTolerance == 0;
    inside += good ? 1 : 0;
    const std::string errors =
        fmt::format("max |a - b| {:.3g}, relative {:.3g}", accuracy.maxAbsolute, accuracy.maxRelative);
    stage.rows.push_back({"output " + own.name, accuracy.elementType + accuracy.shape, errors, "measured once"});
    if (!good) {
      OpinionDifference difference{
          .what = "output " + own.name,
          .ours = fmt::format("{} of {} outside the tolerance", formatCount(accuracy.outsideTolerance),
                              formatCount(accuracy.elements)),
          .theirs = accuracy.problem.empty() ? errors : accuracy.problem,
          .rule = {},
          .explanation = {},
          .values = {own.name}};
      if (drawsRandomNumbers(*ours.walk)) {
        difference.rule = "random";
        difference.explanation = "the model draws random numbers";
      } else if (isQuantised(*ours.walk) && accuracy.problem.empty()) {
        difference.rule = "quantised step";
        difference.explanation = "a quantised model: a float between two steps rounds to either";
      } else if (accuracy.problem.empty() && accuracy.cosine > 0.9999) {
        difference.rule = "rounding";
        difference.explanation = fmt::format("as vectors they are the same (cosine {:.7f})", accuracy.cosine);
      }
      stage.differences.push_back(std::move(difference));
    }
    values.push_back(std::move(accuracy));
  }
  stage.ours = fmt::format("{} of {} outputs in tolerance", inside, compared);
  stage.theirs = fmt::format("|a - b| <= {:g} + {:g} |b|", tolerance.absolute, tolerance.relative);
  return stage;
}

SecondOpinion compareEngines(const OurEngine& ours, const OtherEngine& theirs, const ErrorTolerance& tolerance) {
  SecondOpinion opinion{
      .engine = theirs.name, .version = theirs.version, .library = theirs.library, .verdict = theirs.verdict};
  if (!theirs.verdict.empty()) return opinion;
  opinion.stages.push_back(compareModels(ours, theirs));
  opinion.stages.push_back(compareOptimized(ours, theirs));
  opinion.stages.push_back(compareAssignment(ours, theirs));
  opinion.stages.push_back(compareOrder(ours, theirs));
  opinion.stages.push_back(compareMemory(ours, theirs));
  opinion.stages.push_back(compareCreation(ours, theirs));
  opinion.stages.push_back(compareRuns(ours, theirs));
  opinion.stages.push_back(compareResults(ours, theirs, tolerance, opinion.outputs));
  return opinion;
}

}  // namespace cutaway::study
