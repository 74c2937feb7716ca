// The profile around its operators: head, sources, device, groups, and what only the whole list of operators can tell.
#include "providers/declared/profile_reader.h"

#include <algorithm>
#include <map>

#include "engine/schema/schema.h"

namespace cutaway::declared {

namespace {

using Kind = JsonValue::Kind;
using Need = ObjectReader::Need;

bool isProfileName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '-' || letter == '_' || letter == '.';
  });
}

std::string operatorLabel(const std::string& domain, const std::string& op) {
  return domain.empty() ? op : domain + ":" + op;
}

std::string versionsText(const std::vector<Span>& versions) {
  if (versions.empty()) return "all versions";
  std::vector<std::string> texts;
  for (const Span& span : versions)
    texts.push_back(toText(span));
  return fmt::format("versions {}", fmt::join(texts, " and "));
}

bool overlap(const std::vector<Span>& a, const std::vector<Span>& b) {
  if (a.empty() || b.empty()) return true;
  return std::any_of(a.begin(), a.end(), [&](const Span& left) {
    return std::any_of(b.begin(), b.end(), [&](const Span& right) {
      return left.minimum <= right.maximum && right.minimum <= left.maximum;
    });
  });
}

class ProfileReader {
 public:
  ProfileReading read(const JsonValue& root) {
    ObjectReader reader(root, "", errors());
    if (!root.is(Kind::kObject)) return std::move(m_reading);
    readHead(reader);
    readSources(reader);
    readDevice(reader);
    readGroups(reader);
    readDefaults(reader);
    readOperators(reader);
    readRefusals(reader);
    reader.finish();
    return std::move(m_reading);
  }

 private:
  ProfileErrors& errors() { return m_reading.errors; }
  Profile& profile() { return m_reading.profile; }
  OperatorReading context() { return {m_sourceIds, errors()}; }

  void readHead(ObjectReader& reader) {
    const std::string schema = reader.text("schema", Need::kRequired);
    if (!schema.empty() && schema != kProfileSchema)
      reader.wrong("schema", fmt::format("\"{}\" is not read here; \"{}\" is", schema, kProfileSchema));
    profile().name = reader.text("name", Need::kRequired);
    if (!profile().name.empty() && !isProfileName(profile().name))
      reader.wrong("name",
                   fmt::format("\"{}\" is no name; letters, digits, '-', '_' and '.' are allowed", profile().name));
    profile().title = reader.text("title", Need::kRequired);
    profile().hardware = reader.text("hardware");
    profile().version = reader.text("version", Need::kRequired);
    profile().date = reader.date("date", Need::kRequired);
  }

  void readSources(ObjectReader& reader) {
    const JsonValue* sources = reader.member("sources", Kind::kObject, Need::kRequired);
    if (sources == nullptr) return;
    if (sources->members.empty()) reader.wrong("sources", "is empty; every fact needs a source");
    for (const auto& [id, value] : sources->members) {
      ObjectReader source(value, reader.pathOf("sources." + id), errors());
      m_sourceIds.push_back(id);
      profile().sources.push_back({.title = source.text("title", Need::kRequired),
                                   .url = source.text("url"),
                                   .date = source.date("date", Need::kRequired),
                                   .note = source.text("note")});
      source.finish();
    }
  }

  void readDevice(ObjectReader& reader) {
    const JsonValue* value = reader.member("device", Kind::kObject);
    if (value == nullptr) return;
    ObjectReader device(*value, "device", errors());
    DeviceFacts& facts = profile().device;
    facts.type = device.oneOf("type", {"gpu", "npu", "cpu", "fpga"}, "npu");
    facts.memoryBytes = device.whole("memory_bytes", {.minimum = 0}).value_or(0);
    facts.memoryBytesPerSecond = device.amount("memory_bytes_per_second");
    facts.linkBytesPerSecond = device.amount("link_bytes_per_second");
    facts.transferUs = device.amount("transfer_us");
    facts.launchUs = device.amount("launch_us");
    facts.source = readSource(device, context());
    if (const JsonValue* flops = device.member("flops_per_second", Kind::kObject)) readFlops(device, *flops);
    device.finish();
  }

  void readFlops(ObjectReader& device, const JsonValue& flops) {
    ObjectReader reader(flops, device.pathOf("flops_per_second"), errors());
    for (const auto& [name, value] : flops.members) {
      const double amount = reader.amount(name);
      if (const std::optional<ElementType> type = profileTypeFromName(name)) {
        profile().device.flopsPerSecond[std::string(profileTypeName(*type))] = amount;
      } else {
        reader.wrong(name, "is no element type; float32, float16, int8 and so on are");
      }
    }
  }

