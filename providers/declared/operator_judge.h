#pragma once
// Whether a profile's operator rules take a node, and if not, which rule says no.
//
// Rules are asked in a fixed order - operator, domain, version, number of inputs and outputs, types, ranks, static
// shapes, dimensions, constants, attributes, bodies - and the first that says no answers. What the model leaves open (a
// dimension, a rank) satisfies a rule unless it asks for it to be known. A node that is taken costs no text. Thread
// rule: one thread (it keeps what schemas say about attributes). Example:
//   OperatorJudge judge(profile, "declared(TensorRT)");
//   if (std::optional<Refusal> no = judge.objection(graph, id)) answer.refusals.push_back(*std::move(no));

#include <memory>
#include <optional>
#include <unordered_map>

#include "providers/declared/profile.h"

namespace cutaway::declared {

class OperatorJudge {
 public:
  // The profile must outlive the judge. providerName: the owner that nodes of bodies must have where bodies are asked
  // about.
  OperatorJudge(const Profile& profile, std::string providerName);
  ~OperatorJudge();

  // kAssumed: bodies count as taken where the profile takes bodies at all; for looking at a whole model before its
  // bodies were claimed.
  enum class Bodies : uint8_t { kChecked, kAssumed };
  std::optional<Refusal> objection(const Graph& graph, NodeId node, Bodies bodies = Bodies::kChecked);

 private:
  struct Key {
    std::string_view domain;
    std::string_view op;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return std::hash<std::string_view>{}(key.op) * 31 + std::hash<std::string_view>{}(key.domain);
    }
  };
  struct Entry {
    std::vector<const OperatorRule*> rules;
    const RefusedOperator* refused = nullptr;
  };

  std::optional<Refusal> operatorObjection(const Node& node, NodeId id, std::string_view domain) const;
  std::optional<Refusal> versionObjection(const Entry& entry, const Node& node, NodeId id) const;

  const Profile& m_profile;
  std::string m_providerName;
  std::unordered_map<Key, Entry, KeyHash> m_entries;
  std::unordered_map<std::string_view, bool> m_domains;
  struct Defaults;
  std::unique_ptr<Defaults> m_defaults;
};

}  // namespace cutaway::declared
