#include "ui/panels/accuracy/accuracy_choice.h"

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::AccuracyChoice)
};

// The provider that takes the rest, and nobody before it.
session::SessionOptions alone(session::SessionOptions options, const std::string& last) {
  options.providers = {last};
  options.pins.clear();
  return options;
}

session::SessionOptions plain(session::SessionOptions options) {
  options.optimizationLevel = 0;
  return options;
}

}  // namespace

std::vector<AccuracyChoice> accuracyChoices(Document& document) {
  const session::SessionOptions& now = document.options();
  const std::string last = lastResort(document.service().host().providers);
  std::vector<AccuracyChoice> choices = {
      {QStringLiteral("present"), Words::tr("present settings"), Words::tr("The session's own settings"), now},
      {text(last), Words::tr("only cpu"), Words::tr("The same model with the same optimisation, on the CPU kernels"),
       alone(now, last)},
      {QStringLiteral("level0"), Words::tr("not optimised"),
       Words::tr("The same providers with the model as the file has it (level 0)"), plain(now)},
      {QStringLiteral("reference"), Words::tr("only cpu, not optimised"),
       Words::tr("Only the CPU kernels, on the model as the file has it"), plain(alone(now, last))}};
  if (document.draft().isChanged())
    choices.push_back({QStringLiteral("whatif"), Words::tr("what if"),
                       document.draft().changes().join(QStringLiteral(", ")), document.draftOptions()});
  if (now.providers.size() < 2) return choices;
  for (const std::string& provider : now.providers) {
    if (provider == last) continue;
    session::SessionOptions before = now;
    before.providers = {provider, last};
    choices.push_back({QStringLiteral("only:") + text(provider), Words::tr("%1, then cpu").arg(text(provider)),
                       Words::tr("Without the other providers"), before});
  }
  return choices;
}

}  // namespace cutaway::ui
