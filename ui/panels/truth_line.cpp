#include "ui/panels/truth_line.h"

#include <QPainter>

#include "ui/base/comfort.h"
#include "ui/base/theme_store.h"
#include "ui/base/truth_mark.h"
#include "ui/base/truth_words.h"

namespace cutaway::ui {
namespace {
constexpr int kSignRoom = 18, kHeight = 20;
}

TruthLine::TruthLine(const ThemeStore* themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
  setObjectName(QStringLiteral("truth"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);  // gives way before what is around it
  connect(themes, &ThemeStore::changed, this, qOverload<>(&QWidget::update));
  hide();
}

void TruthLine::present(const Truth& truth) {
  m_truth = truth;
  m_words = truthWords(truth);
  setToolTip(m_words);
  setAccessibleName(m_words);
  setVisible(truth.kind != TruthKind::kExact);
  update();
}

QSize TruthLine::sizeHint() const {
  return {scaled(160), scaled(kHeight)};
}
QSize TruthLine::minimumSizeHint() const {
  return {scaled(40), QFontMetrics(interfaceFont(-1)).height()};
}

void TruthLine::paintEvent(QPaintEvent*) {
  const Theme& theme = m_themes->current();
  QPainter painter(this);
  paintTruth(painter, QRectF(kSpaceLarge, (height() - 12) / 2.0, 12, 12), m_truth.kind, theme);
  painter.setFont(interfaceFont(-1));
  painter.setPen(theme.textSecondary);
  const QRectF room(kSpaceLarge + kSignRoom, 0, width() - 2 * kSpaceLarge - kSignRoom, height());
  painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                   painter.fontMetrics().elidedText(m_words, Qt::ElideRight, static_cast<int>(room.width())));
}

}  // namespace cutaway::ui
