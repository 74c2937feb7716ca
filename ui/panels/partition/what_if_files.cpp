// The draft as a file and as onnxruntime's settings.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QSaveFile>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/engine_host.h"
#include "ui/panels/comparison_controls.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/partition/what_if_page.h"

namespace cutaway::ui {
namespace {
constexpr qint64 kLargestFile = 16 << 20;  // what is larger is no configuration
}

bool WhatIfPage::refuse(const Error& error) {
  m_controls->showError(text(describe(error)));
  return false;
}

bool WhatIfPage::saveTo(const QString& path) {
  const Result<session::SessionOptions> options = m_context.document->draftOptions();
  if (!options) return refuse(options.error());
  QSaveFile file(path);
  const QByteArray json = QByteArray::fromStdString(session::configurationToJson(session::configurationOf(*options)));
  const bool saved = file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.commit();
  emit m_context.actions->message(saved ? tr("Saved %1").arg(path)
                                        : tr("Cannot write %1: %2").arg(path, file.errorString()));
  return saved;
}

bool WhatIfPage::loadFrom(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return refuse({ErrorCode::kNoSuchFile, tr("Cannot read %1: %2").arg(path, file.errorString()).toStdString(), {}});
  if (file.size() > kLargestFile)
    return refuse({ErrorCode::kInvalidArgument,
                   tr("%1 is too large for a configuration: %2").arg(path, sizeText(file.size())).toStdString(),
                   {}});
  const QByteArray bytes = file.readAll();
  Result<session::Configuration> configuration = session::configurationFromJson(
      std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())), path.toStdString());
  if (!configuration) return refuse(configuration.error());
  m_context.document->draft().load(*configuration);
  showPage(kChange);
  emit m_context.actions->message(tr("Loaded %1").arg(path));
  return true;
}

void WhatIfPage::copyReferenceKeys() {
  const Result<session::SessionOptions> options = m_context.document->draftOptions();
  if (!options) return void(refuse(options.error()));
  QStringList lines;
  for (const std::string& line :
       session::referenceKeys(session::configurationOf(*options), m_context.document->service().host().providers))
    lines << text(line);
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
  emit m_context.actions->message(tr("Copied %1 lines of settings").arg(lines.size()));
}

}  // namespace cutaway::ui
