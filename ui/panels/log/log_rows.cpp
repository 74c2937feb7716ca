#include "ui/panels/log/log_rows.h"

#include <QCoreApplication>
#include <QDateTime>

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::LogRows)
};

QDateTime timeOf(const log::Record& record) {
  return QDateTime::fromMSecsSinceEpoch(record.timeMs);
}

QString levelOf(const log::Record& record) {
  const spdlog::string_view_t name = spdlog::level::to_string_view(record.level);
  return text(std::string_view(name.data(), name.size()));
}

}  // namespace

ReportRows logRows(const RowList<log::Record>& records, const LogIcons& icons) {
  using Row = log::Record;
  return rowsOf<Row>(records,
                     {{.title = Words::tr("Time"),
                       .text = [](const Row& row) { return timeOf(row).toString(QStringLiteral("HH:mm:ss.zzz")); },
                       .key = [](const Row& row) { return row.number; },
                       .toolTip = [](const Row& row) { return timeOf(row).toString(Qt::ISODateWithMs); }},
                      {.title = Words::tr("Level"),
                       .text = levelOf,
                       .key = [](const Row& row) { return static_cast<int>(row.level); },
                       .decoration = [icons](const Row& row) -> QVariant {
                         return row.level >= log::kError  ? QVariant(icons.error)
                                : row.level == log::kWarn ? QVariant(icons.warning)
                                                          : QVariant();
                       }},
                      {.title = Words::tr("Category"), .text = &Row::category},
                      {.title = Words::tr("Message"), .text = &Row::text}});
}

QString logLine(const log::Record& record) {
  return QStringLiteral("%1 %2 %3 %4")
      .arg(timeOf(record).toString(Qt::ISODateWithMs), levelOf(record), text(record.category), text(record.text));
}

}  // namespace cutaway::ui
