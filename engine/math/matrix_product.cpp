#include "engine/math/matrix_product.h"

#include <algorithm>

#include "engine/base/cancel_scope.h"
#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/math/onednn.h"
#include "engine/tensor/allocator.h"
#include "engine/tensor/packed_weight.h"

namespace cutaway::math {

using Descriptor = dnnl::memory::desc;

// Multiply-adds below which another thread costs more than it saves.
static constexpr int64_t kWorkPerThread = int64_t{1} << 16;

// Multiply-adds of one slice, for each thread that works on it: some 5 ms. Longer products are done in slices of rows,
// between which a run can be stopped; always, so that bits do not depend on whether somebody may stop it.
static constexpr int64_t kWorkPerSlice = int64_t{1} << 29;
static constexpr int64_t kSliceGrain = 64;

static int64_t products(int64_t rows, int64_t columns, int64_t depth) {
  return static_cast<int64_t>(
      std::min(static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(depth), 1e15));
}

// Rows of a slice; `rows` when the product is short enough to be done at once.
static int64_t rowsOfSlice(int64_t rows, int64_t columns, int64_t depth, int threads) {
  const int64_t work = products(rows, columns, depth), limit = kWorkPerSlice * threads;
  if (work <= 2 * limit) return rows;
  const int64_t wanted =
      static_cast<int64_t>(static_cast<double>(rows) * static_cast<double>(limit) / static_cast<double>(work));
  return std::min(rows, (wanted / kSliceGrain + 1) * kSliceGrain);
}

Result<void> multiply(const MultiplyShape& shape, const float* a, const float* b, float* c) {
  if (shape.rows <= 0 || shape.columns <= 0) return {};
  const int64_t strideC = shape.strideC != 0 ? shape.strideC : shape.columns;
  if (shape.depth <= 0) {
    for (int64_t row = 0; row < shape.rows; ++row) {
      for (int64_t column = 0; column < shape.columns; ++column) {
        float& value = c[row * strideC + column];
        value = shape.beta == 0.0f ? 0.0f : shape.beta * value;
      }
    }
    return {};
  }
  const int64_t strideA = shape.strideA != 0 ? shape.strideA : shape.transposeA ? shape.rows : shape.depth;
  const int64_t strideB = shape.strideB != 0 ? shape.strideB : shape.transposeB ? shape.depth : shape.columns;
  const ThreadShare share(usefulThreads(products(shape.rows, shape.columns, shape.depth), kWorkPerThread));
  const int64_t slice = rowsOfSlice(shape.rows, shape.columns, shape.depth, currentThreads());
  for (int64_t row = 0; row < shape.rows && !stopRequested(); row += slice) {
    const float* from = a + (shape.transposeA ? row : row * strideA);
    const dnnl_status_t status = dnnl_sgemm(shape.transposeA ? 'T' : 'N', shape.transposeB ? 'T' : 'N',
                                            std::min(slice, shape.rows - row), shape.columns, shape.depth, shape.alpha,
                                            from, strideA, b, strideB, shape.beta, c + row * strideC, strideC);
    if (status != dnnl_success)
      return fail(ErrorCode::kEngineError, "oneDNN could not multiply {}x{} by {}x{}", shape.rows, shape.depth,
                  shape.depth, shape.columns);
  }
  return {};
}

class PackedMatrix {
 public:
  Descriptor descriptor;
  onednn::OwnedMemory memory;
};

struct MatrixProduct::Plan {
  MatrixProductShape shape;
  int threads = 1;     // of the caller when it was made
  int runThreads = 1;  // that pay for this much work
  Descriptor userA, a, b, storedB, c, bias, scratchPad;
  dnnl::primitive primitive;
  dnnl::primitive roundA;  // to bfloat16, behind the scratch pad; empty: `a` is read where it lies
  size_t roundedOffset = 0, scratchBytes = 0;
  std::string implementation;
  std::shared_ptr<const MatrixProduct> slice,
      rest;  // of a long product: its first rows, and those that no whole slice is left for (may be null)
};

MatrixProduct::MatrixProduct(std::unique_ptr<const Plan> plan) : m_plan(std::move(plan)) {}
MatrixProduct::~MatrixProduct() = default;
const MatrixProductShape& MatrixProduct::shape() const {
  return m_plan->shape;
}
int MatrixProduct::threads() const {
  return m_plan->threads;
}
size_t MatrixProduct::scratchBytes() const {
  const size_t slices = std::max(m_plan->slice != nullptr ? m_plan->slice->scratchBytes() : 0,
                                 m_plan->rest != nullptr ? m_plan->rest->scratchBytes() : 0);
  return std::max(m_plan->scratchBytes, slices);
}
std::string MatrixProduct::implementation() const {
  return m_plan->implementation;
}
bool MatrixProduct::accepts(const PackedMatrix& packed) const {
  return packed.descriptor == m_plan->b;
}

// Slices read the same packed factor; where the library would pack it otherwise for fewer rows, the product stays
// whole.
Result<void> MatrixProduct::cutIntoSlices(Plan& plan) {
  MatrixProductShape part = plan.shape;
  part.rows = rowsOfSlice(plan.shape.rows, plan.shape.columns, plan.shape.depth, plan.runThreads);
  if (part.rows >= plan.shape.rows) return {};
  CUTAWAY_TRY(auto slice, create(part));
  std::shared_ptr<const MatrixProduct> rest;
  if (part.rows = plan.shape.rows % part.rows; part.rows > 0) {
    CUTAWAY_TRY(rest, create(part));
  }
  const auto fits = [&](const MatrixProduct& each) {
    return each.m_plan->b == plan.b && each.m_plan->slice == nullptr;
  };
  if (!fits(*slice) || (rest != nullptr && !fits(*rest))) return {};
  plan.slice = std::move(slice);
  plan.rest = std::move(rest);
  return {};
}

Result<std::shared_ptr<const MatrixProduct>> MatrixProduct::create(const MatrixProductShape& shape) {
  using Type = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;
  auto plan = std::make_unique<Plan>();
  plan->shape = shape;
  plan->threads = currentThreads();
  plan->runThreads = usefulThreads(products(shape.rows, shape.columns, shape.depth), kWorkPerThread);
  // The library fixes its split when the primitive is made, and asks again when it runs.
  const ThreadShare share(plan->runThreads);
  CUTAWAY_CHECK(onednn::attempt("matrix product", [&] {
    dnnl::primitive_attr attributes = onednn::userScratchAttributes();
    dnnl::post_ops operations;
    onednn::appendActivation(operations, shape.activation);
    attributes.set_post_ops(operations);
    const bool rounds = roundsToBfloat16(shape.precision, shape.depth, shape.columns);
    const Type factors = rounds ? Type::bf16 : Type::f32;
    plan->userA = Descriptor({shape.rows, shape.depth}, Type::f32, Tag::ab);
    plan->a = Descriptor({shape.rows, shape.depth}, factors, Tag::ab);
    plan->c = Descriptor({shape.rows, shape.columns}, Type::f32, Tag::ab);
    plan->storedB = Descriptor({shape.depth, shape.columns}, Type::f32, shape.transposeB ? Tag::ba : Tag::ab);
    plan->bias = shape.bias ? Descriptor({1, shape.columns}, Type::f32, Tag::ab) : Descriptor();
    const Descriptor anyB({shape.depth, shape.columns}, factors, Tag::any);
    const dnnl::matmul::desc description = shape.bias ? dnnl::matmul::desc(plan->a, anyB, plan->bias, plan->c)
                                                      : dnnl::matmul::desc(plan->a, anyB, plan->c);
    const dnnl::matmul::primitive_desc chosen(description, attributes, onednn::cpuEngine());
    plan->b = chosen.weights_desc();
    plan->scratchPad = chosen.scratchpad_desc();
    plan->implementation = chosen.impl_info_str();
    plan->primitive = dnnl::matmul(chosen);
    plan->scratchBytes = plan->scratchPad.get_size();
    if (rounds) {
      const dnnl::reorder::primitive_desc round(onednn::cpuEngine(), plan->userA, onednn::cpuEngine(), plan->a,
                                                onednn::userScratchAttributes());
      plan->roundA = dnnl::reorder(round);
      plan->roundedOffset = static_cast<size_t>(alignUp(
          static_cast<int64_t>(std::max(plan->scratchBytes, round.scratchpad_desc().get_size())), kBlockAlignment));
      plan->scratchBytes = plan->roundedOffset + plan->a.get_size();
    }
  }));
  CUTAWAY_CHECK(cutIntoSlices(*plan));
  return std::make_shared<const MatrixProduct>(std::move(plan));
}

Result<std::shared_ptr<const PackedMatrix>> MatrixProduct::pack(const float* b) const {
  const auto source = std::as_bytes(std::span(b, static_cast<size_t>(m_plan->shape.depth * m_plan->shape.columns)));
  return sharedPack<PackedMatrix>(
      source, onednn::packingName("matrix", m_plan->storedB, m_plan->b), static_cast<int64_t>(m_plan->b.get_size()),
      [&]() -> Result<std::shared_ptr<const PackedMatrix>> {
        auto packed = std::make_shared<PackedMatrix>();
        CUTAWAY_CHECK(onednn::attempt("matrix packing", [&] {
          packed->descriptor = m_plan->b;
          packed->memory = onednn::newMemory(m_plan->b);
          dnnl::stream stream(onednn::cpuEngine());
          dnnl::memory source(m_plan->storedB, onednn::cpuEngine(), const_cast<float*>(b));
          dnnl::reorder(source, packed->memory.view).execute(stream, source, packed->memory.view);
          stream.wait();
        }));
        return packed;
      });
}

struct MatrixProduct::Call::Handles {
  dnnl::stream stream;
  dnnl::memory userA, a, c, bias, scratchPad;
  std::unique_ptr<Call> slice, rest;
};

MatrixProduct::Call::Call(std::shared_ptr<const MatrixProduct> product) : m_product(std::move(product)) {}
MatrixProduct::Call::~Call() = default;
MatrixProduct::Call::Call(Call&&) noexcept = default;
MatrixProduct::Call& MatrixProduct::Call::operator=(Call&&) noexcept = default;

Result<void> MatrixProduct::Call::runSlices(const float* a, const PackedMatrix& b, const float* bias, float* c,
                                            std::span<std::byte> scratch) {
  const Plan& plan = *m_product->m_plan;
  if (!m_handles) {
    m_handles = std::make_unique<Handles>();
    m_handles->slice = std::make_unique<Call>(plan.slice);
    if (plan.rest != nullptr) m_handles->rest = std::make_unique<Call>(plan.rest);
  }
  const int64_t slice = plan.slice->shape().rows;
  for (int64_t row = 0; row < plan.shape.rows && !stopRequested(); row += slice) {
    Call& part = row + slice <= plan.shape.rows ? *m_handles->slice : *m_handles->rest;
    CUTAWAY_CHECK(part.run(a + row * plan.shape.depth, b, bias, c + row * plan.shape.columns, scratch));
  }
  return {};
}

Result<void> MatrixProduct::Call::run(const float* a, const PackedMatrix& b, const float* bias, float* c,
                                      std::span<std::byte> scratch) {
  const Plan& plan = *m_product->m_plan;
  if (scratch.size() < m_product->scratchBytes())
    return fail(ErrorCode::kInvalidArgument, "the matrix product needs {} bytes of scratch", m_product->scratchBytes());
  if (plan.slice != nullptr) return runSlices(a, b, bias, c, scratch);
  const ThreadShare share(plan.runThreads);
  return onednn::attempt("matrix product", [&] {
    if (!m_handles) {
      m_handles = std::make_unique<Handles>();
      m_handles->stream = dnnl::stream(onednn::cpuEngine());
      m_handles->userA = onednn::handleFor(plan.userA);
      m_handles->a = onednn::handleFor(plan.a);
      m_handles->c = onednn::handleFor(plan.c);
      m_handles->bias = onednn::handleFor(plan.bias);
      m_handles->scratchPad = onednn::handleFor(plan.scratchPad);
    }
    Handles& handles = *m_handles;
    onednn::point(handles.a, a);
    onednn::point(handles.c, c);
    if (plan.shape.bias) onednn::point(handles.bias, bias);
    onednn::point(handles.scratchPad, scratch.data());
    if (plan.roundA) {
      onednn::point(handles.userA, a);
      onednn::point(handles.a, scratch.data() + plan.roundedOffset);
      const dnnl_exec_arg_t round[] = {{DNNL_ARG_FROM, handles.userA.get()},
                                       {DNNL_ARG_TO, handles.a.get()},
                                       {DNNL_ARG_SCRATCHPAD, handles.scratchPad.get()}};
      if (auto done = onednn::execute(plan.roundA, handles.stream, round); !done)
        throw std::runtime_error(done.error().message);
    }
    const dnnl_exec_arg_t all[] = {{DNNL_ARG_SRC, handles.a.get()},
                                   {DNNL_ARG_WEIGHTS, b.memory.view.get()},
                                   {DNNL_ARG_DST, handles.c.get()},
                                   {DNNL_ARG_SCRATCHPAD, handles.scratchPad.get()},
                                   {DNNL_ARG_BIAS, handles.bias.get()}};
    if (auto done = onednn::execute(plan.primitive, handles.stream, {all, plan.shape.bias ? 5u : 4u}); !done)
      throw std::runtime_error(done.error().message);
  });
}

}  // namespace cutaway::math
