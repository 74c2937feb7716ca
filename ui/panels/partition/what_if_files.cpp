// The draft as a file and as the reference engine's settings.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QSaveFile>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/partition/what_if_page.h"

namespace cutaway::ui {
namespace {
constexpr qint64 kLargestFile = 16 << 20;  // what is larger is no configuration
}

bool WhatIfPage::saveTo(const QString& path) {
  QSaveFile file(path);
  const QByteArray json = QByteArray::fromStdString(configurationToJson(m_context.document->draft().configuration()));
  const bool saved = file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.commit();
  emit m_context.actions->message(saved ? tr("Saved %1").arg(path) : tr("Cannot write %1: %2").arg(path, file.errorString()));
  return saved;
}

bool WhatIfPage::loadFrom(const QString& path) {
  QFile file(path);
  const auto refuse = [this](const QString& why) {
    m_error->setText(why);
    m_error->show();
    return false;
  };
  if (!file.open(QIODevice::ReadOnly)) return refuse(tr("Cannot read %1: %2").arg(path, file.errorString()));
  if (file.size() > kLargestFile) return refuse(tr("%1 is too large for a configuration: %2").arg(path, sizeText(file.size())));
  const QByteArray bytes = file.readAll();
  Result<Configuration> configuration = configurationFromJson(std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())), path.toStdString());
  if (!configuration) return refuse(text(describe(configuration.error())));
  m_context.document->draft().load(*configuration);
  showPage(kChange);
  emit m_context.actions->message(tr("Loaded %1").arg(path));
  return true;
}

void WhatIfPage::copyReferenceKeys() {
  QStringList lines;
  for (const std::string& line : referenceKeys(m_context.document->draft().configuration())) lines << text(line);
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
  emit m_context.actions->message(tr("Copied %1 lines of settings").arg(lines.size()));
}

}  // namespace cutaway::ui
