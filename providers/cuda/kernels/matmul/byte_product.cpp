#include "providers/cuda/kernels/matmul/byte_product.h"

#include <algorithm>

namespace cutaway::cuda {
namespace {

// Below this the conversions cost more than the library saves.
constexpr int64_t kLeastWork = 32 * 32 * 32;

MatmulDescription descriptionOf(const Pairing& pairing) {
  MatmulDescription d;
  describePairing(pairing, d);
  d.a = d.b = ElementType::kInt8;
  d.y = ElementType::kInt32;
  d.transposeA = false;
  d.transposeB = true;
  d.rowStrideA = d.rowStrideB = d.k;
  d.batchStrideA = d.batchStrideA == 0 ? 0 : d.m * d.k;
  d.batchStrideB = d.batchStrideB == 0 ? 0 : d.n * d.k;
  return d;
}

// Matrices that an operand really has: the pairs that are not broadcast.
int64_t matricesOf(const Pairing& pairing, int operand) {
  return pairing.batch.rank == 0 || pairing.batch.strides[operand][0] == 0 ? 1 : pairing.pairs;
}

}  // namespace

bool isByte(ElementType type) {
  return type == ElementType::kInt8 || type == ElementType::kUint8;
}

Result<void> placeScale(std::string_view op, const Tensor* scale, std::initializer_list<int64_t> counts,
                        const void*& data, ScaleType& type, int64_t& count) {
  if (scale == nullptr) return {};
  switch (scale->type()) {
    case ElementType::kFloat:
      type = ScaleType::kFloat;
      break;
    case ElementType::kFloat16:
      type = ScaleType::kHalf;
      break;
    case ElementType::kBfloat16:
      type = ScaleType::kBrain;
      break;
    case ElementType::kDouble:
      type = ScaleType::kDouble;
      break;
    default:
      return fail(ErrorCode::kInvalidArgument, "{}: a scale of type {}", op, elementTypeName(scale->type()));
  }
  count = scale->elementCount();
  if (count != 1 && std::ranges::find(counts, count) == counts.end())
    return fail(ErrorCode::kInvalidArgument, "{}: scales {} fit neither the tensor nor its rows or columns", op,
                dimsToText(scale->dims()));
  data = scale->data();
  return {};
}

Result<void> placeZero(std::string_view op, const Tensor* zero, ElementType type, std::initializer_list<int64_t> counts,
                       const void*& data, int64_t& count) {
  if (zero == nullptr) return {};
  if (zero->type() != type)
    return fail(ErrorCode::kInvalidArgument, "{}: a zero point of type {} for a tensor of {}", op,
                elementTypeName(zero->type()), elementTypeName(type));
  count = zero->elementCount();
  if (count != 1 && std::ranges::find(counts, count) == counts.end())
    return fail(ErrorCode::kInvalidArgument, "{}: zero points {} fit neither the tensor nor its rows or columns", op,
                dimsToText(zero->dims()));
  data = zero->data();
  return {};
}

Result<void> ByteProduct::prepare(const GpuResources& resources, const Tensor* b, bool transposed) {
  CUTAWAY_TRY(m_plain, resources.find("bytes.plain"));
  CUTAWAY_TRY(m_finish, resources.find("bytes.finish"));
  CUTAWAY_TRY(m_lines, resources.find("bytes.lines"));
  if (b == nullptr || !isByte(b->type()) || b->rank() != 2 || b->elementCount() < 32 * 32) return {};
  const int64_t k = b->dims()[transposed ? 1 : 0], n = b->dims()[transposed ? 0 : 1];
  const auto* from = static_cast<const uint8_t*>(b->data());
  const uint8_t flip = b->type() == ElementType::kUint8 ? 0x80 : 0;
  std::vector<int8_t> lines(static_cast<size_t>(n * k));
  std::vector<int32_t> sums(static_cast<size_t>(n));
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t d = 0; d < k; ++d) {
      const auto value = static_cast<int8_t>(from[transposed ? j * k + d : d * n + j] ^ flip);
      lines[static_cast<size_t>(j * k + d)] = value;
      sums[static_cast<size_t>(j)] += value;
    }
  }
  CUTAWAY_TRY(m_bytes, resources.upload(std::as_bytes(std::span(lines))));
  CUTAWAY_TRY(m_sums, resources.upload(std::as_bytes(std::span(sums))));
  return {};
}

