#include "ui/shell/activity_bar.h"

#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {
constexpr int kHeight = 30;  // at 100 % text
constexpr int kMessageMs = 6000;

QString factsOf(const WalkReport& walk) {
  if (!walk.load) return {};
  QStringList facts;
  if (walk.load->irVersion > 0) facts << QStringLiteral("IR %1").arg(walk.load->irVersion);
  for (const auto& [domain, version] : walk.load->opsets)
    if (facts.size() < 3) facts << QStringLiteral("%1 %2").arg(text(domain.empty() ? "ai.onnx" : domain)).arg(version);
  if (walk.load->parameterCount > 0) facts << QObject::tr("%1 parameters").arg(countText(walk.load->parameterCount));
  return facts.join(QStringLiteral("   \u00b7   "));
}

QString restingWords(const Document& document) {
  if (document.planOnly()) return QObject::tr("For inspection only: this model cannot run here.");
  if (document.error()) return QObject::tr("Stopped: %1").arg(shortened(told(document.error()->message), 120));
  if (document.cancelled()) return QObject::tr("Cancelled. What was finished before is shown; F5 starts again.");
  const WalkReport& walk = *document.walk();
  if (!walk.load) return {};
  int64_t total = 0;
  for (int stage = 0; stage <= static_cast<int>(Stage::kPattern); ++stage)
    total += walk.stages[stage].timeNs;
  return QObject::tr("All stages: %1").arg(timeText(total));
}

}  // namespace

ActivityBar::ActivityBar(QWidget* parent)
    : QStatusBar(parent),
      m_words(new QLabel),
      m_progress(new QProgressBar),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_facts(new QLabel) {
  setSizeGripEnabled(false);
  fitHeight();
  setContentsMargins(kSpace, 0, kSpace, 0);
  m_words->setAccessibleName(tr("Current work"));
  m_words->setMinimumWidth(1);  // long words are cut, and do not make the window wider
  m_progress->setFixedWidth(160);
  m_progress->setFixedHeight(6);
  m_progress->setTextVisible(false);
  m_cancel->setToolTip(tr("Stop (Ctrl+.)"));
  m_cancel->setStyleSheet(QStringLiteral("padding: 1px 10px; min-height: 16px;"));
  m_facts->setProperty("role", "faint");
  addWidget(m_words);
  addWidget(m_progress);
  addWidget(m_cancel);
  addPermanentWidget(m_facts);
  connect(m_cancel, &QPushButton::clicked, this, &ActivityBar::cancelRequested);
  present(nullptr);
}

void ActivityBar::present(const Document* document) {
  const bool busy = document && document->service().busy();
  m_progress->setVisible(busy);
  m_cancel->setVisible(busy);
  m_facts->setText(document ? factsOf(*document->walk()) : QString());
  if (!document) {
    m_words->setText(tr("Ready"));
    return;
  }
  if (!busy) {
    m_words->setText(restingWords(*document));
    return;
  }
  const Activity& activity = document->service().activity();
  m_words->setText(activity.detail.isEmpty() ? activity.what
                                             : activity.what + QStringLiteral("   ") + shortened(activity.detail, 80));
  if (activity.share < 0) {
    m_progress->setRange(0, 0);
  } else {
    m_progress->setRange(0, 1000);
    m_progress->setValue(static_cast<int>(activity.share * 1000));
  }
}

// As high as its text wants, also when that grows while the window is open.
void ActivityBar::fitHeight() {
  if (const int height = scaled(kHeight); minimumHeight() != height) setFixedHeight(height);
}

void ActivityBar::changeEvent(QEvent* event) {
  QStatusBar::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitHeight();
}

void ActivityBar::message(const QString& words) {
  showMessage(words, kMessageMs);
}

QString ActivityBar::words() const {
  return m_words->text();
}

}  // namespace cutaway::ui
