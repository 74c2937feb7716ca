// A form over WhatIfDraft::plan().
#include "ui/panels/plans/plan_draft_editor.h"

#include <set>

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

constexpr int kLabelWidth = 104;
constexpr int kLargestDim = 1'000'000;
constexpr int kMostWorkers = 64;

QLabel* caption(const QString& words, const char* role, QWidget* buddy = nullptr) {
  auto* label = new QLabel(words);
  label->setProperty("role", role);
  label->setBuddy(buddy);
  return label;
}

// Symbols that have a value now, or none yet.
std::set<std::string> symbolsOf(Document& document) {
  std::set<std::string> names;
  for (const auto& [name, value] : document.draft().plan().dims)
    names.insert(name);
  if (const auto resolve = document.walk()->resolve)
    names.insert(resolve->openSymbols.begin(), resolve->openSymbols.end());
  return names;
}

}  // namespace

PlanDraftEditor::PlanDraftEditor(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_grid(new QGridLayout),
      m_workers(new QSpinBox),
      m_noDims(new QLabel),
      m_dimGrid(new QGridLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceLarge, kSpaceLarge, kSpaceLarge, kSpace);
  column->setSpacing(kSpace);
  m_grid->setHorizontalSpacing(kSpaceLarge);
  m_grid->setVerticalSpacing(kSpace);
  m_grid->setColumnMinimumWidth(0, kLabelWidth);
  m_grid->setColumnStretch(1, 1);
  column->addLayout(m_grid);
  m_order = choice("plans/order", tr("Order"),
                   {{tr("default: depth first"), "default"},
                    {tr("priority"), "priority"},
                    {tr("fifo: as nodes become ready"), "fifo"},
                    {tr("memory: smallest peak"), "memory"},
                    {tr("onnxruntime: its default"), "onnxruntime"}});
  m_rules = choice("plans/rules", tr("Rules"),
                   {{tr("Cutaway's"), "cutaway"},
                    {tr("onnxruntime's"), "onnxruntime"},
                    {tr("onnxruntime's for training"), "onnxruntime-counters"}});
  m_executor = choice("plans/executor", tr("Executor"),
                      {{tr("sequential"), "sequential"}, {tr("dataflow: independent nodes at once"), "dataflow"}});
  m_workers->setObjectName(QStringLiteral("plans/workers"));
  m_workers->setRange(0, kMostWorkers);
  m_workers->setSpecialValueText(tr("automatic"));
  m_workers->setAccessibleName(tr("Workers"));
  m_grid->addWidget(caption(tr("Workers"), "secondary", m_workers), m_grid->rowCount(), 0);
  m_grid->addWidget(m_workers, m_grid->rowCount() - 1, 1);
  m_reuse = box(tr("Reuse free buffers"), tr("session.enable_mem_reuse"));
  m_inPlace = box(tr("Write over inputs that are no longer needed"), tr("In place, where the operator allows it"));
  m_pattern = box(tr("Plan one block of memory"),
                  tr("session.enable_mem_pattern; without it every value comes from the arena"));
  column->addSpacing(kSpaceSmall);
  column->addWidget(caption(tr("Allowed"), "section"));
  for (QCheckBox* each : {m_reuse, m_inPlace, m_pattern})
    column->addWidget(each);
  column->addSpacing(kSpaceSmall);
  column->addWidget(caption(tr("Dimensions"), "section"));
  m_noDims->setText(tr("The model has no open dimension."));
  m_noDims->setProperty("role", "faint");
  column->addWidget(m_noDims);
  m_dimGrid->setHorizontalSpacing(kSpaceLarge);
  m_dimGrid->setVerticalSpacing(kSpace);
  m_dimGrid->setColumnMinimumWidth(0, kLabelWidth);
  m_dimGrid->setColumnStretch(1, 1);
  column->addLayout(m_dimGrid);
  column->addStretch(1);
  connect(m_workers, &QSpinBox::valueChanged, this, &PlanDraftEditor::takeOver);
  connect(&context.document->draft(), &WhatIfDraft::changed, this, &PlanDraftEditor::present);
  context.document->onWalkChange(WalkPart::kResolve, this, &PlanDraftEditor::present);
  present();
}

