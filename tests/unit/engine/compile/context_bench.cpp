#include "tests/unit/engine/compile/context_bench.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "engine/context_binary/context_node.h"
#include "engine/graph/text.h"
#include "engine/stages/load/save.h"

namespace cutaway {

ContextBench::ContextBench() : m_folder(std::filesystem::canonical(m_temporary.path().toStdString())) {
  keeperPlan() = KeepingPlan{.test = {.name = "keeper", .groups = {{"a", "b"}, {"d"}}}};
  otherPlan() = KeepingPlan{.test = {.name = "other"}};
}

std::filesystem::path ContextBench::write(const std::string& name, std::string_view text) const {
  const Result<Model> model = parseModelText(text);
  if (!model) throw std::runtime_error(describe(model.error()));
  if (const auto saved = load::save(*model, path(name), {}); !saved) throw std::runtime_error(describe(saved.error()));
  return path(name);
}

void ContextBench::writeBytes(const std::string& name, std::string_view bytes) const {
  std::ofstream stream(path(name), std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string ContextBench::readBytes(const std::string& name) const {
  std::ifstream stream(path(name), std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> ContextBench::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(m_folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string ContextBench::onlyBinary() const {
  std::vector<std::string> names = files();
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".bin"); });
  return names.size() == 1 ? names.front() : std::string();
}

compile::CompileRequest ContextBench::request(const std::string& model, const std::string& output) const {
  compile::CompileRequest request;
  request.input = load::ModelSource::file(path(model));
  request.session = options();
  if (!output.empty()) request.outputFile = path(output);
  return request;
}

Result<compile::Compiled> ContextBench::compile(const std::string& model, const std::string& output) const {
  return compile(request(model, output));
}

Result<compile::Compiled> ContextBench::compile(const compile::CompileRequest& request) {
  Progress progress;
  return compile::compileModel(request, keeperTable(), progress);
}

session::SessionOptions ContextBench::options() const {
  session::SessionOptions options;
  options.providers = {"keeper"};
  options.optimizationLevel = 0;
  options.threads = 1;
  return options;
}

Result<std::unique_ptr<session::Session>> ContextBench::load(const load::ModelSource& source,
                                                             const session::SessionOptions& options) {
  Progress progress;
  return session::Session::create(source, options, keeperTable(), progress);
}

Result<std::string> ContextBench::outputsOf(session::Session& session) {
  CUTAWAY_TRY(const std::vector<execute::Feed> feeds, session::randomFeeds(session, 7, {}, {}));
  CUTAWAY_TRY(const execute::RunResult result, session.run(feeds, {}));
  std::string bytes;
  for (const execute::Feed& output : result.outputs) {
    if (!output.value.isTensor()) continue;
    const auto piece = output.value.tensor().bytes();
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  return bytes;
}

Result<std::string> ContextBench::run(const std::string& name) const {
  return run(name, options());
}

Result<std::string> ContextBench::run(const std::string& name, const session::SessionOptions& options) const {
  CUTAWAY_TRY(const auto session, load(load::ModelSource::file(path(name)), options));
  return outputsOf(*session);
}

std::string ContextBench::difference(const std::string& context, const std::string& original) const {
  const auto a = run(context), b = run(original);
  if (!a) return describe(a.error());
  if (!b) return describe(b.error());
  return *a == *b ? std::string() : fmt::format("outputs of {} and {} differ", context, original);
}

Model ContextBench::model(const std::string& name) const {
  Progress progress;
  Result<load::LoadResult> loaded =
      load::load(load::ModelSource::file(path(name)), {.allowMissingExternalData = true}, progress);
  if (!loaded) throw std::runtime_error(describe(loaded.error()));
  return std::move(loaded->model);
}

void ContextBench::edit(const std::string& name, const std::function<void(Model&)>& change) const {
  Model changed = model(name);
  change(changed);
  if (const auto saved = load::save(changed, path(name), {}); !saved) throw std::runtime_error(describe(saved.error()));
}

std::vector<NodeId> contextNodes(const Model& model) {
  std::vector<NodeId> nodes;
  for (const NodeId id : model.graph.nodeIds()) {
    if (context_binary::isContextNode(model.graph.node(id))) nodes.push_back(id);
  }
  return nodes;
}

std::string textAttribute(const Node& node, const std::string& name) {
  return node.attributeOr<std::string>(name, "");
}
void setText(Node& node, const std::string& name, const std::string& value) {
  node.setAttribute(name, value);
}
void setNumber(Node& node, const std::string& name, int64_t value) {
  node.setAttribute(name, value);
}

}  // namespace cutaway
