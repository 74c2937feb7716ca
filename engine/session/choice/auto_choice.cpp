#include "engine/session/choice/auto_choice.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "engine/provider/provider_spec.h"
#include "engine/report/measured_time.h"
#include "engine/session/choice/tuned_plans.h"

namespace cutaway::session {
namespace {

std::string listText(const std::vector<std::string>& providers) {
  return fmt::format("{}", fmt::join(providers, ","));
}

// What auto does with a row of the table.
enum class AutoUse : uint8_t {
  kNever,     // simulated or declared hardware, and what runs in other programs: only who names it gets it
  kMeasured,  // it computes on the host's own cores, where no model tells two libraries apart: a measurement must
  kModelled,  // it has a device of its own: its speed and the cost of transfers tell
};

constexpr std::string_view kOwnMemory[] = {"gpu", "npu", "fpga"};  // OnnxruntimeProvider::device

// A row is real when onnxruntime has its counterpart, and when no argument says which hardware it stands for; what that
// counterpart calls its device is where it computes.
AutoUse autoUse(const ProviderEntry& entry) {
  if (entry.takesTheRest || entry.takesArgument || entry.onnxruntime.empty()) return AutoUse::kNever;
  const bool ownsMemory = std::ranges::find(kOwnMemory, entry.onnxruntime.front().device) != std::end(kOwnMemory);
  return ownsMemory ? AutoUse::kModelled : AutoUse::kMeasured;
}

bool isUsable(const ProviderEntry& entry) {
  return entry.probe == nullptr || entry.probe().usable;
}

// A file can name anything; auto takes what it would have measured itself.
std::string objection(const TunedPlan& plan, const ProviderTable& table) {
  const std::string last = lastResort(table);
  for (const std::string& text : plan.providers) {
    const ProviderEntry* entry = findEntry(table, text);  // with options or an argument: none of that name
    if (entry == nullptr || (autoUse(*entry) == AutoUse::kNever && !entry->takesTheRest))
      return fmt::format("the measured list '{}' names '{}', which auto does not take here; measure again",
                         listText(plan.providers), text);
  }
  if (plan.providers.back() != last)
    return fmt::format("the measured list '{}' does not end with {}; measure again", listText(plan.providers), last);
  return {};
}

MeasuredTime timeOf(const MeasuredList& list) {
  return {.runs = list.runs, .medianMs = list.medianMs, .lowMs = list.lowMs, .highMs = list.highMs};
}

ProviderChoice measuredChoice(TunedPlan plan, const std::string& last) {
  ProviderChoice choice{.basis = ChoiceBasis::kMeasured, .providers = plan.providers, .reason = {}};
  const auto find = [&](const std::vector<std::string>& providers) {
    return std::ranges::find(plan.measured, providers, &MeasuredList::providers);
  };
  const MeasuredList& taken = *find(plan.providers);
  choice.reason = fmt::format("auto took {}: measured on {} on this machine, {}", listText(plan.providers),
                              plan.measuredAt.substr(0, 10), measuredText(timeOf(taken)));
  const auto alone = find({last});
  if (plan.providers.size() > 1 && alone != plan.measured.end()) {
    choice.reason += fmt::format(", where {} alone took {}", last, measuredText(timeOf(*alone)));
  } else if (plan.providers.size() == 1) {
    choice.reason += "; no other list was faster by more than chance";
  }
  choice.measuredAt = std::move(plan.measuredAt);
  choice.measured = std::move(plan.measured);
  return choice;
}

ProviderChoice modelledChoice(const ProviderTable& table) {
  const std::string last = lastResort(table);
  ProviderChoice choice;
  std::vector<std::string> untold;
  for (const ProviderEntry& entry : table) {
    if (autoUse(entry) == AutoUse::kModelled && isUsable(entry)) {
      choice.providers.push_back(entry.name);
    } else if (autoUse(entry) == AutoUse::kMeasured) {
      untold.push_back(entry.name);
      choice.skipped.push_back(
          {entry.name, fmt::format("it computes on the same cores as {}, and this model was not measured here", last)});
    }
  }
  choice.basis = choice.providers.empty() ? ChoiceBasis::kDefault : ChoiceBasis::kModelled;
  choice.reason = choice.providers.empty()
                      ? fmt::format("auto took {}", last)
                      : fmt::format("auto took {},{}: what {} claims is weighed with its transfers (estimated)",
                                    listText(choice.providers), last, listText(choice.providers));
  choice.providers.push_back(last);
  if (!untold.empty())
    choice.reason += fmt::format("; {} {} not asked: this model was not measured here (`tune` does)",
                                 fmt::join(untold, ", "), untold.size() == 1 ? "was" : "were");
  return choice;
}

// What onnxruntime does with the providers of its build, on those that are here.
ProviderChoice choiceOfAll(const ProviderTable& table) {
  ProviderChoice choice{.basis = ChoiceBasis::kAll, .providers = {}, .reason = {}};
  for (const ProviderEntry& entry : table) {
    if (autoUse(entry) == AutoUse::kNever) continue;
    if (const ProviderStatus status = entry.probe == nullptr ? ProviderStatus() : entry.probe(); status.usable)
      choice.providers.push_back(entry.name);
    else
      choice.skipped.push_back({entry.name, status.reason});
  }
  choice.providers.push_back(lastResort(table));
  choice.reason = fmt::format("all took {}: every real provider that can be used here, in the order of the table",
                              listText(choice.providers));
  for (const SkippedProvider& each : choice.skipped)
    choice.reason += fmt::format("; {} cannot be used: {}", each.name, each.reason);
  return choice;
}

}  // namespace

Result<std::string> listWord(const SessionOptions& options, const ProviderTable& table) {
  std::string word;
  std::vector<std::string> others;
  for (const std::string& text : options.providers) {
    CUTAWAY_TRY(const ProviderSpec spec, parseProviderSpec(text));
    const bool isWord = spec.name == kAuto || spec.name == kAll;
    if (isWord && (!spec.argument.empty() || !spec.options.empty()))
      return fail(ErrorCode::kInvalidArgument, "'{}' has no options; name the providers to give them some", spec.name);
    if (isWord && word.empty())
      word = spec.name;
    else if (text != lastResort(table))
      others.push_back(text);
  }
  if (!word.empty() && !others.empty())
    return fail(ErrorCode::kInvalidArgument,
                "'{}' chooses the list of providers and cannot have {} beside it: take {} away, or name all that are "
                "to be asked",
                word, listText(others), others.size() == 1 ? "it" : "them");
  return word;
}

AutoChoice chooseProviders(const std::string& word, const SessionOptions& options, const ProviderTable& table,
                           const std::string& modelKey) {
  if (word == kAll) return {.choice = choiceOfAll(table), .warning = {}};
  std::string warning;
  if (!modelKey.empty() && !options.tuned.folder.empty()) {
    TunedLookup found = findTuned(options.tuned.folder, tunedKey(options, modelKey));
    warning = std::move(found.problem);
    if (found.plan) warning = objection(*found.plan, table);
    if (found.plan && warning.empty())
      return {.choice = measuredChoice(*std::move(found.plan), lastResort(table)), .warning = {}};
  }
  return {.choice = modelledChoice(table), .warning = std::move(warning)};
}

ProviderChoice fallBack(const ProviderChoice& choice, const ProviderTable& table, const Error& why) {
  const std::string last = lastResort(table);
  return {.basis = ChoiceBasis::kDefault,
          .providers = {last},
          .reason =
              fmt::format("{} took {}, because {} cannot be used: {}", choice.basis == ChoiceBasis::kAll ? kAll : kAuto,
                          last, listText(choice.providers), why.message)};
}

SessionOptions settled(SessionOptions options, const WalkReport& walk) {
  const bool isChosen = walk.choice != nullptr && walk.choice->basis != ChoiceBasis::kNamed;
  const bool isWord =
      std::ranges::any_of(options.providers, [](const std::string& text) { return text == kAuto || text == kAll; });
  if (isChosen && isWord) options.providers = walk.choice->providers;
  return options;
}

std::vector<std::string> measurableProviders(const ProviderTable& table) {
  std::vector<std::string> names;
  for (const ProviderEntry& entry : table) {
    if (autoUse(entry) != AutoUse::kNever && isUsable(entry)) names.push_back(entry.name);
  }
  return names;
}

}  // namespace cutaway::session
