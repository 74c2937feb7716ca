#include "engine/study/second_opinion/second_opinion.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/format.h"
#include "engine/profile/statistics.h"
#include "engine/report/measured_time.h"
#include "engine/report/simulated_providers.h"
#include "engine/study/second_opinion/quantised_outputs.h"
#include "engine/study/second_opinion/type_words.h"

namespace cutaway::study {

namespace {

constexpr const char* kMeasuredOnce = "measured once";
// One sample of each engine's rounding is a draw; another draw of the same is rarely further away than this.
constexpr double kRoundingFactor = 2;

std::vector<double> milliseconds(const std::vector<int64_t>& timesNs) {
  std::vector<double> ms;
  for (const int64_t ns : timesNs)
    ms.push_back(static_cast<double>(ns) * 1e-6);
  return ms;
}

MeasuredTime timeOf(const profile::Statistics& times) {
  return {.runs = times.count,
          .medianMs = times.median,
          .lowMs = times.medianInterval.low,
          .highMs = times.medianInterval.high};
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
    else if (const TypeMatch match = matchTypes(wordsOf(type), wordsOf(told)); match != TypeMatch::kSame) {
      const bool open = match == TypeMatch::kOneTellsMore;
      stage.differences.push_back({fmt::format("{} {}", what, name),
                                   type,
                                   told,
                                   open ? "inferred type" : "",
                                   open ? "open on one side; the other infers what it becomes" : "",
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

// How far an output is from itself when the engine is asked again with next to nothing changed.
double wobbleOf(const execute::Feed& result, const std::vector<std::vector<execute::Feed>>& retries) {
  double most = 0;
  for (const std::vector<execute::Feed>& retry : retries) {
    const auto again = std::ranges::find(retry, result.name, &execute::Feed::name);
    if (again == retry.end()) continue;
    ValueAccuracy distance;
    measureError(again->value, result.value, {}, distance);
    if (distance.problem.empty() && distance.nonFiniteMismatches == 0) most = std::max(most, distance.maxAbsolute);
  }
  return most;
}

bool isRounding(const ValueAccuracy& accuracy, double wobble) {
  return accuracy.problem.empty() && accuracy.nonFiniteMismatches == 0 &&
         accuracy.maxAbsolute <= kRoundingFactor * wobble;
}

// Whether the other engine agrees once its products of bytes are exact, and only then.
bool isSaturation(const OtherEngine& theirs, const execute::Feed& here, const execute::Feed& there,
                  const ErrorTolerance& tolerance, double wobble) {
  const auto exact = std::ranges::find(theirs.exactProducts, here.name, &execute::Feed::name);
  if (exact == theirs.exactProducts.end()) return false;
  ValueAccuracy changed, distance;
  measureError(exact->value, there.value, {}, changed);
  measureError(here.value, exact->value, tolerance, distance);
  return changed.maxAbsolute > 0 && (distance.outsideTolerance == 0 || isRounding(distance, wobble));
}

const RuntimeValue* valueIn(const std::vector<execute::Feed>& results, const std::string& name) {
  const auto found = std::ranges::find(results, name, &execute::Feed::name);
  return found == results.end() ? nullptr : &found->value;
}

bool agree(const RuntimeValue* one, const RuntimeValue* other, const ErrorTolerance& tolerance) {
  if (one == nullptr || other == nullptr) return false;
  ValueAccuracy accuracy;
  measureError(*one, *other, tolerance, accuracy);
  return accuracy.problem.empty() && accuracy.outsideTolerance == 0;
}

// What makes an output of a quantised graph differ by steps, told by experiment: the other engine computes with
// integers what the model writes with floats. It gives our results when it may not, or this engine gives its results on
// its optimised model - and its own results do not come from a fusion of ours. Empty: neither.
std::string causeOfSteps(const OurEngine& ours, const OtherEngine& theirs, const execute::Feed& here,
                         const execute::Feed& there, const ErrorTolerance& tolerance) {
  if (agree(&here.value, valueIn(theirs.plainResults, here.name), tolerance))
    return "without its optimisation, which computes with integers, it agrees";
  if (agree(&here.value, valueIn(ours.plainResults, here.name), tolerance) &&
      agree(valueIn(ours.sameGraphResults, here.name), &there.value, tolerance))
    return "on its optimised model, which computes with integers, this engine agrees with it";
  return {};
}

// An output of a quantised graph: whole steps with a cause, or no rule.
void explainSteps(const OurEngine& ours, const OtherEngine& theirs, const execute::Feed& here,
                  const execute::Feed& there, const ErrorTolerance& tolerance, double step,
                  OpinionDifference& difference) {
  if (step <= 0) {
    difference.explanation = "the graph is quantised, and what follows its integers has no steps to count";
    return;
  }
  const StepDifference steps = countSteps(here.value, there.value, step);
  const std::string counted =
      fmt::format("{} values differ, by up to {:.3g} steps of {:.3g}", formatCount(steps.differing), steps.most, step);
  if (steps.notWhole > 0) {
    difference.explanation = fmt::format("{}, {} of them by no whole steps", counted, formatCount(steps.notWhole));
    return;
  }
  const std::string cause = causeOfSteps(ours, theirs, here, there, tolerance);
  difference.explanation = fmt::format("{}; {}", counted, cause.empty() ? "no cause was found" : cause);
  if (!cause.empty()) difference.rule = "integer kernels";
}

// Whether the other engine is the one that rounded: beside doubles this one is no further off, in the mean and at most.
// Then nothing that this engine does wrong is behind the difference.
bool isTheirRounding(const OurEngine& ours, const execute::Feed& here, const execute::Feed& there,
                     OpinionDifference& difference) {
  const RuntimeValue* const exact = valueIn(ours.doubleResults, here.name);
  if (exact == nullptr) return false;
  ValueAccuracy offHere, offThere;
  measureError(here.value, *exact, {}, offHere);
  measureError(there.value, *exact, {}, offThere);
  if (!offHere.problem.empty() || !offThere.problem.empty() || offHere.nonFiniteMismatches > 0 ||
      offThere.nonFiniteMismatches > 0)
    return false;
  difference.explanation += fmt::format(
      "; from the same in doubles this engine is off by up to {:.3g} (root mean square {:.3g}), the "
      "other one by {:.3g} ({:.3g})",
      offHere.maxAbsolute, offHere.rootMeanSquare, offThere.maxAbsolute, offThere.rootMeanSquare);
  return offHere.maxAbsolute <= offThere.maxAbsolute && offHere.rootMeanSquare <= offThere.rootMeanSquare;
}

// Which rule accounts for an output outside the tolerance; none where it differs more than either wobbles.
void explain(const OurEngine& ours, const OtherEngine& theirs, const execute::Feed& here, const execute::Feed& there,
             const ErrorTolerance& tolerance, const ValueAccuracy& accuracy, OpinionDifference& difference) {
  const double wobbleHere = wobbleOf(here, ours.retries), wobbleThere = wobbleOf(there, theirs.retries);
  difference.explanation = fmt::format(
      "moved by the last bit of inputs and weights, it moves by {:.3g} here; there, and without "
      "optimisation, by {:.3g}",
      wobbleHere, wobbleThere);
  if (drawsRandomNumbers(*ours.walk)) {
    difference.rule = "random";
    difference.explanation = "the model draws random numbers";
    return;
  }
  const auto quantised = ours.quantised.find(here.name);
  const bool isQuantised = quantised != ours.quantised.end();
  if (!isQuantised && isRounding(accuracy, wobbleHere + wobbleThere)) {
    difference.rule = "rounding";
  } else if (isSaturation(theirs, here, there, tolerance, isQuantised ? 0 : wobbleHere + wobbleThere)) {
    difference.rule = "saturated products";
    difference.explanation = "with exact products of bytes (session.x64quantprecision) it agrees";
  } else if (isQuantised) {
    explainSteps(ours, theirs, here, there, tolerance, quantised->second, difference);
  } else if (isTheirRounding(ours, here, there, difference)) {
    difference.rule = "nearer to doubles";
  }
}

// On the CPU alone this engine agrees with the other one, or a rule says why it does not: what is left of the
// difference is made by the simulated providers. Whether it is no more than half precision makes of the model, the
// model in half precision tells.
void explainSimulated(const OurEngine& ours, const OtherEngine& theirs, const execute::Feed& here,
                      const execute::Feed& there, const ErrorTolerance& tolerance, const ValueAccuracy& accuracy,
                      OpinionDifference& difference) {
  const RuntimeValue* const onCpu = valueIn(ours.cpuResults, here.name);
  if (onCpu == nullptr) {
    difference.explanation = "the model does not run on the CPU alone, which would tell whose difference it is";
    return;
  }
  ValueAccuracy left;
  measureError(*onCpu, there.value, tolerance, left);
  std::string words = "on the CPU alone it agrees";
  if (!left.problem.empty() || left.outsideTolerance > 0) {
    explain(ours, theirs, {here.name, *onCpu}, there, tolerance, left, difference);
    if (difference.rule.empty()) return;
    words = fmt::format("on the CPU alone it differs by up to {:.3g} ({}: {})", left.maxAbsolute, difference.rule,
                        difference.explanation);
  }
  difference.rule = "simulated arithmetic";
  difference.explanation =
      fmt::format("{}; the rest is the arithmetic of {}, simulated here", words, fmt::join(ours.simulated, " and "));
  const RuntimeValue* const inHalf = valueIn(ours.halfResults, here.name);
  if (inHalf == nullptr) return;
  ValueAccuracy half;
  measureError(*inHalf, there.value, {}, half);
  if (!half.problem.empty()) return;
  difference.explanation += fmt::format(
      "; in half precision, on the CPU, the model is off by up to {:.3g} (root mean square {:.3g}), and here by {:.3g} "
      "({:.3g})",
      half.maxAbsolute, half.rootMeanSquare, accuracy.maxAbsolute, accuracy.rootMeanSquare);
  if (accuracy.nonFiniteMismatches <= half.nonFiniteMismatches &&
      accuracy.maxAbsolute <= kRoundingFactor * half.maxAbsolute &&
      accuracy.rootMeanSquare <= kRoundingFactor * half.rootMeanSquare)
    difference.rule = "half precision";
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
  const std::vector<double> here = milliseconds(ours.runNs), there = milliseconds(theirs.runNs);
  const profile::Statistics ourTimes = profile::statisticsOf(here), theirTimes = profile::statisticsOf(there);
  stage.ours = measuredText(timeOf(ourTimes));
  stage.theirs = measuredText(timeOf(theirTimes));
  const std::string figure = fmt::format("measured, medians of {} and {} runs", here.size(), there.size());
  stage.rows.push_back({"one run", stage.ours, stage.theirs, figure});
  if (const std::vector<std::string> simulated =
          ours.walk == nullptr ? std::vector<std::string>() : simulatedProviders(*ours.walk);
      !simulated.empty()) {
    stage.rows.push_back({"our time / theirs", "not compared", "",
                          fmt::format("{} computed on hardware that is not here", fmt::join(simulated, ", "))});
    return stage;
  }
  const bool apart = profile::differBeyondChance(here, there);
  const double ratio = ourTimes.median / std::max(1e-6, theirTimes.median);
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
      if (accuracy.problem.empty()) {
        const auto tell = ours.simulated.empty() ? explain : explainSimulated;
        tell(ours, theirs, own, *found, tolerance, accuracy, difference);
      }
      stage.differences.push_back(std::move(difference));
    }
    values.push_back(std::move(accuracy));
  }
  stage.ours = fmt::format("{} of {} outputs in tolerance", inside, compared);
  stage.theirs = fmt::format("|a - b| <= {:g} + {:g} |b|", tolerance.absolute, tolerance.relative);
  return stage;
}

NodeSpread nodeSpread(const std::vector<int64_t>& timesNs) {
  if (timesNs.empty()) return {};
  const profile::Statistics times = profile::statisticsOf(std::vector<double>(timesNs.begin(), timesNs.end()));
  return {.medianNs = std::llround(times.median),
          .minNs = std::llround(times.minimum),
          .maxNs = std::llround(times.maximum)};
}

bool resultsDiffer(const OurEngine& ours, const OtherEngine& theirs, const ErrorTolerance& tolerance) {
  return std::ranges::any_of(ours.results, [&](const execute::Feed& own) {
    const auto found = std::ranges::find(theirs.results, own.name, &execute::Feed::name);
    if (found == theirs.results.end() || !own.value.isTensor()) return false;
    ValueAccuracy accuracy;
    measureError(own.value, found->value, tolerance, accuracy);
    return accuracy.problem.empty() && accuracy.outsideTolerance > 0;
  });
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
