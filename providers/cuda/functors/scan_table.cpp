// Instances of scans: "scan.<type>", "nonzero.count.<type>", "nonzero.write.<type>", "trilu.<type of as many bytes>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/scan_functors.h"

namespace cutaway::cuda {
namespace {

constexpr int kScanThreads = 128;

template <typename T>
int launchScan(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ScanParameters*>(parameters);
  if (!p.rows) return forEach(ScanColumns<T>{p}, p.lines, stream, multiprocessors);
  return forEachBlock(ScanRows<T>{p}, p.lines, stream, multiprocessors, kScanThreads,
                      kScanThreads * static_cast<int64_t>(sizeof(Compute<T>)));
}

template <typename T>
int launchCount(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const NonZeroParameters*>(parameters);
  const int code = forEachBlock(NonZeroCount<T>{p}, p.segments, stream, multiprocessors);
  return code != 0 ? code : forEachBlock(NonZeroStarts{p}, 1, stream, multiprocessors, 128, 128 * 8);
}

template <typename T>
int launchWrite(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const NonZeroParameters*>(parameters);
  return forEachBlock(NonZeroWrite<T>{p}, p.segments, stream, multiprocessors, 128, 128 * 4);
}

template <typename T>
int launchTrilu(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const TriluParameters*>(parameters);
  return forEach(Trilu<T>{p}, p.count, stream, multiprocessors);
}

}  // namespace

void functors_scan(LaunchTable& table) {
  TypeList<float, Half, Brain, double, int32_t, int64_t, uint32_t, uint64_t>::each(
      [&]<typename T>() { table.add(std::string("scan.") + NameOf<T>::value, &launchScan<T>); });
  TypeList<float, Half, Brain, double, uint8_t, uint16_t, uint32_t, uint64_t>::each([&]<typename T>() {
    table.add(std::string("nonzero.count.") + NameOf<T>::value, &launchCount<T>);
    table.add(std::string("nonzero.write.") + NameOf<T>::value, &launchWrite<T>);
  });
  TypeList<uint8_t, uint16_t, uint32_t, uint64_t>::each(
      [&]<typename T>() { table.add(std::string("trilu.") + NameOf<T>::value, &launchTrilu<T>); });
}

}  // namespace cutaway::cuda
