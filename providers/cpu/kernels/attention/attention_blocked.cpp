// Attention over blocks of keys with a running softmax: which rows and keys are taken together, and in what order.
//
// The running maximum and sum are those of Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018);
// walking tiles of queries over blocks of keys follows Dao et al., "FlashAttention" (2022). Query heads that share a
// key head are rows of the same tile, so that keys and values are read once for all of them.

#include <algorithm>
#include <limits>

#include "engine/base/checked_math.h"
#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/attention/attention_core.h"
#include "providers/cpu/kernels/attention/attention_tiles.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::attention {
namespace {

constexpr float kUnseen = -std::numeric_limits<float>::infinity();
constexpr int64_t kChunkRows = 384;  // rows that share the packing of a block of keys
constexpr int64_t kSmallestChunk = 48;
constexpr int64_t kAhead = 8;                         // rows to ask for before they are read
constexpr int64_t kWorkPerThread = int64_t{1} << 16;  // multiply-adds

struct Layout {
  int64_t rows, chunkRows, chunks, headSize, valueSize;  // sizes padded
  int64_t threads;
  bool few;
};

int64_t padded(int64_t size, int64_t to) {
  return (size + to - 1) / to * to;
}

Layout layoutOf(const Problem& problem) {
  Layout layout{};
  layout.rows = problem.heads / problem.keyHeads * problem.queries;
  layout.few = layout.rows <= kFewRows;
  layout.headSize = layout.few ? padded(problem.headSize, kPad) : problem.headSize;
  layout.valueSize = padded(problem.valueSize, kPad);
  const int64_t planes = problem.batch * problem.keyHeads;
  const double work = static_cast<double>(planes) * static_cast<double>(layout.rows) *
                      static_cast<double>(problem.keys) * static_cast<double>(problem.headSize + problem.valueSize);
  layout.threads = usefulThreads(static_cast<int64_t>(std::min(work, 1e15)), kWorkPerThread);
  layout.chunkRows = std::min(kChunkRows, padded(layout.rows, kGroupPad));
  while (layout.chunkRows > kSmallestChunk &&
         planes * ((layout.rows + layout.chunkRows - 1) / layout.chunkRows) < 2 * layout.threads)
    layout.chunkRows = padded(layout.chunkRows / 2, kGroupPad);
  layout.chunks = (layout.rows + layout.chunkRows - 1) / layout.chunkRows;
  return layout;
}

struct Buffers {
  float *queries, *sums, *largest, *total, *keep, *packed, *keys, *values, *scores, *plane;
  KeyInterval* seen;
};

// Lays the buffers out from `memory` on; the bytes they take.
int64_t placeBuffers(const Layout& layout, std::byte* memory, Buffers& buffers) {
  int64_t at = 0;
  const auto take = [&](auto*& pointer, int64_t count) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(memory + at);
    at += alignUp(count * static_cast<int64_t>(sizeof(*pointer)), 64);
  };
  take(buffers.queries, layout.chunkRows * layout.headSize);
  take(buffers.sums, layout.chunkRows * layout.valueSize);
  take(buffers.largest, layout.chunkRows);
  take(buffers.total, layout.chunkRows);
  take(buffers.keep, kGroupPad);
  take(buffers.packed, layout.few ? 0 : kKeyBlock * layout.headSize);
  take(buffers.keys, kKeyBlock * layout.headSize);
  take(buffers.values, kKeyBlock * layout.valueSize);
  take(buffers.scores, kGroupPad * kKeyBlock);
  take(buffers.plane, kKeyBlock);
  take(buffers.seen, layout.chunkRows);
  return at;
}

// Of an operand of floats, or of results.
template <typename Row>
auto* floatsAt(const Row& rows, int64_t batch, int64_t head, int64_t row) {
  using Float = std::conditional_t<std::is_same_v<Row, TargetRows>, float, const float>;
  return static_cast<Float*>(rows.data) + batch * rows.batchStep + head * rows.headStep + row * rows.rowStep;
}

