#include "ui/panels/sharing/sharing_rows.h"

#include <algorithm>

#include <QCoreApplication>
#include <QFileInfo>

#include "ui/base/format.h"
#include "ui/base/shell_word.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::SharingRows)
};

struct Row {
  QString kind, file, what;
  int64_t sizeBytes = -1;
};

QStringList pairsIn(const QString& options) {
  QStringList pairs;
  for (const QString& each : options.split(u',', Qt::SkipEmptyParts)) {
    if (const QString pair = each.trimmed(); !pair.isEmpty()) pairs << pair;
  }
  return pairs;
}

}  // namespace

Result<compile::ShareRequest> sharingRequest(const SharingWish& wish, session::SessionOptions session) {
  std::vector<std::filesystem::path> models;
  for (const QString& each : wish.models)
    models.emplace_back(each.toStdString());
  compile::ShareRequest request{.jobs = {}, .session = std::move(session)};
  CUTAWAY_TRY(request.jobs, compile::shareJobs(models, wish.folder.toStdString(), {}));
  const QStringList pairs = pairsIn(wish.options);
  const QString spec = pairs.isEmpty() ? wish.provider : QStringLiteral("%1{%2}").arg(wish.provider, pairs.join(u','));
  request.session.providers = {spec.toStdString()};
  request.session.config.erase("ep.context_file_path");
  request.group = "window";
  request.overwrite = wish.overwrite;
  return request;
}

QString sharingCommand(const SharingWish& wish, int level) {
  QStringList words{QStringLiteral("ep_weight_sharing_ctx_gen"), QStringLiteral("-e"), shellWord(wish.provider)};
  QStringList pairs = pairsIn(wish.options);
  if (!pairs.isEmpty())
    words << QStringLiteral("-i")
          << shellWord(pairs.replaceInStrings(QStringLiteral("="), QStringLiteral("|")).join(u' '));
  words << QStringLiteral("--opt-level") << QString::number(level);
  if (wish.overwrite) words << QStringLiteral("--force");
  words << shellWord(wish.models.join(u','));
  return words.join(u' ');
}

QString sharingSentence(const ContextWritten& written) {
  if (written.files.empty()) return Words::tr("Nothing was compiled, so nothing was written.");
  const auto binaries = std::ranges::count_if(
      written.files, [](const ContextFile& file) { return file.what.starts_with("context binary"); });
  const auto models = std::ranges::count(written.files, std::string("model"), &ContextFile::what);
  return Words::tr("Models written: %1, binaries: %2. %3 are kept once instead of several times.")
      .arg(countText(models), countText(binaries), sizeText(written.sharedBytes));
}

ReportRows sharingRows(const std::shared_ptr<const ContextWritten>& written) {
  if (!written) return {};
  std::vector<Row> rows;
  for (const ContextFile& file : written->files)
    rows.push_back({Words::tr("file"), QFileInfo(text(file.path)).fileName(), text(file.what), file.sizeBytes});
  for (const std::string& warning : written->warnings)
    rows.push_back({Words::tr("note"), {}, told(warning)});
  return rowsOf<Row>(std::move(rows),
                     {{.title = Words::tr("Kind"), .text = &Row::kind},
                      {.title = Words::tr("File"), .text = &Row::file},
                      {.title = Words::tr("Size"),
                       .kind = Column::kNumber,
                       .text = [](const Row& row) { return row.sizeBytes < 0 ? QString() : sizeText(row.sizeBytes); },
                       .key = [](const Row& row) { return row.sizeBytes; }},
                      {.title = Words::tr("What it is"), .text = &Row::what}});
}

}  // namespace cutaway::ui
