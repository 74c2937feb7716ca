#include "sweep/runners/workflow.h"

#include "engine/base/printable.h"

namespace cutaway::sweep {

namespace {

std::string doubled(const std::string& text, std::string_view characters) {
  std::string out;
  for (const char each : text)
    out += characters.find(each) == std::string_view::npos ? std::string(1, each) : std::string(2, each);
  return out;
}

std::string pythonText(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

std::string makefileOf(const std::vector<Job>& jobs, const SweepFolder& folder, const std::string& command) {
  std::string targets, rules;
  std::set<std::string> seen;
  for (const Job& job : jobs) {
    if (!seen.insert(job.key).second) continue;
    targets += fmt::format(" \\\n  records/{}.json", job.key);
    rules += fmt::format(
        "\n# {}\nrecords/{}.json:\n\t{}{}\n",
        printable(fmt::format("{}, {}, {}", job.cell.model, job.cell.configuration, measureName(job.cell.measure))),
        job.key, doubled(command + " --job ", "$"), job.key);
  }
  return fmt::format("# make -j 4 -C {} -f THIS_FILE\n.PHONY: all\nall:{}\n{}", shellQuoted(folder.path().string()),
                     targets, rules);
}

std::string snakefileOf(const std::vector<Job>& jobs, const SweepFolder& folder, const std::string& command) {
  std::string list;
  for (const Job& job : jobs)
    list += fmt::format("    \"{}\": ({}, {}),\n", job.key, job.limits.cpus, job.limits.memoryBytes / 1'000'000 + 1);
  return fmt::format(
      "workdir: {}\n\nJOBS = {{  # key: cores, memory in MB\n{}}}\n\n"
      "rule all:\n    input: expand(\"records/{{key}}.json\", key=JOBS)\n\n"
      "rule job:\n    output: \"records/{{key}}.json\"\n    threads: lambda wildcards: JOBS[wildcards.key][0]\n"
      "    resources: mem_mb=lambda wildcards: JOBS[wildcards.key][1]\n    shell: {} + \"{{wildcards.key}}\"\n",
      pythonText(folder.path().string()), list, pythonText(doubled(command + " --job ", "{}")));
}

}  // namespace cutaway::sweep
