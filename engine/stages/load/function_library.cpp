#include "engine/stages/load/function_library.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>

#include "engine/base/clock.h"
#include "engine/base/folder_entries.h"
#include "engine/base/log.h"
#include "engine/schema/schema.h"
#include "engine/stages/load/load_source.h"

namespace cutaway::load {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBeside = ".functions.onnx";

struct Libraries {
  std::mutex mutex;
  std::vector<std::shared_ptr<const Model>> opened;
};
Libraries& libraries() {
  static Libraries instance;
  return instance;
}

std::vector<std::shared_ptr<const Model>> openedLibraries() {
  const std::scoped_lock lock(libraries().mutex);
  return libraries().opened;
}

Result<std::shared_ptr<const Model>> readLibrary(const fs::path& path, Progress& progress) {
  auto loaded = loadSource(ModelSource::file(path), {}, progress);
  if (!loaded) return fail(atFile(std::move(loaded).error(), path.string()));
  return std::make_shared<const Model>(std::move(loaded->model));
}

// Names of a function, or of what a node calls.
struct Call {
  std::string domain, name, overload;
  auto operator<=>(const Call&) const = default;
};

// What is called in these graphs and known to nobody.
class UnknownCalls {
 public:
  explicit UnknownCalls(const Model& model) : m_model(model) {
    look(model.graph, model.opsets);
    for (const Function& function : model.functions)
      look(function.body, function.opsets);
  }
  void look(const Graph& body, const std::vector<OpsetImport>& opsets) {
    forEachGraph(body, [&](const Graph& graph) {
      for (const NodeId id : graph.nodeIds()) {
        const Node& node = graph.node(id);
        if (node.domain.empty() || m_model.findFunction(node.domain, node.opType, node.overload) != nullptr) continue;
        const int64_t imported = importedVersion(opsets, node.domain);
        const int64_t version = imported > 0 ? imported : std::numeric_limits<int32_t>::max();
        if (findSchema(node.opType, node.domain, version) == nullptr)
          m_open.insert({node.domain, node.opType, node.overload});
      }
    });
  }
  bool empty() const { return m_open.empty(); }
  std::set<Call> take() { return std::exchange(m_open, {}); }

 private:
  const Model& m_model;
  std::set<Call> m_open;
};

// Functions of one library that are called, and those that these call: all that it has of them.
int64_t takeFrom(const Model& library, Model& model) {
  UnknownCalls calls(model);
  int64_t taken = 0;
  while (!calls.empty()) {
    for (const Call& call : calls.take()) {
      const Function* const found = library.findFunction(call.domain, call.name, call.overload);
      if (found == nullptr || model.findFunction(call.domain, call.name, call.overload) != nullptr) continue;
      model.functions.push_back(*found);
      if (importedVersion(model.opsets, call.domain) == 0)
        model.opsets.push_back({call.domain, std::max<int64_t>(1, importedVersion(library.opsets, call.domain))});
      calls.look(model.functions.back().body, model.functions.back().opsets);
      ++taken;
    }
  }
  return taken;
}

}  // namespace

Result<size_t> openFunctionLibraries(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail(ErrorCode::kInvalidArgument, "the folder '{}' with plug-ins does not exist", folder.string());
  size_t count = 0;
  for (const fs::path& path : folderEntries(folder)) {
    if (path.extension() != ".onnx") continue;
    ++count;
    const auto isIt = [&](const std::shared_ptr<const Model>& each) { return fs::equivalent(each->path, path, error); };
    if (std::ranges::any_of(openedLibraries(), isIt)) continue;
    Progress progress;
    CUTAWAY_TRY(const std::shared_ptr<const Model> library, readLibrary(path, progress));
    if (library->functions.empty())
      return fail(atFile(
          {ErrorCode::kInvalidArgument,
           fmt::format("{} lies among plug-ins and is no library of functions: it has none", path.filename().string()),
           {}},
          path.string()));
    const std::scoped_lock lock(libraries().mutex);
    libraries().opened.push_back(library);
  }
  return count;
}

Result<void> addLibraryFunctions(LoadResult& loaded, Progress& progress) {
  Model& model = loaded.model;
  if (UnknownCalls(model).empty()) return {};
  std::vector<std::shared_ptr<const Model>> sources;
  const fs::path beside = model.path.empty() ? fs::path() : fs::path(model.path).replace_extension(kBeside);
  std::error_code error;
  if (!beside.empty() && beside != model.path && fs::is_regular_file(beside, error)) {
    CUTAWAY_TRY(std::shared_ptr<const Model> library, readLibrary(beside, progress));
    sources.push_back(std::move(library));
  }
  for (std::shared_ptr<const Model>& each : openedLibraries())
    sources.push_back(std::move(each));
  // Functions of one library may call those of another.
  bool any = false;
  for (bool again = true; again;) {
    again = false;
    for (const std::shared_ptr<const Model>& library : sources) {
      const Stopwatch watch;
      const int64_t taken = takeFrom(*library, model);
      if (taken == 0) continue;
      any = again = true;
      loaded.report.phases.push_back({"functions of " + library->path.filename().string(), watch.elapsedNs(), 0});
      log::event(log::kInfo, log::Category::kFiles, "functions",
                 {{"file", log::path(library->path)}, {"functions", taken}});
    }
  }
  if (any) assignOrigins(model);
  return {};
}

}  // namespace cutaway::load
