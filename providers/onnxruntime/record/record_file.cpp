#include "providers/onnxruntime/record/record_file.h"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include "engine/base/hash.h"
#include "engine/base/read_text_file.h"

namespace cutaway::onnxruntime {

namespace {

using Json = nlohmann::json;

constexpr int64_t kLargestFile = int64_t{256} * 1024 * 1024;
constexpr int kDeepest = 12;
constexpr int32_t kMostProviders = 64;
constexpr size_t kMostEvents = 100'000;
constexpr size_t kMostNodes = 1'000'000;  // in one list
constexpr int64_t kLargestDim = int64_t{1} << 48;
constexpr int kHexDigits = 16;

// Members of one line by name, and the first thing that is wrong with any of them.
class Reader {
 public:
  explicit Reader(size_t line) : m_line(line) {}

  bool good() const { return m_problem.empty(); }
  Error error() const {
    return {ErrorCode::kInvalidArgument, fmt::format("the record is damaged: line {}: {}", m_line, m_problem), {}};
  }
  void bad(std::string problem) {
    if (good()) m_problem = std::move(problem);
  }

  // nullptr: there is none.
  const Json* member(const Json& json, const char* name) {
    if (!json.is_object()) {
      bad(fmt::format("'{}' is looked for in what is no object", name));
      return nullptr;
    }
    const auto found = json.find(name);
    return found == json.end() ? nullptr : &*found;
  }
  std::string text(const Json& json, const char* name) {
    const Json* const value = member(json, name);
    if (value == nullptr) return {};
    if (!value->is_string()) {
      bad(fmt::format("'{}' is no text", name));
      return {};
    }
    return value->get<std::string>();
  }
  int64_t number(const Json& json, const char* name, int64_t least, int64_t most, int64_t otherwise) {
    const Json* const value = member(json, name);
    return value == nullptr ? otherwise : numberOf(*value, name, least, most);
  }
  int64_t numberOf(const Json& value, const char* name, int64_t least, int64_t most) {
    const bool isWhole = value.is_number_unsigned() ? value.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX)
                                                    : value.is_number_integer();
    const int64_t read = isWhole ? value.get<int64_t>() : 0;
    if (isWhole && read >= least && read <= most) return read;
    bad(fmt::format("'{}' is no whole number from {} to {}", name, least, most));
    return least;
  }
  bool flag(const Json& json, const char* name) {
    const Json* const value = member(json, name);
    if (value == nullptr) return false;
    if (!value->is_boolean()) bad(fmt::format("'{}' is neither true nor false", name));
    return value->is_boolean() && value->get<bool>();
  }
  uint64_t hash(const Json& json, const char* name) {
    const std::string digits = text(json, name);
    uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, value, 16);
    if (problem != std::errc() || stop != end || digits.size() != kHexDigits)
      bad(fmt::format("'{}' is not {} hexadecimal digits", name, kHexDigits));
    return value;
  }
  // Calls use(element) for each, until something is wrong.
  template <typename Use>
  void each(const Json& json, const char* name, Use use, size_t most = kMostNodes) {
    const Json* const list = member(json, name);
    if (list == nullptr) return;
    if (!list->is_array() || list->size() > most) return bad(fmt::format("'{}' is no list of at most {}", name, most));
    for (const Json& element : *list) {
      if (!good()) return;
      use(element);
    }
  }

 private:
  size_t m_line;
  std::string m_problem;
};

std::string hexOf(uint64_t value) {
  return fmt::format("{:016x}", value);
}

Json toJson(const TextPairs& pairs) {
  Json list = Json::array();
  for (const auto& [key, value] : pairs)
    list.push_back(Json::array({key, value}));
  return list;
}

TextPairs readPairs(Reader& reader, const Json& json, const char* name) {
  TextPairs pairs;
  reader.each(json, name, [&](const Json& pair) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
      return reader.bad(fmt::format("'{}' holds what is no pair of texts", name));
    pairs.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
  });
  return pairs;
}

Json toJson(const std::vector<AssignedNode>& nodes) {
  Json list = Json::array();
  for (const AssignedNode& node : nodes)
    list.push_back(Json::array({node.name, node.domain, node.opType}));
  return list;
}

std::vector<AssignedNode> readNodes(Reader& reader, const Json& json) {
  std::vector<AssignedNode> nodes;
  reader.each(json, "nodes", [&](const Json& node) {
    if (!node.is_array() || node.size() != 3 || !node[0].is_string() || !node[1].is_string() || !node[2].is_string())
      return reader.bad("a node is not [name, domain, operator]");
    nodes.push_back({node[0].get<std::string>(), node[1].get<std::string>(), node[2].get<std::string>()});
  });
  return nodes;
}

Json toJson(const std::vector<AssignedGroup>& assignment) {
  Json list = Json::array();
  for (const AssignedGroup& group : assignment)
    list.push_back({{"provider", group.provider}, {"nodes", toJson(group.nodes)}});
  return list;
}

std::vector<AssignedGroup> readAssignment(Reader& reader, const Json& json) {
  std::vector<AssignedGroup> assignment;
  reader.each(json, "assignment", [&](const Json& group) {
    assignment.push_back({reader.text(group, "provider"), readNodes(reader, group)});
  });
  return assignment;
}

Json toJson(const std::vector<LogLine>& log) {
  Json list = Json::array();
  for (const LogLine& line : log)
    list.push_back(Json::array({line.severity, line.location, line.message}));
  return list;
}

std::vector<LogLine> readLog(Reader& reader, const Json& json) {
  std::vector<LogLine> log;
  reader.each(json, "log", [&](const Json& line) {
    if (!line.is_array() || line.size() != 3 || !line[1].is_string() || !line[2].is_string())
      return reader.bad("a line of the log is not [severity, location, message]");
    log.push_back({static_cast<int32_t>(reader.numberOf(line[0], "severity", 0, 4)), line[1].get<std::string>(),
                   line[2].get<std::string>()});
  });
  return log;
}

std::vector<uint32_t> readPlaces(Reader& reader, const Json& list, const char* name, size_t nodes) {
  std::vector<uint32_t> places;
  if (!list.is_array() || list.size() > nodes) {
    reader.bad(fmt::format("'{}' is no list of at most as many places as the question has nodes ({})", name, nodes));
    return places;
  }
  for (const Json& place : list) {
    if (!reader.good()) break;
    places.push_back(static_cast<uint32_t>(reader.numberOf(place, name, 0, static_cast<int64_t>(nodes) - 1)));
  }
  return places;
}

Json toJson(const std::vector<NodePorts>& ports) {
  Json list = Json::array();
  for (const NodePorts& each : ports)
    list.push_back(Json::array({each.inputs, each.outputs}));
  return list;
}

std::vector<std::string> readNames(Reader& reader, const Json& list) {
  std::vector<std::string> names;
  for (const Json& name : list) {
    if (!name.is_string()) reader.bad("'ports' holds what is no name of a value");
    if (!reader.good()) break;
    names.push_back(name.get<std::string>());
  }
  return names;
}

// Of each of the question's nodes, or none: records made before there were any have none.
std::vector<NodePorts> readPorts(Reader& reader, const Json& json, size_t nodes) {
  std::vector<NodePorts> ports;
  reader.each(json, "ports", [&](const Json& each) {
    if (!each.is_array() || each.size() != 2 || !each[0].is_array() || !each[1].is_array())
      return reader.bad("'ports' are not [[inputs], [outputs]]");
    ports.push_back({readNames(reader, each[0]), readNames(reader, each[1])});
  });
  if (!ports.empty() && ports.size() != nodes)
    reader.bad(fmt::format("'ports' tells of {} nodes, and the question has {}", ports.size(), nodes));
  return ports;
}

Json toJson(const CapabilityCall& call) {
  Json shapes = Json::array();
  for (const KnownShape& shape : call.shapes)
    shapes.push_back(Json::array({shape.value, shape.dims}));
  Json json = {{"provider", call.provider}, {"nodes", toJson(call.nodes)},          {"groups", call.groups},
               {"singles", call.singles},   {"without_kernel", call.withoutKernel}, {"shapes", std::move(shapes)},
               {"took_ns", call.tookNs}};
  if (call.nested) json["nested"] = true;
  if (!call.ports.empty()) json["ports"] = toJson(call.ports);
  if (!call.error.empty()) json["error"] = call.error;
  return json;
}

CapabilityCall readCall(Reader& reader, const Json& json) {
  CapabilityCall call;
  call.provider = reader.text(json, "provider");
  call.nested = reader.flag(json, "nested");
  call.nodes = readNodes(reader, json);
  call.ports = readPorts(reader, json, call.nodes.size());
  reader.each(json, "groups", [&](const Json& group) {
    call.groups.push_back(readPlaces(reader, group, "groups", call.nodes.size()));
  });
  if (const Json* const list = reader.member(json, "singles"))
    call.singles = readPlaces(reader, *list, "singles", call.nodes.size());
  if (const Json* const list = reader.member(json, "without_kernel"))
    call.withoutKernel = readPlaces(reader, *list, "without_kernel", call.nodes.size());
  reader.each(json, "shapes", [&](const Json& shape) {
    if (!shape.is_array() || shape.size() != 2 || !shape[0].is_string() || !shape[1].is_array())
      return reader.bad("a shape is not [value, [sizes]]");
    KnownShape known{shape[0].get<std::string>(), {}};
    for (const Json& dim : shape[1])
      known.dims.push_back(reader.numberOf(dim, "shapes", 0, kLargestDim));
    call.shapes.push_back(std::move(known));
  });
  call.tookNs = reader.number(json, "took_ns", 0, INT64_MAX, 0);
  call.error = reader.text(json, "error");
  return call;
}

Json toJson(const AskedFacts& facts) {
  Json calls = Json::array();
  for (const CapabilityCall& call : facts.calls)
    calls.push_back(toJson(call));
  return {{"code", facts.code},
          {"message", facts.message},
          {"compiles", facts.compiles},
          {"calls", std::move(calls)},
          {"assignment", toJson(facts.assignment)},
          {"took_ns", facts.tookNs}};
}

AskedFacts readFacts(Reader& reader, const Json& json) {
  AskedFacts facts;
  facts.code = static_cast<int32_t>(reader.number(json, "code", 0, static_cast<int64_t>(ErrorCode::kDeviceReset), 0));
  facts.message = reader.text(json, "message");
  facts.compiles = reader.flag(json, "compiles");
  reader.each(json, "calls", [&](const Json& call) { facts.calls.push_back(readCall(reader, call)); });
  facts.assignment = readAssignment(reader, json);
  facts.tookNs = reader.number(json, "took_ns", 0, INT64_MAX, 0);
  return facts;
}

void putPrint(const ModelPrint& print, int32_t provider, const std::optional<RecordedFailure>& failure, Json& json) {
  json["provider"] = provider;
  json["graph_hash"] = hexOf(print.graph);
  json["weights_hash"] = hexOf(print.weights);
  json["level"] = static_cast<int32_t>(print.level);
  if (failure) json["failure"] = {{"code", static_cast<int32_t>(failure->code)}, {"message", failure->message}};
}

template <typename Event>
void readPrint(Reader& reader, const Json& json, size_t providers, int32_t least, Event& event) {
  event.provider =
      static_cast<int32_t>(reader.number(json, "provider", least, static_cast<int64_t>(providers) - 1, least));
  if (event.provider >= static_cast<int32_t>(providers)) reader.bad("'provider' stands before its line");
  event.print.graph = reader.hash(json, "graph_hash");
  event.print.weights = reader.hash(json, "weights_hash");
  event.print.level =
      static_cast<OptimizationLevel>(reader.number(json, "level", 0, static_cast<int64_t>(OptimizationLevel::kAll), 0));
  if (const Json* const failure = reader.member(json, "failure")) {
    const int64_t code = reader.number(*failure, "code", 1, static_cast<int64_t>(ErrorCode::kDeviceReset), 1);
    event.failure = RecordedFailure{static_cast<ErrorCode>(code), reader.text(*failure, "message")};
  }
  event.log = readLog(reader, json);
  event.tookNs = reader.number(json, "took_ns", 0, INT64_MAX, 0);
}

Json toJson(const RecordedProvider& provider) {
  return {{"name", provider.name},
          {"title", provider.title},
          {"registration", provider.registration},
          {"package", provider.package},
          {"version", provider.version},
          {"simulator", provider.isSimulator},
          {"options", toJson(provider.options)}};
}

RecordedProvider readProvider(Reader& reader, const Json& json) {
  RecordedProvider provider{.name = reader.text(json, "name"),
                            .title = reader.text(json, "title"),
                            .registration = reader.text(json, "registration"),
                            .package = reader.text(json, "package"),
                            .version = reader.text(json, "version"),
                            .isSimulator = reader.flag(json, "simulator"),
                            .options = readPairs(reader, json, "options")};
  if (provider.name.empty() || provider.title.empty()) reader.bad("a provider lacks its name or its title");
  return provider;
}

Json toJson(const RecordedQuestion& question) {
  Json json = {{"log", toJson(question.log)}, {"took_ns", question.tookNs}};
  putPrint(question.print, question.provider, question.failure, json);
  if (!question.failure) json["answer"] = toJson(question.facts);
  return json;
}

Json toJson(const RecordedSession& session) {
  Json json = {{"log", toJson(session.log)},
               {"took_ns", session.tookNs},
               {"assignment", toJson(session.assignment)},
               {"runs", session.runs},
               {"run_ns", session.runNs}};
  putPrint(session.print, session.provider, session.failure, json);
  return json;
}

class RecordReader {
 public:
  Result<Record> read(std::string_view text) {
    size_t number = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      CUTAWAY_CHECK(readLine(line, number));
    }
    if (!m_hasHead) return fail(ErrorCode::kInvalidArgument, "the file is empty, and no record of providers");
    return std::move(m_record);
  }

 private:
  Result<void> readLine(std::string_view line, size_t number) {
    Reader reader(number);
    bool isTooDeep = false;
    const Json json = Json::parse(
        line.begin(), line.end(),
        [&](int depth, Json::parse_event_t /*event*/, const Json& /*parsed*/) {
          isTooDeep = isTooDeep || depth > kDeepest;
          return !isTooDeep;
        },
        false);
    if (isTooDeep) {
      reader.bad(fmt::format("it is nested more than {} deep", kDeepest));
    } else if (json.is_discarded() || !json.is_object()) {
      reader.bad("it is no JSON object (each line of a record is one); the file may be cut short");
    } else {
      readObject(reader, json);
    }
    if (!reader.good()) return fail(reader.error());
    return {};
  }

  void readObject(Reader& reader, const Json& json) {
    if (!m_hasHead) return readHead(reader, json);
    if (const Json* const provider = reader.member(json, "provider")) {
      if (m_record.providers.size() >= kMostProviders)
        return reader.bad(fmt::format("there are more than {} providers", kMostProviders));
      m_record.providers.push_back(readProvider(reader, *provider));
    } else if (const Json* const question = reader.member(json, "question")) {
      if (m_record.questions.size() >= kMostEvents)
        return reader.bad(fmt::format("there are more than {} questions", kMostEvents));
      RecordedQuestion read;
      readPrint(reader, *question, m_record.providers.size(), 0, read);
      if (const Json* const answer = reader.member(*question, "answer")) {
        read.facts = readFacts(reader, *answer);
      } else if (!read.failure) {
        reader.bad("a question has neither an answer nor a failure");
      }
      m_record.questions.push_back(std::move(read));
    } else if (const Json* const session = reader.member(json, "session")) {
      if (m_record.sessions.size() >= kMostEvents)
        return reader.bad(fmt::format("there are more than {} sessions", kMostEvents));
      RecordedSession read;
      readPrint(reader, *session, m_record.providers.size(), -1, read);
      read.assignment = readAssignment(reader, *session);
      read.runs = reader.number(*session, "runs", 0, INT64_MAX, 0);
      reader.each(*session, "run_ns",
                  [&](const Json& time) { read.runNs.push_back(reader.numberOf(time, "run_ns", 0, INT64_MAX)); });
      m_record.sessions.push_back(std::move(read));
    }
    // Lines of other kinds are for later versions of this format.
  }

  void readHead(Reader& reader, const Json& json) {
    const std::string schema = reader.text(json, "schema");
    if (schema != kRecordSchema)
      return reader.bad(fmt::format("its 'schema' is '{}', and this program reads '{}'", schema.substr(0, kLongestWord),
                                    kRecordSchema));
    m_record.program = reader.text(json, "program");
    m_record.date = reader.text(json, "date");
    m_record.library = reader.text(json, "onnxruntime");
    m_hasHead = true;
  }

  static constexpr size_t kLongestWord = 60;
  Record m_record;
  bool m_hasHead = false;
};

