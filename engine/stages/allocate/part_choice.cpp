// Again and again: the step where most bytes are live; of the joined buffers that are open there before their join
// runs, the one with the most room that nothing has been made in yet; its parts made by then lose their place, so that
// it opens later. The best set seen wins, so the result is never worse than all parts or than the parts that are left.

#include "engine/stages/allocate/part_choice.h"

#include <algorithm>
#include <map>

namespace cutaway::allocate {
namespace {

constexpr int64_t kStandIn = 64;
constexpr int64_t kMostWork = 400'000;  // values looked at, over all rounds

class PartChoice {
 public:
  PartChoice(const Destinations::Context& context, std::vector<Destination>& places)
      : m_context(context),
        m_places(places),
        m_sizes(context.graph.valueSlots(), 0),
        m_first(m_sizes.size(), -1),
        m_last(m_sizes.size(), -1),
        m_under(m_sizes.size()) {}

  std::vector<ValueId> run() {
    std::vector<ValueId> dropped;
    if (std::none_of(m_places.begin(), m_places.end(),
                     [](const Destination& place) { return place.target.valid() && place.part >= 0; }))
      return dropped;
    measure();
    std::vector<Destination> best = m_places;
    const std::vector<Destination> all = m_places;
    int64_t smallest = INT64_MAX;
    for (int64_t work = 0; work <= kMostWork; work += static_cast<int64_t>(m_sizes.size())) {
      const Peak peak = findPeak();
      if (peak.bytes < smallest) {
        smallest = peak.bytes;
        best = m_places;
      }
      if (!closeWidest(peak.step)) break;
    }
    m_places = std::move(best);
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].target.valid() && !m_places[i].target.valid()) dropped.push_back(ValueId{i});
    }
    return dropped;
  }

 private:
  struct Peak {
    int64_t bytes = 0;
    int32_t step = 0;
  };
  struct Life {
    int32_t first = INT32_MAX;
    int32_t last = -1;
    int64_t bytes = 0;
  };

  void measure() {
    const Graph& graph = m_context.graph;
    const auto steps = static_cast<int32_t>(m_context.order.steps.size());
    for (int32_t step = 0; step < steps; ++step) {
      const Node& node = graph.node(m_context.order.steps[static_cast<size_t>(step)].node);
      const int32_t end = m_context.order.endStep(static_cast<size_t>(step));
      for (const auto* list : {&node.inputs, &node.implicitInputs}) {
        for (ValueId value : *list) {
          if (value.valid()) m_last[value.index()] = std::max(m_last[value.index()], end);
        }
      }
      for (ValueId value : node.outputs) {
        if (!value.valid()) continue;
        m_first[value.index()] = step;
        m_last[value.index()] = std::max(m_last[value.index()], end);
      }
    }
    for (ValueId value : graph.outputs())
      m_last[value.index()] = steps - 1;
    for (size_t i = 0; i < m_sizes.size(); ++i)
      m_sizes[i] = m_first[i] < 0 ? 0 : bytesOf(ValueId{i});
    for (const schedule::ExecutionStep& step : m_context.order.steps)
      readUnder(step.node);
  }

  int64_t bytesOf(ValueId value) const {
    const ValueSize& size = m_context.sizes.of(value);
    if (size.bytes >= 0) return size.bytes;
    return size.polynomial >= 0 ? m_context.sizes.polynomial(size.polynomial).evaluateAll(kStandIn).value_or(0) : 0;
  }

  // What an output is a view of, or surely written over.
  void readUnder(NodeId id) {
    const Node& node = m_context.graph.node(id);
    for (const InplaceHint& hint : m_context.hints[id.index()].inplace) {
      if ((hint.kind != AliasKind::kAlias && hint.kind != AliasKind::kMayInplace) || hint.input < 0 || hint.output < 0)
        continue;
      if (static_cast<size_t>(hint.input) >= node.inputs.size() ||
          static_cast<size_t>(hint.output) >= node.outputs.size())
        continue;
      const ValueId input = node.inputs[static_cast<size_t>(hint.input)],
                    output = node.outputs[static_cast<size_t>(hint.output)];
      if (!input.valid() || !output.valid() || m_under[output.index()].valid() ||
          m_context.graph.value(output).outputCount > 0)
        continue;
      const bool overwritten =
          m_context.options.inPlace && m_first[input.index()] >= 0 && m_context.graph.value(input).outputCount == 0 &&
          m_context.graph.value(input).uses.size() == 1 && m_context.sizes.sameBytes(input, output);
      if (hint.kind == AliasKind::kAlias || overwritten) m_under[output.index()] = input;
    }
  }

  // Chains are followed once and remembered; they cannot be circular, because places lead to later values and views to
  // earlier ones that have no place of their own or the same.
  size_t bufferOf(size_t value) {
    m_chain.clear();
    size_t at = value;
    while (m_buffer[at] == kUnknown && m_chain.size() <= m_buffer.size()) {
      m_chain.push_back(at);
      const ValueId next = m_places[at].target.valid() && !placedUnder(at) ? m_places[at].target : m_under[at];
      if (!next.valid()) {
        m_buffer[at] = at;
        break;
      }
      at = next.index();
    }
    const size_t buffer = m_buffer[at] == kUnknown ? at : m_buffer[at];
    for (const size_t each : m_chain)
      m_buffer[each] = buffer;
    return buffer;
  }
  // Written over (or a view of) something with the same destination: that one leads there.
  bool placedUnder(size_t value) const {
    return m_under[value].valid() && m_places[m_under[value].index()] == m_places[value];
  }

  Peak findPeak() {
    m_buffer.assign(m_sizes.size(), kUnknown);
    m_lives.assign(m_sizes.size(), {});
    for (size_t i = 0; i < m_sizes.size(); ++i) {
      if (m_first[i] < 0) continue;
      Life& life = m_lives[bufferOf(i)];
      life.first = std::min(life.first, m_first[i]);
      life.last = std::max(life.last, m_last[i]);
      life.bytes = std::max(life.bytes, m_sizes[i]);
    }
    std::vector<int64_t> change(m_context.order.steps.size() + 1, 0);
    for (size_t i = 0; i < m_lives.size(); ++i) {
      if (m_lives[i].last < 0 || m_first[i] < 0 || m_context.graph.value(ValueId{i}).outputCount > 0)
        continue;  // views of feeds, and outputs, are not the run's own
      change[static_cast<size_t>(m_lives[i].first)] += m_lives[i].bytes;
      change[static_cast<size_t>(m_lives[i].last) + 1] -= m_lives[i].bytes;
    }
    Peak peak;
    int64_t live = 0;
    for (size_t step = 0; step + 1 < change.size(); ++step) {
      live += change[step];
      if (live > peak.bytes) peak = {live, static_cast<int32_t>(step)};
    }
    return peak;
  }

  // Of the joined values that are open at this step and not made yet, the one with the most room unused loses its parts
  // that are there. False: none.
  bool closeWidest(int32_t step) {
    std::map<size_t, int64_t> unused;                      // by joined value
    std::map<std::pair<size_t, int32_t>, int32_t> begins;  // by part
    for (size_t i = 0; i < m_places.size(); ++i) {
      if (m_first[i] < 0) continue;
      // Whatever is made here is there for every join around it, too.
      Destination place = m_places[i];
      for (size_t hops = 0; place.target.valid() && hops < m_places.size(); ++hops) {
        if (place.part >= 0) {
          int32_t& begin = begins.try_emplace({place.target.index(), place.part}, INT32_MAX).first->second;
          begin = std::min(begin, m_first[i]);
        }
        place = m_places[place.target.index()];
      }
    }
    for (const auto& [part, begin] : begins) {
      if (begin > step || m_first[part.first] <= step) continue;
      const auto [entry, isNew] = unused.try_emplace(part.first, m_sizes[part.first]);
      const NodeId join = m_context.graph.value(ValueId{part.first}).producer;
      entry->second -= m_sizes[m_context.graph.node(join).inputs[static_cast<size_t>(part.second)].index()];
    }
    const auto widest = std::max_element(unused.begin(), unused.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (widest == unused.end() || widest->second <= 0) return false;
    for (Destination& place : m_places) {
      if (place.target.valid() && place.target.index() == widest->first && place.part >= 0 &&
          begins.at({widest->first, place.part}) <= step)
        place = {};
    }
    return true;
  }

  static constexpr size_t kUnknown = SIZE_MAX;

  const Destinations::Context& m_context;
  std::vector<Destination>& m_places;
  std::vector<int64_t> m_sizes;          // by value; 0: not made here, or not known
  std::vector<int32_t> m_first, m_last;  // by value: steps
  std::vector<ValueId> m_under;          // by value
  std::vector<size_t> m_buffer;          // by value
  std::vector<Life> m_lives;             // by buffer
  std::vector<size_t> m_chain;
};

}  // namespace

std::vector<ValueId> dropPartsThatCost(const Destinations::Context& context, std::vector<Destination>& places) {
  return PartChoice(context, places).run();
}

}  // namespace cutaway::allocate
