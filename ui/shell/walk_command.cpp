#include "ui/shell/walk_command.h"

#include <QRegularExpression>
#include <QStringList>

#include "engine/session/configuration/configuration.h"
#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

QString shellQuoted(const QString& word) {
  static const QRegularExpression plain(QStringLiteral("^[\\w./,:=@%+-]+$"));
  if (plain.match(word).hasMatch()) return word;
  return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

}  // namespace

QString walkCommand(const QString& path, const session::SessionOptions& options) {
  const session::SessionOptions plain;
  QStringList words = {QStringLiteral("cutaway-cli"), QStringLiteral("inspect")};
  const auto put = [&words](const char* name, const QString& value) {
    words << QLatin1String(name) << shellQuoted(value);
  };
  if (!options.providers.empty()) {
    QStringList providers;
    for (const std::string& provider : options.providers)
      providers << text(provider);
    put("--providers", providers.join(QLatin1Char(',')));
  }
  for (const NodePin& pin : options.pins)
    put("--pin", text(session::printPin(pin)));
  if (options.minimumGroupNodes != plain.minimumGroupNodes)
    put("--min-group", QString::number(options.minimumGroupNodes));
  for (const auto& [name, value] : options.dims)
    put("--dim", QStringLiteral("%1=%2").arg(text(name)).arg(value));
  if (options.optimizationLevel != plain.optimizationLevel)
    put("--opt-level", QString::number(options.optimizationLevel));
  if (options.threads != plain.threads) put("--threads", QString::number(options.threads));
  if (options.interThreads != plain.interThreads) put("--inter-threads", QString::number(options.interThreads));
  if (options.executor != plain.executor) put("--executor", text(options.executor));
  if (options.order != plain.order) put("--order", text(options.order));
  if (options.planRules != plain.planRules) put("--plan", text(options.planRules));
  if (!options.inPlace) words << QStringLiteral("--no-in-place");
  if (options.memoryLimitBytes > 0) put("--memory-limit", QString::number(options.memoryLimitBytes));
  for (const auto& [key, value] : options.config)
    put("--set", QStringLiteral("%1=%2").arg(text(key), text(value)));
  for (const auto& folder : options.profileFolders)
    put("--profile-dir", QString::fromStdString(folder.string()));
  words << shellQuoted(path);
  return words.join(QLatin1Char(' '));
}

}  // namespace cutaway::ui