std::string lineOf(const char* kind, Json json) {
  const Json line = {{kind, std::move(json)}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

template <typename Events>
auto lastOf(const Events& events, int32_t provider, const ModelPrint& print) {
  const auto found = std::find_if(events.rbegin(), events.rend(), [&](const auto& event) {
    return event.provider == provider && event.print == print;
  });
  return found == events.rend() ? nullptr : &*found;
}

}  // namespace

ModelPrint printOf(const SessionRequest& request) {
  ModelPrint print{.graph = 0, .weights = 0, .level = request.settings.level};
  if (request.model != nullptr) {
    const std::span<const std::byte> all = request.model->bytes();
    print.graph = hash64(request.modelBytes == 0 ? all : all.first(std::min<size_t>(request.modelBytes, all.size())));
  } else {
    print.graph = hash64(request.path.string());
  }
  for (const SharedWeights& weights : request.weights)
    print.weights = hash64(weights.memory->bytes(), print.weights);
  return print;
}

const RecordedQuestion* Record::questionOf(int32_t provider, const ModelPrint& print) const {
  return lastOf(questions, provider, print);
}

const RecordedSession* Record::sessionOf(int32_t provider, const ModelPrint& print) const {
  return lastOf(sessions, provider, print);
}

Result<Record> readRecord(const std::filesystem::path& path) {
  CUTAWAY_TRY(const std::string text, readTextFile(path, {.what = "the record", .largestBytes = kLargestFile}));
  Result<Record> record = parseRecord(text);
  if (!record) return fail(record.error().code, "'{}': {}", path.string(), record.error().message);
  return record;
}

Result<Record> parseRecord(std::string_view text) {
  return RecordReader().read(text);
}

std::string recordText(const Record& record) {
  const Json head = {
      {"schema", kRecordSchema}, {"program", record.program}, {"date", record.date}, {"onnxruntime", record.library}};
  std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  for (const RecordedProvider& provider : record.providers)
    text += lineOf("provider", toJson(provider));
  for (const RecordedQuestion& question : record.questions)
    text += lineOf("question", toJson(question));
  for (const RecordedSession& session : record.sessions)
    text += lineOf("session", toJson(session));
  return text;
}

}  // namespace cutaway::onnxruntime
