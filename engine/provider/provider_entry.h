#pragma once
// The row that a program has of every provider it was built with, and what a session asks for when it makes one.
//
// Example: const ProviderTable table = builtProviders();  auto provider = table.front().create({.options = options});

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"

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
};

// The built providers; made in app/ only. `cpu` is always among them.
using ProviderTable = std::vector<ProviderEntry>;

}  // namespace cutaway
