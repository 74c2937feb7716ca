#pragma once
// A model in the text notation, partitioned over test providers and ready to be exported: what the tests of generation
// start from.
//
// Thread rule: one test. Example:
//   ContextCase made(kTwoGroups, {keeping("npu", {"MatMul", "Relu"})});
//   const Result<ContextWritten> written = made.write(options);

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/context/generate.h"
#include "engine/graph/model.h"
#include "tests/provider/test_provider.h"

namespace cutaway {

// A provider that compiles maximal groups of these operators and keeps them.
TestProviderPlan keeping(std::string name, std::set<std::string> operators);
// The same, each node a group of its own.
TestProviderPlan keepingEach(std::string name, std::set<std::string> operators);

class ContextCase {
 public:
  // text: a graph (IR 8, opset 17, com.microsoft not imported) or a model with a header of its own. prefix:
  // ep.context_node_name_prefix.
  ContextCase(const std::string& text, std::vector<TestProviderPlan> plans, const std::string& prefix = {});

  const std::string& problem() const { return m_problem; }  // empty: partitioned
  Result<ContextWritten> write(const context::ContextOptions& options, Progress& progress) const;
  Result<ContextWritten> write(const context::ContextOptions& options) const;
  const partition::Partition& partition() const { return m_partition; }
  std::span<const std::unique_ptr<ExecutionProvider>> providers() const { return m_providers; }
  std::filesystem::path source = "net.onnx";  // need not exist

 private:
  Model m_model;
  std::vector<std::unique_ptr<ExecutionProvider>> m_providers;
  partition::Partition m_partition;
  std::string m_problem;
};

// Options of an export to this file.
context::ContextOptions exportTo(const std::filesystem::path& target);
// What a file says: nodes and values as text, with hashes in file names as #, sizes as N, and without cutaway.inside.
Result<Model> loadedModel(const std::filesystem::path& file);
std::string modelText(const Model& model);
// Names in a folder, sorted, with hashes as #.
std::vector<std::string> filesIn(const std::filesystem::path& folder);
// What keeps a model's contexts from being found and verified; empty: every node's partition is there and whole.
std::string unloadable(const std::filesystem::path& file);

// For messages of checks, which are made whether they hold or not.
template <typename T>
std::string why(const Result<T>& result) {
  return result ? std::string() : describe(result.error());
}

}  // namespace cutaway
