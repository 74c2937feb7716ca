#pragma once
// A matrix product as kernels use it: the library's operation where there is one, else functors; what the library's
// epilogue refuses follows as one functor.
//
// A kernel has a ProductSlot for each of its products. Products of known sizes are made then, too; products of open
// sizes are made at first sight and kept by the frame (ProductState). Thread rule: ProductMaker and MadeProduct are
// immutable; a ProductState belongs to one frame. Example:
//   CUTAWAY_CHECK(m_product.prepare(resources, ElementType::kFloat, std::nullopt));
//   CUTAWAY_CHECK(m_product.run(call, {.pairing = pairing, .finish = finish}, {.a = a.data(), .b = b.data(), .y =
//   y->mutableData()}));

#include <optional>
#include <unordered_map>

#include "providers/cuda/functors/product_functors.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/matmul/pairing.h"

namespace cutaway::cuda {

// y = outer * activation(inner * (alpha * a b + scale * addend + residual)).
struct ProductFinish {
  enum class Addend : uint8_t {
    kNone,
    kColumns,
    kRows,
    kOne,
    kCells
  };  // one for each column, each row, all, each cell of a matrix (the same for every matrix)
  Addend addend = Addend::kNone;
  bool residual = false;  // as the output
  float alpha = 1, scale = 1;
  FinishKind kind = FinishKind::kNone;
  float first = 0, second = 0, inner = 1, outer = 1;

  bool operator==(const ProductFinish&) const = default;
  bool isNothing() const {
    return addend == Addend::kNone && !residual && kind == FinishKind::kNone && inner == 1 && outer == 1;
  }
};

struct ProductWanted {
  Pairing pairing;
  ProductFinish finish;
};

struct ProductPointers {
  const void* a = nullptr;
  const void* b = nullptr;
  void* y = nullptr;
  const void* addend = nullptr;
  const void* residual = nullptr;
};

struct MadeProduct {
  ProductWanted wanted;
  MatmulDescription description;
  std::unique_ptr<Operation> operation;  // nullptr: by functors
  bool dots = false;                     // by functors, a block for each result
  DeviceKernel tiles;                    // by functors, the tiled product
  ProductFinish left;                    // what a functor of its own does after it
};

class ProductMaker {
 public:
  // Looks up the functors of a type: float, double, half, brain, 32- and 64-bit integers.
  static Result<ProductMaker> create(const GpuResources& resources, ElementType type);
  Result<MadeProduct> make(const GpuResources& resources, const ProductWanted& wanted) const;
  Result<void> run(GpuCall& call, const MadeProduct& made, const ProductPointers& pointers) const;

 private:
  void askTiles(const GpuResources& resources, MadeProduct& made) const;
  Result<void> askLibrary(const GpuResources& resources, MadeProduct& made) const;
  Result<void> runOperation(GpuCall& call, const MadeProduct& made, const ProductPointers& pointers) const;
  Result<void> runTiles(GpuCall& call, const MadeProduct& made, const ProductPointers& pointers) const;
  Result<void> runFunctor(GpuCall& call, const MadeProduct& made, const ProductPointers& pointers) const;

  ElementType m_type = ElementType::kUndefined;
  DeviceKernel m_plain, m_dot, m_finish;
};

// One product of a kernel: made when the kernel is, where its sizes are known then.
class ProductSlot {
 public:
  Result<void> prepare(const GpuResources& resources, ElementType type, const std::optional<ProductWanted>& known);
  // The kernel's state must be a ProductState.
  Result<void> run(GpuCall& call, const ProductWanted& wanted, const ProductPointers& pointers) const;
  std::string_view variant() const {
    return m_known && m_known->operation != nullptr ? m_known->operation->variant() : "product";
  }

 private:
  friend class ProductState;
  ProductMaker m_maker;
  std::optional<MadeProduct> m_known;
  std::string m_knownKey;
};

// Products of open sizes, by frame: no lock, and no heap once a size was seen.
class ProductState final : public KernelState {
 public:
  Result<const MadeProduct*> find(const ProductSlot& slot, const GpuResources& resources, const ProductWanted& wanted);

 private:
  static constexpr size_t kMost =
      4096;  // then it begins anew: a cache that grows by one with every token must end somewhere
  std::unordered_map<std::string, MadeProduct> m_made;
  std::string m_key;
};

}  // namespace cutaway::cuda
