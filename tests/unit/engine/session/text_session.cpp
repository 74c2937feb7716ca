#include "tests/unit/engine/session/text_session.h"

#include <QTemporaryDir>

#include "engine/graph/text.h"
#include "engine/plan/graph_hints.h"
#include "engine/session/walk/walk.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "tests/checker/plan_checker.h"

namespace cutaway {
namespace {

struct WrittenModel {
  QTemporaryDir folder;
  std::filesystem::path path() const { return std::filesystem::path(folder.path().toStdString()) / "model.onnx"; }
};

Result<void> writeModel(const WrittenModel& written, std::string_view text) {
  CUTAWAY_TRY(const Model model, parseModelText(text));
  return load::save(model, written.path(), {});
}

}  // namespace

ProviderTable cpuTable() {
  return {cpuProvider()};
}

Result<std::unique_ptr<session::Session>> textSession(std::string_view text, const session::SessionOptions& options,
                                                      const session::WalkListener& listener, const ProviderTable* table,
                                                      Progress progress) {
  const WrittenModel written;
  CUTAWAY_CHECK(writeModel(written, text));
  return session::Session::create(load::ModelSource::file(written.path()), options,
                                  table == nullptr ? cpuTable() : *table, progress, listener);
}

std::string planViolations(std::string_view text, const session::SessionOptions& options, const ProviderTable* table) {
  const WrittenModel written;
  if (auto done = writeModel(written, text); !done) return describe(done.error());
  Progress progress;
  const load::ModelSource source = load::ModelSource::file(written.path());
  const ProviderTable own = table == nullptr ? cpuTable() : *table;
  const session::WalkListener listener;
  session::Walk walk(source, options, own, progress, listener);
  if (auto done = walk.run(); !done) return describe(done.error());
  std::string violations;
  for (const plan::PlannedGraph& planned : walk.plans->graphs()) {
    const MemoryHints hints = plan::memoryHintsOf(*planned.graph, walk.providers, walk.compiled);
    const bool isLoopBody = planned.parent != nullptr && planned.parent->node(planned.parentNode).opType == "Loop";
    violations += describeViolations(
        checkPlan({*planned.graph, planned.order, planned.allocation, hints, planned.pattern.get(), isLoopBody}));
  }
  return violations;
}

execute::Feed floatFeed(std::string name, std::initializer_list<int64_t> dims, std::vector<float> values) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::copy(values.begin(), values.end(), tensor.span<float>().begin());
  return {std::move(name), RuntimeValue(std::move(tensor))};
}

std::vector<float> floatsOf(const RuntimeValue& value) {
  if (!value.isTensor() || value.tensor().type() != ElementType::kFloat) return {};
  const auto span = value.tensor().span<float>();
  return {span.begin(), span.end()};
}

}  // namespace cutaway
