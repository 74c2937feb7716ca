#include "ui/document/offered_providers.h"

#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {

std::vector<OfferedProvider> offeredProviders(const ProviderTable& table) {
  constexpr std::string_view kTemplate =
      "claims nothing";  // how the folder to clone for new providers describes itself
  std::vector<OfferedProvider> offered;
  for (const ProviderEntry& entry : table) {
    if (entry.description.starts_with(kTemplate)) continue;
    const ProviderStatus status = entry.probe ? entry.probe() : ProviderStatus{};
    const QString name = text(entry.name);
    const QString why = status.usable ? QString() : told(status.reason.empty() ? "not usable here" : status.reason);
    if (!entry.takesArgument) {
      offered.push_back({name, {}, name, why});
      continue;
    }
    for (const std::string& argument : entry.arguments)
      offered.push_back({name, text(argument), QStringLiteral("%1(%2)").arg(name, text(argument)), why});
  }
  return offered;
}

}  // namespace cutaway::ui
