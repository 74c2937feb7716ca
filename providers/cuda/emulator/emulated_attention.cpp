// Attention of the emulator: plain loops, one query row at a time, scores kept whole.
#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "providers/cuda/emulator/emulated_numbers.h"
#include "providers/cuda/emulator/emulated_work.h"

namespace cutaway::cuda {
namespace {

struct Operands {
  const void* q = nullptr;
  const void* k = nullptr;
  const void* v = nullptr;
  void* y = nullptr;
  const void* mask = nullptr;
  const int32_t* keyLengths = nullptr;
};

bool sees(const AttentionDescription& d, int64_t query, int64_t key, int64_t length) {
  if (key >= length) return false;
  // The place of the query among the keys.
  const int64_t at = d.causalFromEnd ? query + length - d.queries : query;
  if (d.causal && key > at) return false;
  return d.window < 0 || key >= at - d.window;
}

class Attender {
 public:
  Attender(const AttentionDescription& description, const Operands& operands)
      : d(description),
        o(operands),
        m_keys(static_cast<size_t>(d.keys * d.size)),
        m_values(static_cast<size_t>(d.keys * d.valueSize)) {}

  void run() {
    for (int64_t batch = 0; batch < d.batch; ++batch) {
      const int64_t length = d.keyLengths ? std::min<int64_t>(std::max(o.keyLengths[batch], 0), d.keys) : d.keys;
      for (int64_t keyHead = 0; keyHead < d.keyHeads; ++keyHead) {
        read(o.k, d.strideK, batch, keyHead, d.size, m_keys);
        read(o.v, d.strideV, batch, keyHead, d.valueSize, m_values);
        const int64_t each = d.heads / d.keyHeads;
        for (int64_t head = keyHead * each; head < (keyHead + 1) * each; ++head) {
          for (int64_t query = 0; query < d.queries; ++query)
            row(batch, head, query, length);
        }
      }
    }
  }

 private:
  void read(const void* from, const std::array<int64_t, 3>& stride, int64_t batch, int64_t head, int64_t size,
            std::vector<float>& to) const {
    for (int64_t key = 0; key < d.keys; ++key)
      readFloats(d.type, advanced(d.type, from, batch * stride[0] + head * stride[1] + key * stride[2]), size,
                 to.data() + key * size);
  }

  void row(int64_t batch, int64_t head, int64_t query, int64_t length) {
    std::vector<float> q(static_cast<size_t>(d.size));
    readFloats(d.type, advanced(d.type, o.q, batch * d.strideQ[0] + head * d.strideQ[1] + query * d.strideQ[2]), d.size,
               q.data());
    std::vector<double> scores(static_cast<size_t>(d.keys), -INFINITY), sums(static_cast<size_t>(d.valueSize), 0);
    double most = -INFINITY, total = 0;
    for (int64_t key = 0; key < d.keys; ++key) {
      if (!sees(d, query, key, length)) continue;
      float dot = 0;
      for (int64_t i = 0; i < d.size; ++i)
        dot += q[static_cast<size_t>(i)] * m_keys[static_cast<size_t>(key * d.size + i)];
      double score = static_cast<double>(d.scale) * dot;
      if (d.softcap > 0) score = d.softcap * std::tanh(score / d.softcap);
      if (d.mask)
        score += readNumber(d.maskType, o.mask,
                            batch * d.maskStride[0] + head * d.maskStride[1] + query * d.maskStride[2] + key);
      scores[static_cast<size_t>(key)] = score;
      most = std::max(most, score);
    }
    for (int64_t key = 0; key < d.keys && most > -INFINITY; ++key) {
      const double weight = std::exp(scores[static_cast<size_t>(key)] - most);
      if (weight == 0) continue;
      total += weight;
      for (int64_t i = 0; i < d.valueSize; ++i)
        sums[static_cast<size_t>(i)] += weight * m_values[static_cast<size_t>(key * d.valueSize + i)];
    }
    // A query that sees nothing gives zeros.
    for (int64_t i = 0; i < d.valueSize; ++i)
      writeNumber(d.type, total > 0 ? sums[static_cast<size_t>(i)] / total : 0, o.y,
                  batch * d.strideY[0] + head * d.strideY[1] + query * d.strideY[2] + i);
  }

  const AttentionDescription& d;
  Operands o;
  std::vector<float> m_keys, m_values;
};

class EmulatedAttention final : public Operation {
 public:
  EmulatedAttention(WorkQueue& queue, const AttentionDescription& description)
      : m_queue(queue), m_description(description) {}
  size_t workspaceBytes() const override { return 0; }
  std::string_view variant() const override { return "host attention"; }
  Status run(const OperationCall& call, Stream stream) const override {
    const size_t wanted = size_t{4} + m_description.mask + m_description.keyLengths;
    if (call.pointers.size() != wanted)
      return {StatusCode::kOther,
              fmt::format("an attention with {} operands instead of {}", call.pointers.size(), wanted)};
    Operands operands{call.pointers[0], call.pointers[1], call.pointers[2], call.pointers[3], nullptr, nullptr};
    if (m_description.mask) operands.mask = call.pointers[4];
    if (m_description.keyLengths) operands.keyLengths = static_cast<const int32_t*>(call.pointers[wanted - 1]);
    return m_queue.enqueue(stream, [d = m_description, operands] { Attender(d, operands).run(); });
  }

 private:
  WorkQueue& m_queue;
  AttentionDescription m_description;
};

}  // namespace

Status makeEmulatedAttention(WorkQueue& queue, const AttentionDescription& d, std::unique_ptr<Operation>& operation) {
  if (!isFloatOperand(d.type)) return Status::unsupported(fmt::format("no attention of {}", elementTypeName(d.type)));
  if (d.mask && !isFloatOperand(d.maskType))
    return Status::unsupported(fmt::format("no attention mask of {}", elementTypeName(d.maskType)));
  if (d.keyHeads < 1 || d.heads % d.keyHeads != 0)
    return Status::unsupported(fmt::format("{} heads over {} key heads", d.heads, d.keyHeads));
  operation = std::make_unique<EmulatedAttention>(queue, d);
  return {};
}

}  // namespace cutaway::cuda
