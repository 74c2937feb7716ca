// How a Convolution is put together.
//
// The caller's tensors have the layouts of ConvolutionShape; the primitive was made with format "any" and may want
// others. Scratch holds, in this order and each at a multiple of 64 bytes: the library's scratch pad, the input in the
// primitive's order, the output in the primitive's order, the weights in the primitive's order. Parts that are not
// needed take no room (weights always do, because they may come unpacked). Reorders share the scratch pad: they never
// run at the same time as the convolution.
//
// A convolution of our own (own_convolution.h) stands in the primitive's place where it is faster: it has its own order
// of tensors and of weights, and reads its residual itself.
//
// Where operands are rounded to bfloat16 (roundsToBfloat16), the primitive's input and weights are of that type and its
// output is of floats: the same reorders that change layouts round, too.
//
// oneDNN 2.6 adds bias, sums and activations to a deconvolution in a plain loop, many times slower than the
// deconvolution: they follow in a pass of ours over the channels of each cell.

#include "engine/math/convolution.h"

#include <cstring>
#include <functional>
#include <numeric>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/math/onednn.h"
#include "engine/math/own_convolution.h"
#include "engine/math/winograd.h"
#include "engine/tensor/allocator.h"
#include "engine/tensor/packed_weight.h"

namespace cutaway::math {

using Descriptor = dnnl::memory::desc;

class PackedWeights {
 public:
  Descriptor descriptor;
  onednn::OwnedMemory memory;
};

struct Convolution::Plan {
  ConvolutionShape asked;
  ConvolutionShape shape;  // the same numbers in the same places of memory, in the form that kernels are made for
  int threads = 1;         // of the caller when it was made
  int runThreads = 1;      // that pay for this much work
  Descriptor userInput, userOutput, userWeights;
  Descriptor input, output, weights, bias, scratchPad;
  Descriptor ordered;  // as the own convolution reads weights before it transforms them
  dnnl::primitive primitive;
  std::shared_ptr<const OwnConvolution> own;  // instead of the primitive
  bool finishes = false;                      // bias and activation follow the primitive, whose output is channels last
  dnnl::primitive reorderInput, reorderOutput, reorderResidual, reorderWeights;  // empty where nothing is to be done
  std::string implementation;
  size_t inputOffset = 0, outputOffset = 0, weightsOffset = 0, scratchBytes = 0;

