#include "ui/shell/dock_title.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
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

// One line that loses its middle where there is no room for it.
class NoteLabel : public QLabel {
 public:
  using QLabel::QLabel;
  QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, width()));
  }
};

DockTitle::DockTitle(ThemeStore* themes, bool closable, QWidget* parent)
    : QWidget(parent), m_themes(themes), m_icon(new QLabel), m_title(new QLabel), m_note(new NoteLabel) {
  setProperty("role", "surface");
  setAttribute(Qt::WA_StyledBackground);
  m_title->setFont(interfaceFont(closable ? 0 : 1, QFont::DemiBold));
  m_title->setMinimumHeight(
      scaled(closable ? kToolHeight : kHeight));  // a dock asks its title for its size hint, not for its height
  m_icon->hide();
  m_note->setProperty("role", "secondary");
  m_note->setFont(interfaceFont(-1));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kSpaceLarge, 0, closable ? kSpaceSmall : kSpaceLarge, 0);
  row->setSpacing(kSpace);
  row->addWidget(m_icon);
  row->addWidget(m_title);
  row->addWidget(m_note, 1);
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

void DockTitle::setNote(const QString& words, const QString& toolTip) {
  m_note->setText(words);
  m_note->setToolTip(toolTip.isEmpty() ? words : toolTip);
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
