// Made of the table of fields, so that nothing is told that is not understood.
#include "ui/canvas/view/find_help.h"

#include <array>

#include <QCoreApplication>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/base/find_fields.h"
#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {

QString tr(const char* words) {
  return QCoreApplication::translate("FindQuery", words);
}

QString row(const QString& example, const QString& words, const Theme& theme) {
  return QStringLiteral(
             "<tr><td style='padding:2px 14px 2px 0'><a href=\"%1\" style='color:%2; "
             "text-decoration:none'>%1</a></td><td style='padding:2px 0; color:%3'>%4</td></tr>")
      .arg(example.toHtmlEscaped(), theme.accent.name(), theme.textSecondary.name(), words.toHtmlEscaped());
}

QString helpText(const Theme& theme) {
  QString html = QStringLiteral("<table cellspacing=0>");
  const std::array<std::pair<const char*, const char*>, 6> forms = {
      {{"conv 64x3", QT_TRANSLATE_NOOP("FindQuery", "both words, in any order")},
       {"\"layer 1\"", QT_TRANSLATE_NOOP("FindQuery", "this phrase")},
       {"/conv[12]$/", QT_TRANSLATE_NOOP("FindQuery", "a regular expression")},
       {"-relu", QT_TRANSLATE_NOOP("FindQuery", "not this")},
       {"op:Conv OR op:Gemm", QT_TRANSLATE_NOOP("FindQuery", "one of the two")},
       {"name:block*", QT_TRANSLATE_NOOP("FindQuery", "* stands for anything")}}};
  for (const auto& [example, words] : forms)
    html += row(QString::fromLatin1(example), tr(words), theme);
  html += QStringLiteral("<tr><td colspan=2 style='padding:8px 0 2px 0; color:%1'><b>%2</b></td></tr>")
              .arg(theme.text.name(), tr("Fields"));
  for (const FindFieldRow& field : findFields())
    html += row(QString::fromLatin1(field.example), tr(field.help), theme);
  return html + QStringLiteral("</table>");
}

}  // namespace

void showFindHelp(QWidget* below, const Theme& theme, const std::function<void(const QString&)>& chosen) {
  auto* popup = new QFrame(below, Qt::Popup);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->setObjectName(QStringLiteral("findHelp"));
  popup->setAccessibleName(tr("What can be searched for"));
  popup->setStyleSheet(QStringLiteral("#findHelp { background: %1; border: 1px solid %2; } #findHelp QScrollArea, "
                                      "#findHelp QLabel { background: %1; border: none; }")
                           .arg(theme.surface.name(), theme.border.name()));
  auto* label = new QLabel(helpText(theme));
  label->setTextFormat(Qt::RichText);
  label->setMargin(kSpaceLarge);
  label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  auto* area = new QScrollArea;
  area->setWidget(label);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(popup);
  column->setContentsMargins(1, 1, 1, 1);
  column->addWidget(area);
  QObject::connect(label, &QLabel::linkActivated, popup, [popup, chosen](const QString& example) {
    chosen(example);
    popup->close();
  });
  const QSize size = label->sizeHint();
  popup->resize(size.width() + 22, std::min(size.height() + 4, 460));
  const QPoint corner = below->mapToGlobal(QPoint(below->width(), below->height() + 6));
  popup->move(corner.x() - popup->width(), corner.y());
  popup->show();
}

}  // namespace cutaway::ui
