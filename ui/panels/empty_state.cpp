#include "ui/panels/empty_state.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr int kIconSize = 40;
constexpr int kMostWidth = 420;  // lines longer than this are hard to read; grows with the text
}  // namespace

EmptyState::EmptyState(ThemeStore* themes, QWidget* parent)
    : QWidget(parent),
      m_themes(themes),
      m_icon(new QLabel),
      m_title(new QLabel),
      m_text(new QLabel),
      m_button(new QPushButton) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceHuge, kSpaceHuge, kSpaceHuge, kSpaceHuge);
  column->setSpacing(kSpace);
  m_title->setProperty("role", "title");
  m_text->setProperty("role", "secondary");
  for (QLabel* label : {m_title, m_text}) {
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignCenter);
  }
  column->addStretch(2);
  column->addWidget(m_icon, 0, Qt::AlignHCenter);
  for (QLabel* label : {m_title, m_text}) {
    auto* row = new QHBoxLayout;  // centres a label that wraps without losing its width
    row->addWidget(label);
    column->addLayout(row);
  }
  column->addSpacing(kSpaceSmall);
  column->addWidget(m_button, 0, Qt::AlignHCenter);
  column->addStretch(3);
  connect(m_button, &QPushButton::clicked, this, &EmptyState::actionRequested);
  connect(m_themes, &ThemeStore::changed, this, &EmptyState::paint);
  present({});
}

void EmptyState::present(const Words& words) {
  m_iconName = words.icon;
  m_title->setText(words.title);
  m_text->setText(words.text);
  for (QLabel* label : {m_title, m_text})
    label->setMaximumWidth(scaled(kMostWidth));
  m_text->setVisible(!words.text.isEmpty());
  m_button->setText(words.action);
  m_button->setVisible(!words.action.isEmpty());
  setAccessibleName(words.title);
  setAccessibleDescription(words.text);
  paint();
}

QString EmptyState::title() const {
  return m_title->text();
}

void EmptyState::paint() {
  m_icon->setPixmap(m_iconName.isEmpty()
                        ? QPixmap()
                        : iconPixmap(m_iconName, m_themes->current().textFaint, kIconSize, devicePixelRatioF()));
  m_icon->setVisible(!m_iconName.isEmpty());
}

}  // namespace cutaway::ui
