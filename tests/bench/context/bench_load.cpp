// How long one model takes to be ready to run and to have run once, in a process whose libraries have been used before.
//
//   bench_load open WARM MODEL PROVIDERS THREADS    opens and runs WARM first (schemas, kernel tables, thread pools),
//   then MODEL; times of MODEL, peak memory of the process bench_load map FILE...                          maps the
//   files; looks at one byte of each page, then reads every byte: what no load that looks at its weights can beat
// Each prints a line of JSON, times in ms.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/resource.h>

#include "app/providers/provider_table.h"
#include "engine/base/clock.h"
#include "engine/base/mapped_file.h"
#include "engine/provider/provider_spec.h"
#include "engine/session/session.h"

using namespace cutaway;

namespace {

struct Times {
  double readyMs = 0, firstMs = 0, runMs = 0;
};

double since(int64_t startNs) {
  return static_cast<double>(nowNs() - startNs) / 1e6;
}

Result<Times> openAndRun(const char* path, const session::SessionOptions& options) {
  Times times;
  Progress progress;
  int64_t startNs = nowNs();
  CUTAWAY_TRY(const auto session,
              session::Session::create(load::ModelSource::file(path), options, builtProviders(), progress));
  times.readyMs = since(startNs);
  CUTAWAY_TRY(const std::vector<execute::Feed> feeds, session::randomFeeds(*session, 1, {}, {}));
  startNs = nowNs();
  CUTAWAY_CHECK(session->run(feeds, {}));
  times.firstMs = since(startNs);
  startNs = nowNs();
  CUTAWAY_CHECK(session->run(feeds, {}));
  times.runMs = since(startNs);
  return times;
}

int report(const Result<Times>& times) {
  if (!times) {
    std::printf("{\"error\": \"%s\"}\n", describe(times.error()).c_str());
    return 1;
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"ready_ms\": %.3f, \"first_run_ms\": %.3f, \"run_ms\": %.3f, \"peak_mib\": %.1f}\n", times->readyMs,
              times->firstMs, times->runMs, static_cast<double>(usage.ru_maxrss) / 1024);
  return 0;
}

// Sums eight bytes at a time, which the memory is slower than.
uint64_t readAll(std::span<const std::byte> bytes) {
  uint64_t sum = 0;
  for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    sum += word;
  }
  return sum;
}

int mapFiles(int count, char** paths) {
  double touchMs = 0, readMs = 0;
  volatile uint64_t sink = 0;
  for (int i = 0; i < count; ++i) {
    int64_t startNs = nowNs();
    const auto file = MappedFile::open(paths[i]);
    if (!file) return 1;
    const std::span<const std::byte> bytes = (*file)->bytes();
    uint64_t sum = 0;
    for (size_t at = 0; at < bytes.size(); at += 4096)
      sum += std::to_integer<uint64_t>(bytes[at]);
    touchMs += since(startNs);
    sink = sink + sum;
    // A mapping of its own: the first has its pages already.
    startNs = nowNs();
    const auto again = MappedFile::open(paths[i]);
    if (!again) return 1;
    sink = sink + readAll((*again)->bytes());
    readMs += since(startNs);
  }
  std::printf("{\"touch_ms\": %.3f, \"read_ms\": %.3f}\n", touchMs, readMs);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "map") == 0) return mapFiles(argc - 2, argv + 2);
  if (argc != 6 || std::strcmp(argv[1], "open") != 0) {
    std::fprintf(stderr, "bench_load open WARM MODEL PROVIDERS THREADS | bench_load map FILE...\n");
    return 2;
  }
  session::SessionOptions options;
  const auto providers = splitProviderList(argv[4]);
  if (!providers) return report(fail(Error(providers.error())));
  options.providers = *providers;
  options.threads = std::atoi(argv[5]);
  if (const auto warm = openAndRun(argv[2], options); !warm) return report(warm);
  return report(openAndRun(argv[3], options));
}
