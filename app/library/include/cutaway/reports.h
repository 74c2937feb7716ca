#pragma once
// What an engine does to a model, without running it; two configurations compared; context models written.
//
// Reports are JSON texts, the same that `cutaway-cli VERB --json` prints: their schemas lie in share/cutaway/schemas.
// A configuration is what `--config` takes: a line such as "providers=openvino,cpu; opt-level=0", the name of a .json
// file, or that file's content; empty: the defaults. All of them throw Error.
// Thread rule: any number of threads at once. Example:
//   std::string report = walkReport({.path = "model.onnx"}, "providers=openvino,cpu", Stage::kPartition);

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <cutaway/error.h>
#include <cutaway/tensor.h>

namespace cutaway::api {

// A file, or with `bytes` a model in memory, whose external data lies beside `path`.
struct Model {
  std::string path;
  const void* bytes = nullptr;
  size_t sizeBytes = 0;
  std::shared_ptr<const void> owner = {};  // keeps the bytes alive; empty: the caller does as long as the model is used
};

// In the order that they are walked in.
enum class Stage { kLoad, kResolve, kOptimize, kPartition, kSchedule, kAllocate, kPattern };

// The stages up to `last`; as `cutaway-cli inspect`, `partition`, `order`, `allocate`, `pattern`.
std::string walkReport(const Model& model, const std::string& configuration = {}, Stage last = Stage::kPattern);

struct CompareOptions {
  double relativeTolerance = 1e-3;  // a and b differ where |a - b| > absolute + relative * |b|
  double absoluteTolerance = 1e-5;
  uint64_t seed = 0;  // of the inputs that `feeds` leaves out
  std::vector<NamedTensor> feeds;
  bool everyLayer = false;    // keep every value on both sides, so that none is fused away
  std::string failingFolder;  // where the smallest failing submodel goes; empty: it is not looked for
};

// Runs both configurations on the same inputs and compares them value by value; as `cutaway-cli compare`.
std::string compare(const Model& model, const std::string& configurationA, const std::string& configurationB,
                    const CompareOptions& options = {});

struct ExportOptions {
  bool embed = false;    // contexts inside the model, not in a file beside it
  bool replace = false;  // a file of that name; otherwise it is left alone, and Error::isRefused()
};

// Writes a model whose groups are compiled (EPContext); as `cutaway-cli context -o`.
std::string exportContext(const Model& model, const std::string& file, const std::string& configuration = {},
                          const ExportOptions& options = {});

// The built execution providers: `providers`, a list of `name`, `display_name`, `description`, `version`, `usable`,
// `reason`.
std::string providersReport();

// "0.2.0"
std::string version();

}  // namespace cutaway::api
