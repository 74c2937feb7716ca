// One model through several executors in turn, in one process: median time of a run for each, as JSON.
//
//   bench_executors MODEL [--threads N] [--workers W] [--rounds R] [--seconds S] [--dim NAME=VALUE]...
//
// Executors: sequential with all threads, sequential with one, dataflow that chooses its workers itself, dataflow with
// W workers. S seconds in each of R rounds. Outputs of the one-thread run and of the dataflow run with a thread a
// worker are compared bit for bit.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/clock.h"
#include "engine/session/session.h"
#include "providers/cpu/provider.h"

using namespace cutaway;

namespace {

[[noreturn]] void stop(const Error& error) {
  std::fprintf(stderr, "%s\n", describe(error).c_str());
  std::exit(1);
}

template <typename T>
T must(Result<T> result) {
  if (!result) stop(result.error());
  return *std::move(result);
}

struct Arguments {
  std::string model;
  int threads = 2, workers = 2, rounds = 5;
  double seconds = 0.5;
  std::map<std::string, int64_t> dims;
};

struct Candidate {
  std::string name;
  std::unique_ptr<session::Session> session;
  std::vector<execute::Feed> outputs;
  std::vector<double> timesNs;
};

Candidate candidate(const Arguments& arguments, std::string name, int threads, int workers) {
  session::SessionOptions options;
  options.threads = threads;
  options.dims = arguments.dims;
  if (workers != 1) {
    options.executor = "dataflow";
    options.interThreads = workers;
  }
  Progress progress;
  return {std::move(name),
          must(session::Session::create(load::ModelSource::file(arguments.model), options, {cpuProvider()}, progress)),
          {},
          {}};
}

bool sameBits(const std::vector<execute::Feed>& a, const std::vector<execute::Feed>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!a[i].value.isTensor()) continue;
    const Tensor &x = a[i].value.tensor(), &y = b[i].value.tensor();
    if (x.type() == ElementType::kString) continue;
    if (x.sizeBytes() != y.sizeBytes() || std::memcmp(x.data(), y.data(), static_cast<size_t>(x.sizeBytes())) != 0)
      return false;
  }
  return a.size() == b.size();
}

Arguments parse(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string name = values[i];
    if (!name.starts_with("--")) {
      arguments.model = name;
      continue;
    }
    const std::string value = ++i < count ? values[i] : "";
    if (name == "--threads") arguments.threads = std::atoi(value.c_str());
    if (name == "--workers") arguments.workers = std::atoi(value.c_str());
    if (name == "--rounds") arguments.rounds = std::atoi(value.c_str());
    if (name == "--seconds") arguments.seconds = std::atof(value.c_str());
    if (name == "--dim")
      arguments.dims[value.substr(0, value.find('='))] = std::atoll(value.c_str() + value.find('=') + 1);
  }
  return arguments;
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse(count, values);
  std::vector<Candidate> candidates;
  candidates.push_back(candidate(arguments, "sequential", arguments.threads, 1));
  candidates.push_back(candidate(arguments, "sequential, 1 thread", 1, 1));
  candidates.push_back(candidate(arguments, "dataflow", arguments.threads, 0));
  candidates.push_back(candidate(arguments, fmt::format("dataflow, {} workers", arguments.workers), arguments.threads,
                                 arguments.workers));
  const std::vector<execute::Feed> feeds = must(session::randomFeeds(*candidates[0].session, 0, arguments.dims, {}));
  for (Candidate& each : candidates)
    for (int warm = 0; warm < 2; ++warm)
      each.outputs = must(each.session->run(feeds, {})).outputs;
  for (int round = 0; round < arguments.rounds; ++round) {
    for (Candidate& each : candidates) {
      size_t runs = 0;
      for (const Stopwatch watch; static_cast<double>(watch.elapsedNs()) < arguments.seconds * 1e9 || runs < 3;
           ++runs) {
        const Stopwatch one;
        must(each.session->run(feeds, {}));
        each.timesNs.push_back(static_cast<double>(one.elapsedNs()));
      }
    }
  }
  nlohmann::json json;
  json["same_bits"] = arguments.threads == arguments.workers
                          ? sameBits(candidates[1].outputs, candidates[3].outputs)
                          : sameBits(candidates[3].outputs, must(candidates[3].session->run(feeds, {})).outputs);
  for (Candidate& each : candidates) {
    std::sort(each.timesNs.begin(), each.timesNs.end());
    json["executors"].push_back({{"name", each.name},
                                 {"executor", each.session->executor()},
                                 {"reason", each.session->executorReason()},
                                 {"median_ms", each.timesNs[each.timesNs.size() / 2] / 1e6},
                                 {"min_ms", each.timesNs.front() / 1e6},
                                 {"runs", each.timesNs.size()},
                                 {"planned_peak_bytes", each.session->plannedPeakBytes()},
                                 {"measured_peak_bytes", each.session->measuredPeakBytes()}});
  }
  std::printf("%s\n", json.dump(1).c_str());
  return 0;
}
