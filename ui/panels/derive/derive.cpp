// Derived lists: inputs and outputs as the nodes alone give them, beside those of the file.
#include <QCoreApplication>

#include "engine/study/derive/derive_lists.h"
#include "ui/document/document.h"
#include "ui/panels/derive/derive_rows.h"
#include "ui/panels/study_panel.h"

namespace cutaway::ui {
namespace {

StudyJob::Outcome derive(const StudyJob::Input& input, Progress& progress) {
  CUTAWAY_TRY(DerivedInputsOutputs derived, study::deriveLists(input.source, {}, progress));
  return std::make_shared<const DerivedInputsOutputs>(std::move(derived));
}

class DerivePanel : public StudyPanel {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::DerivePanel)

 public:
  DerivePanel(const PanelContext& context, QWidget* parent)
      : StudyPanel(context, derive, QStringLiteral("derive/lists"), parent) {
    begin(tr("Lists"));
  }

 private:
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
