// Instances of the quantising functors: "quantize.<from>.<to>", "dequantize.<from>.<to>", where a 4-bit type is
// "packed"; and of the arithmetic on 8-bit integers, "linear.<function>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/linear_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Parameters, typename Functor, int elements>
int launchGroups(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  return forEach(Functor{p}, (p.count + elements - 1) / elements, stream, multiprocessors);
}

template <typename Functor>
int launchRows(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const LinearRowParameters*>(parameters);
  return forEachBlock(Functor{p}, p.outer * p.inner, stream, multiprocessors, p.length <= 128 ? 64 : kThreadsPerBlock);
}

using RealTypes = TypeList<float, Half, Brain>;

}  // namespace

void functors_quantize(LaunchTable& table) {
  RealTypes::each([&]<typename Real>() {
    const std::string real = NameOf<Real>::value;
    TypeList<int8_t, uint8_t, int16_t, uint16_t>::each([&]<typename T>() {
      table.add("quantize." + real + "." + NameOf<T>::value,
                &launchGroups<QuantizeParameters, Quantize<Real, T>, kQuantGroup>);
    });
    table.add("quantize." + real + ".packed", &launchGroups<QuantizeParameters, QuantizePacked<Real>, 2>);
    TypeList<int8_t, uint8_t, int16_t, uint16_t, int32_t>::each([&]<typename T>() {
      table.add(std::string("dequantize.") + NameOf<T>::value + "." + real,
                &launchGroups<QuantizeParameters, Dequantize<T, Real>, kQuantGroup>);
    });
    table.add("dequantize.packed." + real, &launchGroups<QuantizeParameters, DequantizePacked<Real>, 1>);
  });
  table.add("linear.binary", &launchGroups<LinearBinaryParameters, LinearBinary, kQuantGroup>);
  table.add("linear.unary", &launchGroups<LinearUnaryParameters, LinearUnary, kQuantGroup>);
  table.add("linear.pool", &launchGroups<LinearPoolParameters, LinearPool, 1>);
  table.add("linear.softmax", &launchRows<LinearSoftmax>);
  table.add("linear.mean", &launchRows<LinearMean>);
}

}  // namespace cutaway::cuda
