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

Result<study::LearnedProfile> ask(const LearnOrder& order, const std::string& name) {
  const ProviderTable table = builtProviders();
  CUTAWAY_TRY(const ProviderSpec spec, parseProviderSpec(order.provider));
  session::SessionOptions options;
  options.providers = {order.provider};
  CUTAWAY_TRY(const auto providers, session::createProviders(options, table));
  study::LearnOptions learning{.name = name,
                               .title = {},
                               .version = {},
                               .asked = order.provider,
                               .date = today(),
                               .operators = order.operators,
                               .mostSeconds = order.mostSeconds};
  if (const ProviderEntry* const entry = findEntry(table, spec.name)) {
    learning.title = entry->displayName;
    if (entry->probe != nullptr) learning.version = entry->probe().version;
  }
  ConsoleProgress progress;
  return study::learnProfile(*providers.front(), learning, progress);
}

}  // namespace

int learn(const LearnOrder& order) {
  const Result<ProviderSpec> spec = parseProviderSpec(order.provider);
  if (!spec) return usageError(spec.error());
  const std::string name = order.name.empty() ? spec->name + "-learned" : order.name;
  const std::string file = order.file.empty() ? name + ".json" : order.file;
  const Result<study::LearnedProfile> learned = ask(order, name);
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