  size_t orderedOffset() const {
    return static_cast<size_t>(alignUp(static_cast<int64_t>(weightsOffset + weights.get_size()), kBlockAlignment));
  }
};

namespace {

dnnl::memory::dims spatial(const ConvolutionShape& shape, const SpatialDims& values, int64_t summand = 0) {
  dnnl::memory::dims dims(values.begin(), values.begin() + shape.spatialRank);
  for (auto& dim : dims)
    dim += summand;
  return dims;
}

dnnl::memory::dims activations(const ConvolutionShape& shape, int64_t channels, const SpatialDims& values) {
  dnnl::memory::dims dims = spatial(shape, values);
  dims.insert(dims.begin(), {shape.batch, channels});
  return dims;
}

// Logical order is always [groups,] out, in, kernel; ONNX stores transposed weights as in, out.
dnnl::memory::dims weightDims(const ConvolutionShape& shape) {
  dnnl::memory::dims dims = spatial(shape, shape.kernel);
  dims.insert(dims.begin(), {shape.outChannels / shape.groups, shape.inChannels / shape.groups});
  if (shape.groups > 1) dims.insert(dims.begin(), shape.groups);
  return dims;
}

Descriptor storedWeights(const ConvolutionShape& shape) {
  const dnnl::memory::dims dims = weightDims(shape);
  if (!shape.transposed) return onednn::plainDescriptor(dims);
  const size_t out = shape.groups > 1 ? 1 : 0;
  dnnl::memory::dims strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > out + 3;)
    strides[axis - 1] = strides[axis] * dims[axis];
  strides[out] = strides[out + 2] * dims[out + 2];
  strides[out + 1] = strides[out] * dims[out];
  if (out == 1) strides[0] = strides[out + 1] * dims[out + 1];
  return {dims, dnnl::memory::data_type::f32, strides};
}

using Type = dnnl::memory::data_type;

Descriptor anyOrder(const dnnl::memory::dims& dims, Type type) {
  return {dims, type, dnnl::memory::format_tag::any};
}

// What a primitive's input and output have to be. kAsGiven: a caller with a blocked tensor means it; a plain one leaves
// the choice to the library.
enum class Order : uint8_t { kAsGiven, kAny, kChannelsLast };

Descriptor wanted(const dnnl::memory::dims& dims, Layout layout, Order order, Type type) {
  if (order == Order::kChannelsLast) layout = Layout::kChannelsLast;
  if (layout == Layout::kPlain || order == Order::kAny) return anyOrder(dims, type);
  Descriptor descriptor = onednn::activationDescriptor(dims, layout);
  descriptor.data.data_type = dnnl::memory::convert_to_c(type);
  return descriptor;
}

// Bias and activation go into the primitive, or (finishes) are left to us. operands: type of input and weights.
void makePrimitive(Convolution::Plan& plan, const dnnl::primitive_attr& attributes, Order order,
                   Type operands = Type::f32) {
  const ConvolutionShape& shape = plan.shape;
  const bool finishes = plan.finishes;
  if (finishes) order = Order::kChannelsLast;
  const Descriptor input =
      wanted(activations(shape, shape.inChannels, shape.input), shape.inputLayout, order, operands);
  const Descriptor output =
      wanted(activations(shape, shape.outChannels, shape.output), shape.outputLayout, order, Type::f32);
  const Descriptor weights = anyOrder(weightDims(shape), operands);
  plan.bias = shape.bias && !finishes
                  ? Descriptor({shape.outChannels}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a)
                  : Descriptor();
  const auto strides = spatial(shape, shape.strides), dilations = spatial(shape, shape.dilations, -1);
  const auto before = spatial(shape, shape.padsBegin), after = spatial(shape, shape.padsEnd);
  const auto take = [&](const auto& description) {
    plan.input = description.src_desc();
    plan.output = description.dst_desc();
    plan.weights = description.weights_desc();
    plan.scratchPad = description.scratchpad_desc();
    plan.implementation = description.impl_info_str();
  };
  constexpr auto kInference = dnnl::prop_kind::forward_inference;
  if (shape.transposed) {
    using Forward = dnnl::deconvolution_forward;
    const Forward::desc description(kInference, dnnl::algorithm::deconvolution_direct, input, weights, plan.bias,
                                    output, strides, dilations, before, after);
    const Forward::primitive_desc chosen(description, attributes, onednn::cpuEngine());
    take(chosen);
    plan.primitive = Forward(chosen);
    return;
  }
  using Forward = dnnl::convolution_forward;
  const Forward::desc description(kInference, dnnl::algorithm::convolution_direct, input, weights, plan.bias, output,
                                  strides, dilations, before, after);
  const Forward::primitive_desc chosen(description, attributes, onednn::cpuEngine());
  take(chosen);
  plan.primitive = Forward(chosen);
}

void makeOwn(Convolution::Plan& plan) {
  const ConvolutionShape& shape = plan.shape;
  plan.input = onednn::activationDescriptor(activations(shape, shape.inChannels, shape.input), plan.own->inputLayout());
  plan.output =
      onednn::activationDescriptor(activations(shape, shape.outChannels, shape.output), plan.own->outputLayout());
  const std::array<int64_t, 4> ofGroup = plan.own->weightStrides();
  const dnnl::memory::dims dims = weightDims(shape);
  dnnl::memory::dims strides(ofGroup.begin(), ofGroup.begin() + 2 + static_cast<int64_t>(shape.spatialRank));
  if (shape.groups > 1)
    strides.insert(strides.begin(), std::accumulate(dims.begin() + 1, dims.end(), int64_t{1}, std::multiplies<>()));
  plan.ordered = {dims, dnnl::memory::data_type::f32, strides};
  plan.weights = onednn::plainDescriptor({plan.own->weightCount()});
  plan.bias = shape.bias ? onednn::plainDescriptor({shape.outChannels}) : Descriptor();
  plan.scratchPad = {
      {static_cast<int64_t>(plan.own->scratchBytes())}, dnnl::memory::data_type::u8, dnnl::memory::format_tag::a};
  plan.implementation = plan.own->implementation();
}

dnnl::primitive makeReorder(const Descriptor& from, const Descriptor& to, size_t& scratchBytes) {
  const dnnl::reorder::primitive_desc description(onednn::cpuEngine(), from, onednn::cpuEngine(), to,
                                                  onednn::userScratchAttributes());
  scratchBytes = std::max(scratchBytes, description.scratchpad_desc().get_size());
  return dnnl::reorder(description);
}

void arrange(Convolution::Plan& plan) {
  size_t pad = plan.scratchPad.get_size();
  if (plan.input != plan.userInput) plan.reorderInput = makeReorder(plan.userInput, plan.input, pad);
  if (plan.output != plan.userOutput) {
    plan.reorderOutput = makeReorder(plan.output, plan.userOutput, pad);
    if (plan.shape.residual) plan.reorderResidual = makeReorder(plan.userOutput, plan.output, pad);
  }
  if (plan.own) {
    if (plan.ordered != plan.userWeights) plan.reorderWeights = makeReorder(plan.userWeights, plan.ordered, pad);
  } else if (plan.weights != plan.userWeights) {
    plan.reorderWeights = makeReorder(plan.userWeights, plan.weights, pad);
  }
  const auto place = [&](size_t bytes) {
    const size_t offset = plan.scratchBytes;
    plan.scratchBytes = static_cast<size_t>(alignUp(static_cast<int64_t>(offset + bytes), kBlockAlignment));
    return offset;
  };
  place(pad);
  plan.inputOffset = place(plan.reorderInput ? plan.input.get_size() : 0);
  plan.outputOffset = place(plan.reorderOutput ? plan.output.get_size() : 0);
  plan.weightsOffset = plan.scratchBytes;
}

}  // namespace

