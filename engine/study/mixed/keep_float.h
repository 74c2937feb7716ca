#pragma once
// Which nodes of a quantised model must stay float, and that model of mixed precision.
//
// The quantised model has QuantizeLinear and DequantizeLinear around its nodes. A node stays float when it reads what
// its inputs were before they were quantised; its weights are those of the float model where its node is found there.
// Each node is kept float alone, run and ranked by the error that is left; then, in this order, as many as the goal
// needs are kept together. What makes nothing better is passed over. A search by steps finds a small set, not always
// the smallest.
// Thread rule: one call at a time per thread; runs sessions. Example:
//   CUTAWAY_TRY(MixedModel mixed, keepFloat({.exact = fp32, .quantised = qdq, .goal = 0.01}, table, progress));

#include <memory>

#include "engine/report/mixed_report.h"
#include "engine/session/session.h"

namespace cutaway::study {

struct MixedRequest {
  load::ModelSource exact, quantised;
  session::SessionOptions options{};
  std::vector<execute::Feed> feeds{};  // of inputs of the float model
  uint64_t seed = 0;                   // of inputs that `feeds` leaves out
  double goal = 0.01;                  // error of the worst output that is good enough
  int64_t mostKept = 16;
};

struct MixedModel {
  MixedReport report;
  std::shared_ptr<const Model> model;  // the quantised one where nothing is kept
};

// INVALID_ARGUMENT: the models do not take the same inputs, or no node of the second reads a DequantizeLinear; the
// error of a model that cannot be made or run; MODEL_LOAD_CANCELED.
Result<MixedModel> keepFloat(const MixedRequest& request, const ProviderTable& table, Progress& progress);

}  // namespace cutaway::study
