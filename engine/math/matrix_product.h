#pragma once
// Matrix products of floats over raw pointers.
//
// multiply() takes any shape as it comes. A MatrixProduct is made for one shape, with the right factor packed once, a
// bias and an activation. Long products are done in slices of rows; a thread whose StopSignal asks to stop leaves the
// rest undone (cancel_scope.h). Thread rule: multiply() is a pure function. MatrixProduct and PackedMatrix are
// immutable and shared; each concurrent caller has its own Call. Example:
//   CUTAWAY_CHECK(multiply({.rows = m, .columns = n, .depth = k}, a, b, c));                  // c[m,n] = a[m,k] b[k,n]
//   CUTAWAY_TRY(auto product, MatrixProduct::create({.rows = m, .columns = n, .depth = k}));
//   CUTAWAY_TRY(auto packed, product->pack(b));
//   MatrixProduct::Call call(product);  CUTAWAY_CHECK(call.run(a, *packed, nullptr, c, scratch));

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "engine/base/result.h"
#include "engine/math/activation.h"
#include "engine/math/precision.h"

namespace cutaway::math {

// c = alpha * op(a) op(b) + beta * c, row-major; op(a) is rows x depth, op(b) depth x columns. Leading dimensions 0
// mean "dense".
struct MultiplyShape {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t depth = 0;
  bool transposeA = false;
  bool transposeB = false;
  float alpha = 1.0f;
  float beta = 0.0f;
  int64_t strideA = 0, strideB = 0, strideC = 0;  // elements from row to row as stored
};
Result<void> multiply(const MultiplyShape& shape, const float* a, const float* b, float* c);

struct MatrixProductShape {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t depth = 0;
  bool transposeB = false;  // b is stored [columns, depth]
  bool bias = false;        // one summand a column
  Activation activation;
  Precision precision = Precision::kFast;  // kBfloat16: both factors are rounded where that pays (roundsToBfloat16)
  bool operator==(const MatrixProductShape&) const = default;
};

class PackedMatrix;

class MatrixProduct {
 public:
  struct Plan;
  static Result<std::shared_ptr<const MatrixProduct>> create(const MatrixProductShape& shape);
  explicit MatrixProduct(std::unique_ptr<const Plan> plan);
  ~MatrixProduct();

  const MatrixProductShape& shape() const;
  int threads() const;
  size_t scratchBytes() const;
  std::string implementation() const;
  Result<std::shared_ptr<const PackedMatrix>> pack(const float* b) const;
  bool accepts(const PackedMatrix& packed) const;

  class Call {
   public:
    explicit Call(std::shared_ptr<const MatrixProduct> product);
    ~Call();
    Call(Call&&) noexcept;
    Call& operator=(Call&&) noexcept;
    const MatrixProduct& product() const { return *m_product; }
    Result<void> run(const float* a, const PackedMatrix& b, const float* bias, float* c, std::span<std::byte> scratch);

   private:
    struct Handles;
    Result<void> runSlices(const float* a, const PackedMatrix& b, const float* bias, float* c,
                           std::span<std::byte> scratch);
    std::shared_ptr<const MatrixProduct> m_product;
    std::unique_ptr<Handles> m_handles;
  };

 private:
  static Result<void> cutIntoSlices(Plan& plan);
  std::unique_ptr<const Plan> m_plan;
};

}  // namespace cutaway::math