Convolution::Convolution(std::unique_ptr<const Plan> plan) : m_plan(std::move(plan)) {}
Convolution::~Convolution() = default;
const ConvolutionShape& Convolution::shape() const {
  return m_plan->asked;
}
int Convolution::threads() const {
  return m_plan->threads;
}
std::string Convolution::implementation() const {
  return m_plan->implementation;
}
size_t Convolution::scratchBytes() const {
  return m_plan->orderedOffset() + (m_plan->own ? m_plan->ordered.get_size() : 0);
}
bool Convolution::accepts(const PackedWeights& packed) const {
  return packed.descriptor == m_plan->weights;
}

// Kernels walk along the last axis: axes of one place go before all others, and there are two at the least. Nothing
// moves in memory: an axis of one place has no stride.
static ConvolutionShape alongLastAxis(const ConvolutionShape& asked) {
  ConvolutionShape shape = asked;
  const auto isSinglePlace = [&](size_t axis) {
    return asked.input[axis] == 1 && asked.output[axis] == 1 && asked.kernel[axis] == 1 && asked.padsBegin[axis] == 0 &&
           asked.padsEnd[axis] == 0;
  };
  std::array<size_t, kMaxSpatialRank> order{};
  size_t placed = 0;
  for (const bool single : {true, false}) {
    for (size_t axis = 0; axis < asked.spatialRank; ++axis) {
      if (isSinglePlace(axis) == single) order[placed++] = axis;
    }
  }
  const size_t added = asked.spatialRank < 2 ? 2 - asked.spatialRank : 0;
  shape.spatialRank = asked.spatialRank + added;
  for (auto& [values, from] :
       {std::pair(&shape.input, &asked.input), std::pair(&shape.output, &asked.output),
        std::pair(&shape.kernel, &asked.kernel), std::pair(&shape.strides, &asked.strides),
        std::pair(&shape.dilations, &asked.dilations), std::pair(&shape.padsBegin, &asked.padsBegin),
        std::pair(&shape.padsEnd, &asked.padsEnd)}) {
    const bool isPad = from == &asked.padsBegin || from == &asked.padsEnd;
    std::fill_n(values->begin(), added, isPad ? 0 : 1);
    for (size_t axis = 0; axis < asked.spatialRank; ++axis)
      (*values)[added + axis] = (*from)[order[axis]];
  }
  return shape;
}

