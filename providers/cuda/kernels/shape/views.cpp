// Identity, Reshape, Flatten, Squeeze, Unsqueeze: the same elements under other dims. The plan lets the output share
// the input's buffer; where it does not, the bytes are copied.

#include <optional>

#include "engine/base/checked_math.h"
#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {
namespace {

using NewDims = Result<Dims> (*)(const GpuCall& call, const Tensor& data, const struct ViewSettings& settings);

struct ViewSettings {
  Dims list;  // shape or axes as an attribute
  bool hasList = false;
  bool listIsInput = false;
  bool allowZero = false;
  int64_t axis = 1;

  // nullopt: the node names none.
  Result<std::optional<Dims>> named(const GpuCall& call) const {
    if (!listIsInput) return hasList ? std::optional<Dims>(list) : std::nullopt;
    const Tensor* given = optionalTensor(call, 1);
    if (given == nullptr) return std::optional<Dims>();
    CUTAWAY_TRY(Dims numbers, readIntegers(*given));
    return std::optional<Dims>(std::move(numbers));
  }
};

class ViewKernel final : public GpuKernel {
 public:
  ViewKernel(NewDims newDims, ViewSettings settings) : m_newDims(newDims), m_settings(std::move(settings)) {}

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Dims dims, m_newDims(call, *data, m_settings));
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    const int64_t bytes = data->sizeBytes();
    if (bytes == 0 || output->data() == data->data()) return {};
    return call.copy(output->mutableData(), data->data(), static_cast<size_t>(bytes));
  }

  std::string_view variant() const override { return "view"; }

 private:
  NewDims m_newDims;
  ViewSettings m_settings;
};

Result<Dims> sameDims(const GpuCall&, const Tensor& data, const ViewSettings&) {
  return data.dims();
}

// Fills in 0 ("as the input") and -1 ("what is left").
Result<Dims> reshapedDims(const GpuCall& call, const Tensor& data, const ViewSettings& settings) {
  CUTAWAY_TRY(const std::optional<Dims> given, settings.named(call));
  if (!given && settings.listIsInput) return fail(ErrorCode::kInvalidArgument, "Reshape needs a shape");
  const Dims wanted = given.value_or(Dims());
  Dims dims = wanted;
  int64_t known = 1;
  size_t open = wanted.size();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < -1) return fail(ErrorCode::kInvalidArgument, "dimension {} of the new shape is {}", i, wanted[i]);
    if (wanted[i] == -1) {
      if (open != wanted.size())
        return fail(ErrorCode::kInvalidArgument, "the new shape {} has two open dimensions", dimsToText(wanted));
      open = i;
      continue;
    }
    if (wanted[i] == 0 && !settings.allowZero) {
      if (i >= data.rank())
        return fail(ErrorCode::kInvalidArgument, "dimension {} of the new shape is taken from an input of rank {}", i,
                    data.rank());
      dims[i] = data.dims()[i];
    }
    CUTAWAY_TRY(known, checkedMultiply(known, dims[i]));
  }
  const int64_t count = data.elementCount();
  const bool opens = open != wanted.size();
  if (opens ? known == 0 || count % known != 0 : known != count) {
    return fail(ErrorCode::kInvalidArgument, "{} elements of {} cannot be reshaped to {}", count,
                dimsToText(data.dims()), dimsToText(wanted));
  }
  if (opens) dims[open] = count / known;
  return dims;
}

Result<Dims> flattenedDims(const GpuCall&, const Tensor& data, const ViewSettings& settings) {
  const int64_t rank = static_cast<int64_t>(data.rank());
  if (settings.axis < -rank || settings.axis > rank)
    return fail(ErrorCode::kInvalidArgument, "axis {} is outside [{}, {}] of a tensor of rank {}", settings.axis, -rank,
                rank, rank);
  const size_t axis = static_cast<size_t>(settings.axis < 0 ? settings.axis + rank : settings.axis);
  return Dims{productOf(data.dims(), 0, axis), productOf(data.dims(), axis, data.rank())};
}

Result<Dims> squeezedDims(const GpuCall& call, const Tensor& data, const ViewSettings& settings) {
  CUTAWAY_TRY(const std::optional<Dims> named, settings.named(call));
  Dims drop = filledList(data.rank(), 0);
  for (size_t i = 0; i < data.rank(); ++i)
    drop[i] = !named && data.dims()[i] == 1;
  if (named) {
    CUTAWAY_TRY(const Dims axes, resolveAxes(*named, data.rank()));
    for (const int64_t axis : axes) {
      if (data.dims()[static_cast<size_t>(axis)] != 1)
        return fail(ErrorCode::kInvalidArgument, "axis {} of {} has not one element and cannot be squeezed", axis,
                    dimsToText(data.dims()));
      drop[static_cast<size_t>(axis)] = 1;
    }
  }
  size_t kept = 0;
  for (const int64_t dropped : drop)
    kept += dropped == 0;
  Dims dims = filledList(kept, 0);
  for (size_t i = 0, next = 0; i < data.rank(); ++i) {
    if (drop[i] == 0) dims[next++] = data.dims()[i];
  }
  return dims;
}

