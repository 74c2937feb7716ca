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
      {"other fusion",
       "one engine joins these nodes into a fused operator, the other keeps them or joins them elsewhere"},
      {"folded", "one engine computes the node when the session is made, because its inputs are constant"},
      {"removed", "one engine drops the node, because it changes nothing or nothing reads it"},
      {"inserted", "one engine adds the node for its own form of the graph: a layout, a type or a quantised pair"},
      {"layout", "one engine works in another layout of memory, which moves or adds transpositions"},
      {"other providers", "the session was made with providers that the other engine has not got under that name"},
      {"other nodes",
       "onnxruntime replaces, inserts or drops nodes when it opens the graph, even with optimisation off"},
      {"other memory", "a kernel of onnxruntime takes or keeps memory that its planner does not know of"},
      {"unknown size", "a size that shape inference of one of the two does not find: that value is not planned"},
      {"rounding", "sums in another order and other approximations: floats differ within their precision"},
      {"quantised step", "integers made by rounding differ by one step where the float before it lies between two"},
      {"random", "the operator draws random numbers; the two generators differ"},
      {"inferred type", "one engine infers more of the shape than the model declares"},
  };
  return rules;
}

}  // namespace cutaway