// The library's deconvolution without bias and activation, which we add; false: it is not there, or is a plain loop.
static bool makeFinished(Convolution::Plan& plan) {
  const ConvolutionShape& shape = plan.shape;
  const auto reads = [](Layout layout) { return layout == Layout::kPlain || layout == Layout::kChannelsLast; };
  const bool follows = shape.bias || shape.activation.kind != ActivationKind::kNone;
  if (!shape.transposed || !follows || shape.residual || channelLoops() == nullptr || !reads(shape.inputLayout) ||
      !reads(shape.outputLayout))
    return false;
  plan.finishes = true;
  try {
    makePrimitive(plan, onednn::userScratchAttributes(), Order::kChannelsLast);
    if (plan.implementation.find("ref") == std::string::npos) return true;
  } catch (const dnnl::error& error) {  // in the order it takes by itself, then
    onednn::throwOutOfMemory(error);
  }
  plan.finishes = false;
  return false;
}

// False: the library does not multiply bfloat16 there, or does in a plain loop.
static bool makeRounding(Convolution::Plan& plan, const dnnl::primitive_attr& attributes) {
  if (!roundsToBfloat16(plan.shape)) return false;
  try {
    makePrimitive(plan, attributes, Order::kAsGiven, Type::bf16);
  } catch (const dnnl::error& error) {
    onednn::throwOutOfMemory(error);
    return false;
  }
  return plan.implementation.find("bf16") != std::string::npos;
}

static bool gathersColumns(const Convolution::Plan& plan) {
  return plan.implementation.find("gemm") != std::string::npos;
}

// In the caller's orders, or in others where these have but a slow form: two reorders cost less.
static void makeUsual(Convolution::Plan& plan, const dnnl::primitive_attr& attributes) {
  const ConvolutionShape& shape = plan.shape;
  makePrimitive(plan, attributes, Order::kAsGiven);
  const bool isGiven = shape.inputLayout != Layout::kPlain || shape.outputLayout != Layout::kPlain;
  if (isGiven && plan.implementation.starts_with("ref")) makePrimitive(plan, attributes, Order::kAny);
  // Products of gathered columns: for groups of few channels, with activations in a plain loop behind them.
  const bool pays = shape.activation.kind != ActivationKind::kNone || shape.groups > 1;
  if (!gathersColumns(plan) || !pays || shape.transposed) return;
  try {
    makePrimitive(plan, attributes, Order::kChannelsLast);
    if (!gathersColumns(plan) && !plan.implementation.starts_with("ref")) return;
  } catch (const dnnl::error& error) {  // as it was, then
    onednn::throwOutOfMemory(error);
  }
  makePrimitive(plan, attributes, Order::kAsGiven);
}

// Multiply-adds below which another thread costs more than it saves.
static constexpr int64_t kWorkPerThread = int64_t{1} << 16;

bool roundsToBfloat16(const ConvolutionShape& shape) {
  if (shape.precision != Precision::kBfloat16 || shape.transposed || shape.groups < 1) return false;
  int64_t depth = shape.inChannels / shape.groups;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    depth *= shape.kernel[axis];
  return roundsToBfloat16(shape.precision, depth, shape.outChannels / shape.groups) && !Winograd::suits(shape);
}

static int64_t multiplications(const ConvolutionShape& shape) {
  const SpatialDims& places = shape.transposed ? shape.input : shape.output;
  double count = static_cast<double>(shape.batch) * static_cast<double>(shape.outChannels) *
                 static_cast<double>(shape.inChannels / std::max<int64_t>(1, shape.groups));
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    count *= static_cast<double>(places[axis]) * static_cast<double>(shape.kernel[axis]);
  return static_cast<int64_t>(std::min(count, 1e15));
}

Result<std::shared_ptr<const Convolution>> Convolution::create(const ConvolutionShape& asked) {
  auto plan = std::make_unique<Plan>();
  plan->asked = asked;
  plan->shape = alongLastAxis(asked);
  const ConvolutionShape& shape = plan->shape;
  plan->threads = currentThreads();
  plan->runThreads = usefulThreads(multiplications(shape), kWorkPerThread);
  // The library fixes its split when the primitive is made, and asks again when it runs.
  const ThreadShare share(plan->runThreads);
  CUTAWAY_CHECK(onednn::attempt("convolution", [&] {
    dnnl::primitive_attr attributes = onednn::userScratchAttributes();
    dnnl::post_ops operations;
    if (shape.residual) operations.append_sum(1.0f);
    onednn::appendActivation(operations, shape.activation);
    attributes.set_post_ops(operations);
    plan->userInput =
        onednn::activationDescriptor(activations(shape, shape.inChannels, shape.input), shape.inputLayout);
    plan->userOutput =
        onednn::activationDescriptor(activations(shape, shape.outChannels, shape.output), shape.outputLayout);
    plan->userWeights = storedWeights(shape);
    plan->own = OwnConvolution::forShape(shape);
    if (plan->own) {
      makeOwn(*plan);
    } else if (!makeFinished(*plan) && !makeRounding(*plan, attributes)) {
      makeUsual(*plan, attributes);
      const bool isSlow = gathersColumns(*plan) || plan->implementation.starts_with("ref");
      if (isSlow) plan->own = OwnConvolution::insteadOfSlowForm(shape);
      if (plan->own) makeOwn(*plan);
    }
    arrange(*plan);
  }));
  return std::make_shared<const Convolution>(std::move(plan));
}

