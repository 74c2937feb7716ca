// Settings of the session and of an export as options of cutaway-cli.
#include "ui/panels/context/context_command.h"

#include <algorithm>

#include <QDir>
#include <QStringList>

#include "engine/session/configuration/configuration.h"
#include "ui/base/format.h"
#include "ui/base/shell_word.h"

namespace cutaway::ui {
namespace {

QString joined(const std::vector<std::string>& names) {
  QStringList all;
  for (const std::string& name : names)
    all << text(name);
  return all.join(QLatin1Char(','));
}

QString pinText(const NodePin& pin) {
  const char* kind = pin.kind == NodePin::Kind::kNode ? "node" : pin.kind == NodePin::Kind::kScope ? "scope" : "op";
  return QStringLiteral("%1:%2=%3").arg(QLatin1String(kind), text(pin.pattern), text(pin.provider));
}

}  // namespace

QString contextCommand(const QString& model, const session::SessionOptions& options,
                       const ContextExportOptions& exportOptions) {
  QStringList words = {QStringLiteral("cutaway-cli"), QStringLiteral("context"), model, QStringLiteral("-o"),
                       exportOptions.file};
  const auto add = [&words](const char* option, const QString& value) { words << QLatin1String(option) << value; };
  if (!options.providers.empty()) add("--providers", joined(options.providers));
  add("--opt-level", QString::number(options.optimizationLevel));
  for (const NodePin& pin : options.pins)
    add("--pin", pinText(pin));
  if (options.minimumGroupNodes > 1) add("--min-group", QString::number(options.minimumGroupNodes));
  for (const auto& [name, value] : options.dims)
    add("--dim", QStringLiteral("%1=%2").arg(text(name)).arg(value));
  if (options.threads > 0) add("--threads", QString::number(options.threads));
  for (const std::filesystem::path& folder : options.profileFolders)
    add("--profile-dir", QString::fromStdString(folder.string()));
  for (const auto& [key, value] : options.config)
    add("--set", text(key) + QLatin1Char('=') + text(value));
  if (exportOptions.embed) words << QStringLiteral("--embed");
  if (!exportOptions.prefix.isEmpty()) add("--prefix", exportOptions.prefix);
  if (!exportOptions.initializersFile.isEmpty()) add("--external-initializers", exportOptions.initializersFile);
  if (!exportOptions.initializersFile.isEmpty() && exportOptions.thresholdBytes > 0)
    add("--threshold", QString::number(exportOptions.thresholdBytes));
  if (exportOptions.overwrite) words << QStringLiteral("--force");
  if (exportOptions.verify) words << QStringLiteral("--verify");
  std::transform(words.begin(), words.end(), words.begin(), shellWord);
  return words.join(QLatin1Char(' '));
}

}  // namespace cutaway::ui