// Rows that lie far apart are not foreseen by the machine; asks for one that is read soon.
void prefetchRow(const Rows& rows, int64_t batch, int64_t head, int64_t row, int64_t count) {
  if (rows.type != ElementType::kFloat) return;
  const float* at = floatsAt(rows, batch, head, row);
  for (int64_t c = 0; c < count; c += 16)
    __builtin_prefetch(at + c);
}

// Rows as they lie when they are floats of the right width, else fetched.
BlockRows blockOf(const Rows& rows, int64_t batch, int64_t head, int64_t first, int64_t count, int64_t size,
                  int64_t paddedSize, bool dense, float* buffer) {
  if (rows.type == ElementType::kFloat && size == paddedSize && (!dense || rows.rowStep == size)) {
    return {floatsAt(rows, batch, head, first), rows.rowStep};
  }
  for (int64_t j = 0; j < count; ++j) {
    float* to = buffer + j * paddedSize;
    if (j + kAhead < count) prefetchRow(rows, batch, head, first + j + kAhead, size);
    fetchRow(rows, batch, head, first + j, size, to);
    std::fill(to + size, to + paddedSize, 0.0f);
  }
  return {buffer, paddedSize};
}

// `count` summands from key `first` on, in place or in the buffer.
const float* planeRow(const Plane& plane, int64_t batch, int64_t head, int64_t query, int64_t first, int64_t count,
                      float* buffer) {
  const int64_t start = batch * plane.step[0] + head * plane.step[1] + query * plane.step[2] + first * plane.step[3];
  const int64_t inside = std::clamp<int64_t>(plane.columns - first, 0, count);
  if (plane.type == ElementType::kFloat && plane.step[3] == 1 && inside == count)
    return static_cast<const float*>(plane.data) + start;
  if (plane.type == ElementType::kBool) {
    const bool* seen = static_cast<const bool*>(plane.data) + start;
    for (int64_t j = 0; j < inside; ++j)
      buffer[j] = seen[j * plane.step[3]] ? 0.0f : kUnseen;
  } else {
    cpu::dispatchType(cpu::FloatTypes{}, plane.type, [&]<typename T>(cpu::TypeTag<T>) {
      const T* summand = static_cast<const T*>(plane.data) + start;
      for (int64_t j = 0; j < inside; ++j)
        buffer[j] = static_cast<float>(cpu::widen(summand[j * plane.step[3]]));
    });
  }
  std::fill(buffer + inside, buffer + count, kUnseen);
  return buffer;
}

// One chunk of the rows of one key head.
class ChunkWalk {
 public:
  ChunkWalk(const Problem& problem, const Layout& layout, const Buffers& buffers)
      : m_problem(problem),
        m_layout(layout),
        m_buffers(buffers),
        m_tiles(tileFunctions()),
        m_group(layout.few ? kFewRows : tileFunctions().groupRows) {}

  void run(int64_t batch, int64_t keyHead, int64_t firstRow) {
    m_batch = batch;
    m_keyHead = keyHead;
    m_firstRow = firstRow;
    m_rows = std::min(m_layout.chunkRows, m_layout.rows - firstRow);
    const KeyInterval all = begin();
    // Whole blocks from the first query's first key on, so that sums do not depend on which rows share a chunk.
    const int64_t origin = std::min(all.first, seenKeys(m_problem, batch, 0).first);
    for (int64_t key = origin + (all.first - origin) / kKeyBlock * kKeyBlock; key < all.end; key += kKeyBlock)
      block(key, std::min(kKeyBlock, all.end - key));
    finish();
  }

 private:
  int64_t headOf(int64_t row) const {
    return m_keyHead * (m_problem.heads / m_problem.keyHeads) + (m_firstRow + row) / m_problem.queries;
  }
  int64_t queryOf(int64_t row) const { return (m_firstRow + row) % m_problem.queries; }

