// The draft as a file and as onnxruntime's settings.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>

#include "engine/base/read_text_file.h"
#include "ui/base/file_writing.h"
#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/engine_host.h"
#include "ui/document/window_words.h"
#include "ui/panels/comparison_controls.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/partition/what_if_page.h"

namespace cutaway::ui {
namespace {
constexpr qint64 kLargestFile = 16 << 20;  // what is larger is no configuration
}

bool WhatIfPage::refuse(const Error& error) {
  m_controls->showError(told(error));
  return false;
}

bool WhatIfPage::saveTo(const QString& path) {
  const Result<session::SessionOptions> options = m_context.document->draftOptions();
  if (!options) return refuse(options.error());
  const QByteArray json = QByteArray::fromStdString(session::configurationToJson(session::configurationOf(*options)));
  const Result<void> saved = writeFileSafely(path, json);
  emit m_context.actions->message(
      saved ? tr("Saved %1").arg(path)
            : tr("Cannot write %1: %2").arg(path, QString::fromStdString(saved.error().message)));
  return saved.has_value();
}

bool WhatIfPage::loadFrom(const QString& path) {
  const Result<std::string> bytes =
      readTextFile(QFile::encodeName(path).toStdString(), {.what = "the configuration", .largestBytes = kLargestFile});
  if (!bytes) return refuse(bytes.error());
  Result<session::Configuration> configuration = session::configurationFromJson(*bytes, path.toStdString());
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
