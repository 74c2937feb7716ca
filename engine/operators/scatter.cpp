#include "engine/operators/scatter.h"

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"

namespace cutaway::operators {

Result<ScatterReduction> scatterReductionOf(const Node& node) {
  const std::string name = node.attributeOr<std::string>("reduction", "none");
  if (name == "none") return ScatterReduction::kNone;
  if (name == "add") return ScatterReduction::kAdd;
  if (name == "mul") return ScatterReduction::kMultiply;
  if (name == "min") return ScatterReduction::kMinimum;
  if (name == "max") return ScatterReduction::kMaximum;
  return fail(ErrorCode::kInvalidArgument, "reduction is '{}'; known are none, add, mul, min, max", name);
}

Result<void> checkScatterElements(const Tensor& data, const Tensor& indices, const Tensor& updates) {
  if (updates.type() != data.type() || !(updates.dims() == indices.dims()))
    return fail(ErrorCode::kInvalidArgument, "updates {} do not fit indices {}", dimsToText(updates.dims()),
                dimsToText(indices.dims()));
  return {};
}

Result<TupleScatter> placeTupleScatter(const Tensor& data, const Tensor& indices, const Tensor& updates) {
  bool fits = indices.rank() >= 1 && updates.type() == data.type();
  const size_t tupleAxis = fits ? indices.rank() - 1 : 0;
  const int64_t width = fits ? indices.dims()[tupleAxis] : 0;
  fits = fits && width <= static_cast<int64_t>(data.rank()) &&
         updates.rank() == tupleAxis + data.rank() - static_cast<size_t>(width);
  for (size_t i = 0; fits && i < updates.rank(); ++i) {
    fits = updates.dims()[i] ==
           (i < tupleAxis ? indices.dims()[i] : data.dims()[i - tupleAxis + static_cast<size_t>(width)]);
  }
  if (!fits) {
    return fail(ErrorCode::kInvalidArgument, "updates {} do not fit data {} and indices {}", dimsToText(updates.dims()),
                dimsToText(data.dims()), dimsToText(indices.dims()));
  }
  return TupleScatter{.tuples = productOf(indices.dims(), 0, tupleAxis),
                      .sliceCells = productOf(data.dims(), static_cast<size_t>(width), data.rank())};
}

Result<CacheUpdate> CacheUpdate::read(const Node& node) {
  const std::string mode = node.attributeOr<std::string>("mode", "linear");
  if (mode != "linear" && mode != "circular") return fail(ErrorCode::kNotImplemented, "mode '{}' is unknown", mode);
  CacheUpdate settings;
  settings.m_axis = node.attributeOr<int64_t>("axis", -2);
  settings.m_circular = mode == "circular";
  return settings;
}

Result<size_t> CacheUpdate::place(const Tensor& past, const Tensor& update, const Tensor* starts) const {
  CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, past.rank()));
  const size_t axis = static_cast<size_t>(resolved);
  bool fits = axis > 0 && update.rank() == past.rank() && update.type() == past.type();
  for (size_t i = 0; fits && i < past.rank(); ++i)
    fits = i == axis ? update.dims()[i] <= past.dims()[i] : update.dims()[i] == past.dims()[i];
  if (!fits) {
    return fail(ErrorCode::kInvalidArgument, "an update {} does not fit a cache {} along axis {}",
                dimsToText(update.dims()), dimsToText(past.dims()), axis);
  }
  if (starts != nullptr && starts->elementCount() != past.dims()[0]) {
    return fail(ErrorCode::kInvalidArgument, "{} write indices are given for {} batch entries", starts->elementCount(),
                past.dims()[0]);
  }
  return axis;
}

}  // namespace cutaway::operators
