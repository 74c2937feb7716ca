#pragma once
// A folder of models for tests of context models: written from text, compiled, loaded, run.
//
// Thread rule: one test. Example: ContextBench bench;  bench.write("m.onnx", kTwoGroups);
// QVERIFY2(bench.compile("m.onnx", "m_ctx.onnx"), ...);

#include <QTemporaryDir>

#include "engine/compile/compile.h"
#include "tests/unit/engine/compile/keeping_provider.h"

namespace cutaway {

// Two groups of "keeper" ({a, b} and {d}) around a node for the CPU (c), with weights on both sides.
inline constexpr const char* kTwoGroups = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1,-2,3,4.5}, float[2,2] v = {0.5,1,-1,2}> {
  [a] a = Relu (x)
  [b] b = Mul (a, w)
  [c] c = Add (b, v)
  [d] y = Mul (c, w)
})";

class ContextBench {
 public:
  // Plans are put back to: keeper takes {a, b} and {d} of kTwoGroups, other takes nothing.
  ContextBench();

  std::filesystem::path path(const std::string& name) const { return m_folder / std::filesystem::path(name); }
  std::filesystem::path write(const std::string& name, std::string_view text) const;
  void writeBytes(const std::string& name, std::string_view bytes) const;
  std::string readBytes(const std::string& name) const;
  // Names of the files in the folder, sorted.
  std::vector<std::string> files() const;
  std::string onlyBinary() const;  // the one .bin; empty: none or several

  compile::CompileRequest request(const std::string& model, const std::string& output = {}) const;
  Result<compile::Compiled> compile(const std::string& model, const std::string& output = {}) const;
  static Result<compile::Compiled> compile(const compile::CompileRequest& request);

  // With providers {"keeper"} at level 0.
  session::SessionOptions options() const;
  Result<std::unique_ptr<session::Session>> load(const load::ModelSource& source) const {
    return load(source, options());
  }
  Result<std::unique_ptr<session::Session>> load(const std::string& name) const {
    return load(load::ModelSource::file(path(name)), options());
  }
  static Result<std::unique_ptr<session::Session>> load(const load::ModelSource& source,
                                                        const session::SessionOptions& options);
  // Outputs on seeded feeds, as bytes one after the other.
  static Result<std::string> outputsOf(session::Session& session);
  Result<std::string> run(const std::string& name) const;
  Result<std::string> run(const std::string& name, const session::SessionOptions& options) const;
  // Runs both model files: why one does not run, or that they differ; empty when all bits are the same.
  std::string difference(const std::string& context, const std::string& original) const;

  // Loads a model file, changes it, and writes it again.
  void edit(const std::string& name, const std::function<void(Model&)>& change) const;
  Model model(const std::string& name) const;

 private:
  QTemporaryDir m_temporary;
  std::filesystem::path m_folder;
};

// EPContext nodes of the main graph, in its order.
std::vector<NodeId> contextNodes(const Model& model);
std::string textAttribute(const Node& node, const std::string& name);
void setText(Node& node, const std::string& name, const std::string& value);
void setNumber(Node& node, const std::string& name, int64_t value);

template <typename T>
std::string whyNot(const Result<T>& result) {
  return result ? std::string("it went well") : describe(result.error());
}

}  // namespace cutaway

#define VERIFY_SAME(bench, context, original)                       \
  do {                                                              \
    const std::string seen = (bench).difference(context, original); \
    QVERIFY2(seen.empty(), seen.c_str());                           \
  } while (false)
