// Context: which compiled groups an EPContext model could hold, and why the others have nothing to save.
#include "ui/base/format.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

class ContextPanel : public StagePanel {
 public:
  ContextPanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("context"), parent) { m_groups = addTable(tr("Groups")); }

 private:
  const void* source(const WalkReport& walk) const override { return walk.partition.get(); }

  void fill(const WalkReport& walk) override {
    const auto report = walk.partition;
    if (!report) {
      setFacts({});
      m_groups->present({});
      return;
    }
    int64_t compiled = 0, inside = 0;
    for (const GroupReport& group : report->groups) {
      compiled += group.compiled;
      inside += group.compiled ? static_cast<int64_t>(group.nodes.size()) : 0;
    }
    setFacts({{tr("Compiled groups"), countText(compiled)}, {tr("Nodes inside"), countText(inside)}, {tr("Groups run by kernels"), countText(static_cast<int64_t>(report->groups.size()) - compiled)}});
    setNote(compiled ? tr("A context model keeps what a provider compiled, so that loading it needs no compiling. No provider of this build can save what it compiled.")
                     : tr("A context model keeps what a provider compiled. Here every node runs by kernel, so there is nothing compiled to keep."));
    const auto graphs = walk.optimizedGraphs;
    m_groups->present({.columns = {{tr("Provider")}, {tr("Nodes"), Column::kNumber}, {tr("Fused node")}, {tr("First node")}, {tr("Can be saved")}},
                       .rows = static_cast<int>(report->groups.size()),
                       .cell = [report, graphs](int row, int column) {
                         const GroupReport& group = report->groups[row];
                         switch (column) {
                           case 0:
                             return text(group.provider);
                           case 1:
                             return countText(static_cast<int64_t>(group.nodes.size()));
                           case 2:
                             return group.compiled ? text(group.name) : QStringLiteral("\u2013");
                           case 3:
                             return group.nodes.empty() ? QString() : nodeName(graphs.get(), group.graph, group.nodes.front());
                           default:
                             return group.compiled ? tr("no: '%1' has no contexts").arg(text(group.provider)) : tr("no: run by kernels, nothing was compiled");
                         }
                       },
                       .target = [report](int row) {
                         const GroupReport& group = report->groups[row];
                         return group.nodes.empty() ? RowTarget{} : RowTarget{{GraphVersion::kOptimized, group.graph, group.nodes.front()}, {}};
                       }});
  }

  ReportModel* m_groups;
};

}  // namespace

const PanelDescriptor& panel_context() {
  static const PanelDescriptor descriptor{.id = "context", .title = "Context", .icon = "stage-context", .area = PanelArea::kStage, .stage = Stage::kContext,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new ContextPanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui
