#include "engine/stages/partition/refusal_summary.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>

namespace cutaway::partition {

namespace {

// Provider, verdict and cause as three letters, then the rule or the pattern; a letter between tells the two apart.
std::string keyOf(size_t provider, const ProviderAnswer& answer) {
  std::string key;
  key.push_back(static_cast<char>(provider));
  key.push_back(static_cast<char>(answer.verdict));
  key.push_back(static_cast<char>(answer.cause));
  key += answer.rule.empty() ? "p" + reasonPattern(answer.reason) : "r" + answer.rule;
  return key;
}

// Answers stand in order of priority, so the place of an answer is nearly always its provider's.
size_t providerIndex(std::span<const ProviderSummary> providers, const std::string& name, size_t hint) {
  if (hint < providers.size() && providers[hint].name == name) return hint;
  const auto found = std::find_if(providers.begin(), providers.end(),
                                  [&](const ProviderSummary& provider) { return provider.name == name; });
  return static_cast<size_t>(found - providers.begin());
}

bool isRefusal(Verdict verdict) {
  return verdict != Verdict::kClaimed && verdict != Verdict::kAlreadyTaken;
}

}  // namespace

std::string reasonPattern(std::string_view reason) {
  std::string pattern;
  pattern.reserve(reason.size());
  for (size_t i = 0; i < reason.size(); ++i) {
    const char letter = reason[i];
    if (letter == '\'' || letter == '"') {
      const size_t end = reason.find(letter, i + 1);
      // An apostrophe is no quotation mark.
      const bool quotes =
          end != std::string_view::npos && (i == 0 || !std::isalnum(static_cast<unsigned char>(reason[i - 1])));
      if (quotes) {
        pattern += "''";
        i = end;
        continue;
      }
    }
    const bool digit = std::isdigit(static_cast<unsigned char>(letter)) != 0;
    if (digit && !pattern.empty() && pattern.back() == '#') continue;
    pattern.push_back(digit ? '#' : letter);
  }
  return pattern;
}

std::vector<RefusalSummary> summarizeRefusals(std::span<const ProviderSummary> providers,
                                              std::span<const NodePlacement> nodes) {
  std::vector<RefusalSummary> summaries;
  std::unordered_map<std::string, size_t> byKey;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (size_t slot = 0; slot < nodes[i].answers.size(); ++slot) {
      const ProviderAnswer& answer = nodes[i].answers[slot];
      if (!isRefusal(answer.verdict)) continue;
      const auto [entry, isNew] =
          byKey.try_emplace(keyOf(providerIndex(providers, answer.provider, slot), answer), summaries.size());
      if (isNew)
        summaries.push_back({.provider = answer.provider,
                             .verdict = answer.verdict,
                             .cause = answer.cause,
                             .rule = answer.rule,
                             .reason = answer.reason,
                             .remedy = answer.remedy,
                             .nodes = {},
                             .flops = 0});
      RefusalSummary& summary = summaries[entry->second];
      summary.nodes.push_back(static_cast<int32_t>(i));
      summary.flops += std::max<int64_t>(nodes[i].flops, 0);
    }
  }
  const auto place = [&](const RefusalSummary& summary) {
    return providerIndex(providers, summary.provider, providers.size());
  };
  std::stable_sort(summaries.begin(), summaries.end(), [&](const RefusalSummary& a, const RefusalSummary& b) {
    if (a.flops != b.flops) return a.flops > b.flops;
    if (a.nodes.size() != b.nodes.size()) return a.nodes.size() > b.nodes.size();
    return place(a) < place(b);
  });
  return summaries;
}

}  // namespace cutaway::partition
