#include "ui/shell/error_banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"

namespace cutaway::ui {

ErrorBanner::ErrorBanner(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel), m_message(new QLabel), m_place(new QLabel), m_show(new QPushButton(tr("Show node"))), m_reload(new QPushButton(tr("Try again"))), m_all(new QPushButton(tr("All problems"))), m_close(new QToolButton) {
  setObjectName(QStringLiteral("errorBanner"));
  for (QLabel* label : {m_message, m_place}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  m_place->setProperty("role", "secondary");
  m_close->setAutoRaise(true);
  m_close->setAccessibleName(tr("Dismiss message"));
  auto* words = new QVBoxLayout;
  words->setSpacing(kSpaceTiny);
  words->addWidget(m_message);
  words->addWidget(m_place);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kSpaceLarge, kSpace, kSpace, kSpace);
  row->setSpacing(kSpaceLarge);
  row->addWidget(m_icon, 0, Qt::AlignTop);
  row->addLayout(words, 1);
  row->addWidget(m_show);
  row->addWidget(m_reload);
  row->addWidget(m_all);
  row->addWidget(m_close, 0, Qt::AlignTop);
  connect(m_show, &QPushButton::clicked, this, [this] { emit placeRequested(m_error->where); });
  connect(m_reload, &QPushButton::clicked, this, &ErrorBanner::reloadRequested);
  connect(m_all, &QPushButton::clicked, this, &ErrorBanner::problemsRequested);
  connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
  hide();
}

void ErrorBanner::setTheme(const Theme& theme) {
  m_icon->setPixmap(iconPixmap(QStringLiteral("error"), theme.error, 20, devicePixelRatioF()));
  m_close->setIcon(themedIcon(QStringLiteral("close"), theme));
  setStyleSheet(QStringLiteral("#errorBanner { background: %1; border: none; border-bottom: 1px solid %2; }").arg(theme.errorSoft.name(), mix(theme.errorSoft, theme.error, 0.4).name()));
}

void ErrorBanner::present(const std::optional<Error>& error, const QString& note) {
  m_error = error;
  setVisible(error.has_value());
  if (!error) return;
  m_message->setText(QStringLiteral("<b>%1</b>&nbsp; %2").arg(text(errorCodeName(error->code)), text(error->message).toHtmlEscaped()));
  QStringList places;
  if (!error->where.file.empty()) places << tr("file %1").arg(text(error->where.file));
  if (!error->where.node.empty()) places << tr("node %1").arg(text(error->where.node));
  if (!error->where.value.empty()) places << tr("value %1").arg(text(error->where.value));
  if (!note.isEmpty()) places.prepend(note);
  m_place->setText(places.join(QStringLiteral("  \u00b7  ")));
  m_place->setVisible(!places.isEmpty());
  m_show->setVisible(!error->where.node.empty() || !error->where.value.empty());
}

QString ErrorBanner::plainText() const { return m_error ? text(describe(*m_error)) : QString(); }

}  // namespace cutaway::ui
