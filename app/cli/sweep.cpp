// sweep: models x configurations as jobs, on this machine or a cluster, and what came of them.
#include <csignal>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "app/cli/sweep_verb.h"

namespace cutaway::cli {

namespace {

constexpr std::pair<const char*, int (*)(SweepOptions&)> kActions[] = {
    {"plan", planSweep},     {"run", runSweep},       {"resume", resumeSweep}, {"status", showSweep},
    {"cancel", cancelSweep}, {"export", exportSweep}, {"work", workOnSweep}};

int act(SweepOptions& options) {
  for (const auto& [name, action] : kActions) {
    if (options.action == name) return action(options);
  }
  return kUsage;
}

}  // namespace

void declareRunner(CLI::App& command, SweepOptions& options) {
  command.add_option("--on", options.runner, "where jobs run")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  command.add_option("--cores", options.cores, "local: cores for all jobs together; 0: all of this machine")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--memory", options.memoryBytes, "local: memory for all jobs together, such as 8GB; 0: nine tenths")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command.add_option("--program", options.program, "the cutaway-cli that does the jobs; otherwise this one")
      ->type_name("FILE");
}

Verb verb_sweep() {
  return {.name = "sweep",
          .help = "many models in many configurations, as jobs on this machine or a cluster",
          .example = "cutaway-cli sweep run nightly.toml --cores 4",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto options = std::make_shared<SweepOptions>();
            command
                .add_option("ACTION", options->action,
                            "plan: what would be done; run; resume: goes on; status; cancel; export: results or a "
                            "workflow; work: the jobs of one task, for clusters and workflows")
                ->check(CLI::IsMember({"plan", "run", "resume", "status", "cancel", "export", "work"}))
                ->required();
            command.add_option("FILE", options->plan, "the plan, such as sweep.toml")->required();
            declareRunner(command, *options);
            command.add_flag("--no-wait", options->noWait, "slurm: return once the jobs are submitted");
            command.add_option("--retry", options->retry, "do jobs again that ended so")
                ->check(CLI::IsMember({"crashed", "timeout", "rubbish", "check failed", "bad model", "refused"}))
                ->take_all()
                ->expected(1)
                ->allow_extra_args(false);
            command.add_option("--format", options->format, "export: what is written")
                ->check(CLI::IsMember({"csv", "html", "text", "snakemake", "make"}))
                ->capture_default_str();
            command.add_option("-o,--output", options->output, "export: the file; otherwise standard output")
                ->type_name("FILE");
            command.add_option("--job", options->keys, "work: the key of a job")
                ->take_all()
                ->expected(1)
                ->allow_extra_args(false)
                ->type_name("KEY");
            command
                .add_option("--task", options->task,
                            "work: a file with lists of keys, of which the array's task "
                            "takes its own")
                ->type_name("FILE");
            command.add_flag("--json", options->json, "plan and status: print JSON");
            return [options] { return act(*options); };
          }};
}

}  // namespace cutaway::cli
