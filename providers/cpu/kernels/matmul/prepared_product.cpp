#include "providers/cpu/kernels/matmul/prepared_product.h"

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/through_float.h"

namespace cutaway {

Result<PreparedProduct> prepareProduct(const Tensor* b, const math::MatrixProductShape* shape) {
  PreparedProduct prepared;
  if (b == nullptr) return prepared;
  CUTAWAY_TRY(prepared.constantB, widened(*b));
  if (shape == nullptr) return prepared;
  auto product = math::MatrixProduct::create(*shape);
  if (!product && product.error().code == ErrorCode::kNotImplemented) return prepared;
  if (!product) return fail(std::move(product).error());
  prepared.product = *product;
  CUTAWAY_TRY(prepared.packed, prepared.product->pack(prepared.constantB.span<float>().data()));
  return prepared;
}

Result<ProductState::Entry*> ProductState::find(const PreparedProduct& prepared, const math::MatrixProductShape& shape) {
  const int threads = currentThreads();
  for (Entry& entry : m_entries) {
    if (entry.threads == threads && entry.shape == shape) return &entry;
  }
  Entry entry{.shape = shape, .threads = threads, .call = std::nullopt, .packed = nullptr};
  std::shared_ptr<const math::MatrixProduct> product = prepared.product;
  if (!product || product->threads() != threads || !(product->shape() == shape)) {
    auto made = math::MatrixProduct::create(shape);
    if (!made && made.error().code != ErrorCode::kNotImplemented) return fail(std::move(made).error());
    product = made ? *made : nullptr;
  }
  if (product) {
    if (prepared.packed && product->accepts(*prepared.packed)) entry.packed = prepared.packed;
    for (const Entry& other : m_entries) {
      if (!entry.packed && other.packed && product->accepts(*other.packed)) entry.packed = other.packed;
    }
    if (!entry.packed) {
      CUTAWAY_TRY(entry.packed, product->pack(prepared.constantB.span<float>().data()));
    }
    entry.call.emplace(std::move(product));
  }
  if (m_entries.size() < kEntries) {
    m_entries.push_back(std::move(entry));
    return &m_entries.back();
  }
  Entry& replaced = m_entries[m_oldest];
  m_oldest = (m_oldest + 1) % kEntries;
  replaced = std::move(entry);
  return &replaced;
}

}  // namespace cutaway
