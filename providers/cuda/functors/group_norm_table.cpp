// Instances of the normalisations of images and vectors: "norm.group.<x>.<scale>", "norm.batch.<x>.<scale>",
// "norm.axes.<type>", "norm.lp.<type>".
#include "providers/cuda/functors/group_norm_functors.h"
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/statistics_functors.h"

namespace cutaway::cuda {
namespace {

template <typename X, typename S>
int launchGroups(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const GroupNormParameters*>(parameters);
  const int code = forEachBlock(GroupNormMeasure<X, S>{p}, p.units * p.segments, stream, multiprocessors, p.threads);
  if (code != 0 || p.segments == 1) return code;
  return forEachBlock(GroupNormApply<X, S>{p}, p.units * p.segments, stream, multiprocessors, p.threads);
}

template <typename X, typename S>
int launchBatch(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const BatchNormParameters*>(parameters);
  return forEach(BatchNorm<X, S>{p}, p.packed ? p.count / Pack<X>::kCount : p.count, stream, multiprocessors);
}

template <typename T>
int launchAxes(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const AxesNormParameters*>(parameters);
  return forEachBlock(AxesNorm<T>{p}, p.groups, stream, multiprocessors, p.count <= 1024 ? 64 : 512);
}

template <typename T>
int launchLp(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const LpParameters*>(parameters);
  if (p.inner > 1) return forEach(LpColumns<T>{p}, p.runs, stream, multiprocessors);
  return forEachBlock(LpBlocks<T>{p}, p.runs, stream, multiprocessors, p.length <= 512 ? 64 : 256);
}

template <typename X, typename S>
void addPair(LaunchTable& table) {
  const std::string types = std::string(NameOf<X>::value) + "." + NameOf<S>::value;
  table.add("norm.group." + types, &launchGroups<X, S>);
  table.add("norm.batch." + types, &launchBatch<X, S>);
}

}  // namespace

void functors_group_norm(LaunchTable& table) {
  addPair<float, float>(table);
  addPair<double, double>(table);
  addPair<Half, Half>(table);
  addPair<Brain, Brain>(table);
  addPair<Half, float>(table);
  addPair<Brain, float>(table);
  FloatTypes::each([&]<typename T>() {
    table.add(std::string("norm.axes.") + NameOf<T>::value, &launchAxes<T>);
    table.add(std::string("norm.lp.") + NameOf<T>::value, &launchLp<T>);
  });
}

}  // namespace cutaway::cuda