  // Queries scaled (and, in groups, with the channel outermost), sums empty; the keys that any row sees.
  KeyInterval begin() {
    KeyInterval all{m_problem.keys, 0};
    const int64_t whole = padded(m_rows, m_layout.few ? 1 : m_group);
    std::fill(m_buffers.sums, m_buffers.sums + whole * m_layout.valueSize, 0.0f);
    for (int64_t row = 0; row < whole; ++row) {
      const bool real = row < m_rows;
      m_buffers.seen[row] = real ? seenKeys(m_problem, m_batch, queryOf(row)) : KeyInterval{};
      m_buffers.largest[row] = m_problem.sinks != nullptr && real ? m_problem.sinks[headOf(row)]
                               : m_problem.smooth                 ? 0.0f
                                                                  : kUnseen;
      m_buffers.total[row] = m_buffers.largest[row] == kUnseen ? 0.0f : 1.0f;
      if (!real || m_buffers.seen[row].first >= m_buffers.seen[row].end) continue;
      all.first = std::min(all.first, m_buffers.seen[row].first);
      all.end = std::max(all.end, m_buffers.seen[row].end);
    }
    for (int64_t row = 0; row < m_rows; row += m_layout.few ? 1 : m_group)
      m_layout.few ? takeQuery(row) : takeGroup(row);
    return all;
  }

  // Dot products read whole vectors of it.
  void takeQuery(int64_t row) {
    float* to = m_buffers.queries + row * m_layout.headSize;
    fetchRow(m_problem.q, m_batch, headOf(row), queryOf(row), m_problem.headSize, to);
    m_tiles.scaleRow(to, m_problem.headSize, m_problem.scale, to);
    std::fill(to + m_problem.headSize, to + m_layout.headSize, 0.0f);
  }

  // As they lie when all are floats of one head, else fetched to where keys are fetched later.
  void takeGroup(int64_t row) {
    const int64_t count = std::min<int64_t>(m_group, m_rows - row), size = m_problem.headSize;
    BlockRows rows{m_buffers.keys, size};
    if (m_problem.q.type == ElementType::kFloat && headOf(row) == headOf(row + count - 1)) {
      rows = {floatsAt(m_problem.q, m_batch, headOf(row), queryOf(row)), m_problem.q.rowStep};
    } else {
      for (int64_t i = 0; i < count; ++i)
        fetchRow(m_problem.q, m_batch, headOf(row + i), queryOf(row + i), size, m_buffers.keys + i * size);
    }
    m_tiles.packQueries(rows, count, size, m_problem.scale, m_buffers.queries + row * size);
  }

  void block(int64_t first, int64_t count) {
    const BlockRows keys = blockOf(m_problem.k, m_batch, m_keyHead, first, count, m_problem.headSize, m_layout.headSize,
                                   false, m_buffers.keys);
    const BlockRows values = blockOf(m_problem.v, m_batch, m_keyHead, first, count, m_problem.valueSize,
                                     m_layout.valueSize, !m_layout.few, m_buffers.values);
    if (!m_layout.few) m_tiles.packKeys(keys, count, m_layout.headSize, m_buffers.packed);
    for (int64_t row = 0; row < m_rows; row += m_group) {
      const int64_t real = std::min<int64_t>(m_group, m_rows - row);
      if (!overlaps(row, real, first, count)) continue;
      const float* queries = m_buffers.queries + row * m_layout.headSize;
      if (m_layout.few) {
        m_tiles.scoresOfFew(queries, real, m_layout.headSize, keys, count, m_buffers.scores);
      } else {
        m_tiles.scoresOfGroup(queries, m_buffers.packed, count, m_layout.headSize, m_buffers.scores);
      }
      for (int64_t r = 0; r < real; ++r)
        mask(row + r, first, count, m_buffers.scores + r * kKeyBlock);
      std::fill(m_buffers.keep, m_buffers.keep + kGroupPad, 1.0f);
      m_tiles.exponentials(m_buffers.scores, real, padded(count, kPad), m_buffers.largest + row, m_buffers.total + row,
                           m_buffers.keep);
      float* sums = m_buffers.sums + row * m_layout.valueSize;
      if (m_layout.few) {
        m_tiles.valuesOfFew(m_buffers.scores, real, values, count, m_layout.valueSize, m_buffers.keep, sums);
      } else {
        m_tiles.valuesOfGroup(m_buffers.scores, values, count, m_layout.valueSize, m_buffers.keep, sums);
      }
    }
  }

