#pragma once
// The smallest part of a model on which two configurations still disagree, saved so that anybody can run it.
//
// From the first value that differs, the part between it and the nearest values that agree is cut out and run alone
// with A's values as its inputs. When it fails alone, its inner values are looked at, too: the first one that differs
// takes the place of the output. Then cones of growing depth above that value are tried; the first that fails is the
// answer. Thread rule: as compareConfigurations. Example: CUTAWAY_TRY(auto found, findFailingSubmodel(search, table,
// progress));

#include <functional>
#include <optional>
#include <set>

#include "engine/study/accuracy/accuracy.h"
#include "engine/study/accuracy/submodel.h"

namespace cutaway::study {

struct FailingSearch {
  const AccuracyRequest& request;
  std::string divergent;                    // the first value that differs
  std::set<std::string> agreeing;           // values that are the same on both sides
  const std::vector<execute::Feed>& feeds;  // of the whole model
};

struct FailingSubmodel {
  Model model;
  std::vector<execute::Feed> inputs;   // A's values
  std::vector<execute::Feed> outputs;  // A's results
  std::vector<std::string> nodes;      // names (or operators) in execution order
  std::string output;                  // the value that differs
};

// Nothing when no part of the model fails alone: the difference then comes from how much is compiled together.
Result<std::optional<FailingSubmodel>> findFailingSubmodel(const FailingSearch& search, const ProviderTable& table,
                                                           Progress& progress);

// folder/model.onnx and folder/test_data_set_0/{input,output}_N.pb, as `cutaway-cli check` reads them.
Result<void> saveFailingSubmodel(const FailingSubmodel& failing, const std::filesystem::path& folder);

}  // namespace cutaway::study
