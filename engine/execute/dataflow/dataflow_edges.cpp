// A sweep over the steps in planned order with, per space, a map from byte ranges to the content that lies there.
//
// A space is one device's planned block, or the buffer of one root that no plan has placed. A content is a set of
// values that are the same bytes; it is written once, by the first step that makes one of its values. Writing it ends
// every content that lay in its range there: each of their readers must be done before. Ranges are cut where contents
// overlap in part. Contents with many readers wait behind one join, so that edges stay linear in readers and writers.

#include "engine/execute/dataflow/dataflow_edges.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace cutaway::execute {
namespace {

constexpr uint32_t kNone32 = 0xFFFFFFFF;
constexpr size_t kReadersWithoutJoin = 6;
constexpr int kLongestProof = 48;  // steps looked at to prove an edge by others

struct Range {
  int64_t space = -1;  // < 0: memory of its own, never written over
  int64_t begin = 0;
  int64_t end = 0;
};

struct Content {
  uint32_t writer = kNone32;  // first step that makes a value of it
  Range range;
  std::vector<uint32_t> touchers;  // steps that read it; its writers too
  uint32_t within = kNone32;       // the content of the join whose part it is
  uint32_t join = kNone32;
};

class MemoryEdgeFinder {
 public:
  MemoryEdgeFinder(const GraphProgram& program, const pattern::MemoryPatternGroup* pattern, const IndexRows& producers)
      : m_program(program),
        m_pattern(pattern),
        m_producers(producers),
        m_sameBytes(program.values.size()),
        m_firstEdge(program.steps.size() + 1, 0) {}

