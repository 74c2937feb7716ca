// Scratch holds, each at a multiple of 64 bytes: the library's scratch pad and, where sums of pairs would saturate, the
// second product and the two halves of a factor that is not packed.
//
// Where there are loops of our own for sums of bytes (requantized_loops.h), packed products are made by them, as
// convolutions whose windows are one cell: scratch holds theirs, and rows of whole steps where those of `a` are not.

#include "engine/math/integer_product.h"

#include <algorithm>
#include <optional>

#include <spdlog/fmt/fmt.h>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/math/integer_exact.h"
#include "engine/math/packed_bytes.h"
#include "engine/math/requantized_convolution.h"
#include "engine/tensor/allocator.h"

namespace cutaway::math {

using Descriptor = dnnl::memory::desc;

struct IntegerProduct::Plan {
  IntegerProductShape shape;
  int threads = 1;     // of the caller when it was made
  int runThreads = 1;  // that pay for this much work
  bool split = false;  // two products, see integer_exact.h
  Descriptor a, b, storedB, c, scratchPad;
  dnnl::primitive primitive;
  std::string implementation;
  size_t secondOffset = 0, highOffset = 0, lowOffset = 0, scratchBytes = 0;
  std::optional<RequantizedConvolution> own;  // in place of the primitive
  size_t ownScratchBytes = 0, rowsOffset = 0;

