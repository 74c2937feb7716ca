#pragma once
// Matrix products with a constant right factor, made ready for the row counts that come.
//
// Thread rule: PreparedProduct is immutable; ProductState belongs to one frame.
// Example: CUTAWAY_TRY(auto* entry, state.find(prepared, shape));

#include <optional>
#include <vector>

#include "engine/math/matrix_product.h"
#include "engine/provider/kernel.h"

namespace cutaway {

struct PreparedProduct {
  Tensor constantB;  // floats [depth, columns] (or swapped); not valid: the factor may change
  std::shared_ptr<const math::MatrixProduct> product;
  std::shared_ptr<const math::PackedMatrix> packed;
};

// shape: known or nullptr. A shape the library refuses prepares nothing but the widened factor.
Result<PreparedProduct> prepareProduct(const Tensor* b, const math::MatrixProductShape* shape);

class ProductState final : public KernelState {
 public:
  struct Entry {
    math::MatrixProductShape shape;
    int threads = 0;
    std::optional<math::MatrixProduct::Call> call;  // none: the library refused the shape
    std::shared_ptr<const math::PackedMatrix> packed;
  };
  Result<Entry*> find(const PreparedProduct& prepared, const math::MatrixProductShape& shape);

 private:
  static constexpr size_t kEntries = 8;
  std::vector<Entry> m_entries;
  size_t m_oldest = 0;
};

}  // namespace cutaway
