#pragma once
// Matrix products of bytes in exact 32-bit sums: c[rows, columns] = a (unsigned) * b (signed), modulo 2^32.
//
// Zero points are the caller's business (they need only row sums of a and column sums of b). The right factor is packed
// once, or read as it comes. Thread rule: IntegerProduct and PackedBytes are immutable and shared; each concurrent
// caller has its own Call. Example:
//   CUTAWAY_TRY(auto product, IntegerProduct::create({.rows = m, .columns = n, .depth = k}));
//   CUTAWAY_TRY(auto packed, product->pack(b));
//   IntegerProduct::Call call(product);  CUTAWAY_CHECK(call.run({.a = a, .packed = packed.get(), .c = sums, .scratch =
//   scratch}));

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/base/result.h"

namespace cutaway::math {

struct IntegerProductShape {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t depth = 0;
  bool packed = true;  // b comes from pack(); otherwise row-major [depth, columns]
  bool operator==(const IntegerProductShape&) const = default;
};

class PackedBytes;

struct IntegerProductArguments {
  const uint8_t* a = nullptr;  // row-major
  const PackedBytes* packed = nullptr;
  const int8_t* b = nullptr;  // when the shape is not packed
  int32_t* c = nullptr;
  std::span<std::byte> scratch;
};

class IntegerProduct {
 public:
  struct Plan;
  // All extents are at least 1.
  static Result<std::shared_ptr<const IntegerProduct>> create(const IntegerProductShape& shape);
  explicit IntegerProduct(std::unique_ptr<const Plan> plan);
  ~IntegerProduct();

  const IntegerProductShape& shape() const;
  int threads() const;
  size_t scratchBytes() const;
  std::string implementation() const;
  Result<std::shared_ptr<const PackedBytes>> pack(const int8_t* b) const;
  bool accepts(const PackedBytes& packed) const;

  class Call {
   public:
    explicit Call(std::shared_ptr<const IntegerProduct> product);
    ~Call();
    Call(Call&&) noexcept;
    Call& operator=(Call&&) noexcept;
    const IntegerProduct& product() const { return *m_product; }
    Result<void> run(const IntegerProductArguments& arguments);

   private:
    struct Handles;
    std::shared_ptr<const IntegerProduct> m_product;
    std::unique_ptr<Handles> m_handles;
  };

 private:
  std::unique_ptr<const Plan> m_plan;
};

}  // namespace cutaway::math
