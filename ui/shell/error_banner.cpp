#include "ui/shell/error_banner.h"

#include <spdlog/fmt/fmt.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/base/printable.h"
#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/document/problem_list.h"
#include "ui/document/window_words.h"
#include "ui/panels/whole_label.h"

namespace cutaway::ui {
namespace {

constexpr int kFolded = 220;  // characters: about two lines
constexpr int kMost = 6000;   // the rest is only copied
constexpr int kNarrow = 900;  // below it, buttons stand under the words

// Names of nodes are long words: they break behind the signs that part them.
QString withBreaks(QString words) {
  for (const char sign : {'/', '.', '_', ':'})
    words.replace(QLatin1Char(sign), QString(QLatin1Char(sign)) + QChar(0x200b));
  return words;
}

}  // namespace

ErrorBanner::ErrorBanner(QWidget* parent)
    : QFrame(parent),
      m_body(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_icon(new QLabel),
      m_message(new WholeLabel),
      m_place(new WholeLabel),
      m_next(new WholeLabel),
      m_details(new QPushButton(tr("Details"))),
      m_copy(new QPushButton(tr("Copy"))),
      m_show(new QPushButton(tr("Show node"))),
      m_reload(new QPushButton(tr("Try again"))),
      m_all(new QPushButton(tr("All problems"))),
      m_close(new QToolButton) {
  setObjectName(QStringLiteral("errorBanner"));
  for (QLabel* label : {m_message, m_place, m_next}) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  }
  m_place->setProperty("role", "secondary");
  m_message->setAccessibleName(tr("Error message"));
  m_place->setAccessibleName(tr("Where the error is"));
  m_next->setAccessibleName(tr("What to do next"));
  m_copy->setToolTip(tr("Copies the whole message"));
  m_close->setAutoRaise(true);
  m_close->setAccessibleName(tr("Dismiss message"));
  auto* words = new QVBoxLayout;
  words->setSpacing(kSpaceTiny);
  words->addWidget(m_message);
  words->addWidget(m_place);
  words->addWidget(m_next);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(kSpaceLarge);
  for (QPushButton* button : {m_details, m_copy, m_show, m_reload, m_all})
    buttons->addWidget(button, 0, Qt::AlignTop);
  buttons->addStretch(1);
  m_body->setSpacing(kSpace);
  m_body->addLayout(words, 1);
  m_body->addLayout(buttons);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kSpaceLarge, kSpace, kSpace, kSpace);
  row->setSpacing(kSpaceLarge);
  row->addWidget(m_icon, 0, Qt::AlignTop);
  row->addLayout(m_body, 1);
  row->addWidget(m_close, 0, Qt::AlignTop);
  connect(m_details, &QPushButton::clicked, this, [this] {
    m_unfolded = !m_unfolded;
    showWords();
  });
  connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(plainText()); });
  connect(m_show, &QPushButton::clicked, this, [this] { emit placeRequested(m_error->where); });
  connect(m_reload, &QPushButton::clicked, this, &ErrorBanner::reloadRequested);
  connect(m_all, &QPushButton::clicked, this, &ErrorBanner::problemsRequested);
  connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
  hide();
}

void ErrorBanner::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  m_body->setDirection(width() < scaled(kNarrow) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void ErrorBanner::setTheme(const Theme& theme) {
  m_icon->setPixmap(iconPixmap(QStringLiteral("error"), theme.error, 20, devicePixelRatioF()));
  m_close->setIcon(themedIcon(QStringLiteral("close"), theme));
  setStyleSheet(QStringLiteral("#errorBanner { background: %1; border: none; border-bottom: 1px solid %2; }")
                    .arg(theme.errorSoft.name(), mix(theme.errorSoft, theme.error, 0.4).name()));
}

void ErrorBanner::present(const std::optional<Error>& error, const QString& note) {
  m_error = error;
  setVisible(error.has_value());
  if (!error) return;
  m_unfolded = false;
  showWords();
  QStringList places;
  if (!error->where.file.empty()) places << tr("file %1").arg(text(error->where.file));
  // Most messages begin with the node.
  if (!error->where.node.empty() && error->message.find(error->where.node) == std::string::npos)
    places << tr("node %1").arg(text(error->where.node));
  if (!error->where.value.empty()) places << tr("value %1").arg(text(error->where.value));
  if (!note.isEmpty()) places.prepend(note);
  m_place->setText(withBreaks(places.join(QStringLiteral("  \u00b7  "))));
  m_place->setVisible(!places.isEmpty());
  m_show->setVisible(!error->where.node.empty() || !error->where.value.empty());
}

void ErrorBanner::showWords() {
  const QString all = told(m_error->message);
  const bool isLong = all.size() > kFolded || all.count(QLatin1Char('\n')) > 1;
  QString words = all;
  if (isLong && !m_unfolded) words = all.section(QLatin1Char('\n'), 0, 1).left(kFolded).trimmed() + QChar(0x2026);
  if (words.size() > kMost) words = words.left(kMost) + QChar(0x2026);
  m_message->setText(QStringLiteral("<b>%1</b>&nbsp; %2")
                         .arg(text(errorCodeName(m_error->code)),
                              withBreaks(words).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"))));
  m_details->setVisible(isLong);
  m_details->setText(m_unfolded ? tr("Less") : tr("Details"));
  const QString next = nextStep(m_error->code);
  m_next->setText(next);
  m_next->setVisible(!next.isEmpty());
}

QString ErrorBanner::plainText() const {
  if (!m_error) return {};
  // The whole message, which describe() cuts.
  Error place = *m_error;
  place.message.clear();
  const std::string_view code = errorCodeName(m_error->code);
  return told(fmt::format("{}: {}{}", code, printable(m_error->message),
                          std::string_view(describe(place)).substr(code.size() + 2)));
}

}  // namespace cutaway::ui
