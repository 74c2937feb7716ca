#include "providers/declared/operator_judge.h"

#include <algorithm>

#include "engine/provider/channels_last.h"
#include "engine/schema/schema.h"
#include "providers/declared/node_check.h"

namespace cutaway::declared {

namespace {

std::string operatorName(std::string_view domain, std::string_view op) {
  return domain.empty() ? std::string(op) : fmt::format("{}:{}", domain, op);
}

// Nodes moved to the channels-last domain are judged by the rules of the operator they were.
std::string_view judgedDomain(const Node& node) {
  return node.domain == kChannelsLastDomain ? domainBeforeChannelsLast(node.opType) : std::string_view(node.domain);
}

// A node has the version of the schema that resolve chose, and it means the same in every opset up to the one its model
// imports. An entry takes it when its span has one of those.
bool covers(const OperatorRule& rule, const Node& node) {
  if (rule.versions.empty()) return true;
  const int64_t first = node.sinceVersion;
  const int64_t last = std::max<int64_t>(first, node.opsetVersion);
  return std::any_of(rule.versions.begin(), rule.versions.end(),
                     [&](const Span& span) { return first <= span.maximum && last >= span.minimum; });
}

std::string versionsText(const std::vector<const OperatorRule*>& rules) {
  std::vector<std::string> parts;
  for (const OperatorRule* rule : rules) {
    for (const Span& span : rule->versions)
      parts.push_back(span.openEnd()                 ? fmt::format("{} and later", span.minimum)
                      : span.minimum == span.maximum ? fmt::format("{}", span.minimum)
                                                     : fmt::format("{} to {}", span.minimum, span.maximum));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string withSource(std::string reason, const Profile& profile, int source) {
  const std::string from = sourceText(profile, source);
  return from.empty() ? reason : reason + ", " + from;
}

}  // namespace

// What schemas say about the attributes that entries speak of: asked once for each entry and version.
struct OperatorJudge::Defaults {
  struct Key {
    const OperatorRule* rule;
    int32_t version;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      return std::hash<const void*>{}(key.rule) * 31 + static_cast<size_t>(key.version);
    }
  };
  std::unordered_map<Key, AttributeDefaults, Hash> known;

  const AttributeDefaults& of(const OperatorRule& rule, const Node& node, std::string_view domain) {
    const auto [entry, isNew] = known.try_emplace({&rule, node.sinceVersion});
    if (!isNew) return entry->second;
    AttributeDefaults& defaults = entry->second;
    defaults.resize(rule.attributes.size());
    const OperatorSchema* schema = findSchema(node.opType, domain, node.sinceVersion);
    if (schema == nullptr) return defaults;
    for (size_t i = 0; i < defaults.size(); ++i) {
      for (const SchemaAttribute& attribute : schema->attributes) {
        if (attribute.name == rule.attributes[i].name) defaults[i] = attribute.defaultValue;
      }
    }
    return defaults;
  }
};

OperatorJudge::OperatorJudge(const Profile& profile, std::string providerName)
    : m_profile(profile), m_providerName(std::move(providerName)), m_defaults(std::make_unique<Defaults>()) {
  for (const OperatorRule& rule : profile.operators) {
    m_entries[{rule.domain, rule.op}].rules.push_back(&rule);
    m_domains[rule.domain] = true;
  }
  for (const RefusedOperator& refused : profile.refused) {
    m_entries[{refused.domain, refused.op}].refused = &refused;
    m_domains[refused.domain] = true;
  }
}

OperatorJudge::~OperatorJudge() = default;

std::optional<Refusal> OperatorJudge::operatorObjection(const Node& node, NodeId id, std::string_view domain) const {
  const std::string name = operatorName(domain, node.opType);
  const auto found = m_entries.find({domain, node.opType});
  if (found != m_entries.end()) {
    const RefusedOperator& refused = *found->second.refused;
    return Refusal{id,
                   RefusalCause::kOperator,
                   withSource(fmt::format("{} does not support {}: {}", m_profile.title, name, refused.reason),
                              m_profile, refused.source),
                   "refused." + name,
                   name,
                   "another operator in its place"};
  }
  const int source = m_profile.sources.empty() ? -1 : 0;
  if (!m_domains.contains(domain)) {
    return Refusal{id,
                   RefusalCause::kDomain,
                   withSource(fmt::format("{} lists no operator of domain '{}'", m_profile.title,
                                          domain.empty() ? "ai.onnx" : domain),
                              m_profile, source),
                   "operators",
                   name,
                   "operators of ai.onnx in its place"};
  }
  return Refusal{id,
                 RefusalCause::kOperator,
                 withSource(fmt::format("{} does not list operator {}", m_profile.title, name), m_profile, source),
                 "operators",
                 name,
                 "another operator in its place"};
}

std::optional<Refusal> OperatorJudge::versionObjection(const Entry& entry, const Node& node, NodeId id) const {
  const OperatorRule& first = *entry.rules.front();
  const std::string versions = versionsText(entry.rules);
  const std::string seen = node.opsetVersion > node.sinceVersion
                               ? fmt::format("version {} (opset {})", node.sinceVersion, node.opsetVersion)
                               : fmt::format("version {}", node.sinceVersion);
  return Refusal{id,
                 RefusalCause::kVersion,
                 withSource(fmt::format("{} of {}: {} is not supported, versions {} are", node.opType, m_profile.title,
                                        seen, versions),
                            m_profile, first.source),
                 rulePath(first) + ".versions",
                 seen,
                 "opset " + versions};
}

std::optional<Refusal> OperatorJudge::objection(const Graph& graph, NodeId id, Bodies bodies) {
  const Node& node = graph.node(id);
  const std::string_view domain = judgedDomain(node);
  const auto found = m_entries.find({domain, node.opType});
  if (found == m_entries.end() || found->second.rules.empty()) return operatorObjection(node, id, domain);
  const auto& rules = found->second.rules;
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const OperatorRule* each) { return covers(*each, node); });
  if (rule == rules.end()) return versionObjection(found->second, node, id);
  const NodeCheck check(m_profile, **rule, graph, id);
  if (auto no = check.signature()) return no;
  if (!(*rule)->attributes.empty()) {
    if (auto no = check.attributes(m_defaults->of(**rule, node, domain))) return no;
  }
  if (bodies == Bodies::kAssumed && m_profile.bodies) return std::nullopt;
  return check.bodies(m_providerName);
}

}  // namespace cutaway::declared