Result<std::shared_ptr<const PackedWeights>> Convolution::pack(const float* weights) const {
  const std::span<const std::byte> source(reinterpret_cast<const std::byte*>(weights), m_plan->userWeights.get_size());
  return sharedPack<PackedWeights>(
      source,
      onednn::packingName(m_plan->own ? m_plan->implementation : "convolution", m_plan->userWeights, m_plan->weights),
      static_cast<int64_t>(m_plan->weights.get_size()), [&]() -> Result<std::shared_ptr<const PackedWeights>> {
        auto packed = std::make_shared<PackedWeights>();
        CUTAWAY_CHECK(onednn::attempt("weight packing", [&] {
          packed->descriptor = m_plan->weights;
          packed->memory = onednn::newMemory(m_plan->weights);
          dnnl::stream stream(onednn::cpuEngine());
          dnnl::memory source(m_plan->userWeights, onednn::cpuEngine(), const_cast<float*>(weights));
          const onednn::OwnedMemory ordered = m_plan->own ? onednn::newMemory(m_plan->ordered) : packed->memory;
          dnnl::memory target = ordered.view;
          dnnl::reorder(source, target).execute(stream, source, target);
          stream.wait();
          if (m_plan->own)
            m_plan->own->transformWeights(static_cast<const float*>(ordered.bytes.get()),
                                          static_cast<float*>(packed->memory.bytes.get()));
        }));
        return packed;
      });
}

struct Convolution::Call::Handles {
  explicit Handles(const Plan& plan)
      : stream(onednn::cpuEngine()),
        userInput(onednn::handleFor(plan.userInput)),
        userOutput(onednn::handleFor(plan.userOutput)),
        userWeights(onednn::handleFor(plan.userWeights)),
        ordered(onednn::handleFor(plan.ordered)),
        input(onednn::handleFor(plan.input)),
        output(onednn::handleFor(plan.output)),
        weights(onednn::handleFor(plan.weights)),
        bias(onednn::handleFor(plan.bias)),
        scratchPad(onednn::handleFor(plan.scratchPad)) {}
  dnnl::stream stream;
  dnnl::memory userInput, userOutput, userWeights, ordered, input, output, weights, bias, scratchPad;
};

Convolution::Call::Call(std::shared_ptr<const Convolution> convolution) : m_convolution(std::move(convolution)) {}
Convolution::Call::~Call() = default;
Convolution::Call::Call(Call&&) noexcept = default;
Convolution::Call& Convolution::Call::operator=(Call&&) noexcept = default;

namespace {

void mustRun(const dnnl::primitive& primitive, const dnnl::stream& stream,
             std::initializer_list<dnnl_exec_arg_t> arguments) {
  const auto done = onednn::execute(primitive, stream, {arguments.begin(), arguments.size()});
  if (!done) throw std::runtime_error(done.error().message);
}

// output: channels last.
void finish(const Convolution::Plan& plan, const float* bias, float* output) {
  const ConvolutionShape& shape = plan.shape;
  int64_t cells = shape.batch;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    cells *= shape.output[axis];
  constexpr int64_t kGrain = 4096;  // floats that pay for another thread
  parallelFor(cells, std::max<int64_t>(1, kGrain / shape.outChannels), [&](int64_t begin, int64_t end) {
    channelLoops()->finishRows(end - begin, shape.outChannels, shape.bias ? bias : nullptr, shape.activation,
                               output + begin * shape.outChannels);
  });
}

}  // namespace

