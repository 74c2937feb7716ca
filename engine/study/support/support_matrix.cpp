#include "engine/study/support/support_matrix.h"

#include <algorithm>
#include <map>

#include "engine/base/clock.h"
#include "engine/stages/load/load.h"
#include "engine/study/cure/ask.h"

namespace cutaway::study {
namespace {

const ProviderEntry* entryOf(const std::string& spec, const ProviderTable& table) {
  return findEntry(table, spec.substr(0, spec.find_first_of("({")));
}

std::string titleOf(const std::string& spec, const ProviderTable& table) {
  const ProviderEntry* entry = entryOf(spec, table);
  if (entry == nullptr) return spec;
  const size_t open = spec.find('(');
  if (open == std::string::npos || !entry->takesArgument) return entry->displayName;
  return spec.substr(open + 1, spec.find(')') - open - 1);
}

std::vector<std::pair<std::string, int64_t>> refusalsOf(const Answer& answer) {
  std::map<std::string, int64_t> counts;
  for (const LeftNode& node : answer.left)
    ++counts[node.reason.empty() ? "it gave no reason" : node.reason];
  std::vector<std::pair<std::string, int64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, int64_t>::second);
  return sorted;
}

}  // namespace

std::vector<std::string> everyProvider(const ProviderTable& table) {
  std::vector<std::string> specs;
  for (const ProviderEntry& entry : table) {
    if (entry.takesTheRest) continue;
    // What onnxruntime has nothing like is no provider to deploy on.
    if (!entry.takesArgument && !entry.onnxruntime.empty()) specs.push_back(entry.name);
    for (const std::string& argument : entry.arguments)
      specs.push_back(fmt::format("{}({})", entry.name, argument));
  }
  return specs;
}

Result<SupportReport> supportMatrix(const SupportRequest& request, const ProviderTable& table, Progress& progress) {
  const Stopwatch watch;
  Progress quiet(progress.token());
  CUTAWAY_TRY(load::LoadResult loaded, load::load(request.source, {}, quiet));
  const auto model = std::make_shared<const Model>(std::move(loaded.model));
  const std::vector<std::string> specs = request.providers.empty() ? everyProvider(table) : request.providers;
  SupportReport report;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (progress.cancelled()) return fail(cancelledError());
    progress.begin("Support", specs[i]);
    progress.update(i, specs.size());
    session::SessionOptions options = request.options;
    options.providers = {specs[i]};
    options.pins.clear();
    SupportRow row{.provider = specs[i], .title = titleOf(specs[i], table), .figures = {}, .refusals = {}};
    const Result<Answer> answer = ask(model, {.options = options, .table = table, .provider = {}}, progress);
    if (progress.cancelled()) return fail(cancelledError());
    if (answer) {
      row.simulated = answer->simulated;
      const ProviderEntry* entry = entryOf(specs[i], table);
      row.runsHere = entry == nullptr || entry->probe == nullptr || entry->probe().usable;
      row.figures = answer->figures;
      row.refusals = refusalsOf(*answer);
    } else {
      row.usable = false;
      row.problem = answer.error().message;
    }
    report.rows.push_back(std::move(row));
  }
  progress.update(specs.size(), specs.size());
  report.timeNs = watch.elapsedNs();
  return report;
}

}  // namespace cutaway::study
