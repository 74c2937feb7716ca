#include "app/cli/formulas.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/ranges.h>

#include "app/cli/output.h"
#include "app/cli/partition_print.h"
#include "engine/base/format.h"
#include "engine/graph/packed_model.h"
#include "engine/report/open_figures.h"
#include "engine/study/formulas/plan_formulas.h"

namespace cutaway::cli {
namespace {

std::string left(int64_t count, const char* what) {
  return count == 0 ? std::string() : fmt::format("; {} {}{} without a formula", count, what, count == 1 ? "" : "s");
}

std::string condition(const study::ModelFormulas& formulas) {
  return formulas.multiples.empty() ? "" : fmt::format(" (with {})", study::multiplesText(formulas.multiples));
}

}  // namespace

Result<std::optional<study::ModelFormulas>> formulasOf(const WalkReport& walk, const SharedOptions& shared,
                                                       const CancelToken& cancel) {
  std::optional<study::ModelFormulas> formulas;
  if (!hasOpenFigures(walk)) return formulas;
  CUTAWAY_TRY(const session::SessionOptions options, shared.sessionOptions(Stage::kResolve, false));
  Progress progress(cancel);
  if (const std::shared_ptr<const PackedModel> kept = walk.loadedModel.lock()) {
    CUTAWAY_TRY(formulas, study::modelFormulas(kept->unpack(), options.dims, progress));
  } else {
    CUTAWAY_TRY(load::LoadResult loaded,
                load::load(load::ModelSource::file(shared.model), {.allowMissingExternalData = true}, progress));
    CUTAWAY_TRY(formulas, study::modelFormulas(std::move(loaded.model), options.dims, progress));
  }
  if (!formulas->isOpen()) formulas.reset();
  return formulas;
}

Result<void> warnOfFormulas(const Error& error) {
  if (error.code == ErrorCode::kModelLoadCanceled) return fail(error);
  putError("warning: no costs by the open dimensions: {}\n", describe(error));
  return {};
}

void printCostFormulas(const study::ModelFormulas& formulas) {
  put("as the model stands, by its open dimensions{}:\n", condition(formulas));
  put("  FLOPs {}{}\n", formulaText(formulas.flops, formulas.free, formatFlops),
      left(formulas.nodesWithoutFlops, "node"));
  put("  moved between nodes {}{}\n", formulaText(formulas.movedBytes, formulas.free, formatBytes),
      left(formulas.nodesWithoutBytes, "node"));
}

void printPlanFormulas(const WalkReport& walk, const study::ModelFormulas& formulas) {
  for (const study::PlanFormulas& plan : study::planFormulas(walk, formulas.sizes)) {
    put("buffers on {} by the open dimensions{}:\n", plan.device, condition(formulas));
    std::vector<std::string> bounds;
    std::ranges::transform(plan.bounds, std::back_inserter(bounds),
                           [&](const CostFormula& each) { return formulaText(each, formulas.free, formatBytes); });
    if (!bounds.empty()) put("  at least {}{}\n", bounds.size() > 1 ? "the largest of " : "", fmt::join(bounds, "; "));
    put("  without sharing {}{}\n", formulaText(plan.naive, formulas.free, formatBytes),
        left(plan.buffersWithout, "buffer"));
  }
}

nlohmann::json formulasToJson(const WalkReport& walk, const study::ModelFormulas& formulas) {
  nlohmann::json plans = nlohmann::json::array();
  for (const study::PlanFormulas& plan : study::planFormulas(walk, formulas.sizes)) {
    nlohmann::json bounds = nlohmann::json::array();
    for (const CostFormula& bound : plan.bounds)
      bounds.push_back(bound.toText());
    plans.push_back({{"device", plan.device},
                     {"at_least", std::move(bounds)},
                     {"naive_bytes", plan.naive.toText()},
                     {"buffers_without", plan.buffersWithout}});
  }
  return {{"flops", formulas.flops.toText()},
          {"moved_bytes", formulas.movedBytes.toText()},
          {"nodes_without_flops", formulas.nodesWithoutFlops},
          {"nodes_without_moved_bytes", formulas.nodesWithoutBytes},
          {"free", formulas.free},
          {"multiples", formulas.multiples},
          {"plans", std::move(plans)}};
}

}  // namespace cutaway::cli
