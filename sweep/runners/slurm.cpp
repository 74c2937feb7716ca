#include "sweep/runners/slurm.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sweep/runners/child_process.h"

namespace cutaway::sweep {

namespace {

constexpr double kAnswerSeconds = 120;
constexpr size_t kDefaultArray = 1000;
constexpr std::string_view kPrefix = "cutaway-";

// File names of sbatch have patterns that begin with '%'.
std::string withoutPatterns(const std::string& path) {
  std::string out;
  for (const char each : path)
    out += each == '%' ? "%%" : std::string(1, each);
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string arrayNames(const std::vector<TaskList>& lists) {
  std::vector<std::string> names;
  for (const TaskList& list : lists)
    names.push_back(std::string(kPrefix) + list.name);
  return fmt::format("{}", fmt::join(names, ","));
}

std::string listOfArray(std::string_view name) {
  return name.starts_with(kPrefix) ? std::string(name.substr(kPrefix.size())) : std::string();
}

std::vector<std::string> sbatchArguments(const TaskList& list, const SlurmSettings& settings,
                                         const SlurmRequest& request) {
  const Limits& limits = list.limits;
  const std::string atOnce = settings.atOnce > 0 ? fmt::format("%{}", settings.atOnce) : "";
  const std::string log = withoutPatterns((request.taskFile.parent_path() / list.name).string());
  std::vector<std::string> arguments = {
      "--parsable",
      fmt::format("--job-name={}{}", kPrefix, list.name),
      fmt::format("--array=0-{}{}", list.tasks.size() - 1, atOnce),
      "--ntasks=1",
      fmt::format("--cpus-per-task={}", limits.cpus),
      fmt::format("--mem={}M", std::max<int64_t>(1, (limits.memoryBytes + 1'048'575) / 1'048'576)),
      fmt::format("--time={:.0f}", std::ceil(limits.timeoutSeconds / 60) + 1),
      "--requeue",
      "--open-mode=append",
      fmt::format("--chdir={}", request.taskFile.parent_path().string()),
      fmt::format("--output={}_%a.txt", log)};
  if (limits.gpus > 0) arguments.push_back(fmt::format("--gres=gpu:{}", limits.gpus));
  if (!limits.features.empty()) arguments.push_back("--constraint=" + limits.features);
  if (limits.exclusive) arguments.emplace_back("--exclusive");
  if (!settings.partition.empty()) arguments.push_back("--partition=" + settings.partition);
  if (!settings.account.empty()) arguments.push_back("--account=" + settings.account);
  arguments.insert(arguments.end(), settings.options.begin(), settings.options.end());
  arguments.push_back(fmt::format("--wrap=exec {} --task {}", request.command, shellQuoted(request.taskFile.string())));
  return arguments;
}

Result<std::string> submit(const TaskList& list, const SlurmSettings& settings, const SlurmRequest& request) {
  std::vector<std::string> command = sbatchArguments(list, settings, request);
  command.insert(command.begin(), "sbatch");
  CUTAWAY_TRY(std::string id, outputOf(command, kAnswerSeconds));
  id = id.substr(0, id.find_first_of(";\n"));  // "ID;CLUSTER"
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
    return fail(ErrorCode::kFail, "sbatch answered '{}', and not with the id of a job", id);
  return id;
}

Result<std::vector<SlurmTask>> parseQueue(std::string_view text) {
  std::vector<SlurmTask> tasks;
  for (std::string_view line : split(text, '\n')) {
    const std::vector<std::string_view> parts = split(line, '|');
    if (parts.size() != 4 || listOfArray(parts[1]).empty()) continue;
    SlurmTask task{listOfArray(parts[1]), 0, std::string(parts[2]), std::string(parts[3])};
    const std::string_view index = parts[0];
    const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), task.index);
    if (error != std::errc() || end != index.data() + index.size())
      return fail(ErrorCode::kFail, "squeue says '{}', which is no task of an array", line);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

Result<std::vector<SlurmTask>> askQueue(const std::vector<TaskList>& lists, const std::vector<std::string>& further) {
  if (lists.empty()) return std::vector<SlurmTask>{};
  std::vector<std::string> command = {"squeue", "--noheader", "--array", "--format=%K|%j|%T|%r",
                                      "--name=" + arrayNames(lists)};
  command.insert(command.end(), further.begin(), further.end());
  CUTAWAY_TRY(const std::string text, outputOf(command, kAnswerSeconds));
  return parseQueue(text);
}

Result<std::vector<SlurmTask>> queuedTasks(const std::vector<TaskList>& lists) {
  return askQueue(lists, {});
}

Result<void> cancelTasks(const std::vector<TaskList>& lists) {
  for (const TaskList& list : lists) {
    CUTAWAY_TRY(const std::string said,
                outputOf({"scancel", fmt::format("--name={}{}", kPrefix, list.name)}, kAnswerSeconds));
    (void)said;
  }
  return {};
}

size_t largestArray() {
  const Result<std::string> text = outputOf({"scontrol", "show", "config"}, kAnswerSeconds);
  const size_t at = text ? text->find("MaxArraySize") : std::string::npos;
  if (at == std::string::npos) return kDefaultArray;
  const size_t begin = text->find_first_of("0123456789", at);
  size_t size = 0;
  if (begin != std::string::npos) std::from_chars(text->data() + begin, text->data() + text->size(), size);
  return size > 1 ? size - 1 : kDefaultArray;
}

}  // namespace cutaway::sweep