  Result<MemoryEdges> run() {
    joinSameBytes();
    collectContents();
    addBodyRooms();
    std::vector<uint32_t> order(m_contents.size());
    std::iota(order.begin(), order.end(), 0u);
    // What no step writes lies there from the beginning.
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return m_contents[a].writer + 1 < m_contents[b].writer + 1; });
    for (uint32_t content : order)
      CUTAWAY_CHECK(write(content));
    return std::move(m_found);
  }

 private:
  uint32_t representative(uint32_t value) {
    while (m_sameBytes[value] != value)
      value = m_sameBytes[value] = m_sameBytes[m_sameBytes[value]];
    return value;
  }

  bool isJoinPart(uint32_t value) const { return m_program.values[value].isPart; }
  bool sharesBytes(uint32_t value) const {
    const ValueProgram& each = m_program.values[value];
    return each.reused != value &&
           (each.isView || each.intoOutput || each.isSplitPart || each.kind == AllocKind::kShare);
  }

  void joinSameBytes() {
    std::iota(m_sameBytes.begin(), m_sameBytes.end(), 0u);
    for (uint32_t value = 0; value < m_sameBytes.size(); ++value) {
      if (sharesBytes(value)) m_sameBytes[representative(value)] = representative(m_program.values[value].reused);
    }
  }

  // Where a value lies: its own place, or that of what it lies over.
  Range rangeOf(uint32_t value) const {
    for (size_t depth = 0; depth <= m_program.values.size(); ++depth) {
      const ValueProgram& each = m_program.values[value];
      if (m_pattern != nullptr && m_pattern->blocks[value].offset >= 0) {
        const pattern::MemoryBlock& block = m_pattern->blocks[value];
        const int64_t space = m_pattern->patternOfValue[value] >= 0 ? m_pattern->patternOfValue[value]
                                                                    : m_pattern->patternOfValue[each.root];
        if (block.sizeBytes == 0) return {};  // empty: it shares no byte with anything, wherever it lies
        return {space, block.offset, block.offset + block.sizeBytes};
      }
      if (isJoinPart(value)) return {};
      if (each.reused == value || each.intoOutput) break;
      value = each.reused;
    }
    const int64_t firstRootSpace = m_pattern == nullptr ? 0 : static_cast<int64_t>(m_pattern->patterns.size());
    return {firstRootSpace + value, 0, 1};
  }

  void collectContents() {
    std::vector<uint32_t> contentOf(m_program.values.size(), kNone32);
    const auto content = [&](uint32_t value) -> Content& {
      uint32_t& index = contentOf[representative(value)];
      if (index == kNone32) {
        index = static_cast<uint32_t>(m_contents.size());
        m_contents.emplace_back();
      }
      return m_contents[index];
    };
    const auto touch = [&](int32_t value, size_t step) {
      if (value == kAbsent) return;
      std::vector<uint32_t>& touchers = content(static_cast<uint32_t>(value)).touchers;
      if (touchers.empty() || touchers.back() != step) touchers.push_back(static_cast<uint32_t>(step));
    };
    for (size_t step = 0; step < m_program.steps.size(); ++step) {
      for (int32_t input : m_program.steps[step].inputs)
        touch(input, step);
      for (const BodyProgram& body : m_program.steps[step].bodies)
        for (const CapturedValue& captured : body.captured)
          touch(static_cast<int32_t>(captured.inParent), step);
      for (int32_t output : m_program.steps[step].outputs) {
        touch(output, step);
        if (output == kAbsent) continue;
        Content& made = content(static_cast<uint32_t>(output));
        if (made.writer == kNone32) {
          made.writer = static_cast<uint32_t>(step);
          made.range = rangeOf(static_cast<uint32_t>(output));
        }
      }
    }
    for (uint32_t value = 0; value < contentOf.size(); ++value) {
      if (contentOf[representative(value)] == kNone32) continue;
      Content& each = content(value);
      if (each.writer == kNone32 && representative(value) == value) each.range = rangeOf(value);
      if (isJoinPart(value)) each.within = contentOf[representative(m_program.values[value].reused)];
    }
  }

  void addBodyRooms() {
    if (m_pattern == nullptr) return;
    for (const pattern::BodyWorkspace& room : m_pattern->bodies) {
      if (room.pattern < 0 || room.block.offset < 0 || room.block.sizeBytes == 0) continue;
      Content content;
      content.writer = static_cast<uint32_t>(room.step);
      content.range = {room.pattern, room.block.offset, room.block.offset + room.block.sizeBytes};
      content.touchers.push_back(content.writer);
      m_contents.push_back(std::move(content));
    }
  }

  // Whether edges found so far lead from `from` to `to`; gives up after some steps.
  bool proven(uint32_t from, uint32_t to) {
    m_open.assign(1, to);
    for (int looked = 0; !m_open.empty() && looked < kLongestProof; ++looked) {
      const uint32_t step = m_open.back();
      m_open.pop_back();
      const auto visit = [&](uint32_t before) {
        if (before < m_program.steps.size() && before > from) m_open.push_back(before);
        return before == from;
      };
      for (uint32_t before : m_producers.row(step))
        if (visit(before)) return true;
      const size_t last = step == m_at ? m_found.edges.size() : m_firstEdge[step + 1];
      for (size_t edge = m_firstEdge[step]; edge < last; ++edge)
        if (m_found.edges[edge].to == step && visit(m_found.edges[edge].from)) return true;
    }
    return false;
  }

  Result<void> addEdge(uint32_t from, uint32_t to) {
    if (from == to) return {};
    if (from > to && from < m_program.steps.size()) {
      return fail(ErrorCode::kEngineError, "the plan lets step {} write over what step {} still reads", to, from);
    }
    if (from < m_program.steps.size() && proven(from, to)) return {};
    m_found.edges.push_back({from, to});
    return {};
  }

  // Everybody who touches `before` must be done when `writer` starts.
  Result<void> wait(uint32_t before, uint32_t writer) {
    Content& content = m_contents[before];
    if (content.touchers.size() <= kReadersWithoutJoin) {
      // Later ones first: they prove the earlier ones most often.
      for (size_t i = content.touchers.size(); i-- > 0;)
        CUTAWAY_CHECK(addEdge(content.touchers[i], writer));
      return {};
    }
    if (content.touchers.back() > writer) return addEdge(content.touchers.back(), writer);
    const bool readHere = std::binary_search(content.touchers.begin(), content.touchers.end(), writer);
    if (readHere) {
      for (size_t i = content.touchers.size(); i-- > 0;)
        CUTAWAY_CHECK(addEdge(content.touchers[i], writer));
      return {};
    }
    if (content.join == kNone32) {
      content.join = static_cast<uint32_t>(m_program.steps.size() + m_found.joins++);
      for (uint32_t toucher : content.touchers)
        m_found.edges.push_back({toucher, content.join});
    }
    m_found.edges.push_back({content.join, writer});
    return {};
  }

  Result<void> write(uint32_t index) {
    const uint32_t writer = m_contents[index].writer;
    const Range range = m_contents[index].range;
    // Edges of steps up to this one are complete.
    for (; writer != kNone32 && m_at < writer; ++m_at)
      m_firstEdge[m_at + 1] = m_found.edges.size();
    if (range.space < 0) return {};
    Space& space = m_spaces[range.space];
    auto at = space.upper_bound(range.begin);
    if (at != space.begin() && std::prev(at)->second.end > range.begin) --at;
    m_ended.clear();
    while (at != space.end() && at->first < range.end) {
      const auto [begin, piece] = *at;
      at = space.erase(at);
      m_ended.push_back(piece.content);
      if (begin < range.begin) space.emplace(begin, Piece{range.begin, piece.content});
      if (piece.end > range.end) at = space.emplace(range.end, piece).first;
    }
    space.emplace(range.begin, Piece{range.end, index});
    std::sort(m_ended.begin(), m_ended.end());
    m_ended.erase(std::unique(m_ended.begin(), m_ended.end()), m_ended.end());
    for (uint32_t before : m_ended) {
      if (m_contents[before].within == index) {
        inherit(index, before);
      } else if (writer != kNone32) {
        CUTAWAY_CHECK(wait(before, writer));
      }
    }
    return {};
  }

  // A join's output holds what its part holds: who reads the part reads it.
  void inherit(uint32_t join, uint32_t part) {
    std::vector<uint32_t>& touchers = m_contents[join].touchers;
    touchers.insert(touchers.end(), m_contents[part].touchers.begin(), m_contents[part].touchers.end());
    std::sort(touchers.begin(), touchers.end());
    touchers.erase(std::unique(touchers.begin(), touchers.end()), touchers.end());
  }

  struct Piece {
    int64_t end;
    uint32_t content;
  };
  using Space = std::map<int64_t, Piece>;

  const GraphProgram& m_program;
  const pattern::MemoryPatternGroup* m_pattern;
  const IndexRows& m_producers;
  std::vector<uint32_t> m_sameBytes;
  std::vector<Content> m_contents;
  std::map<int64_t, Space> m_spaces;
  std::vector<size_t> m_firstEdge;  // by step: where its edges begin in m_found.edges
  size_t m_at = 0;                  // the step whose edges are being found
  std::vector<uint32_t> m_open;
  std::vector<uint32_t> m_ended;
  MemoryEdges m_found;
};

}  // namespace

Result<MemoryEdges> findMemoryEdges(const GraphProgram& program, const pattern::MemoryPatternGroup* pattern,
                                    const IndexRows& producers) {
  return MemoryEdgeFinder(program, pattern, producers).run();
}

}  // namespace cutaway::execute
