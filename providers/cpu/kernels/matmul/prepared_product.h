#pragma once
// Matrix products with a constant right factor, made ready for the row counts that come.
//
// Thread rule: PreparedProduct is immutable; ProductState belongs to one frame.
// Example: CUTAWAY_TRY(auto* entry, state.find(prepared, shape));

#include "engine/math/matrix_product.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/floats_on_use.h"
#include "providers/cpu/kernels/prepared_calls.h"

namespace cutaway::cpu {

struct PreparedProduct {
  Tensor constantB;  // floats or halves, [depth, columns] (or swapped); not valid: it may change, or is not packed
  std::shared_ptr<const FloatsOnUse> floats;  // of a constant factor, for products that read it where it lies
  std::shared_ptr<const math::MatrixProduct> product;
  std::shared_ptr<const PackedOnUse<math::MatrixProduct, math::PackedMatrix, float>> packed;
};

// b: constant, of floats or halves, or nullptr. shape: known or nullptr. A shape the library refuses prepares no packed
// form.
Result<PreparedProduct> prepareProduct(const Tensor* b, const math::MatrixProductShape* shape);
// Of a constant factor (or nullptr) that is never packed.
PreparedProduct unpackedProduct(const Tensor* b);

class ProductState final : public KernelState {
 public:
  using Calls = PreparedCalls<math::MatrixProduct, math::MatrixProductShape, math::PackedMatrix>;
  using Entry = Calls::Entry;
  Result<Entry*> find(const PreparedProduct& prepared, const math::MatrixProductShape& shape);

 private:
  Calls m_calls;
};

}  // namespace cutaway::cpu
