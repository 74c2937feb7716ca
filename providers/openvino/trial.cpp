#include "providers/openvino/trial.h"

#include <limits>
#include <utility>

#include "engine/base/clock.h"
#include "engine/base/free_memory.h"
#include "engine/base/log.h"
#include "providers/openvino/model_writer.h"

namespace cutaway::openvino {

namespace {

// What OpenVINO packs and computes lies beside what it was made of.
constexpr int64_t kCopies = 3;

int64_t bytesOf(const Graph& graph) {
  int64_t sum = 0;
  for (const ValueId id : graph.valueIds()) {
    const Value& value = graph.value(id);
    const int64_t bytes = value.initializer ? value.initializer->sizeBytes() : staticByteSize(value.type).value_or(0);
    if (__builtin_add_overflow(sum, bytes, &sum)) return std::numeric_limits<int64_t>::max();
  }
  return sum;
}

// What two trials that are one have in common: no address, and no name of the program's run.
Result<std::string> keyOf(const GroupToTry& group) {
  CUTAWAY_TRY(std::string everything,
              writeGroupModel(group.graph, group.opsets,
                              [](const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
                                return tensor.sizeBytes() > SeparateAsker::kMostSentBytes &&
                                       writeByForeignAddress(tensor, name, 0, proto);
                              }));
  everything += '\n' + group.machine + '\n' + group.settings.device;
  for (const auto& [key, value] : group.settings.properties)
    everything += '\n' + key + '=' + value;
  return TriedGroups::keyOf(everything);
}

}  // namespace

std::string trialProblem(SeparateAsker& asker, TriedGroups& tried, const GroupToTry& group, const Progress& progress) {
  const int64_t bytes = bytesOf(group.graph);
  if (bytes > kMostTriedBytes || !isFree(kCopies * bytes)) return {};
  const Result<std::string> key = keyOf(group);
  if (!key) return {};
  if (std::optional<std::string> known = tried.find(*key)) return *std::move(known);
  const auto turn = asker.turn(progress);
  if (!turn.owns_lock()) return {};
  asker.begin(progress);
  Result<std::string> model = writeGroupModel(
      group.graph, group.opsets, [&asker](const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
        return asker.writeLarge(tensor, name, proto);
      });
  if (!model) return {};
  const Stopwatch watch;
  const Trial trial = asker.tryGroup(*std::move(model), group.settings, progress);
  const int64_t timeNs = watch.elapsedNs();
  // It is a part of the time that compiling takes, this once.
  log::event(log::kInfo, log::Category::kProviders, "OpenVINO: a group was tried",
             {{"nodes", group.graph.nodeCount()}, {"known", trial.isKnown ? "yes" : "no"}, log::milliseconds(timeNs)});
  if (trial.isKnown) tried.add(*key, trial.problem, timeNs);
  return trial.problem;
}

}  // namespace cutaway::openvino
