#include "engine/study/roofline/roofline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <string_view>

#include <fmt/ranges.h>

#include "engine/graph/text.h"
#include "engine/report/simulated_providers.h"
#include "engine/study/what_if/machine_speed.h"

namespace cutaway::study {
namespace {

// A kernel is far below its roof when it takes so many times it and so much of the run: less may be the price of small
// shapes, or does not matter.
constexpr double kFarTimes = 4;
constexpr double kFarShare = 0.01;

constexpr int kSums = 8;
constexpr int64_t kFloats[] = {int64_t{1} << 14, int64_t{1} << 18, int64_t{1} << 22};  // of one operand

// Outputs would be memory from the heap, with pages to be made: only shapes go out.
std::string sums(int64_t floats) {
  std::string text = fmt::format("sums (float[{0}] x0, float[{0}] b) => (int64[1] y) {{", floats);
  for (int i = 0; i < kSums; ++i)
    text += fmt::format(" x{} = Add (x{}, b)", i + 1, i);
  return text + fmt::format(" y = Shape (x{}) }}", kSums);
}

// A product of bytes with constant ones, as quantised models have it.
double shortestOfQuantised(const ProviderTable& table, int threads, int64_t side) {
  auto model = parseModelText(fmt::format(
      "bytes (uint8[{0},{0}] a) => (int64[2] y) <int8[{0},{0}] b, float one = {{1}}, uint8 zero = {{0}}, int8 none = "
      "{{0}}> {{ c = QLinearMatMul (a, one, zero, b, one, none, one, zero) y = Shape (c) }}",
      side));
  auto weights = Tensor::create(ElementType::kInt8, {side, side});
  if (!model || !weights) return -1;
  std::ranges::fill(weights->span<int8_t>(), int8_t{3});
  model->graph.addInitializer("b", *std::move(weights));
  return shortestRunNs(table, threads, *std::move(model));
}

RooflineBasis measure(const ProviderTable& table, int threads) {
  // As fast as larger products, and done within the time slices of a busy core.
  constexpr double kFloatSide = 384;
  constexpr int64_t kByteSide = 768;
  constexpr double kByteWork = 2.0 * kByteSide * kByteSide * kByteSide;
  constexpr const char* kProduct =
      "product (float[384,384] a, float[384,384] b) => (int64[2] y) { c = MatMul (a, b) y = Shape (c) }";
  constexpr const char* kByteProduct =
      "bytes (uint8[768,768] a, int8[768,768] b) => (int64[2] y) { c = MatMulInteger (a, b) y = Shape (c) }";
  RooflineBasis basis{.launchNs = machineSpeed(table, threads).speed.launchNs, .threads = threads};
  if (const double took = shortestRunNs(table, threads, kProduct); took > 0)
    basis.flopsPerSecond = 2 * kFloatSide * kFloatSide * kFloatSide / took * 1e9;
  // With 32 bits as results, and with bytes: processors differ in which of them is faster.
  for (const double took :
       {shortestRunNs(table, threads, kByteProduct), shortestOfQuantised(table, threads, kByteSide)}) {
    if (took > 0) basis.byteOperationsPerSecond = std::max(basis.byteOperationsPerSecond, kByteWork / took * 1e9);
  }
  for (const int64_t floats : kFloats) {
    const double took = shortestRunNs(table, threads, sums(floats)) / kSums;
    const int64_t bytes = 3 * static_cast<int64_t>(sizeof(float)) * floats;
    if (took > 0) basis.memory.push_back({bytes, static_cast<double>(bytes) / took * 1e9});
  }
  return basis;
}

// Of the fastest memory that may hold them.
double memorySpeed(const RooflineBasis& basis, int64_t bytes) {
  double speed = basis.memory.front().bytesPerSecond;
  for (const RooflineBasis::MemorySpeed& each : basis.memory)
    if (each.bytes <= bytes) speed = each.bytesPerSecond;
  return speed;
}

enum class Work { kNone, kFloats, kBytes };

// By the first operand.
Work workOf(const NodeTiming& timing) {
  if (timing.flops <= 0 || timing.inputShapes.empty()) return Work::kNone;
  const std::string_view type = timing.inputShapes.front();
  const auto is = [&](std::string_view name) {
    return type.starts_with(name) && type.substr(name.size()).starts_with('[');
  };
  if (is("uint8") || is("int8")) return Work::kBytes;
  return is("float") || is("float16") || is("bfloat16") ? Work::kFloats : Work::kNone;
}

double peakOf(Work work, const RooflineBasis& basis) {
  return work == Work::kBytes ? basis.byteOperationsPerSecond : work == Work::kFloats ? basis.flopsPerSecond : 0;
}

NodeRoofline rate(const NodeTiming& timing, const RooflineBasis& basis) {
  if (timing.flops < 0 || timing.hostNs >= 0) return {};
  const double peak = peakOf(workOf(timing), basis);
  const double workNs = peak > 0 ? static_cast<double>(timing.flops) / peak * 1e9 : 0;
  // Operators that only move data read no more of their operands than they write.
  const int64_t read = timing.flops == 0 ? std::min(timing.inputBytes, timing.outputBytes) : timing.inputBytes;
  const int64_t bytes = read + timing.outputBytes;
  const double memoryNs = static_cast<double>(bytes) / memorySpeed(basis, bytes) * 1e9;
  return {.boundNs = std::llround(std::max(workNs, memoryNs) * static_cast<double>(timing.calls)),
          .limit = workNs > memoryNs ? RooflineLimit::kWork : RooflineLimit::kMemory};
}

bool isFar(const NodeTiming& timing, const NodeRoofline& node, const RooflineBasis& basis, int64_t runNs) {
  const double roof = static_cast<double>(node.boundNs) + basis.launchNs * static_cast<double>(timing.calls);
  const auto took = static_cast<double>(timing.totalNs);
  return node.boundNs >= 0 && took > kFarTimes * roof && took >= kFarShare * static_cast<double>(runNs);
}

void addTime(RooflineReport& report, const NodeTiming& timing, const NodeRoofline& node) {
  if (node.boundNs < 0) {
    report.unratedNs += timing.totalNs;
    return;
  }
  const int64_t roof = std::min(node.boundNs, timing.totalNs);
  report.roofNs += roof;
  (node.limit == RooflineLimit::kWork ? report.aboveWorkNs : report.aboveMemoryNs) += timing.totalNs - roof;
}

}  // namespace

RooflineBasis measureRoofline(const ProviderTable& table, int threads) {
  static std::mutex mutex;
  static std::map<int, RooflineBasis> known;
  const std::scoped_lock lock(mutex);
  const auto found = known.find(threads);
  return found != known.end() ? found->second : known.emplace(threads, measure(table, threads)).first->second;
}

RooflineReport rateRun(const RunReport& run, const RooflineBasis& basis) {
  RooflineReport report{.basis = basis};
  if (!run.profiled) report.problem = "the run was not profiled";
  if (basis.flopsPerSecond <= 0 || basis.memory.empty()) report.problem = "this machine could not be measured";
  if (!report.problem.empty()) return report;
  report.runNs = std::llround(run.medianMs * 1e6);
  int64_t nodesNs = 0;
  for (const NodeTiming& timing : run.nodes) {
    NodeRoofline& node = report.nodes.emplace_back(rate(timing, basis));
    node.isFar = isFar(timing, node, basis, report.runNs);
    const Work work = node.boundNs >= 0 ? workOf(timing) : Work::kNone;
    if (work != Work::kNone)
      (work == Work::kBytes ? report.byteOperations : report.flops) += timing.flops * timing.calls;
    if (timing.graph != 0) continue;
    nodesNs += timing.totalNs;
    addTime(report, timing, node);
  }
  report.engineNs = std::max<int64_t>(0, report.runNs - nodesNs);
  double peakNs = static_cast<double>(report.flops) / basis.flopsPerSecond * 1e9;
  if (basis.byteOperationsPerSecond > 0)
    peakNs += static_cast<double>(report.byteOperations) / basis.byteOperationsPerSecond * 1e9;
  if (report.runNs > 0) report.peakShare = peakNs / static_cast<double>(report.runNs);
  return report;
}

RooflineReport rooflineOf(const WalkReport& walk, const ProviderTable& table) {
  RooflineReport none;
  if (walk.run == nullptr || !walk.run->source.empty()) {
    none.problem = "the times are not of this machine";
    return none;
  }
  if (const auto names = simulatedProviders(walk); !names.empty()) {
    none.problem = fmt::format("times of {} are a simulator's", fmt::join(names, ", "));
    return none;
  }
  return rateRun(*walk.run, measureRoofline(table, walk.run->threads));
}

}  // namespace cutaway::study
