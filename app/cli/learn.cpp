#include "app/cli/learn.h"

#include <ctime>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/providers/provider_table.h"
#include "engine/base/write_file.h"
#include "engine/provider/provider_spec.h"
#include "engine/session/session.h"
#include "engine/session/walk/session_providers.h"
#include "engine/study/learn/learn_profile.h"

namespace cutaway::cli {

namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[16] = {};
  if (gmtime_r(&now, &parts) == nullptr || std::strftime(text, sizeof text, "%Y-%m-%d", &parts) == 0) return {};
  return text;
}

Result<study::LearnedProfile> ask(const LearnOrder& order, const std::string& name, ExecutionProvider& provider,
                                  const ProviderEntry* entry) {
  study::LearnOptions learning{.name = name,
                               .title = {},
                               .version = {},
                               .asked = order.provider,
                               .date = today(),
                               .operators = order.operators,
                               .mostSeconds = order.mostSeconds};
  if (entry != nullptr) {
    learning.title = entry->displayName;
    if (entry->probe != nullptr) learning.version = entry->probe().version;
  }
  ConsoleProgress progress;
  return study::learnProfile(provider, learning, progress);
}

}  // namespace

int learn(const LearnOrder& order) {
  const Result<ProviderSpec> spec = parseProviderSpec(order.provider);
  if (!spec) return usageError(spec.error());
  const ProviderTable table = builtProviders();
  session::SessionOptions options;
  options.providers = {order.provider};
  const auto providers = session::createProviders(options, table);
  if (!providers) return usageError(providers.error());
  const std::string name = order.name.empty() ? spec->name + "-learned" : order.name;
  const std::string file = order.file.empty() ? name + ".json" : order.file;
  const Result<study::LearnedProfile> learned = ask(order, name, *providers->front(), findEntry(table, spec->name));
  if (!learned) return reportError(learned.error());
  if (const Result<void> written = writeFile(file, learned->text); !written) return reportError(written.error());
  put("wrote {}\n{} of {} nodes taken, in {} questions; operators: {} taken in some form, {} refused, {} not asked "
      "about\n",
      file, learned->taken, learned->probes, learned->questions, learned->operators, learned->refused,
      learned->unknown);
  if (!learned->isComplete)
    put("not complete: {} s were over before everything was asked (--learn-seconds)\n", order.mostSeconds);
  put("use it: --profile-dir FOLDER --providers \"declared({}),cpu\", or \"declared({}),cpu\"\n", name, file);
  return kDone;
}

}  // namespace cutaway::cli
