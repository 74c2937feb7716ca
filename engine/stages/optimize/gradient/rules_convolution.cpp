// Gradients of convolutions and poolings, made of convolutions: the input's is a transposed convolution of the
// gradient, the weights' a convolution of the input with the gradient.

#include <numeric>

#include "engine/operators/window.h"
#include "engine/stages/optimize/gradient/gradient_rules.h"

namespace cutaway::optimize {

namespace {

using Integers = std::vector<int64_t>;

// The window of a node, its padding as numbers.
struct Window {
  size_t spatial = 0;
  Integers strides, dilations, before, after;
  int64_t group = 1;
};

Integers listOf(const Backward& at, std::string_view name, size_t count, int64_t otherwise) {
  Integers list = at.node.attributeOr<Integers>(name, {});
  if (list.size() != count) list.assign(count, otherwise);
  return list;
}

// SAME_*: as much padding as makes the output input / stride, rounded up.
void padToSame(Backward& at, const Integers& kernel, operators::AutoPad rule, Window& window) {
  const auto dims = at.build.dims(at.x(0));
  if (!dims) return at.refuse("its padding depends on a size that is known at run time only");
  for (size_t i = 0; i < window.spatial; ++i) {
    const int64_t extent = (kernel[i] - 1) * window.dilations[i] + 1;
    const auto [before, after] = operators::automaticPadding(rule, (*dims)[i + 2], extent, window.strides[i]);
    window.before[i] = before;
    window.after[i] = after;
  }
}

Window windowOf(Backward& at, const Integers& kernel) {
  Window window;
  window.spatial = static_cast<size_t>(std::max<int64_t>(at.rankOf(0) - 2, 0));
  const size_t n = window.spatial;
  window.strides = listOf(at, "strides", n, 1);
  window.dilations = listOf(at, "dilations", n, 1);
  window.group = at.node.attributeOr<int64_t>("group", 1);
  const Integers pads = listOf(at, "pads", 2 * n, 0);
  window.before.assign(pads.begin(), pads.begin() + static_cast<ptrdiff_t>(n));
  window.after.assign(pads.begin() + static_cast<ptrdiff_t>(n), pads.end());
  for (size_t i = 0; i < n; ++i) {
    if (window.strides[i] >= 1 && window.dilations[i] >= 1) continue;
    at.refuse("a stride or dilation is below 1");
    return window;
  }
  const auto rule = operators::parseAutoPad(at.node.attributeOr<std::string>("auto_pad", "NOTSET"));
  if (!rule) {
    at.refuse(rule.error().message);
  } else if (*rule == operators::AutoPad::kSameUpper || *rule == operators::AutoPad::kSameLower) {
    if (kernel.size() == n)
      padToSame(at, kernel, *rule, window);
    else
      at.refuse("its padding depends on a kernel that is known at run time only");
  }
  return window;
}

Integers kernelOf(Backward& at, size_t weights) {
  Integers kernel = at.node.attributeOr<Integers>("kernel_shape", {});
  if (const auto dims = at.build.dims(at.x(weights)); kernel.empty() && dims && dims->size() > 2)
    kernel.assign(dims->begin() + 2, dims->end());
  return kernel;
}

Integers joined(Integers a, const Integers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Crops or pads the spatial axes of `full` (before: taken off in front) to the sizes that `like` has.
ValueId fitted(GradientBuilder& b, ValueId full, const Integers& before, ValueId like) {
  const size_t n = before.size();
  Integers begin(2, 0);
  for (const int64_t each : before)
    begin.push_back(-each);
  const auto from = b.dims(full), to = b.dims(like);
  if (from && to) {
    Integers end(2, 0);
    for (size_t i = 0; i < n; ++i)
      end.push_back((*to)[i + 2] - ((*from)[i + 2] - before[i]));
    if (std::ranges::all_of(begin, [](int64_t v) { return v == 0; }) &&
        std::ranges::all_of(end, [](int64_t v) { return v == 0; }))
      return full;
    return b.node("Pad", {full, b.integers(joined(begin, end))});
  }
  const ValueId end = b.sub(b.slicedShape(like, 2, static_cast<int64_t>(n) + 2),
                            b.sub(b.slicedShape(full, 2, static_cast<int64_t>(n) + 2), b.integers(before)));
  return b.node("Pad", {full, b.node("Concat", {b.integers(joined(begin, {0, 0})), end}, {{"axis", int64_t{0}}})});
}

// [a, b, ...] -> [b, a, ...]
ValueId swapped(GradientBuilder& b, ValueId id, size_t spatial) {
  Integers order(spatial + 2);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[0], order[1]);
  return b.transpose(id, std::move(order));
}

// The gradient of the weights [M, C / group, kernel] of a convolution from `input` [N, C, ...] to `g` [N, M, ...]:
// examples and channels change places, strides and dilations too.
ValueId weightGradient(GradientBuilder& b, ValueId input, ValueId g, ValueId weights, const Window& window) {
  ValueId data = input;
  if (window.group > 1) {  // [C / group, group * N, ...]
    const size_t n = window.spatial;
    const ValueId tail = b.slicedShape(input, 2, static_cast<int64_t>(n) + 2);
    const auto channels = b.dims(weights);
    const ValueId each = channels ? b.integers({(*channels)[1]}) : b.slicedShape(weights, 1, 2);
    const ValueId split =
        b.reshape(input, b.node("Concat", {b.integers({-1, window.group}), each, tail}, {{"axis", int64_t{0}}}));
    Integers order(n + 3);
    std::iota(order.begin(), order.end(), 0);
    order[0] = 2, order[1] = 1, order[2] = 0;
    data =
        b.reshape(b.transpose(split, order), b.node("Concat", {each, b.integers({-1}), tail}, {{"axis", int64_t{0}}}));
  } else {
    data = swapped(b, input, window.spatial);
  }
  const ValueId product = b.node("Conv", {data, swapped(b, g, window.spatial)},
                                 {{"strides", window.dilations},
                                  {"dilations", window.strides},
                                  {"pads", joined(window.before, window.after)},
                                  {"group", window.group}});
  return fitted(b, swapped(b, product, window.spatial), Integers(window.spatial, 0), weights);
}

void giveBias(Backward& at, size_t slot) {
  if (!at.wants(slot)) return;
  Integers axes(at.build.rank(at.g()).value_or(2));
  std::iota(axes.begin(), axes.end(), 0);
  axes.erase(axes.begin() + 1);
  at.give(slot, at.build.sum(at.g(), std::move(axes), false));
}

void backConv(Backward& at) {
  GradientBuilder& b = at.build;
  const Window window = windowOf(at, kernelOf(at, 1));
  if (!b.status()) return;
  if (at.wants(0)) {
    const ValueId full =
        b.node("ConvTranspose", {at.g(), at.x(1)},
               {{"strides", window.strides}, {"dilations", window.dilations}, {"group", window.group}});
    at.give(0, fitted(b, full, window.before, at.x(0)));
  }
  if (at.wants(1)) at.give(1, weightGradient(b, at.x(0), at.g(), at.x(1), window));
  giveBias(at, 2);
}

// The same with the roles of input and gradient changed.
void backConvTranspose(Backward& at) {
  GradientBuilder& b = at.build;
  if (at.node.findAttribute("output_shape") != nullptr ||
      at.node.attributeOr<std::string>("auto_pad", "NOTSET").starts_with("SAME"))
    return at.refuse("output_shape or auto_pad says its padding");
  const Window window = windowOf(at, kernelOf(at, 1));
  if (!b.status()) return;
  const Integers pads = joined(window.before, window.after);
  if (at.wants(0)) {
    const ValueId full =
        b.node("Conv", {at.g(), at.x(1)},
               {{"strides", window.strides}, {"dilations", window.dilations}, {"pads", pads}, {"group", window.group}});
    at.give(0, fitted(b, full, Integers(window.spatial, 0), at.x(0)));
  }
  if (at.wants(1)) at.give(1, weightGradient(b, at.g(), at.x(0), at.x(1), window));
  giveBias(at, 2);
}

// [N, C, ...] -> [N * C, 1, ...]
ValueId channelsAsExamples(GradientBuilder& b, ValueId id, size_t spatial) {
  return b.reshape(id, b.node("Concat", {b.integers({-1, 1}), b.slicedShape(id, 2, static_cast<int64_t>(spatial) + 2)},
                              {{"axis", int64_t{0}}}));
}

// How many cells of each window count, [1, 1, outputs ...]: the product of the counts along the axes. Sizes must be
// known.
std::optional<Tensor> countedCells(Backward& at, const Window& window, const Integers& kernel) {
  const bool padding = at.node.attributeOr<int64_t>("count_include_pad", 0) != 0;
  const ValueType &in = at.build.type(at.x(0)), &out = at.build.type(at.y());
  Integers dims{1, 1};
  std::vector<float> counts{1.0f};
  for (size_t i = 0; i < window.spatial; ++i) {
    if (!in.shape || !out.shape || !(*in.shape)[i + 2].isKnown() || !(*out.shape)[i + 2].isKnown()) return std::nullopt;
    const int64_t size = (*in.shape)[i + 2].value(), outputs = (*out.shape)[i + 2].value();
    std::vector<float> grown;
    for (const float outer : counts) {
      for (int64_t o = 0; o < outputs; ++o) {
        int64_t counted = 0;
        for (int64_t k = 0; k < kernel[i]; ++k) {
          const int64_t place = o * window.strides[i] - window.before[i] + k * window.dilations[i];
          counted += padding ? place < size + window.after[i] : place >= 0 && place < size;
        }
        grown.push_back(outer * static_cast<float>(std::max<int64_t>(counted, 1)));
      }
    }
    counts = std::move(grown);
    dims.push_back(outputs);
  }
  return Tensor::of<float>(counts).reshaped(dims);
}

// Each output spreads its share over its window: a transposed convolution with ones.
void backAveragePool(Backward& at) {
  GradientBuilder& b = at.build;
  const Integers kernel = at.node.attributeOr<Integers>("kernel_shape", {});
  const Window window = windowOf(at, kernel);
  if (!b.status()) return;
  if (kernel.size() != window.spatial) return at.refuse("kernel_shape does not fit its input");
  const bool padded = std::ranges::any_of(joined(window.before, window.after), [](int64_t pad) { return pad != 0; });
  ValueId share;
  if (!padded && at.node.attributeOr<int64_t>("ceil_mode", 0) == 0) {
    const int64_t cells = std::accumulate(kernel.begin(), kernel.end(), int64_t{1}, std::multiplies<>());
    share = b.div(at.g(), b.number(static_cast<double>(cells), at.g()));
  } else {
    const auto counts = countedCells(at, window, kernel);
    if (!counts) return at.refuse("its windows reach over the border and its sizes are known at run time only");
    share = b.div(at.g(), b.node("CastLike", {b.tensor(*counts), at.g()}));
  }
  const ValueId ones = b.node("Expand", {b.number(1, at.g()), b.integers(joined({1, 1}, kernel))});
  const ValueId full = b.node("ConvTranspose", {channelsAsExamples(b, share, window.spatial), ones},
                              {{"strides", window.strides}, {"dilations", window.dilations}});
  at.give(0, b.reshape(fitted(b, full, window.before, at.x(0)), b.shapeOf(at.x(0))));
}

// The indices say where each largest element was found. Those of column-major order are asked for anew.
void backMaxPool(Backward& at) {
  GradientBuilder& b = at.build;
  ValueId places;
  if (at.node.sinceVersion >= 8 && at.node.attributeOr<int64_t>("storage_order", 0) == 0) {
    places = b.askFor(at.id, 1);
  } else {
    std::vector<Attribute> attributes;
    for (const Attribute& each : at.node.attributes) {
      if (each.name != "storage_order") attributes.push_back(each);
    }
    places = b.nodes("MaxPool", {at.x(0)}, std::move(attributes), 2)[1];
  }
  at.give(0, b.scatter(at.g(), places, at.x(0)));
}

void backGlobalAveragePool(Backward& at) {
  GradientBuilder& b = at.build;
  const auto from = b.dims(at.x(0)), to = b.dims(at.g());
  ValueId count;
  if (from && to && elementCount(*to) > 0)
    count = b.number(static_cast<double>(elementCount(*from) / elementCount(*to)), at.g());
  else
    count = b.node("CastLike",
                   {b.div(b.node("Size", {at.x(0)}), b.node("Max", {b.node("Size", {at.g()}), b.integer(1)})), at.g()});
  at.give(0, b.expandLike(b.div(at.g(), count), at.x(0)));
}

// Equal maxima share.
void backGlobalMaxPool(Backward& at) {
  GradientBuilder& b = at.build;
  const ValueId chosen = b.node("CastLike", {b.node("Equal", {at.x(0), at.y()}), at.x(0)});
  at.give(0, b.div(b.mul(chosen, at.g()), b.sumTo(chosen, at.g())));
}

constexpr GradientRule kRules[] = {
    {"Conv", backConv},       {"ConvTranspose", backConvTranspose},         {"AveragePool", backAveragePool},
    {"MaxPool", backMaxPool}, {"GlobalAveragePool", backGlobalAveragePool}, {"GlobalMaxPool", backGlobalMaxPool},
};

}  // namespace

GradientRules convolutionGradients() {
  return kRules;
}

}  // namespace cutaway::optimize
