#pragma once
// Libraries of plug-in execution providers: which ones are known, where they lie, how to get them. None is opened here.
//
// Found in the Python environments that ONNX Runtime's library is searched in (library.h), named by the environment
// variable CUTAWAY_EP_LIBRARIES (NAME=PATH or a folder, ':' between), or by addPluginLibrary(). The list only grows: an
// index stays what it was. Thread rule: any thread. Example:
//   for (const PluginLibrary& plugin : pluginLibraries())
//     if (!plugin.path.empty()) offer(plugin.name);

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

inline constexpr const char* kPluginVariable = "CUTAWAY_EP_LIBRARIES";

struct PluginLibrary {
  std::string name;          // of our provider: "qnn"
  std::string title;         // "Qualcomm QNN"
  std::string registration;  // what it must be registered as
  std::string package;       // of Python: "onnxruntime-qnn"; empty: not known
  std::string licence;
  std::filesystem::path path{};       // empty: not found
  std::string version{};              // of the package
  std::string source{};               // what led there
  bool isSimulator = false;           // on this machine it computes what its hardware would
  TextPairs groupOptions{};           // of sessions of single groups, where the user says nothing else
  std::string devicesInWords{};       // what it wants, and what to do without it; empty: nothing better than its name
  bool takesSoftwareAdapter = false;  // on a GPU, or on a driver that computes on the CPU (software_adapter.h)
};

std::vector<PluginLibrary> pluginLibraries();
// INVALID_ARGUMENT: a name that is taken or has other characters than letters, digits, '_' and '-'; EP_FAIL: a file
// that is no library of plug-in providers for this machine.
Result<void> addPluginLibrary(const std::string& name, const std::filesystem::path& path);
// "NAME=PATH", or a folder: every library of plug-in providers in it, by the name of its file; NOT_FOUND: there is
// none.
Result<void> addPluginLibrary(const std::string& text);
// What to do to have it.
std::string howToGet(const PluginLibrary& plugin);

}  // namespace cutaway::onnxruntime
