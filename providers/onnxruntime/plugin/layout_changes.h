#pragma once
// What ONNX Runtime made of a graph between its first question to a provider and its last one, on the nodes that we
// know: Transposes that it inserted for channels last, nodes that it wrote anew, copied, or put away.
//
// Nodes that it writes anew have no name of ours: they are known by what they feed, for these still have theirs. Thread
// rule: pure. Example:
//   for (const LayoutChange& change : layoutChanges(graph, asked, calls.front(), calls.back()))
//     note(changeText(graph, change));

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct LayoutChange {
  enum class Kind : uint8_t {
    kInserted,     // between `node` and `behind`; where one is invalid, at an input or output of the graph
    kWrittenAnew,  // another node stands in the place of `node`
    kCopied,       // `node` stands `copies` times
    kPutAway       // nothing stands in the place of `node`
  };
  Kind kind = Kind::kInserted;
  NodeId node;
  NodeId behind{};
  std::string opType{};  // of what was inserted
  std::string value{};   // that it reads
  size_t copies = 0;
};

// In the order of the last question, then of the nodes asked about. Empty where the questions do not tell what their
// nodes read and make.
std::vector<LayoutChange> layoutChanges(const Graph& graph, std::span<const NodeId> asked, const CapabilityCall& first,
                                        const CapabilityCall& last);

// "Transpose inserted between Conv 'a' and Relu 'b'"
std::string changeText(const Graph& graph, const LayoutChange& change);

// The changes as the partition stage reports what providers do to the nodes that they have.
std::vector<ProviderRewrite> changeNotes(const Graph& graph, std::span<const LayoutChange> changes);

// Notes of graphs that were asked about, until the provider tells them of those in which it has nodes.
class ChangeNotes {
 public:
  void keep(const Graph& graph, std::vector<ProviderRewrite> notes) { m_notes[&graph] = std::move(notes); }
  std::vector<ProviderRewrite> take(const Graph& graph, const std::string& provider);

 private:
  std::map<const Graph*, std::vector<ProviderRewrite>> m_notes;
};

}  // namespace cutaway::onnxruntime
