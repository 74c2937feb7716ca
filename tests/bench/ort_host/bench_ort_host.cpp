// What a run through the host process of ONNX Runtime costs beside the library's own call, which the host times.
//
// For each size of tensor: y = Add(x, w), inputs and outputs in shared memory, one thread. Prints the median of the
// library's call, of the whole request as the caller sees it, their difference, and the same with tensors of this
// process that are copied in and out.
//   bench_ort_host [--runs N]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <onnx/onnx_pb.h>

#include "engine/base/clock.h"
#include "engine/graph/text.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/library.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

double medianUs(std::vector<int64_t> timesNs) {
  std::nth_element(timesNs.begin(), timesNs.begin() + static_cast<std::ptrdiff_t>(timesNs.size() / 2), timesNs.end());
  return static_cast<double>(timesNs[timesNs.size() / 2]) * 1e-3;
}

Result<std::shared_ptr<const SharedMemory>> additionOf(int64_t count) {
  CUTAWAY_TRY(const Model model, parseModelText(fmt::format(
                                     "<ir_version: 8, opset_import: [\"\": 17]> main (float[{0}] x, float[{0}] w) => "
                                     "(float[{0}] y) {{ y = Add (x, w) }}",
                                     count)));
  onnx::ModelProto proto;
  writeModelHeader(model.opsets, proto);
  writeGraph(model.graph, *proto.mutable_graph());
  CUTAWAY_TRY(const std::string bytes, modelBytes(proto));
  return SharedMemory::of(bytes);
}

Result<void> measure(const std::shared_ptr<Host>& host, int64_t count, int runs) {
  CUTAWAY_TRY(auto model, additionOf(count));
  SessionRequest request{.model = std::move(model)};
  request.settings.intraThreads = 1;
  CUTAWAY_TRY(const auto session, HostedSession::open(host, std::move(request)));
  const auto size = static_cast<uint64_t>(count) * sizeof(float);
  CUTAWAY_TRY(const auto memory, SharedMemory::create(3 * size));
  const auto placeAt = [&](uint32_t slot, uint64_t number) {
    return RunPlace{
        .slot = slot, .element = 1, .dims = {count}, .memory = memory, .offset = number * size, .sizeBytes = size};
  };
  const RunOrder order{.inputs = {placeAt(0, 0), placeAt(1, 1)}, .outputs = {placeAt(0, 2)}};
  std::vector<int64_t> library, whole, copied;
  for (int time = -runs / 10; time < runs; ++time) {
    const Stopwatch watch;
    CUTAWAY_TRY(const RunAnswer answer, session->run(order));
    if (time < 0) continue;
    whole.push_back(watch.elapsedNs());
    library.push_back(answer.runNs.at(0));
  }
  CUTAWAY_TRY(const Tensor x, Tensor::create(ElementType::kFloat, {count}));
  const std::vector<Tensor> feeds{x, x};
  for (int time = 0; time < std::max(1, runs / 10); ++time) {
    const Stopwatch watch;
    CUTAWAY_CHECK(session->runTensors(feeds).map([](const auto&) {}));
    copied.push_back(watch.elapsedNs());
  }
  std::printf("%12llu %12.1f %12.1f %12.1f %12.1f\n", static_cast<unsigned long long>(size), medianUs(library),
              medianUs(whole), medianUs(whole) - medianUs(library), medianUs(copied));
  return {};
}

Result<void> measureAll(int runs) {
  CUTAWAY_TRY(const LibraryPlace place, findLibrary());
  const std::shared_ptr<Host> host = Host::of({.library = place.path});
  std::printf("%12s %12s %12s %12s %12s\n", "tensor bytes", "library us", "request us", "host us", "with copies");
  for (const int64_t count : {int64_t{4}, int64_t{150'528}, int64_t{4'194'304}})
    CUTAWAY_CHECK(measure(host, count, count > 1'000'000 ? std::max(1, runs / 20) : runs));
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  const int runs = count == 3 && std::strcmp(arguments[1], "--runs") == 0 ? std::max(1, std::atoi(arguments[2])) : 5000;
  const Result<void> done = measureAll(runs);
  if (done) return 0;
  std::fprintf(stderr, "%s\n", describe(done.error()).c_str());
  return 1;
}
