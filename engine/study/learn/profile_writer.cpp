#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "engine/study/learn/findings.h"

namespace cutaway::study {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLongestReason = 200;

constexpr auto kTypes = std::to_array<ElementType>(
    {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16, ElementType::kDouble, ElementType::kInt8,
     ElementType::kUint8, ElementType::kInt16, ElementType::kUint16, ElementType::kInt32, ElementType::kUint32,
     ElementType::kInt64, ElementType::kUint64, ElementType::kBool});

// Profiles say float32 and float64.
std::string typeWord(ElementType type) {
  if (type == ElementType::kFloat) return "float32";
  if (type == ElementType::kDouble) return "float64";
  return std::string(elementTypeName(type));
}

class ProfileWriter {
 public:
  ProfileWriter(const Findings& found, const LearnOptions& options) : m_found(found), m_options(options) {}

  LearnedProfile write() const {
    LearnedProfile learned{.text = {},
                           .probes = m_found.counts.asked,
                           .taken = m_found.counts.taken,
                           .questions = m_found.counts.questions,
                           .isComplete = m_found.isComplete};
    Json operators = Json::array();
    Json refused = Json::array();
    std::set<std::string> taken;
    for (const Plan& plan : m_found.plans) {
      if (!plan.isTaken) continue;
      Json json = operatorOf(plan);
      if (json.is_null()) continue;
      operators.push_back(std::move(json));
      taken.insert(plan.domain + plan.op);
    }
    std::set<std::string> named;
    for (const Plan& plan : m_found.plans) {
      if (taken.contains(plan.domain + plan.op) || !named.insert(plan.domain + plan.op).second) continue;
      if (plan.reason.empty()) {
        ++learned.unknown;
        continue;
      }
      Json json = {{"op", plan.op}};
      if (!plan.domain.empty()) json["domain"] = plan.domain;
      json["reason"] = plan.reason.substr(0, kLongestReason);
      refused.push_back(std::move(json));
    }
    learned.operators = taken.size();
    learned.refused = refused.size();
    learned.unknown += m_found.unknown.size();
    addUnits(operators);
    const std::string how = fmt::format(
        "Its answers about {} models of a single operator, of which it takes {}; nothing was compiled. Operator sets "
        "{} "
        "to {}; operators of older sets are taken as they are in {}.{}",
        learned.probes, learned.taken, kOldestOpset, kNewestOpset, kOldestOpset,
        learned.isComplete ? "" : " There was not the time to ask about all of them.");
    const Json profile = {{"schema", "cutaway.profile/1"},
                          {"name", m_options.name},
                          {"title", m_options.title.empty() ? m_options.name : m_options.title},
                          {"hardware", m_options.title.empty() ? m_options.name : m_options.title},
                          {"version", m_options.version.empty() ? "not known" : m_options.version},
                          {"date", m_options.date},
                          {"sources",
                           {{"asked",
                             {{"title", fmt::format("{}, asked by cutaway", m_options.asked)},
                              {"url", "https://onnxruntime.ai/docs/execution-providers/"},
                              {"date", m_options.date},
                              {"note", how}}}}},
                          {"device", {{"type", "npu"}, {"source", "asked"}}},
                          {"preferred_layout", "nchw"},
                          {"groups",
                           {{"compiled", true},
                            {"minimum_nodes", 1},
                            {"quantized_units", !m_found.unitTypes.empty()},
                            {"stop_operators", Json::array()},
                            {"source", "asked"}}},
                          {"static_shapes", m_found.needsStaticShapes},
                          {"bodies", false},
                          {"main_graph_only", true},
                          {"operators", operators},
                          {"refused", refused}};
    learned.text = profile.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    return learned;
  }

 private:
  static Json words(const std::set<ElementType>& types) {
    Json list = Json::array();
    for (const ElementType type : kTypes) {
      if (types.contains(type)) list.push_back(typeWord(type));
    }
    return list;
  }

