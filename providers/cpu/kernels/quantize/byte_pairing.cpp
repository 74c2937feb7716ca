// How two byte tensors pair as matrices, and the constant right factor.

#include "providers/cpu/kernels/quantize/byte_product.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shared_constant.h"

namespace cutaway::cpu {
namespace {

// Leading axes of an operand, right-aligned to the batch, and the steps of its matrices along them.
Result<void> alignBatch(std::span<const int64_t> leading, Dims& batch, Dims& steps) {
  const size_t added = batch.size() - leading.size();
  int64_t stride = 1;
  for (size_t i = leading.size(); i-- > 0;) {
    int64_t& wanted = batch[added + i];
    if (leading[i] != 1 && wanted != 1 && leading[i] != wanted)
      return fail(ErrorCode::kInvalidArgument, "batch axes {} cannot be broadcast", dimsToText(leading));
    if (leading[i] != 1) {
      wanted = leading[i];
      steps[added + i] = stride;
    }
    stride *= leading[i];
  }
  return {};
}

}  // namespace

int64_t BytePairing::matrixOf(int64_t index, const Dims& steps) const {
  int64_t matrix = 0;
  for (size_t i = batch.size(); i-- > 0;) {
    matrix += index % batch[i] * steps[i];
    index /= batch[i];
  }
  return matrix;
}

Result<BytePairing> pairBytes(std::span<const int64_t> a, std::span<const int64_t> b) {
  if (a.empty() || b.empty()) return fail(ErrorCode::kInvalidArgument, "a scalar cannot be multiplied as a matrix");
  BytePairing s;
  s.k = a[a.size() - 1];
  s.m = a.size() > 1 ? a[a.size() - 2] : 1;
  s.n = b.size() > 1 ? b[b.size() - 1] : 1;
  if (b[b.size() > 1 ? b.size() - 2 : 0] != s.k)
    return fail(ErrorCode::kInvalidArgument, "{} and {} cannot be multiplied", dimsToText(a), dimsToText(b));
  const auto aLeading = a.first(a.size() > 2 ? a.size() - 2 : 0);
  const auto bLeading = b.first(b.size() > 2 ? b.size() - 2 : 0);
  const size_t rank = std::max(aLeading.size(), bLeading.size());
  s.batch = filledList(rank, 1);
  s.aSteps = filledList(rank, 0);
  s.bSteps = filledList(rank, 0);
  CUTAWAY_CHECK(alignBatch(aLeading, s.batch, s.aSteps));
  CUTAWAY_CHECK(alignBatch(bLeading, s.batch, s.bSteps));
  s.aMatrices = productOf(aLeading, 0, aLeading.size());
  s.bMatrices = productOf(bLeading, 0, bLeading.size());
  s.output = filledList(rank + (a.size() > 1) + (b.size() > 1), 0);
  for (size_t i = 0; i < rank; ++i)
    s.output[i] = s.batch[i];
  if (a.size() > 1) s.output[rank] = s.m;
  if (b.size() > 1) s.output[s.output.size() - 1] = s.n;
  return s;
}

bool fitsRows(const BytePairing& pairing, int64_t count) {
  return count == 1 || count == pairing.m || count == pairing.aMatrices * pairing.m;
}
bool fitsColumns(const BytePairing& pairing, int64_t count) {
  return count == 1 || count == pairing.n || count == pairing.bMatrices * pairing.n;
}

Result<ConstantBytes> prepareBytes(const Tensor* b, bool transposed) {
  ConstantBytes constant;
  if (b == nullptr || !isByteInteger(b->type()) || b->rank() == 0 || b->elementCount() == 0) return constant;
  const Dims& dims = b->dims();
  int64_t k = dims.size() > 1 ? dims[dims.size() - 2] : dims[0];
  int64_t n = dims.size() > 1 ? dims[dims.size() - 1] : 1;
  if (transposed) std::swap(k, n);
  const int64_t matrices = b->elementCount() / (k * n);
  const auto makeSigned = [&]() -> Result<Tensor> {
    CUTAWAY_TRY(Tensor made, Tensor::create(ElementType::kInt8, {matrices, k, n}));
    const uint8_t mask = b->type() == ElementType::kUint8 ? 0x80 : 0;
    const uint8_t* from = static_cast<const uint8_t*>(b->data());
    uint8_t* to = static_cast<uint8_t*>(made.mutableData());
    if (transposed) {
      for (int64_t i = 0; i < matrices; ++i)
        cpu::integerLoops().transpose(from + i * k * n, n, k, k, mask, to + i * k * n, n);
    } else {
      cpu::integerLoops().copyFlipped(from, mask, to, matrices * k * n);
    }
    return made;
  };
  const std::string format = fmt::format("signed factor of {} [{},{},{}]{}", elementTypeName(b->type()), matrices, k, n,
                                         transposed ? " transposed" : "");
  CUTAWAY_TRY(constant.bytes, sharedConstant(*b, format, b->elementCount(), makeSigned));
  constant.sums.assign(static_cast<size_t>(matrices * n), 0);
  const int8_t* bytes = constant.bytes.span<int8_t>().data();
  for (int64_t row = 0; row < matrices * k; ++row) {
    int32_t* sums = constant.sums.data() + row / k * n;
    for (int64_t j = 0; j < n; ++j)
      sums[j] += bytes[row * n + j];
  }
  return constant;
}

Result<ConstantBytes> prepareBytes(const KernelInfo& info, const FactorSlots& slots) {
  CUTAWAY_TRY(ConstantBytes constant, prepareBytes(info.constantInput(slots.b), slots.transposeB));
  const auto& declared = info.inputType(slots.a).shape;
  const auto dims = declared ? declared->staticDims() : std::nullopt;
  if (!constant.valid() || constant.bytes.dims()[0] != 1 || !dims || dims->empty()) return constant;
  const int64_t k = constant.bytes.dims()[1], n = constant.bytes.dims()[2];
  const int64_t count = productOf(*dims, 0, dims->size());
  if (count == 0 || (*dims)[slots.transposeA ? 0 : dims->size() - 1] != k) return constant;
  auto product = math::IntegerProduct::create({.rows = count / k, .columns = n, .depth = k, .packed = true});
  if (!product && product.error().code != ErrorCode::kNotImplemented) return fail(std::move(product).error());
  if (!product) return constant;
  constant.product = std::move(*product);
  constant.packed = std::make_shared<const PackedOnUse<math::IntegerProduct, math::PackedBytes, int8_t>>(
      constant.product, constant.bytes);
  return constant;
}

}  // namespace cutaway::cpu
