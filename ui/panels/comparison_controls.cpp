#include "ui/panels/comparison_controls.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

QLabel* words(const char* role) {
  auto* label = new QLabel;
  label->setProperty("role", role);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setMinimumWidth(40);
  return label;
}

}  // namespace

ComparisonControls::ComparisonControls(Document* document, Asks asks, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_asks(std::move(asks)),
      m_summary(words("secondary")),
      m_error(words("error")),
      m_progress(new QProgressBar),
      m_compare(new QPushButton(tr("Compare"))),
      m_apply(new QPushButton(tr("Apply"))),
      m_revert(new QPushButton(tr("Reset"))),
      m_buttons(new QHBoxLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpace);
  column->setSpacing(kSpaceSmall);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(tr("Progress of the comparison"));
  column->addWidget(m_progress);
  column->addWidget(m_error);
  column->addWidget(m_summary);
  m_buttons->setSpacing(kSpace);
  m_apply->setToolTip(tr("Use this configuration, and run all stages again"));
  m_revert->setToolTip(tr("Back to the configuration of the session"));
  m_buttons->addWidget(m_apply);
  m_buttons->addWidget(m_revert);
  m_buttons->addStretch(1);
  column->addLayout(m_buttons);
  m_compare->setProperty("primary", true);
  m_compare->setMinimumWidth(84);
  connect(m_compare, &QPushButton::clicked, this, [this] {
    if (m_document->comparing()) return m_document->service().cancel();
    m_document->compare(m_asks.measureRuns ? m_asks.measureRuns() : 0);
  });
  connect(m_apply, &QPushButton::clicked, document, &Document::applyDraft);
  connect(m_revert, &QPushButton::clicked, this, [this] {
    m_document->draft().revert();
    m_document->dropComparison();
  });
  connect(document, &Document::whatIfChanged, this, &ComparisonControls::refresh);
  document->onWalkChange(WalkPart::kOptimize | WalkPart::kPartition | WalkPart::kPattern | WalkPart::kStates, this,
                         &ComparisonControls::refresh);
  connect(&document->draft(), &WhatIfDraft::changed, this, &ComparisonControls::refresh);
  connect(&document->service(), &EngineService::activityChanged, this, &ComparisonControls::refresh);
}

void ComparisonControls::addToEnd(QWidget* widget) {
  m_buttons->addWidget(widget);
}

void ComparisonControls::showError(const QString& message) {
  m_error->setText(message);
  m_error->show();
}

QString ComparisonControls::summary() const {
  if (m_document->comparing()) {
    const QString detail = m_document->service().activity().detail;
    return detail.isEmpty() ? tr("Comparing \u2026") : detail;
  }
  if (const QString sentence = m_asks.sentence(); !sentence.isEmpty()) return sentence;
  const QStringList changes = m_document->draft().changes();
  return changes.isEmpty() ? tr("This is the session's configuration. Change something, then compare.")
                           : tr("What if it %1?").arg(changes.join(QStringLiteral("; ")));
}

void ComparisonControls::refresh() {
  const bool comparing = m_document->comparing();
  const bool ready = m_asks.ready() && static_cast<bool>(m_document->service().host().evaluateWhatIf);
  m_compare->setText(comparing ? tr("Cancel") : tr("Compare"));
  m_compare->setEnabled(comparing || (ready && !m_document->service().busy()));
  const bool changed = m_document->draft().isChanged();
  m_apply->setEnabled(changed && !comparing);
  m_revert->setEnabled((changed || m_document->whatIf()) && !comparing);
  m_progress->setVisible(comparing);
  const Activity& activity = m_document->service().activity();
  if (comparing) m_progress->setRange(0, activity.share < 0 ? 0 : 1000);
  if (comparing && activity.share >= 0) m_progress->setValue(static_cast<int>(activity.share * 1000));
  m_error->setVisible(m_document->whatIfError().has_value());
  if (m_document->whatIfError()) m_error->setText(told(m_document->whatIfError()->message));
  m_summary->setText(summary());
  emit refreshed();
}

}  // namespace cutaway::ui