  bool overlaps(int64_t row, int64_t count, int64_t first, int64_t keys) const {
    return std::any_of(m_buffers.seen + row, m_buffers.seen + row + count,
                       [&](const KeyInterval& seen) { return seen.first < first + keys && seen.end > first; });
  }

  // From products to scores for one row: the cap, the summands, and which keys it sees.
  void mask(int64_t row, int64_t first, int64_t count, float* scores) {
    const int64_t whole = padded(count, kPad);
    if (m_problem.softcap > 0) {
      std::fill(scores + count, scores + whole, 0.0f);
      m_tiles.capRow(scores, whole, m_problem.softcap);
    }
    for (const Plane& plane : m_problem.planes) {
      if (plane.data != nullptr)
        m_tiles.addRow(planeRow(plane, m_batch, headOf(row), queryOf(row), first, count, m_buffers.plane), count,
                       scores);
    }
    const KeyInterval& seen = m_buffers.seen[row];
    const int64_t before = std::clamp<int64_t>(seen.first - first, 0, whole),
                  after = std::clamp<int64_t>(seen.end - first, 0, count);
    std::fill(scores, scores + before, kUnseen);
    std::fill(scores + after, scores + whole, kUnseen);
  }

  void finish() {
    for (int64_t row = 0; row < m_rows; ++row) {
      float* sums = m_buffers.sums + row * m_layout.valueSize;
      const float factor = m_buffers.total[row] != 0.0f ? 1.0f / m_buffers.total[row]
                           : m_problem.unseenIsNan      ? std::numeric_limits<float>::quiet_NaN()
                                                        : 0.0f;
      const TargetRows& out = m_problem.out;
      const int64_t head = headOf(row), query = queryOf(row), size = m_problem.valueSize;
      if (out.type == ElementType::kFloat) {
        m_tiles.scaleRow(sums, size, factor, floatsAt(out, m_batch, head, query));
        continue;
      }
      m_tiles.scaleRow(sums, size, factor, sums);
      storeRow(out, m_batch, head, query, size, sums);
    }
  }

  const Problem& m_problem;
  const Layout& m_layout;
  const Buffers& m_buffers;
  const TileFunctions& m_tiles;
  int64_t m_group;
  int64_t m_batch = 0, m_keyHead = 0, m_firstRow = 0, m_rows = 0;
};

}  // namespace

bool blocksServe(const Problem& problem) {
  return problem.q.type != ElementType::kDouble && problem.scores == nullptr && problem.headSize > 0;
}

size_t blockedScratchBytes(const Problem& problem) {
  const Layout layout = layoutOf(problem);
  Buffers buffers;
  return static_cast<size_t>(layout.threads * placeBuffers(layout, nullptr, buffers));
}

void runBlocked(const Problem& problem, std::span<std::byte> scratch) {
  const Layout layout = layoutOf(problem);
  Buffers first;
  const int64_t perThread = placeBuffers(layout, nullptr, first);
  const ThreadShare share(static_cast<int>(layout.threads));
  parallelFor(problem.batch * problem.keyHeads * layout.chunks, 1, [&](int64_t begin, int64_t end) {
    Buffers buffers;
    placeBuffers(layout, scratch.data() + loopPart() * perThread, buffers);
    ChunkWalk walk(problem, layout, buffers);
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t plane = unit / layout.chunks;
      walk.run(plane / problem.keyHeads, plane % problem.keyHeads, unit % layout.chunks * layout.chunkRows);
    }
  });
}

}  // namespace cutaway::cpu::attention
