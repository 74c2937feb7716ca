#include "ui/shell/notice_bar.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "ui/base/icons.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr int kIcon = 18;
constexpr size_t kNoAnswer = static_cast<size_t>(-1);
}  // namespace

NoticeBar::NoticeBar(ThemeStore* themes, QWidget* parent)
    : QFrame(parent),
      m_themes(themes),
      m_icon(new QLabel),
      m_words(new QLabel),
      m_answers(new QHBoxLayout),
      m_close(new QToolButton) {
  setObjectName(QStringLiteral("noticeBar"));
  m_words->setWordWrap(true);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_close->setAutoRaise(true);
  m_close->setAccessibleName(tr("Dismiss message"));
  m_close->setToolTip(m_close->accessibleName());
  m_answers->setSpacing(kSpace);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpace, kSpaceSmall);
  row->setSpacing(kSpaceLarge);
  row->addWidget(m_icon);
  row->addWidget(m_words, 1);
  row->addLayout(m_answers);
  row->addWidget(m_close);
  connect(m_close, &QToolButton::clicked, this, [this] { end(kNoAnswer); });
  new ThemeFollower(this, themes, [this] { paint(); });
  hide();
}

void NoticeBar::tell(Notice notice) {
  const auto same =
      std::find_if(m_notices.begin(), m_notices.end(), [&](const Notice& other) { return other.id == notice.id; });
  if (same != m_notices.end()) {
    *same = std::move(notice);
  } else {
    m_notices.push_back(std::move(notice));
  }
  present();
}

void NoticeBar::withdraw(const QString& id) {
  if (std::erase_if(m_notices, [&](const Notice& notice) { return notice.id == id; }) > 0) present();
}

QString NoticeBar::words() const {
  return m_notices.empty() ? QString() : m_notices.front().words;
}

void NoticeBar::present() {
  while (QLayoutItem* item = m_answers->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  setVisible(!m_notices.empty());
  if (m_notices.empty()) return;
  const Notice& notice = m_notices.front();
  m_words->setText(notice.words);
  setAccessibleName(notice.words);
  for (size_t i = 0; i < notice.answers.size(); ++i) {
    auto* button = new QPushButton(notice.answers[i].first);
    connect(button, &QPushButton::clicked, this, [this, i] { end(i); });
    m_answers->addWidget(button);
  }
  paint();
}

void NoticeBar::paint() {
  const Theme& theme = m_themes->current();
  const bool warning = !m_notices.empty() && m_notices.front().warning;
  const QColor back = warning ? theme.warningSoft : mix(theme.surface, theme.accentSoft, 0.6);
  m_icon->setPixmap(iconPixmap(warning ? QStringLiteral("error") : QStringLiteral("reload"),
                               warning ? theme.warning : theme.accent, kIcon, devicePixelRatioF()));
  m_close->setIcon(themedIcon(QStringLiteral("close"), theme));
  setStyleSheet(QStringLiteral("#noticeBar { background: %1; border: none; border-bottom: 1px solid %2; }")
                    .arg(back.name(), theme.border.name()));
}

// The answer may tell the next thing, so its notice goes first.
void NoticeBar::end(size_t answer) {
  if (m_notices.empty()) return;
  const Notice notice = std::move(m_notices.front());
  m_notices.erase(m_notices.begin());
  present();
  const std::function<void()>& act = answer < notice.answers.size() ? notice.answers[answer].second : notice.dismissed;
  if (act) act();
}

}  // namespace cutaway::ui
