#include "tests/unit/ui/sweep/sweep_fixture.h"

#include <algorithm>

#include "sweep/results/store.h"

namespace cutaway::ui::test {
namespace {

using namespace cutaway::sweep;

Job jobOf(const SweepSizes& sizes, int model, int configuration, MeasureKind kind, int repeat) {
  Job job;
  job.cell = {fmt::format("models/{:04}.onnx", model), fmt::format("configuration {}", configuration), kind, repeat};
  job.model = model == 0 && !sizes.firstModelFile.empty() ? sizes.firstModelFile : "/nowhere/" + job.cell.model;
  job.settings = {{"opt_level", configuration % 4}};
  job.measure.kind = kind;
  job.modelHash = fmt::format("{}", model);
  job.key = keyOf(job, sizes.program);
  return job;
}

Record recordOf(const SweepSizes& sizes, const Job& job, int model, int configuration) {
  Record record;
  record.key = job.key;
  record.program = sizes.program;
  record.machine = {
      .host = "h", .architecture = "x86_64", .processor = "p", .system = "s", .gpus = {}, .cores = 2, .memoryBytes = 1};
  if (model + 1 == sizes.models && configuration + 1 == sizes.configurations) {
    record.outcome = Outcome::kCrashed;
    record.message = "signal 11";
    return record;
  }
  auto& figures = record.findings.figures;
  if (job.cell.measure == MeasureKind::kBench) {
    const double noise = 1 + 0.01 * static_cast<double>(job.cell.repeat - 1);
    const double ms = (model + 1) * (configuration + 1) * noise * (configuration == 1 ? sizes.timeFactor : 1);
    figures["median_ms"] = {ms, ms * 0.99, ms * 1.01, 9, "ms", "measured"};
    return record;
  }
  const int fallen = std::min(10, model + configuration);
  for (const char* name : {"nodes", "groups", "copies", "unassigned_nodes"})
    figures[name] = {1, 1, 1, 0, "", "exact"};
  figures["fallback_nodes"] = {static_cast<double>(fallen), 0, 0, 0, "", "exact"};
  figures["planned_peak_bytes"] = {1e6 * (model + 1), 0, 0, 0, "bytes", "exact"};
  record.findings.providers = {{"npu", 10 - fallen, 1}, {"cpu", fallen, 0}};
  record.findings.refusals = {{"npu", "its type is double", fallen}};
  return record;
}

}  // namespace

Result<void> writeSweep(const std::filesystem::path& file, const SweepSizes& sizes) {
  CUTAWAY_TRY(Store store, Store::open(file, Database::Mode::kWrite));
  std::vector<Job> jobs;
  std::vector<Record> records;
  const auto add = [&](int model, int configuration, MeasureKind kind, int repeat) {
    jobs.push_back(jobOf(sizes, model, configuration, kind, repeat));
    records.push_back(recordOf(sizes, jobs.back(), model, configuration));
  };
  for (int model = 0; model < sizes.models; ++model) {
    for (int configuration = 0; configuration < sizes.configurations; ++configuration) {
      add(model, configuration, MeasureKind::kInspect, 0);
      for (int repeat = 0; repeat < sizes.repeats; ++repeat)
        add(model, configuration, MeasureKind::kBench, repeat);
    }
  }
  CUTAWAY_CHECK(store.setCells(jobs, sizes.program));
  return store.addRecords(records);
}

}  // namespace cutaway::ui::test
