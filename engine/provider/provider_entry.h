#pragma once
// The row that a program has of every provider it was built with, and what a session asks for when it makes one.
//
// Example: const ProviderTable table = builtProviders();  auto provider = table.front().create({.options = options});

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/context_binary/context_node.h"

namespace cutaway {

class ExecutionProvider;

using ProviderOptions = std::map<std::string, std::string>;

// What a provider is made for.
enum class ProviderPurpose : uint8_t {
  kRun,   // its kernels will run: where the hardware is missing, it refuses every node with the reason
  kPlan,  // plans only: it claims as if the hardware were there, and nothing will be run
};

// What a session asks of the row.
struct ProviderRequest {
  // Those of --providers "name{key=value}" over those of the session keys "ep.<name>.<key>".
  ProviderOptions options{};
  std::string argument{};                        // "TensorRT" of "declared(TensorRT)"; to rows with takesArgument only
  std::vector<std::filesystem::path> folders{};  // those of --profile-dir
  ProviderPurpose purpose = ProviderPurpose::kRun;
  bool exportsContexts = false;  // context models are to be written: only groups can be kept, so groups are claimed
};

struct ProviderStatus {
  bool usable = true;
  std::string version;
  std::string reason;  // why not usable, and what to do about it
};

// An option of a provider here in the words of onnxruntime.
struct OnnxruntimeOption {
  std::string option;   // here
  std::string value{};  // the row is for this value of it; empty: for every value that no other row names
  std::string key{};    // onnxruntime's option; empty: it has none
  std::string word{};   // its value there, empty: the same; without a key: what to do instead
};

// An execution provider of onnxruntime that settings for this one are written for.
struct OnnxruntimeProvider {
  std::string argument{};   // of rows with takesArgument: "TensorRT"
  std::string name;         // "TensorrtExecutionProvider"
  std::string device;       // how session.name_based_layer_assignment calls its device: cpu, gpu, npu or fpga
  ProviderOptions fixed{};  // onnxruntime's options that always belong to it
  // Where several rows name one provider of onnxruntime, the options of one are enough.
  std::vector<OnnxruntimeOption> options{};
  std::string minimumGroupKey{};  // onnxruntime's option for the smallest group
};

struct ProviderEntry {
  std::string name;
  std::string displayName;
  std::string description;
  ProviderStatus (*probe)() = nullptr;
  // INVALID_ARGUMENT for an unknown option or a bad value, naming what is allowed.
  Result<std::unique_ptr<ExecutionProvider>> (*create)(const ProviderRequest& request) = nullptr;
  bool takesArgument = false;            // "declared(TensorRT)"
  std::vector<std::string> arguments{};  // the arguments known without more folders, for lists and menus
  // Its capability answers need no hardware: create() is called also where probe() says unusable, and minds the
  // request's purpose.
  bool plansWithout = false;
  // The last resort: asked last whether the user lists it or not, it takes everything that the others leave. One row
  // of a table.
  bool takesTheRest = false;
  std::string precisionOption{};  // its option for what it computes in; empty: the types that the model has
  std::vector<OnnxruntimeProvider> onnxruntime{};  // empty: onnxruntime has nothing like it
  std::vector<context_binary::ContextSource>
      contextSources{};  // its own name in context models, and those of hardware it knows
};

// The built providers; made in app/ only. One of them takes the rest.
using ProviderTable = std::vector<ProviderEntry>;

const ProviderEntry* findEntry(const ProviderTable& table, std::string_view name);  // nullptr: there is none
// The name of the row that takes the rest; empty: the table has none.
std::string lastResort(const ProviderTable& table);
std::vector<context_binary::ContextSource> contextSources(const ProviderTable& table);  // of all rows

}  // namespace cutaway