  Json typesOf(const Plan& plan) const {
    std::map<std::string, std::set<ElementType>> bySlot;
    const bool isVariadic = plan.schema->maxInputs == INT32_MAX;
    for (const size_t place : plan.probes) {
      const Probe& probe = m_found.probes[place];
      if (probe.outcome != ProbeOutcome::kTaken) continue;
      for (size_t i = 0; i < probe.inputs.size(); ++i) {
        if (!probe.inputs[i].isAbsent) bySlot[isVariadic ? "*" : fmt::format("{}", i)].insert(probe.inputs[i].type);
      }
      for (size_t i = 0; i < probe.outputTypes.size(); ++i)
        bySlot[plan.schema->maxOutputs == INT32_MAX ? "out*" : fmt::format("out{}", i)].insert(probe.outputTypes[i]);
    }
    Json json = Json::object();
    for (const auto& [slot, types] : bySlot)
      json[slot] = words(types);
    return json;
  }

  // Of the first input; null: all ranks that were asked about are taken.
  Json ranksOf(const Plan& plan) const {
    std::set<size_t> taken;
    bool isRefused = false;
    for (const size_t place : plan.probes) {
      if (m_found.asked[place].question != ProbeKind::kForm) continue;
      const size_t rank = m_found.probes[place].inputs.front().dims.size();
      if (m_found.probes[place].outcome == ProbeOutcome::kTaken) taken.insert(rank);
      if (m_found.probes[place].outcome == ProbeOutcome::kRefused) isRefused = true;
    }
    if (!isRefused || taken.empty()) return {};
    return {{"0", Json::array({*taken.begin(), *taken.rbegin()})}};
  }

  // Of operators with any number of inputs: the fewest that are taken, where fewer are refused; else 0.
  size_t leastInputs(const Plan& plan) const {
    if (plan.schema->maxInputs != INT32_MAX) return 0;
    size_t taken = SIZE_MAX;
    size_t refused = SIZE_MAX;
    for (const size_t place : plan.probes) {
      if (m_found.asked[place].question != ProbeKind::kForm) continue;
      size_t& least = m_found.probes[place].outcome == ProbeOutcome::kTaken ? taken : refused;
      if (m_found.probes[place].outcome != ProbeOutcome::kInvalid)
        least = std::min(least, m_found.probes[place].inputs.size());
    }
    return taken != SIZE_MAX && refused < taken ? taken : 0;
  }

  static Json scalarOf(const AttributeValue& value) {
    if (const auto* const number = std::get_if<int64_t>(&value)) return *number;
    if (const auto* const real = std::get_if<float>(&value)) return *real;
    if (const auto* const text = std::get_if<std::string>(&value)) return *text;
    if (const auto* const list = std::get_if<std::vector<int64_t>>(&value))
      return list->empty() ? Json() : Json(list->front());
    return {};
  }

  // What an attribute is when nobody sets it. Sizes and steps of windows have no default in the schema: 1, and 0 for
  // pads.
  static Json usualValue(const Plan& plan, const std::string& name) {
    for (const Attribute& attribute : plan.forms[plan.form].attributes) {
      if (attribute.name == name) return scalarOf(attribute.value);
    }
    for (const SchemaAttribute& attribute : plan.schema->attributes) {
      if (attribute.name == name && attribute.defaultValue) return scalarOf(attribute.defaultValue->value);
    }
    if (name == "pads") return 0;
    if (name == "dilations" || name == "strides") return 1;
    return {};
  }

  Json attributesOf(const Plan& plan) const {
    Json rules = Json::object();
    for (size_t i = 0; i < plan.variations.size(); ++i) {
      Json allowed = Json::array();
      const Json usual = usualValue(plan, plan.variations[i].name);
      if (!usual.is_null()) allowed.push_back(usual);
      bool isRefused = false;
      for (const size_t place : plan.probes) {
        const Asked& asked = m_found.asked[place];
        if (asked.question != ProbeKind::kAttribute || asked.detail != i) continue;
        const Probe& probe = m_found.probes[place];
        if (probe.outcome == ProbeOutcome::kRefused) isRefused = true;
        if (probe.outcome == ProbeOutcome::kTaken)
          allowed.push_back(scalarOf(plan.variations[i].values[asked.value].value));
      }
      if (!isRefused || allowed.empty()) continue;
      if (allowed.size() == 1) {
        rules[plan.variations[i].name] = {{"equals", allowed.front()}};
      } else {
        rules[plan.variations[i].name] = {{"one_of", allowed}};
      }
    }
    return rules;
  }

