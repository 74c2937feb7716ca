#include "providers/onnxruntime/record/recorded_provider.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "engine/base/log.h"
#include "engine/provider/graph_interpreter.h"
#include "providers/onnxruntime/device.h"
#include "providers/onnxruntime/plugin/plugin_claims.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"
#include "providers/onnxruntime/record/record_file.h"

namespace cutaway {

namespace {

using namespace onnxruntime;

constexpr const char* kName = "recorded";
constexpr const char* kChoice = "provider";

std::string namesIn(const Record& record) {
  std::string names;
  for (const onnxruntime::RecordedProvider& provider : record.providers)
    names += (names.empty() ? "" : ", ") + provider.name;
  return names;
}

// Where a record came from, for messages.
std::string origin(const Record& record) {
  return fmt::format("made on {} by {} with ONNX Runtime {}", record.date.empty() ? "an unknown day" : record.date,
                     record.program.empty() ? "an unknown program" : record.program,
                     record.library.empty() ? "of an unknown version" : record.library);
}

class ReplayedProvider final : public ExecutionProvider {
 public:
  ReplayedProvider(std::shared_ptr<const Record> record, int32_t place, PluginLibrary plugin, PluginSettings settings)
      : m_record(std::move(record)),
        m_place(place),
        m_plugin(std::move(plugin)),
        m_settings(std::move(settings)),
        m_name(fmt::format("{}({})", kName, m_plugin.name)) {}

  const std::string& name() const override { return m_name; }
  // That of the provider of the record: copies come out the same.
  const Device& device() const override { return onnxruntimeDevice(); }
  Allocator& allocator() override { return heapAllocator(); }
  bool simulated() const override { return true; }
  void useFallbackKernels(const KernelRegistry* kernels) override { m_kernels = kernels; }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    const AnswerSource source = [this](const SessionRequest& order, const Stopped& stopped, std::vector<LogLine>* log) {
      return answerTo(order, stopped, log);
    };
    CUTAWAY_TRY(PluginClaims claims, claimsOf({source, source}, m_plugin, m_settings, request, m_bodies));
    if (claims.wasAsked) m_level = claims.level;
    m_shapes.merge(std::move(claims.shapes));
    m_changes.keep(request.graph, std::move(claims.changes));
    return std::move(claims.answer);
  }

  // What ONNX Runtime made of the graph for the provider is told as what a provider does to its own nodes.
  Result<std::vector<ProviderRewrite>> rewriteAssigned(Model& /*model*/, Graph& graph, int /*level*/) override {
    return m_changes.take(graph, name());
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    if (m_kernels == nullptr)
      return fail(ErrorCode::kEpFail, "{} is a record, and there are no CPU kernels to run its groups with", m_name);
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      if (progress.cancelled()) return fail(cancelledError());
      CUTAWAY_CHECK(checkCompiled(group));
      CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(group.graph, *m_kernels));
      compiled.push_back({.kernel = std::move(kernel), .inplace = {}});
    }
    return compiled;
  }

 private:
  Result<AskedFacts> answerTo(const SessionRequest& order, const Stopped& stopped, std::vector<LogLine>* log) const {
    if (stopped()) return fail(cancelledError());
    const ModelPrint print = printOf(order);
    const RecordedQuestion* const question = m_record->questionOf(m_place, print);
    if (question == nullptr) return fail(ErrorCode::kNotFound, "{}", whyNoAnswer(print));
    if (log != nullptr) *log = question->log;
    if (question->failure) return fail(Error{question->failure->code, question->failure->message, {}});
    return question->facts;
  }

  std::string whyNoAnswer(const ModelPrint& print) const {
    const auto isSameGraph = [&](const RecordedQuestion& question) {
      return question.provider == m_place && question.print.graph == print.graph;
    };
    if (std::ranges::any_of(m_record->questions, isSameGraph))
      return fmt::format(
          "its record ({}) is of a model with the same nodes and other weights (hash {:016x} here): use the very model "
          "that it was made of",
          origin(*m_record), print.weights);
    size_t nodes = 0;
    for (const RecordedQuestion& question : m_record->questions) {
      for (const CapabilityCall& call : question.facts.calls)
        nodes = std::max(nodes, question.provider == m_place ? call.nodes.size() : 0);
    }
    return fmt::format(
        "its record ({}) holds no answer about this graph, but about one of {} nodes: it was made of another model, or "
        "with another optimisation level, other dimensions or other providers before this one",
        origin(*m_record), nodes);
  }

  // As it was compiled there: at the level of the question, and with constants folded where that failed.
  Result<void> checkCompiled(const FusedSubGraph& group) const {
    const auto sessionAt = [&](OptimizationLevel level) -> Result<const RecordedSession*> {
      CUTAWAY_TRY(
          const SessionRequest request,
          groupRequest(m_plugin, m_settings,
                       {.graph = group.graph, .opsets = group.model.opsets, .level = level, .shapes = m_shapes}));
      return m_record->sessionOf(m_place, printOf(request));
    };
    CUTAWAY_TRY(const RecordedSession* session, sessionAt(m_level));
    if (session != nullptr && session->failure && m_level == OptimizationLevel::kNone) {
      CUTAWAY_TRY(const RecordedSession* const folded, sessionAt(OptimizationLevel::kBasic));
      if (folded != nullptr && !folded->failure) session = folded;
    }
    if (session == nullptr) {
      log::info(log::Category::kProviders, "provider {}: the record does not say whether group {} was compiled", m_name,
                group.fusedName);
      return {};
    }
    if (session->failure) return notCompiled(m_plugin, session->failure->message);
    return checkAssignment(m_plugin, group.graph, {session->assignment, session->log});
  }

  std::shared_ptr<const Record> m_record;
  int32_t m_place;
  PluginLibrary m_plugin;
  PluginSettings m_settings;
  std::string m_name;
  const KernelRegistry* m_kernels = nullptr;
  OptimizationLevel m_level = OptimizationLevel::kNone;
  BodyQuestion m_bodies;
  ChangeNotes m_changes;
  KnownShapes m_shapes;
};

