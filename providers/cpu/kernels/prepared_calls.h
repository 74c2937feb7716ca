#pragma once
// The library calls that one frame has made ready, a call for each shape and number of threads, with a constant operand
// packed once and shared between them.
//
// Operation is a class of engine/math: static create(shape), threads(), shape(), accepts(packed), pack(operand), and a
// nested Call made from a shared pointer to it. Thread rule: belongs to one frame (a KernelState holds it). Example:
//   using Calls = PreparedCalls<math::Convolution, math::ConvolutionShape, math::PackedWeights>;
//   CUTAWAY_TRY(Calls::Entry * entry, calls.find(shape, prepared.convolution, prepared.packed, &weights));
//   if (!entry->call) ...  // the library refused the shape: the reference loop

#include <memory>
#include <optional>
#include <vector>

#include "engine/base/parallel.h"
#include "engine/base/result.h"
#include "providers/cpu/kernels/packed_on_use.h"

namespace cutaway::cpu {

template <typename Operation, typename Shape, typename Packed>
class PreparedCalls {
 public:
  struct Entry {
    Shape shape;
    int threads = 0;
    std::optional<typename Operation::Call> call;  // none: the library refused the shape
    std::shared_ptr<const Packed> packed;
  };

  // The entry for this shape and the caller's threads, made when it is not there. At most kEntries are kept; the oldest
  // goes. prepared, packed: of the shape that was known before the first run, or empty. constant: the operand that
  // never changes, to be packed (toPack); nullptr: it comes with every run.
  template <typename Element>
  Result<Entry*> find(const Shape& shape, const std::shared_ptr<const Operation>& prepared,
                      const std::shared_ptr<const PackedOnUse<Operation, Packed, Element>>& packed,
                      const Tensor* constant) {
    const int threads = currentThreads();
    for (Entry& entry : m_entries) {
      if (entry.threads == threads && entry.shape == shape) return &entry;
    }
    Entry entry{.shape = shape, .threads = threads, .call = std::nullopt, .packed = nullptr};
    std::shared_ptr<const Operation> operation = prepared;
    if (!operation || operation->threads() != threads || !(operation->shape() == shape)) {
      auto made = Operation::create(shape);
      if (!made && made.error().code != ErrorCode::kNotImplemented) return fail(std::move(made).error());
      operation = made ? *made : nullptr;
    }
    if (operation) {
      if (constant != nullptr) {
        CUTAWAY_TRY(entry.packed, packedFor(*operation, packed, *constant));
      }
      entry.call.emplace(std::move(operation));
    }
    return keep(std::move(entry));
  }

 private:
  static constexpr size_t kEntries = 8;

  // Packed forms are large: one that the operation accepts is shared before another is made.
  template <typename Element>
  Result<std::shared_ptr<const Packed>> packedFor(
      const Operation& operation, const std::shared_ptr<const PackedOnUse<Operation, Packed, Element>>& packed,
      const Tensor& constant) const {
    if (packed) {
      CUTAWAY_TRY(std::shared_ptr<const Packed> shared, packed->get());
      if (operation.accepts(*shared)) return shared;
    }
    for (const Entry& other : m_entries) {
      if (other.packed && operation.accepts(*other.packed)) return other.packed;
    }
    CUTAWAY_TRY(const Tensor elements, toPack<Element>(constant));
    return operation.pack(elements.span<Element>().data());
  }

  Entry* keep(Entry&& entry) {
    if (m_entries.size() < kEntries) {
      m_entries.push_back(std::move(entry));
      return &m_entries.back();
    }
    Entry& replaced = m_entries[m_oldest];
    m_oldest = (m_oldest + 1) % kEntries;
    replaced = std::move(entry);
    return &replaced;
  }

  std::vector<Entry> m_entries;
  size_t m_oldest = 0;
};

}  // namespace cutaway::cpu