  // Spans of operator sets; each version holds until the next one begins.
  Json versionsOf(const Plan& plan) const {
    Json spans = Json::array();
    const auto open = [&](int64_t to) { return to >= kNewestOpset ? Json() : Json(to); };
    const int64_t last = plan.to == 0 ? kNewestOpset : plan.to;
    if (!plan.domain.empty()) return Json::array({1, Json()});
    std::map<int64_t, bool> taken;
    for (const size_t place : plan.probes) {
      if (m_found.asked[place].question == ProbeKind::kVersion &&
          m_found.probes[place].outcome != ProbeOutcome::kInvalid)
        taken[static_cast<int64_t>(m_found.asked[place].detail)] =
            m_found.probes[place].outcome == ProbeOutcome::kTaken;
    }
    if (taken.empty()) taken[plan.opset] = true;
    if (!taken.contains(plan.opset)) {
      const auto after = taken.upper_bound(plan.opset);
      if (after == taken.begin()) taken[std::max(plan.from, kOldestOpset)] = true;
    }
    for (auto version = taken.begin(); version != taken.end(); ++version) {
      if (!version->second) continue;
      // Before its first version there is nothing to refuse.
      const int64_t from = version == taken.begin() ? plan.from : version->first;
      auto next = std::next(version);
      while (next != taken.end() && next->second) {
        version = next;
        ++next;
      }
      const int64_t to = next == taken.end() ? last : next->first - 1;
      spans.push_back(Json::array({from, open(to)}));
    }
    return spans.size() == 1 ? spans.front() : spans;
  }

  Json operatorOf(const Plan& plan) const {
    Json json = {{"op", plan.op}};
    if (!plan.domain.empty()) json["domain"] = plan.domain;
    const Json versions = versionsOf(plan);
    if (versions.empty()) return {};
    json["versions"] = versions;
    json["types"] = typesOf(plan);
    if (const Json ranks = ranksOf(plan); !ranks.is_null()) json["ranks"] = ranks;
    if (const Json attributes = attributesOf(plan); !attributes.empty()) json["attributes"] = attributes;
    Json constants = Json::array();
    for (const size_t place : plan.probes) {
      if (m_found.asked[place].question == ProbeKind::kDynamic &&
          m_found.probes[place].outcome == ProbeOutcome::kRefused)
        constants.push_back(m_found.asked[place].detail);
      if (m_found.asked[place].question == ProbeKind::kOutputs &&
          m_found.probes[place].outcome == ProbeOutcome::kRefused)
        json["outputs"] = {{"maximum", m_found.asked[place].detail}};
    }
    if (!constants.empty()) json["constant_inputs"] = constants;
    if (const size_t least = leastInputs(plan); least > 1) json["inputs"] = {{"minimum", least}};
    return json;
  }

  void addUnits(Json& operators) const {
    if (m_found.unitTypes.empty()) return;
    const Json types = words(std::set<ElementType>(m_found.unitTypes.begin(), m_found.unitTypes.end()));
    operators.push_back(
        {{"op", "QuantizeLinear"},
         {"versions", Json::array({10, nullptr})},
         {"types", {{"*", types}, {"0", {"float32", "float16"}}, {"1", {"float32", "float16"}}, {"out0", types}}},
         {"constant_inputs", {1, 2}}});
    Json read = types;
    read.push_back("int32");  // biases
    operators.push_back({{"op", "DequantizeLinear"},
                         {"versions", Json::array({10, nullptr})},
                         {"types", {{"*", read}, {"1", {"float32", "float16"}}}},
                         {"constant_inputs", {1, 2}}});
  }

  const Findings& m_found;
  const LearnOptions& m_options;
};

}  // namespace

LearnedProfile writeProfile(const Findings& found, const LearnOptions& options) {
  return ProfileWriter(found, options).write();
}

std::span<const ElementType> learnedTypes() {
  return kTypes;
}

}  // namespace cutaway::study