  size_t resultCount() const { return static_cast<size_t>(shape.rows * shape.columns); }
  size_t factorCount() const { return static_cast<size_t>(shape.depth * shape.columns); }
};

IntegerProduct::IntegerProduct(std::unique_ptr<const Plan> plan) : m_plan(std::move(plan)) {}
IntegerProduct::~IntegerProduct() = default;
const IntegerProductShape& IntegerProduct::shape() const {
  return m_plan->shape;
}
int IntegerProduct::threads() const {
  return m_plan->threads;
}
size_t IntegerProduct::scratchBytes() const {
  return m_plan->scratchBytes;
}
std::string IntegerProduct::implementation() const {
  return m_plan->implementation;
}
bool IntegerProduct::accepts(const PackedBytes& packed) const {
  return packed.descriptor == m_plan->b;
}

// Multiply-adds below which another thread costs more than it saves.
static constexpr int64_t kWorkPerThread = int64_t{1} << 18;

static IntegerConvolutionShape asConvolution(const IntegerProductShape& shape) {
  IntegerConvolutionShape convolution;
  convolution.inChannels = shape.depth;
  convolution.outChannels = shape.columns;
  convolution.spatialRank = 1;
  convolution.input[0] = convolution.output[0] = shape.rows;
  convolution.kernel[0] = convolution.strides[0] = convolution.dilations[0] = 1;
  return convolution;
}

static bool hasWholeSteps(const IntegerProduct::Plan& plan) {
  return plan.own->cellBytes() == plan.shape.depth;
}

static void arrange(IntegerProduct::Plan& plan) {
  const auto place = [&](size_t bytes) {
    const size_t offset = plan.scratchBytes;
    plan.scratchBytes = static_cast<size_t>(alignUp(static_cast<int64_t>(offset + bytes), kBlockAlignment));
    return offset;
  };
  place(plan.scratchPad.get_size());
  if (!plan.split) return;
  plan.secondOffset = place(plan.resultCount() * sizeof(int32_t));
  if (plan.shape.packed) return;
  plan.highOffset = place(plan.factorCount());
  plan.lowOffset = place(plan.factorCount());
}

Result<std::shared_ptr<const IntegerProduct>> IntegerProduct::create(const IntegerProductShape& shape) {
  using Type = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;
  auto plan = std::make_unique<Plan>();
  plan->shape = shape;
  plan->threads = currentThreads();
  const double work =
      static_cast<double>(shape.rows) * static_cast<double>(shape.columns) * static_cast<double>(shape.depth);
  plan->runThreads = usefulThreads(static_cast<int64_t>(std::min(work, 1e15)), kWorkPerThread);
  plan->split = !addsExactly();
  if (shape.packed && RequantizedConvolution::sumsSuit(asConvolution(shape))) {
    plan->own.emplace(asConvolution(shape));
    plan->b = ownOrder(*plan->own);
    plan->implementation = std::string(requantizedLoops()->instructions);
    plan->ownScratchBytes = plan->own->scratchBytes();
    plan->rowsOffset = static_cast<size_t>(alignUp(static_cast<int64_t>(plan->ownScratchBytes), kBlockAlignment));
    plan->scratchBytes = plan->rowsOffset;
    if (!hasWholeSteps(*plan)) plan->scratchBytes += static_cast<size_t>(shape.rows * plan->own->cellBytes());
    return std::make_shared<const IntegerProduct>(std::move(plan));
  }
  // The library fixes its split when the primitive is made, and asks again when it runs.
  const ThreadShare share(plan->runThreads);
  CUTAWAY_CHECK(onednn::attempt("integer product", [&] {
    plan->a = Descriptor({shape.rows, shape.depth}, Type::u8, Tag::ab);
    plan->c = Descriptor({shape.rows, shape.columns}, Type::s32, Tag::ab);
    plan->storedB = Descriptor({shape.depth, shape.columns}, Type::s8, Tag::ab);
    const Descriptor wanted =
        shape.packed ? Descriptor({shape.depth, shape.columns}, Type::s8, Tag::any) : plan->storedB;
    const dnnl::matmul::primitive_desc chosen(dnnl::matmul::desc(plan->a, wanted, plan->c),
                                              onednn::userScratchAttributes(), onednn::cpuEngine());
    plan->b = chosen.weights_desc();
    plan->scratchPad = chosen.scratchpad_desc();
    plan->implementation = chosen.impl_info_str();
    plan->primitive = dnnl::matmul(chosen);
    arrange(*plan);
  }));
  return std::make_shared<const IntegerProduct>(std::move(plan));
}

Result<std::shared_ptr<const PackedBytes>> IntegerProduct::pack(const int8_t* b) const {
  const Plan& plan = *m_plan;
  if (!plan.own) return packBytes(plan.storedB, plan.b, b, plan.factorCount());
  return packOwn(*plan.own, fmt::format("{}x{}", plan.shape.depth, plan.shape.columns), {b, plan.factorCount()},
                 [&](int8_t* packed) { plan.own->packFactor(b, packed); });
}

struct IntegerProduct::Call::Handles {
  dnnl::stream stream;
  dnnl::memory a, b, c, scratchPad;
};

IntegerProduct::Call::Call(std::shared_ptr<const IntegerProduct> product) : m_product(std::move(product)) {}
IntegerProduct::Call::~Call() = default;
IntegerProduct::Call::Call(Call&&) noexcept = default;
IntegerProduct::Call& IntegerProduct::Call::operator=(Call&&) noexcept = default;

static void runOwn(const IntegerProduct::Plan& plan, const IntegerProductArguments& arguments) {
  const uint8_t* a = arguments.a;
  if (!hasWholeSteps(plan)) {
    const int64_t depth = plan.shape.depth, whole = plan.own->cellBytes();
    auto* const rows = reinterpret_cast<uint8_t*>(arguments.scratch.data() + plan.rowsOffset);
    for (int64_t row = 0; row < plan.shape.rows; ++row) {
      uint8_t* const to = std::copy_n(a + row * depth, depth, rows + row * whole);
      std::fill_n(to, whole - depth, uint8_t{0});
    }
    a = rows;
  }
  plan.own->sums({.bytes = a}, static_cast<const int8_t*>(arguments.packed->parts[0].bytes.get()), arguments.c,
                 arguments.scratch.first(plan.ownScratchBytes));
}

Result<void> IntegerProduct::Call::run(const IntegerProductArguments& arguments) {
  const Plan& plan = *m_product->m_plan;
  if (arguments.scratch.size() < plan.scratchBytes)
    return fail(ErrorCode::kInvalidArgument, "the integer product needs {} bytes of scratch", plan.scratchBytes);
  if (plan.own) {
    runOwn(plan, arguments);
    return {};
  }
  const ThreadShare share(plan.runThreads);
  return onednn::attempt("integer product", [&] {
    if (!m_handles) {
      m_handles = std::make_unique<Handles>();
      m_handles->stream = dnnl::stream(onednn::cpuEngine());
      m_handles->a = onednn::handleFor(plan.a);
      m_handles->b = onednn::handleFor(plan.b);
      m_handles->c = onednn::handleFor(plan.c);
      m_handles->scratchPad = onednn::handleFor(plan.scratchPad);
    }
    Handles& handles = *m_handles;
    std::byte* scratch = arguments.scratch.data();
    onednn::point(handles.a, arguments.a);
    onednn::point(handles.scratchPad, scratch);
    const auto product = [&](int part, const int8_t* dense, int32_t* c) {
      if (!plan.shape.packed) onednn::point(handles.b, dense);
      onednn::point(handles.c, c);
      const dnnl::memory& b = plan.shape.packed ? arguments.packed->parts[part].view : handles.b;
      const dnnl_exec_arg_t all[] = {{DNNL_ARG_SRC, handles.a.get()},
                                     {DNNL_ARG_WEIGHTS, b.get()},
                                     {DNNL_ARG_DST, handles.c.get()},
                                     {DNNL_ARG_SCRATCHPAD, handles.scratchPad.get()}};
      if (auto done = onednn::execute(plan.primitive, handles.stream, all); !done)
        throw std::runtime_error(done.error().message);
    };
    if (!plan.split) {
      product(0, arguments.b, arguments.c);
      return;
    }
    int8_t* high = reinterpret_cast<int8_t*>(scratch + plan.highOffset);
    int8_t* low = reinterpret_cast<int8_t*>(scratch + plan.lowOffset);
    int32_t* second = reinterpret_cast<int32_t*>(scratch + plan.secondOffset);
    if (!plan.shape.packed) splitHalves({arguments.b, plan.factorCount()}, high, low);
    product(0, high, arguments.c);
    product(1, low, second);
    joinHalves(arguments.c, second, plan.resultCount());
  });
}

}  // namespace cutaway::math
