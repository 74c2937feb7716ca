#include "ui/shell/dock_title.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/base/comfort.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr int kHeight = 38;
constexpr int kToolHeight = 32;
constexpr int kIcon = 18;
}  // namespace

DockTitle::DockTitle(ThemeStore* themes, bool closable, QWidget* parent)
    : QWidget(parent), m_themes(themes), m_icon(new QLabel), m_title(new QLabel) {
  setProperty("role", "surface");
  setAttribute(Qt::WA_StyledBackground);
  m_title->setFont(interfaceFont(closable ? 0 : 1, QFont::DemiBold));
  m_title->setMinimumHeight(
      scaled(closable ? kToolHeight : kHeight));  // a dock asks its title for its size hint, not for its height
  m_icon->hide();
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kSpaceLarge, 0, closable ? kSpaceSmall : kSpaceLarge, 0);
  row->setSpacing(kSpace);
  row->addWidget(m_icon);
  row->addWidget(m_title, 1);
  if (closable) {
    m_close = new QToolButton;
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this panel"));
    row->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &DockTitle::closeRequested);
  }
  connect(themes, &ThemeStore::changed, this, &DockTitle::paintIcon);
  paintIcon();
}

void DockTitle::setIcon(const QString& name) {
  m_iconName = name;
  paintIcon();
}

void DockTitle::setText(const QString& words) {
  m_title->setText(words);
  if (m_close) m_close->setAccessibleName(tr("Close %1").arg(words));
}

void DockTitle::paintIcon() {
  const Theme& theme = m_themes->current();
  const QPixmap picture =
      m_iconName.isEmpty() ? QPixmap() : iconPixmap(m_iconName, theme.textSecondary, kIcon, devicePixelRatioF());
  m_icon->setPixmap(picture);
  m_icon->setVisible(!picture.isNull());
  if (m_close) m_close->setIcon(themedIcon(QStringLiteral("close"), theme));
}

}  // namespace cutaway::ui
