#pragma once
// The folder of a sweep, beside its plan: jobs, records, results, and who works on it.
//
//   nightly.sweep/jobs.json          the plan's jobs as they are now
//                 records/KEY.json   one for each job that is done
//                 scratch/           of jobs that run; taken away afterwards
//                 packs/             what packs of models have in them
//                 results.sqlite     the records, collected
//                 lock               held by the one collector, with its process and host as text
// Thread rule: one thread. Example: CUTAWAY_TRY(SweepFolder folder, SweepFolder::of("nightly.toml"));

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sweep/plan/job.h"
#include "sweep/results/store.h"

#include "engine/base/file_descriptor.h"

namespace cutaway::sweep {

class SweepFolder {
 public:
  explicit SweepFolder(std::filesystem::path path) : m_path(std::move(path)) {}
  static SweepFolder of(const std::filesystem::path& plan);  // <its name without .toml>.sweep, beside it

  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path jobsFile() const { return m_path / "jobs.json"; }
  std::filesystem::path records() const { return m_path / "records"; }
  std::filesystem::path record(const std::string& key) const { return records() / (key + ".json"); }
  std::filesystem::path scratch() const { return m_path / "scratch"; }
  std::filesystem::path tasks() const { return m_path / "tasks"; }  // of a cluster
  std::filesystem::path packs() const { return m_path / "packs"; }
  std::filesystem::path database() const { return m_path / "results.sqlite"; }
  std::filesystem::path lockFile() const { return m_path / "lock"; }

  Result<void> make() const;  // the folders
  // Held until it is destroyed, or its process ends; waited for so long, because who only looks has it for a moment.
  // FAIL names who holds it.
  Result<FileDescriptor> lock(int64_t waitMs) const;
  std::string holder() const;  // "process 123 on host"; empty: nobody has it

  Result<void> writeJobs(const std::vector<Job>& jobs) const;
  Result<std::vector<Job>> readJobs() const;
  std::set<std::string> recordedKeys() const;  // by the names of files

 private:
  std::filesystem::path m_path;
};

struct Collected {
  int64_t added = 0;
  std::vector<std::string> rejected;  // what is no record: set aside as KEY.rejected, its job is open again
};

// Records that the results lack become results. Safe to interrupt at any moment, and to repeat.
Result<Collected> collect(const SweepFolder& folder, Store& store);

}  // namespace cutaway::sweep