Result<void> Convolution::Call::run(const ConvolutionArguments& arguments) {
  const Plan& plan = *m_convolution->m_plan;
  if (arguments.scratch.size() < (arguments.packed != nullptr ? plan.scratchBytes : m_convolution->scratchBytes())) {
    return fail(ErrorCode::kInvalidArgument, "the convolution needs {} bytes of scratch",
                m_convolution->scratchBytes());
  }
  const ThreadShare share(plan.runThreads);
  return onednn::attempt("convolution", [&] {
    if (!m_handles) m_handles = std::make_unique<Handles>(plan);
    Handles& handles = *m_handles;
    std::byte* scratch = arguments.scratch.data();
    onednn::point(handles.scratchPad, scratch);
    const auto reorder = [&](const dnnl::primitive& primitive, const dnnl::memory& from, const dnnl::memory& to) {
      mustRun(primitive, handles.stream,
              {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}, {DNNL_ARG_SCRATCHPAD, handles.scratchPad.get()}});
    };

    onednn::point(handles.input, arguments.input);
    if (plan.reorderInput) {
      onednn::point(handles.userInput, arguments.input);
      onednn::point(handles.input, scratch + plan.inputOffset);
      reorder(plan.reorderInput, handles.userInput, handles.input);
    }
    const dnnl::memory* weights = arguments.packed != nullptr ? &arguments.packed->memory.view : &handles.weights;
    if (arguments.packed == nullptr && plan.own) {
      const float* ordered = arguments.weights;
      if (plan.reorderWeights) {
        onednn::point(handles.ordered, scratch + plan.orderedOffset());
        onednn::point(handles.userWeights, arguments.weights);
        reorder(plan.reorderWeights, handles.userWeights, handles.ordered);
        ordered = reinterpret_cast<const float*>(scratch + plan.orderedOffset());
      }
      plan.own->transformWeights(ordered, reinterpret_cast<float*>(scratch + plan.weightsOffset));
      onednn::point(handles.weights, scratch + plan.weightsOffset);
    } else if (arguments.packed == nullptr) {
      onednn::point(handles.weights,
                    plan.reorderWeights ? static_cast<const void*>(scratch + plan.weightsOffset) : arguments.weights);
      if (plan.reorderWeights) {
        onednn::point(handles.userWeights, arguments.weights);
        reorder(plan.reorderWeights, handles.userWeights, handles.weights);
      }
    }
    if (plan.shape.bias && !plan.finishes) onednn::point(handles.bias, arguments.bias);
    const float* residual = plan.shape.residual ? arguments.residual : nullptr;
    void* output = plan.reorderOutput ? static_cast<void*>(scratch + plan.outputOffset) : arguments.output;
    onednn::point(handles.output, output);
    if (plan.shape.residual) {
      if (plan.reorderResidual) {
        onednn::point(handles.userOutput, arguments.residual);
        reorder(plan.reorderResidual, handles.userOutput, handles.output);
        residual = static_cast<const float*>(output);
      } else if (arguments.residual != output && !plan.own) {
        std::memcpy(output, arguments.residual, plan.output.get_size());
      }
    }
    if (plan.own) {
      plan.own->run(static_cast<const float*>(handles.input.get_data_handle()),
                    static_cast<const float*>(weights->get_data_handle()),
                    {.bias = plan.shape.bias ? arguments.bias : nullptr,
                     .residual = residual,
                     .activation = plan.shape.activation},
                    static_cast<float*>(output), {scratch, plan.own->scratchBytes()});
    } else {
      const dnnl_exec_arg_t all[] = {{DNNL_ARG_SRC, handles.input.get()},
                                     {DNNL_ARG_WEIGHTS, weights->get()},
                                     {DNNL_ARG_DST, handles.output.get()},
                                     {DNNL_ARG_SCRATCHPAD, handles.scratchPad.get()},
                                     {DNNL_ARG_BIAS, handles.bias.get()}};
      if (auto done =
              onednn::execute(plan.primitive, handles.stream, {all, plan.shape.bias && !plan.finishes ? 5u : 4u});
          !done)
        throw std::runtime_error(done.error().message);
    }
    if (plan.finishes) finish(plan, arguments.bias, static_cast<float*>(output));
    if (plan.reorderOutput) {
      onednn::point(handles.userOutput, arguments.output);
      reorder(plan.reorderOutput, handles.output, handles.userOutput);
    }
  });
}

}  // namespace cutaway::math
