#include "engine/stages/partition/stream_file.h"

#include <nlohmann/json.hpp>

#include "engine/base/exception_text.h"
#include "engine/base/json_fault.h"
#include "engine/base/read_text_file.h"
#include "engine/base/write_file.h"
#include "engine/stages/partition/device_words.h"
#include "engine/stages/partition/node_memory.h"

namespace cutaway::partition {

namespace {

using Json = nlohmann::json;

constexpr const char* kType = "DeviceBasedPartitioner";
constexpr std::string_view kNumbers[] = {"cpu", "gpu", "fpga", "npu"};

Error atPlace(const std::string& place, const std::string& message) {
  return {ErrorCode::kInvalidArgument, fmt::format("{}: {}", place, message), {}};
}

// "line 3, column 7" of a byte.
std::string placeOf(const std::string& text, size_t byte) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n' ? 1 : 0;
  }
  return fmt::format("line {}, column {}", line, column);
}

Result<Json> parse(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return fail(atPlace(placeOf(text, error.byte), "this is not JSON"));
  } catch (const Json::exception& error) {
    return fail(atPlace("the file", std::string(jsonFault(error))));
  } catch (const std::exception& error) {
    return fail(atPlace("the file", exceptionText(error)));
  }
}

Result<void> checkMembers(const Json& json) {
  if (!json.is_object()) return fail(atPlace("the file", "an object with type, streams and devices is expected"));
  for (const auto& [key, value] : json.items()) {
    if (key != "type" && key != "streams" && key != "devices")
      return fail(atPlace(key, "there is no such member; there are type, streams, devices"));
  }
  if (!json.contains("type") || json["type"] != kType)
    return fail(atPlace("type", fmt::format("must be \"{}\"", kType)));
  for (const char* list : {"streams", "devices"}) {
    if (!json.contains(list) || !json[list].is_array()) return fail(atPlace(list, "a list is expected"));
  }
  if (json["streams"].size() != json["devices"].size())
    return fail(atPlace("devices", fmt::format("{} devices for {} streams; each stream needs one",
                                               json["devices"].size(), json["streams"].size())));
  return {};
}

Result<int32_t> readDevice(const Json& device, const std::string& place,
                           std::span<const std::unique_ptr<ExecutionProvider>> providers) {
  if (!device.is_string()) return fail(atPlace(place, "a text is expected"));
  std::string word = device.get<std::string>();
  if (word.size() == 1 && word[0] >= '0' && word[0] <= '3') word = kNumbers[static_cast<size_t>(word[0] - '0')];
  const Result<int32_t> provider = providerForDevice(word, providers);
  if (!provider) return fail(atPlace(place, provider.error().message));
  if (*provider == kNone) return fail(atPlace(place, fmt::format("no provider of this session is a '{}'", word)));
  return *provider;
}

}  // namespace

Result<StreamFile> StreamFile::read(const std::string& file,
                                    std::span<const std::unique_ptr<ExecutionProvider>> providers, Reservations& kept) {
  StreamFile streams;
  streams.m_file = file;
  if (file.empty()) return streams;
  auto text = readTextFile(file, {.what = "the node partition file"});
  if (!text && text.error().code == ErrorCode::kNoSuchFile) {
    streams.m_missing = true;
    return streams;
  }
  if (!text) return fail(std::move(text).error());
  if (Result<void> read = streams.readText(*text, providers, kept); !read)
    return fail(atFile(std::move(read).error(), file));
  return streams;
}

Result<void> StreamFile::readText(const std::string& text,
                                  std::span<const std::unique_ptr<ExecutionProvider>> providers, Reservations& kept) {
  CUTAWAY_TRY(const Json json, parse(text));
  CUTAWAY_CHECK(checkMembers(json));
  const Json& streams = json["streams"];
  for (size_t i = 0; i < streams.size(); ++i) {
    CUTAWAY_TRY(const int32_t provider, readDevice(json["devices"][i], fmt::format("devices[{}]", i), providers));
    if (!streams[i].is_array()) return fail(atPlace(fmt::format("streams[{}]", i), "a list of node names is expected"));
    if (streams[i].empty()) continue;
    const int32_t rule =
        kept.addRule({.provider = provider, .text = fmt::format("stream {} of {}", i, m_file.filename().string())});
    for (size_t k = 0; k < streams[i].size(); ++k) {
      const Json& name = streams[i][k];
      const std::string place = fmt::format("streams[{}][{}]", i, k);
      if (!name.is_string()) return fail(atPlace(place, "the name of a node is expected"));
      if (!m_ruleOfNode.emplace(name.get<std::string>(), rule).second)
        return fail(atPlace(place, fmt::format("node '{}' is in two places", name.get<std::string>())));
    }
  }
  return {};
}

void StreamFile::bind(const Model& model, Reservations& kept) const {
  if (m_ruleOfNode.empty()) return;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (const auto found = m_ruleOfNode.find(statisticsName(graph, id)); found != m_ruleOfNode.end())
        kept.keep(graph, id, found->second);
    }
  });
}

Result<void> StreamFile::writeIfMissing(const Model& model, std::span<const std::string> providers) const {
  if (!m_missing) return {};
  Json streams = Json::array(), devices = Json::array();
  for (const std::string& provider : providers) {
    Json names = Json::array();
    forEachGraph(model.graph, [&](const Graph& graph) {
      for (const NodeId id : graph.nodeIds()) {
        if (graph.node(id).provider == provider) names.push_back(statisticsName(graph, id));
      }
    });
    if (names.empty()) continue;
    streams.push_back(std::move(names));
    devices.push_back(provider);
  }
  const Json whole{{"type", kType}, {"streams", std::move(streams)}, {"devices", std::move(devices)}};
  return writeFile(m_file, whole.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

}  // namespace cutaway::partition
