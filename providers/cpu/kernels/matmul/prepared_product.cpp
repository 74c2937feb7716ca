#include "providers/cpu/kernels/matmul/prepared_product.h"

#include "engine/base/parallel.h"

namespace cutaway::cpu {

PreparedProduct unpackedProduct(const Tensor* b) {
  PreparedProduct prepared;
  if (b != nullptr) prepared.floats = std::make_shared<const FloatsOnUse>(*b);
  return prepared;
}

Result<PreparedProduct> prepareProduct(const Tensor* b, const math::MatrixProductShape* shape) {
  PreparedProduct prepared = unpackedProduct(b);
  if (b == nullptr) return prepared;
  prepared.constantB = *b;
  if (shape == nullptr) return prepared;
  auto product = math::MatrixProduct::create(*shape);
  if (!product && product.error().code == ErrorCode::kNotImplemented) return prepared;
  if (!product) return fail(std::move(product).error());
  prepared.product = *product;
  prepared.packed = std::make_shared<const PackedOnUse<math::MatrixProduct, math::PackedMatrix, float>>(
      prepared.product, prepared.constantB);
  return prepared;
}

Result<ProductState::Entry*> ProductState::find(const PreparedProduct& prepared,
                                                const math::MatrixProductShape& shape) {
  return m_calls.find(shape, prepared.product, prepared.packed, &prepared.constantB);
}

}  // namespace cutaway::cpu
