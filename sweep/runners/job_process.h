#pragma once
// One job while it runs: its commands one after another, within its time, and the record that comes of them.
//
// Thread rule: the main thread. Example:
//   CUTAWAY_TRY(auto running, JobProcess::start(job, program, folder, models));
//   while (!running->isOver()) waitForChildren(100);
//   CUTAWAY_TRY(const JobEnd end, running->finish());

#include <map>
#include <memory>

#include "sweep/results/sweep_folder.h"
#include "sweep/runners/child_process.h"
#include <unistd.h>

namespace cutaway::sweep {

// The program that does the jobs.
struct Program {
  std::string path;     // of cutaway-cli
  std::string version;  // what --version says in its first lines
};
// FAIL: it cannot be started, or does not say what it is.
Result<Program> askProgram(const std::string& path);

// Whether models are still what they were when the jobs were made; each is read once and then looked at by its time.
class ModelWatch {
 public:
  // FAIL "the model has changed", "is gone".
  Result<void> check(const Job& job);

 private:
  struct Seen {
    std::filesystem::file_time_type time;
    std::string hash;
  };
  std::map<std::pair<std::filesystem::path, bool>, Seen> m_seen;
};

struct JobEnd {
  std::optional<Record> record;  // written; none: the job is still open
  std::string reason;            // why it is
  bool diskIsFull = false;       // no other job will get further
};

class JobProcess {
 public:
  // FAIL: the model is not what it was, the disk is full, no process can be started. The job stays open.
  static Result<std::unique_ptr<JobProcess>> start(const Job& job, const Program& program, const SweepFolder& folder,
                                                   const Machine& machine, ModelWatch& models);
  ~JobProcess();  // what still runs is killed, and its files are taken away

  const Job& job() const { return m_job; }
  bool isOver();    // asks the process, starts the next command, kills what takes too long
  JobEnd finish();  // once, when it is over: writes the record

 private:
  JobProcess(const Job& job, const Program& program, const SweepFolder& folder, const Machine& machine,
             ModelWatch& models)
      : m_job(job), m_program(program), m_folder(folder), m_machine(machine), m_models(models) {}
  Result<void> prepare();
  Result<void> startCommand();
  bool isTimedOut() const;
  void read(const ChildExit& exit);
  void readReport(const JobCommand& command);
  std::string lastWords() const;
  // Two nodes may do the same job, each in its own folder.
  std::filesystem::path scratch() const {
    return m_folder.scratch() / fmt::format("{}-{}-{}", m_job.key, m_machine.host, getpid());
  }

  const Job m_job;
  const Program& m_program;
  const SweepFolder& m_folder;
  const Machine& m_machine;
  ModelWatch& m_models;
  std::vector<JobCommand> m_commands;
  size_t m_next = 0;
  std::optional<ChildProcess> m_child;
  Record m_record;
  std::string m_open;  // why there will be no record
  bool m_diskIsFull = false;
  int64_t m_startNs = 0;
};

}  // namespace cutaway::sweep
