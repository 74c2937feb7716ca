#include "engine/report/opinion_report.h"

#include <algorithm>

namespace cutaway {

namespace {

struct StageWords {
  const char* id;
  const char* title;
};
constexpr StageWords kStages[kOpinionStageCount] = {{"model", "Inputs & outputs"},
                                                    {"optimize", "Optimize"},
                                                    {"partition", "Partition"},
                                                    {"order", "Order"},
                                                    {"memory", "Memory"},
                                                    {"session", "Session"},
                                                    {"run", "Run"},
                                                    {"outputs", "Outputs"}};

}  // namespace

const char* opinionStageId(OpinionStage stage) {
  return kStages[static_cast<size_t>(stage)].id;
}
const char* opinionStageTitle(OpinionStage stage) {
  return kStages[static_cast<size_t>(stage)].title;
}

bool isMeasured(OpinionStage stage) {
  return stage == OpinionStage::kSession || stage == OpinionStage::kRun;
}

int64_t StageOpinion::unexplained() const {
  return std::ranges::count_if(differences, [](const OpinionDifference& one) { return one.rule.empty(); });
}

int64_t SecondOpinion::differences() const {
  int64_t count = 0;
  for (const StageOpinion& stage : stages)
    count += static_cast<int64_t>(stage.differences.size());
  return count;
}

int64_t SecondOpinion::unexplained() const {
  int64_t count = 0;
  for (const StageOpinion& stage : stages)
    count += stage.unexplained();
  return count;
}

const std::vector<OpinionRule>& opinionRules() {
  static const std::vector<OpinionRule> rules = {
      {"our pass", "a pass of this engine took the node, wrote it or changed it, as the record of its rewrites says"},
      {"their pass",
       "a pass that the other engine's log says changed this model, and that takes, writes or changes such operators"},
      {"expanded", "the other engine has no kernel for the operator and puts its function body in its place"},
      {"unread", "nothing reads the results of the node, and one engine drops such nodes"},
      {"other providers", "the session was made with providers that the other engine has not got under that name"},
      {"other nodes",
       "onnxruntime replaces, inserts or drops nodes when it opens the graph; the others run in the same order"},
      {"unknown size", "shape inference of one engine finds a size that the other's does not: another plan follows"},
      {"rounding",
       "nothing rounds to integers before the outputs, and they are at most twice as far apart as the engines are from "
       "themselves when inputs and weights move by their last bit"},
      {"nearer to doubles",
       "nothing rounds to integers before the outputs, and from what the model gives in doubles this engine is no "
       "further "
       "off than the other one, in the mean and at most: it is the other one's rounding"},
      {"half precision",
       "a provider whose hardware is not here is simulated; on the CPU alone this engine agrees with the other one, or "
       "another rule says why not, and the outputs differ by at most twice what the model in half precision does"},
      {"simulated arithmetic",
       "a provider whose hardware is not here is simulated, and on the CPU alone this engine agrees with the other "
       "one, "
       "or another rule says why not: the difference is made by the provider's arithmetic, which is not half precision "
       "alone"},
      {"integer kernels",
       "the outputs of a quantised graph differ by whole steps of the scale that makes them, and the other engine "
       "computes with integers what the model writes with floats: it agrees without its optimisation, or this engine "
       "agrees with it on its optimised model"},
      {"saturated products",
       "the other engine adds products of unsigned and signed bytes in 16 bits, as CPUs without VNNI do"},
      {"random", "the operator draws random numbers; the two generators differ"},
      {"inferred type", "one engine infers more of the shape than the model declares"},
  };
  return rules;
}

}  // namespace cutaway