// A record is read once for as long as it is the same file: what-if questions make the provider again and again.
Result<std::shared_ptr<const Record>> recordAt(const std::string& path) {
  static std::mutex mutex;
  static std::string lastPath;
  static std::filesystem::file_time_type lastTime;
  static std::shared_ptr<const Record> last;
  std::error_code unknown;
  const std::filesystem::file_time_type time = std::filesystem::last_write_time(path, unknown);
  const std::lock_guard lock(mutex);
  if (!unknown && last != nullptr && path == lastPath && time == lastTime) return last;
  CUTAWAY_TRY(Record record, readRecord(path));
  if (record.providers.empty())
    return fail(ErrorCode::kInvalidArgument, "'{}' is a record in which no provider was asked", path);
  last = std::make_shared<const Record>(std::move(record));
  lastPath = path;
  lastTime = time;
  return last;
}

Result<int32_t> chosenIn(const Record& record, const std::string& path, const ProviderOptions& options) {
  std::string wanted;
  for (const auto& [key, value] : options) {
    if (key != kChoice)
      return fail(ErrorCode::kInvalidArgument,
                  "provider {}({}) has no option '{}': the options of a recorded provider are those in its record; "
                  "'{}' chooses one of {}",
                  kName, path, key, kChoice, namesIn(record));
    wanted = value;
  }
  std::vector<int32_t> fitting;
  for (size_t i = 0; i < record.providers.size(); ++i) {
    if (wanted.empty() || record.providers[i].name == wanted) fitting.push_back(static_cast<int32_t>(i));
  }
  if (fitting.empty() || (wanted.empty() && fitting.size() > 1))
    return fail(ErrorCode::kInvalidArgument, "record '{}' holds {}: choose with {}({}){{{}=NAME}}", path,
                namesIn(record), kName, path, kChoice);
  // Of several targets of one provider, the last that was made.
  return fitting.back();
}

Result<std::unique_ptr<ExecutionProvider>> create(const ProviderRequest& request) {
  if (request.argument.empty())
    return fail(ErrorCode::kInvalidArgument,
                "{} needs a record, as in {}(phone.record); 'partition MODEL --providers ... --record FILE' makes one",
                kName, kName);
  CUTAWAY_TRY(const std::shared_ptr<const Record> record, recordAt(request.argument));
  CUTAWAY_TRY(const int32_t place, chosenIn(*record, request.argument, request.options));
  const onnxruntime::RecordedProvider& made = record->providers[static_cast<size_t>(place)];
  PluginLibrary plugin{.name = made.name,
                       .title = made.title,
                       .registration = made.registration,
                       .package = made.package,
                       .licence = {},
                       .version = made.version,
                       .source = request.argument,
                       .isSimulator = made.isSimulator};
  Result<PluginSettings> settings = readPluginSettings(plugin, {made.options.begin(), made.options.end()});
  if (!settings)
    return fail(ErrorCode::kInvalidArgument, "record '{}': {}", request.argument, settings.error().message);
  return std::make_unique<ReplayedProvider>(record, place, std::move(plugin), *std::move(settings));
}

std::vector<std::string>& addedRecords() {
  static std::vector<std::string> records;
  return records;
}

std::mutex addedMutex;

}  // namespace

ProviderEntry recordedProvider() {
  const std::lock_guard lock(addedMutex);
  return {.name = kName,
          .displayName = "Recorded provider",
          .description = "what a plug-in provider answered on another machine (--record), replayed: recorded(FILE)",
          .probe = [] { return ProviderStatus{.usable = true, .version = "record/1", .reason = {}}; },
          .create = create,
          .takesArgument = true,
          .arguments = addedRecords()};
}

Result<std::string> addRecord(const std::filesystem::path& path) {
  const std::string text = path.string();
  if (text.find_first_of("(){},") != std::string::npos)
    return fail(ErrorCode::kInvalidArgument,
                "the path of a record cannot hold brackets or commas, which divide lists of providers: '{}'", text);
  CUTAWAY_TRY(const std::shared_ptr<const Record> record, recordAt(text));
  const std::lock_guard lock(addedMutex);
  if (std::ranges::find(addedRecords(), text) == addedRecords().end()) addedRecords().push_back(text);
  return fmt::format("{}({})", kName, text);
}

}  // namespace cutaway
