// What restoring compiled groups costs in the provider alone, in processes of their own: the library keeps primitives
// that a process has made before.
//
//   bench_onednn_context export MODEL FILE    compiles the model's groups and writes them to a context binary; times of
//   the stages up to there bench_onednn_context restore FILE         opens, verifies and restores all groups
//   bench_onednn_context touch FILE           maps the same bytes and reads one of each page: what no loading can be
//   quicker than without threads
// Each prints a line of JSON, times in ms.

#include <cstdio>
#include <cstring>

#include "engine/base/clock.h"
#include "engine/base/mapped_file.h"
#include "engine/base/parallel.h"
#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/binary_writer.h"
#include "engine/stages/load/load.h"
#include "engine/stages/optimize/optimize.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "providers/onednn/provider.h"

namespace {

using namespace cutaway;

class Watch {
 public:
  double lapMs() {
    const int64_t now = nowNs();
    const double ms = static_cast<double>(now - m_start) / 1e6;
    m_start = now;
    return ms;
  }

 private:
  int64_t m_start = nowNs();
};

Result<void> writeGroups(const partition::Partition& partitioned, ExecutionProvider& provider, const char* file) {
  const ContextSupport support = provider.contextSupport();
  CUTAWAY_TRY(const auto written, NewFile::create(file, {}));
  context_binary::ContextBinaryWriter writer(context_binary::sinkOf(*written));
  Progress progress;
  for (const auto& [name, group] : partitioned.captured->groups) {
    CUTAWAY_TRY(context_binary::ContextPartition partition,
                provider.exportContext({*group, *partitioned.compiled.at(name).kernel}, progress));
    partition.name = name;
    partition.source = provider.name();
    partition.sdkVersion = support.sdkVersion;
    partition.hardware = support.hardware;
    const auto port = [&](ValueId id) {
      return context_binary::ContextPort{group->graph.value(id).name, group->graph.value(id).type};
    };
    for (const ValueId id : group->graph.inputs())
      partition.inputs.push_back(port(id));
    for (const ValueId id : group->graph.outputs())
      partition.outputs.push_back(port(id));
    CUTAWAY_CHECK(writer.add(partition, progress));
  }
  CUTAWAY_TRY(const context_binary::ContextBinaryFigures figures, writer.finish());
  std::printf("\"groups\": %lld, \"file_mb\": %.1f, ", static_cast<long long>(figures.partitions),
              static_cast<double>(figures.fileBytes) / 1e6);
  return written->publish();
}

Result<void> exportGroups(const char* path, const char* file) {
  Progress progress;
  Watch watch;
  CUTAWAY_TRY(load::LoadResult loaded, load::load(load::ModelSource::file(path), {}, progress));
  std::vector<std::unique_ptr<ExecutionProvider>> providers;
  providers.push_back(*onednnProvider().create({}));
  providers.push_back(*cpuProvider().create({}));
  CUTAWAY_TRY(const ResolveReport resolved, resolve::resolve(loaded.model, {}, progress));
  CUTAWAY_TRY(const OptimizeReport optimized,
              optimize::optimize(loaded.model, {.level = 3, .kernels = providers.back()->kernels()}, progress));
  const double before = watch.lapMs();
  CUTAWAY_TRY(const partition::Partition partitioned,
              partition::partitionModel(loaded.model, providers, {.captureGroups = true}, progress));
  const double partition = watch.lapMs();
  std::printf("{\"prepare_ms\": %.1f, \"partition_ms\": %.1f, ", before, partition);
  CUTAWAY_CHECK(writeGroups(partitioned, *providers[0], file));
  std::printf("\"export_ms\": %.1f}\n", watch.lapMs());
  return {};
}

Result<void> restoreGroups(const char* path) {
  Progress progress;
  Watch watch;
  CUTAWAY_TRY(const auto provider, onednnProvider().create({}));
  const ContextSupport support = provider->contextSupport();
  const double library = watch.lapMs();
  CUTAWAY_TRY(const auto file, MappedFile::open(path));
  CUTAWAY_TRY(const auto binary, context_binary::ContextBinary::open(file->bytes(), file, path));
  CUTAWAY_CHECK(binary->verifyAll(progress));
  const double verify = watch.lapMs();
  std::vector<CompiledNode> restored;
  for (const context_binary::ContextPartition& partition : binary->partitions()) {
    CUTAWAY_TRY(CompiledNode node,
                provider->restoreContext({partition, binary->keepAlive(), partition.name}, progress));
    restored.push_back(std::move(node));
  }
  const double restore = watch.lapMs();
  std::printf("{\"library_ms\": %.1f, \"verify_ms\": %.1f, \"restore_ms\": %.1f}\n", library, verify, restore);
  return {};
}

Result<void> touch(const char* path) {
  Watch watch;
  CUTAWAY_TRY(const auto file, MappedFile::open(path));
  constexpr size_t kPage = 4096;
  unsigned sum = 0;
  for (size_t at = 0; at < file->bytes().size(); at += kPage)
    sum += static_cast<unsigned>(file->bytes()[at]);
  std::printf("{\"touch_ms\": %.1f, \"sum\": %u}\n", watch.lapMs(), sum);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const auto is = [&](const char* verb, int count) { return argc == count && std::strcmp(argv[1], verb) == 0; };
  Result<void> done;
  if (is("export", 4)) {
    done = exportGroups(argv[2], argv[3]);
  } else if (is("restore", 3)) {
    done = restoreGroups(argv[2]);
  } else if (is("touch", 3)) {
    done = touch(argv[2]);
  } else {
    std::fprintf(stderr, "usage: bench_onednn_context export MODEL FILE | restore FILE | touch FILE\n");
    return 2;
  }
  if (!done) std::fprintf(stderr, "%s\n", describe(done.error()).c_str());
  return done ? 0 : 1;
}