  void readGroups(ObjectReader& reader) {
    const JsonValue* value = reader.member("groups", Kind::kObject);
    if (value == nullptr) return;
    ObjectReader groups(*value, "groups", errors());
    GroupRules& rules = profile().groups;
    rules.compiled = groups.flag("compiled", true);
    rules.minimumNodes = groups.whole("minimum_nodes", {.minimum = 1}).value_or(1);
    rules.maximumGroups = groups.whole("maximum_groups", {.minimum = 0}).value_or(0);
    rules.quantizedUnits = groups.flag("quantized_units", true);
    for (std::string& op : groups.texts("stop_operators")) {
      if (!rules.stopOperators.insert(op).second)
        groups.wrong("stop_operators", fmt::format("{} stands here twice", op));
    }
    rules.wholeModelOnly = groups.flag("whole_model_only", false);
    rules.constantsOnlyInputs = groups.flag("constants_only_inputs", false);
    rules.source = readSource(groups, context());
    groups.finish();
    if (rules.compiled) return;
    const auto needsGroups = [&](bool used, std::string_view name) {
      if (used) groups.wrong(name, "asks something of compiled groups, and groups.compiled is false");
    };
    needsGroups(rules.minimumNodes > 1, "minimum_nodes");
    needsGroups(rules.maximumGroups > 0, "maximum_groups");
    needsGroups(rules.constantsOnlyInputs, "constants_only_inputs");
  }

  void readDefaults(ObjectReader& reader) {
    profile().layout = reader.oneOf("preferred_layout", {"nchw", "nhwc"}, "nchw") == "nhwc" ? LayoutPreference::kNhwc
                                                                                            : LayoutPreference::kNchw;
    if (const JsonValue* types = reader.member("types", Kind::kArray))
      profile().types = readTypes(*types, "types", errors());
    profile().maximumRank = reader.whole("maximum_rank", {.minimum = 1, .maximum = 1024}).value_or(0);
    profile().staticShapes = reader.flag("static_shapes", false);
    profile().bodies = reader.flag("bodies", false);
    profile().mainGraphOnly = reader.flag("main_graph_only", false);
    if (profile().bodies && profile().mainGraphOnly)
      reader.wrong("main_graph_only", "leaves out the nodes of bodies, which bodies takes");
  }

  void readOperators(ObjectReader& reader) {
    const JsonValue* list = reader.member("operators", Kind::kArray, Need::kRequired);
    if (list == nullptr) return;
    for (size_t i = 0; i < list->items.size(); ++i) {
      const std::string path = fmt::format("operators[{}]", i);
      OperatorRule rule = readOperator(list->items[i], path, context());
      checkName(rule.op, rule.domain, path, list->items[i]);
      std::vector<size_t>& same = m_byLabel[operatorLabel(rule.domain, rule.op)];
      for (const size_t other : same) {
        if (!rule.op.empty() && overlap(profile().operators[other].versions, rule.versions)) {
          reader.wrongAt(path, list->items[i],
                         fmt::format("{} stands in operators[{}] too, and {} there overlap {} here",
                                     operatorLabel(rule.domain, rule.op), other,
                                     versionsText(profile().operators[other].versions), versionsText(rule.versions)));
        }
      }
      same.push_back(i);
      profile().operators.push_back(std::move(rule));
    }
  }

  void readRefusals(ObjectReader& reader) {
    const JsonValue* list = reader.member("refused", Kind::kArray);
    if (list == nullptr) return;
    std::map<std::string, size_t> seen;
    for (size_t i = 0; i < list->items.size(); ++i) {
      const std::string path = fmt::format("refused[{}]", i);
      RefusedOperator refused = readRefused(list->items[i], path, context());
      checkName(refused.op, refused.domain, path, list->items[i]);
      const std::string label = operatorLabel(refused.domain, refused.op);
      if (const auto listed = m_byLabel.find(label); listed != m_byLabel.end()) {
        reader.wrongAt(path, list->items[i],
                       fmt::format("{} is listed in operators[{}] as supported; it can be one of the two", label,
                                   listed->second.front()));
      }
      if (const auto [other, isNew] = seen.emplace(label, i); !isNew)
        reader.wrongAt(path, list->items[i], fmt::format("{} stands in refused[{}] too", label, other->second));
      profile().refused.push_back(std::move(refused));
    }
  }

  // A misspelt operator would be a rule that never applies. Other domains may have operators that this build has never
  // heard of.
  void checkName(const std::string& op, const std::string& domain, const std::string& path, const JsonValue& value) {
    if (op.empty() || !domain.empty() || findSchema(op, "", newestOpset("")) != nullptr) return;
    for (int64_t opset = newestOpset("") - 1; opset > 0; --opset) {
      if (findSchema(op, "", opset) != nullptr) return;
    }
    errors().add(path + ".op", value.line, fmt::format("ai.onnx has no operator {} in any version", op));
  }

  ProfileReading m_reading;
  std::vector<std::string> m_sourceIds;
  std::map<std::string, std::vector<size_t>> m_byLabel;  // indexes of operators
};

}  // namespace

int readSource(ObjectReader& reader, const OperatorReading& context) {
  const JsonValue* given = reader.member("source", Kind::kString);
  if (given != nullptr && given->string.empty()) return -1;  // options change rules without a source
  const std::string id = given == nullptr ? std::string() : given->string;
  if (id.empty()) return context.sourceIds.empty() ? -1 : 0;
  const auto found = std::find(context.sourceIds.begin(), context.sourceIds.end(), id);
  if (found != context.sourceIds.end()) return static_cast<int>(found - context.sourceIds.begin());
  reader.wrong("source",
               fmt::format("\"{}\" is not among the sources; those are {}", id,
                           context.sourceIds.empty() ? "none" : fmt::format("{}", fmt::join(context.sourceIds, ", "))));
  return -1;
}

ProfileReading readProfile(const JsonValue& root) {
  return ProfileReader().read(root);
}

}  // namespace cutaway::declared
