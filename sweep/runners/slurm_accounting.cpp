#include "sweep/runners/slurm_accounting.h"

#include <optional>

#include "sweep/runners/child_process.h"

namespace cutaway::sweep {

namespace {

constexpr double kAnswerSeconds = 120;

const Json& memberOf(const Json& json, const char* name) {
  static const Json none;
  const auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() ? *found : none;
}

// 3, or {"set": true, "infinite": false, "number": 3}.
std::optional<size_t> numberOf(const Json& json) {
  if (json.is_number_unsigned()) return json.get<size_t>();
  const Json& number = memberOf(json, "number");
  return memberOf(json, "set") == true && number.is_number_unsigned() ? std::optional(number.get<size_t>())
                                                                      : std::nullopt;
}

// "FAILED", or ["FAILED"].
std::string wordOf(const Json& json) {
  const Json& word = json.is_array() && !json.empty() ? json.front() : json;
  return word.is_string() ? word.get<std::string>() : "";
}

}  // namespace

Result<std::vector<SlurmTask>> parseAccounting(std::string_view text) {
  const Json root = Json::parse(text, nullptr, false);
  const Json& jobs = memberOf(root, "jobs");
  if (!jobs.is_array()) return fail(ErrorCode::kFail, "sacct gave no list of jobs");
  std::vector<SlurmTask> tasks;
  for (const Json& job : jobs) {
    const std::string name = wordOf(memberOf(job, "name"));
    const std::optional<size_t> index = numberOf(memberOf(memberOf(job, "array"), "task_id"));
    const std::string list = listOfArray(name), state = wordOf(memberOf(memberOf(job, "state"), "current"));
    if (list.empty() || state.empty() || !index) continue;
    tasks.push_back({list, *index, state, wordOf(memberOf(memberOf(job, "state"), "reason"))});
  }
  return tasks;
}

std::vector<SlurmTask> endedTasks(const std::vector<TaskList>& lists) {
  if (lists.empty()) return {};
  const Result<std::string> text =
      outputOf({"sacct", "--json", "--starttime=now-31days", "--name=" + arrayNames(lists)}, kAnswerSeconds);
  if (Result<std::vector<SlurmTask>> tasks = parseAccounting(text ? *text : ""); tasks && !tasks->empty())
    return *std::move(tasks);
  Result<std::vector<SlurmTask>> remembered = askQueue(lists, {"--states=all"});
  return remembered ? *std::move(remembered) : std::vector<SlurmTask>{};
}

}  // namespace cutaway::sweep
