#include "ui/shell/samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QRegularExpression>

namespace cutaway::ui {
namespace {

QDir samplesFolder() {
  const QDir program(QCoreApplication::applicationDirPath());
  for (const char* place : {"../share/cutaway/samples", "../../../resources/samples"})
    if (QDir folder(program.filePath(QLatin1String(place))); folder.exists()) return folder;
  return QDir(QStringLiteral("/nonexistent"));
}

// Rows of the table in the README: | `name` | shows | ...
QHash<QString, QString> descriptions(const QDir& folder) {
  QHash<QString, QString> all;
  QFile file(folder.filePath(QStringLiteral("README.md")));
  if (!file.open(QIODevice::ReadOnly)) return all;
  const QString readme = QString::fromUtf8(file.readAll());
  static const QRegularExpression row(QStringLiteral("^\\| `([^`]+)` \\| ([^|]+) \\|"),
                                      QRegularExpression::MultilineOption);
  for (auto match = row.globalMatch(readme); match.hasNext();) {
    const auto found = match.next();
    all.insert(found.captured(1), found.captured(2).trimmed());
  }
  return all;
}

}  // namespace

std::vector<Sample> bundledSamples() {
  const QDir folder = samplesFolder();
  const QHash<QString, QString> shows = descriptions(folder);
  std::vector<Sample> samples;
  for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    const QString path = QDir::cleanPath(folder.absoluteFilePath(name + QStringLiteral("/model.onnx")));
    if (QFile::exists(path)) samples.push_back({name, shows.value(name), path});
  }
  return samples;
}

}  // namespace cutaway::ui
