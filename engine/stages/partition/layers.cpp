#include "engine/stages/partition/layers.h"

#include <algorithm>
#include <set>

#include "engine/stages/partition/device_words.h"

namespace cutaway::partition {

namespace {

constexpr const char* kAnnotationKey = "session.layer_assignment_settings";
constexpr const char* kNameKey = "session.name_based_layer_assignment";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Calls use(part) for the parts between separators, trimmed.
template <typename Use>
Result<void> split(std::string_view text, char separator, Use&& use) {
  for (;;) {
    const size_t end = text.find(separator);
    CUTAWAY_CHECK(use(trimmed(text.substr(0, end))));
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
}

Result<LayerPattern> readPattern(std::string_view key, std::string_view device, std::string_view text,
                                 LayerRules::By by) {
  LayerPattern pattern{.device = std::string(device), .text = std::string(text)};
  if (text.starts_with('=')) {
    if (by == LayerRules::By::kName)
      return fail(ErrorCode::kInvalidArgument, "{}: '{}': names are matched in part, '=' has no meaning here", key,
                  text);
    pattern.exact = true;
    pattern.text = trimmed(text.substr(1));
  }
  if (pattern.text.empty())
    return fail(ErrorCode::kInvalidArgument, "{}: an empty pattern between the brackets of '{}'", key, device);
  return pattern;
}

// The annotation a node brings along: that of the first loaded node it came from that has one.
std::string_view annotationOf(const Node& node, const std::map<int32_t, std::string>& annotations,
                              std::string_view inherited) {
  for (const OriginId origin : node.origins) {
    const auto found = annotations.find(static_cast<int32_t>(origin.index()));
    if (found != annotations.end()) return found->second;
  }
  return inherited;
}

}  // namespace

Result<std::vector<LayerPattern>> LayerRules::parse(std::string_view key, std::string_view text, By by) {
  std::vector<LayerPattern> patterns;
  std::set<std::pair<std::string, bool>> seen;
  CUTAWAY_CHECK(split(text, ';', [&](std::string_view rule) -> Result<void> {
    if (rule.empty()) return {};
    const size_t open = rule.find('(');
    const std::string_view device = trimmed(rule.substr(0, std::min(open, rule.size())));
    if (open == std::string_view::npos || !rule.ends_with(')') || device.empty() ||
        rule.find('(', open + 1) != std::string_view::npos || rule.find(')') != rule.size() - 1) {
      return fail(ErrorCode::kInvalidArgument, "{}: '{}' is not written as device(pattern, pattern)", key, rule);
    }
    return split(rule.substr(open + 1, rule.size() - open - 2), ',', [&](std::string_view each) -> Result<void> {
      CUTAWAY_TRY(LayerPattern pattern, readPattern(key, device, each, by));
      if (!seen.emplace(pattern.text, pattern.exact).second)
        return fail(ErrorCode::kInvalidArgument, "{}: the pattern '{}' is given twice", key, each);
      patterns.push_back(std::move(pattern));
      return {};
    });
  }));
  return patterns;
}

const LayerPattern* LayerRules::find(std::string_view text) const {
  const auto first = [&](auto&& fits) {
    const auto found = std::ranges::find_if(m_patterns, fits);
    return found == m_patterns.end() ? nullptr : &*found;
  };
  if (m_by == By::kName) {
    const LayerPattern* longest = nullptr;
    for (const LayerPattern& each : m_patterns) {
      if (text.find(each.text) != std::string_view::npos &&
          (longest == nullptr || each.text.size() > longest->text.size()))
        longest = &each;
    }
    return longest;
  }
  if (const LayerPattern* byPrefix =
          first([&](const LayerPattern& each) { return !each.exact && text.starts_with(each.text); }))
    return byPrefix;
  return first([&](const LayerPattern& each) { return each.exact && text == each.text; });
}

void LayerRules::bind(const Model& model, const std::map<int32_t, std::string>& annotations, Reservations& kept) const {
  if (m_patterns.empty()) return;
  if (m_by == By::kAnnotation) return bindByAnnotation(model, annotations, kept);
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const LayerPattern* pattern = find(graph.node(id).name);
      if (pattern != nullptr && pattern->rule != kNone) kept.keep(graph, id, pattern->rule);
    }
  });
}

void LayerRules::bindByAnnotation(const Model& model, const std::map<int32_t, std::string>& annotations,
                                  Reservations& kept) const {
  std::unordered_map<const Graph*, std::string_view> inherited;
  forEachGraph(model.graph, [&](const Graph& graph) {
    const auto around = inherited.find(&graph);
    const std::string_view given = around == inherited.end() ? std::string_view() : around->second;
    for (const NodeId id : graph.nodeIds()) {
      const std::string_view annotation = annotationOf(graph.node(id), annotations, given);
      if (annotation.empty()) continue;
      forEachBody(graph.node(id), [&](const std::string&, const Graph& body) { inherited[&body] = annotation; });
      const LayerPattern* pattern = find(annotation);
      if (pattern != nullptr && pattern->rule != kNone) kept.keep(graph, id, pattern->rule);
    }
  });
}

Result<LayerRules> readLayerRules(const std::string& byAnnotation, const std::string& byName,
                                  std::span<const std::unique_ptr<ExecutionProvider>> providers, Reservations& kept,
                                  std::vector<std::string>& warnings) {
  if (!byAnnotation.empty() && !byName.empty())
    return fail(ErrorCode::kInvalidArgument, "{} and {} exclude each other; give one of them", kAnnotationKey,
                kNameKey);
  const LayerRules::By by = byName.empty() ? LayerRules::By::kAnnotation : LayerRules::By::kName;
  const char* key = byName.empty() ? kAnnotationKey : kNameKey;
  CUTAWAY_TRY(std::vector<LayerPattern> patterns, LayerRules::parse(key, byName.empty() ? byAnnotation : byName, by));
  std::set<std::string> missing;
  for (LayerPattern& pattern : patterns) {
    const Result<int32_t> provider = providerForDevice(pattern.device, providers);
    if (!provider) return fail(ErrorCode::kInvalidArgument, "{}: {}", key, provider.error().message);
    if (*provider == kNone) {
      if (missing.insert(pattern.device).second)
        warnings.push_back(
            fmt::format("{}: no provider of this session is a '{}'; its layers go to the other providers: {}", key,
                        pattern.device, fmt::join(kept.providers(), ", ")));
      continue;
    }
    pattern.rule = kept.addRule(
        {.provider = *provider,
         .text = fmt::format("layer rule {}({}{})", pattern.device, pattern.exact ? "=" : "", pattern.text),
         .firm = false});
  }
  return LayerRules(std::move(patterns), by);
}

}  // namespace cutaway::partition