QComboBox* PlanDraftEditor::choice(const char* name, const QString& words,
                                   const std::vector<std::pair<QString, QString>>& entries) {
  auto* combo = new QComboBox;
  combo->setObjectName(QLatin1String(name));
  combo->setAccessibleName(words);
  for (const auto& [label, value] : entries)
    combo->addItem(label, value);
  const int row = m_grid->rowCount();
  m_grid->addWidget(caption(words, "secondary", combo), row, 0);
  m_grid->addWidget(combo, row, 1);
  connect(combo, &QComboBox::currentIndexChanged, this, &PlanDraftEditor::takeOver);
  return combo;
}

QCheckBox* PlanDraftEditor::box(const QString& words, const QString& tip) {
  auto* made = new QCheckBox(words);
  made->setToolTip(tip);
  connect(made, &QCheckBox::toggled, this, &PlanDraftEditor::takeOver);
  return made;
}

void PlanDraftEditor::present() {
  m_presenting = true;
  const DraftPlan& plan = m_context.document->draft().plan();
  const auto show = [](QComboBox* combo, const std::string& value) {
    int index = combo->findData(text(value));
    if (index < 0) {  // a configuration may name what this form does not know
      combo->addItem(text(value), text(value));
      index = combo->count() - 1;
    }
    combo->setCurrentIndex(index);
  };
  show(m_order, plan.order);
  show(m_rules, plan.rules);
  show(m_executor, plan.executor);
  m_workers->setValue(plan.workers);
  m_workers->setEnabled(plan.executor == "dataflow");
  m_reuse->setChecked(plan.reuse);
  m_inPlace->setChecked(plan.inPlace);
  m_pattern->setChecked(plan.pattern);
  presentDims();
  m_presenting = false;
}

void PlanDraftEditor::presentDims() {
  const std::set<std::string> names = symbolsOf(*m_context.document);
  bool same = names.size() == m_dims.size();
  for (const std::string& name : names)
    same = same && m_dims.count(name) > 0;
  if (!same) {
    while (QLayoutItem* item = m_dimGrid->takeAt(0)) {
      item->widget()->deleteLater();
      delete item;
    }
    m_dims.clear();
    int row = 0;
    for (const std::string& name : names) {
      auto* spin = new QSpinBox;
      spin->setObjectName(QStringLiteral("plans/dim/") + text(name));
      spin->setRange(0, kLargestDim);
      spin->setSpecialValueText(tr("open"));
      spin->setAccessibleName(text(name));
      m_dimGrid->addWidget(caption(shortened(text(name), 24), "secondary", spin), row, 0);
      m_dimGrid->addWidget(spin, row++, 1);
      m_dims[name] = spin;
      connect(spin, &QSpinBox::valueChanged, this, &PlanDraftEditor::takeOver);
    }
  }
  m_noDims->setVisible(names.empty());
  const auto& values = m_context.document->draft().plan().dims;
  for (const auto& [name, spin] : m_dims) {
    const auto found = values.find(name);
    // What the session bound stays bound: a symbol that has a value cannot lose it without loading again.
    spin->setMinimum(m_context.document->draft().presentPlan().dims.count(name) > 0 ? 1 : 0);
    spin->setValue(found == values.end() ? 0 : static_cast<int>(std::min<int64_t>(found->second, kLargestDim)));
  }
}

void PlanDraftEditor::takeOver() {
  if (m_presenting) return;
  DraftPlan plan = m_context.document->draft().plan();
  plan.order = m_order->currentData().toString().toStdString();
  plan.rules = m_rules->currentData().toString().toStdString();
  plan.executor = m_executor->currentData().toString().toStdString();
  plan.workers = m_workers->value();
  plan.reuse = m_reuse->isChecked();
  plan.inPlace = m_inPlace->isChecked();
  plan.pattern = m_pattern->isChecked();
  for (const auto& [name, spin] : m_dims) {
    if (spin->value() > 0) plan.dims[name] = spin->value();
    if (spin->value() == 0) plan.dims.erase(name);
  }
  m_context.document->draft().setPlan(std::move(plan));
}

}  // namespace cutaway::ui