Result<Dims> unsqueezedDims(const GpuCall& call, const Tensor& data, const ViewSettings& settings) {
  CUTAWAY_TRY(const std::optional<Dims> named, settings.named(call));
  if (!named) return fail(ErrorCode::kInvalidArgument, "Unsqueeze needs axes");
  const size_t rank = data.rank() + named->size();
  CUTAWAY_TRY(const Dims axes, resolveAxes(*named, rank));
  Dims dims = filledList(rank, -1);
  for (const int64_t axis : axes)
    dims[static_cast<size_t>(axis)] = 1;
  for (size_t i = 0, next = 0; i < rank; ++i) {
    if (dims[i] == -1) dims[i] = data.dims()[next++];
  }
  return dims;
}

Result<std::unique_ptr<GpuKernel>> makeView(const KernelInfo& info, NewDims newDims, ViewSettings settings) {
  if (!info.inputType(0).isTensor())
    return fail(ErrorCode::kNotImplemented, "input 0 is a sequence, optional or map; those stay on the host");
  if (info.inputElement(0) == ElementType::kString)
    return fail(ErrorCode::kNotImplemented, "strings lie in host memory only");
  return std::make_unique<ViewKernel>(newDims, std::move(settings));
}

ViewSettings listSettings(const KernelInfo& info, std::string_view name, bool isInput) {
  return {.list = listAttribute(info.node(), name),
          .hasList = info.node().findAttribute(name) != nullptr,
          .listIsInput = isInput};
}

Result<std::unique_ptr<GpuKernel>> makeIdentity(const KernelInfo& info) {
  return makeView(info, sameDims, {});
}
Result<std::unique_ptr<GpuKernel>> makeFlatten(const KernelInfo& info) {
  return makeView(info, flattenedDims, {.list = {}, .axis = info.attribute<int64_t>("axis", 1)});
}
Result<std::unique_ptr<GpuKernel>> makeReshape(const KernelInfo& info) {
  ViewSettings settings = listSettings(info, "shape", info.node().sinceVersion >= 5);
  settings.allowZero = info.attribute<int64_t>("allowzero", 0) != 0;
  return makeView(info, reshapedDims, std::move(settings));
}
bool axesAreInput(const KernelInfo& info) {
  return info.node().sinceVersion >= 13 || !info.node().domain.empty();
}
Result<std::unique_ptr<GpuKernel>> makeSqueeze(const KernelInfo& info) {
  return makeView(info, squeezedDims, listSettings(info, "axes", axesAreInput(info)));
}
Result<std::unique_ptr<GpuKernel>> makeUnsqueeze(const KernelInfo& info) {
  return makeView(info, unsqueezedDims, listSettings(info, "axes", axesAreInput(info)));
}

constexpr InplaceHint kView[] = {{0, 0, AliasKind::kAlias}};
constexpr int kSecondOnHost[] = {1};

}  // namespace

KernelRows kernel_views() {
  static constexpr KernelRow rows[] = {
      {.opType = "Identity", .versions = {1}, .inplace = kView, .fastPath = "view", .create = gpuKernel<makeIdentity>},
      {.opType = "Reshape", .versions = {1, 4}, .inplace = kView, .fastPath = "view", .create = gpuKernel<makeReshape>},
      {.opType = "Reshape",
       .versions = {5},
       .inplace = kView,
       .hostInputs = kSecondOnHost,
       .fastPath = "view",
       .create = gpuKernel<makeReshape>},
      {.opType = "Flatten", .versions = {1}, .inplace = kView, .fastPath = "view", .create = gpuKernel<makeFlatten>},
      {.opType = "Squeeze",
       .versions = {1, 12},
       .inplace = kView,
       .fastPath = "view",
       .create = gpuKernel<makeSqueeze>},
      {.opType = "Squeeze",
       .versions = {13},
       .inplace = kView,
       .hostInputs = kSecondOnHost,
       .fastPath = "view",
       .create = gpuKernel<makeSqueeze>},
      {.opType = "Unsqueeze",
       .versions = {1, 12},
       .inplace = kView,
       .fastPath = "view",
       .create = gpuKernel<makeUnsqueeze>},
      {.opType = "Unsqueeze",
       .versions = {13},
       .inplace = kView,
       .hostInputs = kSecondOnHost,
       .fastPath = "view",
       .create = gpuKernel<makeUnsqueeze>},
      {.opType = "ExpandDims",
       .domain = "com.microsoft",
       .versions = {1},
       .inplace = kView,
       .hostInputs = kSecondOnHost,
       .fastPath = "view",
       .create = gpuKernel<makeUnsqueeze>},
  };
  return rows;
}

}  // namespace cutaway::cuda