Result<void> ByteProduct::run(GpuCall& call, const Pairing& pairing, BytesParameters p) const {
  p.m = pairing.rows;
  p.n = pairing.columns;
  p.k = pairing.depth;
  p.rowA = pairing.transposeA ? 1 : pairing.rowStrideA;
  p.stepA = pairing.transposeA ? pairing.rowStrideA : 1;
  p.stepB = pairing.transposeB ? 1 : pairing.rowStrideB;
  p.columnB = pairing.transposeB ? pairing.rowStrideB : 1;
  p.matrixA = std::max<int64_t>(1, p.m * p.k);
  p.matrixB = std::max<int64_t>(1, p.n * p.k);
  p.batch = pairing.batch;
  p.count = pairing.pairs * pairing.cells();
  if (p.count == 0) return {};
  if (pairing.batch.rank <= 1 && pairing.pairs * pairing.cells() * p.k >= kLeastWork) {
    CUTAWAY_TRY(const Operation* operation,
                static_cast<ByteProductState&>(*call.context().state()).find(call.run().resources(), pairing));
    if (operation != nullptr) return runLibrary(call, pairing, p, *operation);
  }
  return call.launch(m_plain, p);
}

Result<ByteProduct::Lines> ByteProduct::linesOf(GpuCall& call, const BytesSide& side, const BytesLines& shape,
                                                bool sumsWanted) const {
  const int64_t lines = shape.lines * shape.matrices;
  const bool asTheyLie =
      side.isSigned && shape.step == 1 && shape.line == shape.depth && reinterpret_cast<uintptr_t>(side.data) % 16 == 0;
  Lines made{.bytes = side.data, .sums = nullptr};
  if (asTheyLie && !sumsWanted) return made;
  BytesLines task = shape;
  task.from = side.data;
  task.isSigned = side.isSigned;
  CUTAWAY_TRY(void* sums, call.scratch(static_cast<size_t>(lines) * sizeof(int32_t)));
  task.sums = static_cast<int32_t*>(sums);
  if (!asTheyLie) {
    CUTAWAY_TRY(void* bytes, call.scratch(static_cast<size_t>(lines * shape.depth)));
    task.to = static_cast<int8_t*>(bytes);
    made.bytes = bytes;
  }
  CUTAWAY_CHECK(call.launch(m_lines, task));
  made.sums = task.sums;
  return made;
}

Result<void> ByteProduct::runLibrary(GpuCall& call, const Pairing& pairing, BytesParameters& p,
                                     const Operation& operation) const {
  const bool sumsOfA = p.b.zero != nullptr || !p.b.isSigned, sumsOfB = p.a.zero != nullptr || !p.a.isSigned;
  CUTAWAY_TRY(const Lines a, linesOf(call, p.a,
                                     {.lines = p.m,
                                      .matrices = matricesOf(pairing, 0),
                                      .depth = p.k,
                                      .matrix = p.m * p.k,
                                      .line = p.rowA,
                                      .step = p.stepA},
                                     sumsOfA));
  Lines b{.bytes = m_bytes.get(), .sums = static_cast<const int32_t*>(m_sums.get())};
  if (m_bytes == nullptr) {
    CUTAWAY_TRY(b, linesOf(call, p.b,
                           {.lines = p.n,
                            .matrices = matricesOf(pairing, 1),
                            .depth = p.k,
                            .matrix = p.n * p.k,
                            .line = p.columnB,
                            .step = p.stepB},
                           sumsOfB));
  }
  CUTAWAY_TRY(void* products, call.scratch(static_cast<size_t>(p.count) * sizeof(int32_t)));
  CUTAWAY_CHECK(call.run(operation, {a.bytes, b.bytes, products}));
  p.a.sums = a.sums;
  p.b.sums = b.sums;
  p.products = static_cast<const int32_t*>(products);
  return call.launch(m_finish, p);
}

Result<const Operation*> ByteProductState::find(const GpuResources& resources, const Pairing& pairing) {
  const MatmulDescription description = descriptionOf(pairing);
  m_key.clear();
  for (const int64_t number : {description.batch, description.m, description.n, description.k, description.batchStrideA,
                               description.batchStrideB})
    m_key.append(reinterpret_cast<const char*>(&number), sizeof(number));
  if (const auto found = m_made.find(m_key); found != m_made.end()) return found->second.get();
  std::unique_ptr<Operation> operation;
  const Status status = resources.backend()->makeMatmul(description, resources.artifacts(), operation);
  if (!status.ok() && status.code != StatusCode::kUnsupported) return fail(asError(status, "a product of bytes"));
  if (!status.ok()) operation = nullptr;
  constexpr size_t kMost = 4096;
  if (m_made.size() >= kMost) m_made.clear();
  return m_made.emplace(m_key, std::move(operation)).first->second.get();
}

}  // namespace cutaway::cuda
