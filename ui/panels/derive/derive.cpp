// Derived lists: inputs and outputs as the nodes alone give them, beside those of the file; either list may be set by
// hand, as code that builds a graph does.
#include <algorithm>

#include <QBoxLayout>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMutex>

#include "engine/study/derive/derive_lists.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/derive/derive_rows.h"
#include "ui/panels/study_panel.h"
#include "ui/panels/without_figures.h"

namespace cutaway::ui {
namespace {

// What the next start sets by hand: written by the panel, read by the study's thread.
class SetLists {
 public:
  void set(resolve::ManualLists lists) {
    const QMutexLocker lock(&m_mutex);
    m_lists = std::move(lists);
  }
  resolve::ManualLists lists() const {
    const QMutexLocker lock(&m_mutex);
    return m_lists;
  }

 private:
  mutable QMutex m_mutex;
  resolve::ManualLists m_lists;
};

StudyJob::Study derivation(const std::shared_ptr<const SetLists>& lists) {
  return [lists](const StudyJob::Input& input, Progress& progress) -> StudyJob::Outcome {
    CUTAWAY_TRY(DerivedInputsOutputs derived, study::deriveLists(input.source, lists->lists(), progress));
    return std::make_shared<const DerivedInputsOutputs>(std::move(derived));
  };
}

// Names between commas; nothing: the rule finds them.
std::optional<std::vector<std::string>> namesIn(const QString& line) {
  std::vector<std::string> names;
  for (const QString& each : line.split(u',', Qt::SkipEmptyParts)) {
    if (const QString name = each.trimmed(); !name.isEmpty()) names.push_back(name.toStdString());
  }
  if (names.empty()) return std::nullopt;
  return names;
}

class DerivePanel : public StudyPanel {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::DerivePanel)

 public:
  DerivePanel(const PanelContext& context, QWidget* parent)
      : DerivePanel(context, std::make_shared<SetLists>(), parent) {}

 private:
  DerivePanel(const PanelContext& context, std::shared_ptr<SetLists> lists, QWidget* parent)
      : StudyPanel(context, derivation(lists), QStringLiteral("derive/lists"), parent),
        m_lists(std::move(lists)),
        m_inputs(new QLineEdit),
        m_outputs(new QLineEdit) {
    setProperty(kWithoutFigures, true);
    m_lines = new QBoxLayout(QBoxLayout::LeftToRight);
    m_lines->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
    m_lines->setSpacing(kSpace);
    m_inputsLabel = addList(
        tr("Set inputs:"), m_inputs,
        tr("Names between commas: the list of inputs as code that builds the graph sets it. Empty: the rule finds "
           "them."));
    m_outputsLabel =
        addList(tr("Set outputs:"), m_outputs,
                tr("Names between commas: the list of outputs as code that builds the graph sets it. Empty: the rule "
                   "finds them."));
    column()->insertLayout(0, m_lines);
    setAgainText(tr("Derive again"));
    begin(tr("Lists"));
  }

  void resizeEvent(QResizeEvent* event) override {
    StudyPanel::resizeEvent(event);
    placeLines();
  }
  void changeEvent(QEvent* event) override {
    StudyPanel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) placeLines();
  }

  // Beside each other where what they hold while empty is whole, else below each other.
  void placeLines() {
    if (!m_outputsLabel) return;
    int wanted = 2 * kSpaceLarge + m_lines->spacing();
    for (QLineEdit* line : {m_inputs, m_outputs}) {
      line->setMinimumHeight(line->sizeHint().height());
      line->setMinimumWidth(line->fontMetrics().horizontalAdvance(line->placeholderText()) + line->sizeHint().height());
      wanted += line->minimumWidth() + kSpace;
    }
    for (const QLabel* label : {m_inputsLabel, m_outputsLabel})
      wanted += label->sizeHint().width();
    const bool beside = wanted <= width();
    const int room = beside ? 0 : std::max(m_inputsLabel->sizeHint().width(), m_outputsLabel->sizeHint().width());
    for (QLabel* label : {m_inputsLabel, m_outputsLabel})
      label->setMinimumWidth(room);
    m_lines->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  }

  QLabel* addList(const QString& title, QLineEdit* line, const QString& toolTip) {
    auto* row = new QHBoxLayout;
    row->setSpacing(kSpace);
    auto* label = new QLabel(title);
    label->setBuddy(line);
    line->setPlaceholderText(tr("found by the rule"));
    line->setToolTip(toolTip);
    line->setAccessibleName(title);
    row->addWidget(label);
    row->addWidget(line, 1);
    m_lines->addLayout(row, 1);
    connect(line, &QLineEdit::textChanged, this,
            [this] { m_lists->set({.inputs = namesIn(m_inputs->text()), .outputs = namesIn(m_outputs->text())}); });
    connect(line, &QLineEdit::returnPressed, job(), &StudyJob::start);
    return label;
  }

  std::shared_ptr<const DerivedInputsOutputs> derived() const { return job()->result<DerivedInputsOutputs>(); }

  QString sentence() const override { return deriveSentence(*derived()); }
  ReportRows rows() const override { return deriveRows(derived()); }
  void updateButtons(bool) override {}
  std::vector<NodeTarget> nodesOf(int) const override { return {}; }

  EmptyWords emptyWords(bool busy, const QString& reason) const override {
    const QString icon = QStringLiteral("stage-resolve");
    if (busy) return {icon, tr("The nodes are being read \u2026"), {}, {}};
    return {icon, tr("What would the nodes alone say?"),
            reason.isEmpty()
                ? tr("Reads the nodes as ONNX Runtime does for a graph built in memory, and sets the lists of "
                     "inputs and outputs that they give beside those of the file.")
                : reason,
            tr("Derive the lists")};
  }

  std::shared_ptr<SetLists> m_lists;
  QBoxLayout* m_lines = nullptr;
  QLineEdit* m_inputs;
  QLineEdit* m_outputs;
  QLabel* m_inputsLabel = nullptr;
  QLabel* m_outputsLabel = nullptr;
};

}  // namespace

const PanelDescriptor& panel_derive() {
  static const PanelDescriptor descriptor{.id = "derive",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Derived lists"),
                                          .icon = "stage-resolve",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .height = 36,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new DerivePanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
