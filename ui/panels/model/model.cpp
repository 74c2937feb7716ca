// Model: everything the file says about itself, and what it comes to.
#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QFutureWatcher>
#include <QTableView>

#include "ui/base/format.h"
#include "ui/base/formula_words.h"
#include "ui/base/partial_amount.h"
#include "ui/document/document.h"
#include "ui/document/formulas_controller.h"
#include "ui/document/gui_call.h"
#include "ui/document/window_words.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/model/metadata_page.h"
#include "ui/panels/model/model_rollup.h"
#include "ui/panels/model/model_tables.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

using Sums = Result<std::shared_ptr<const ModelRollup>>;

class ModelPanel : public StagePanel {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::ModelPanel)

 public:
  ModelPanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("model"), parent) {
    m_signature = addTable(tr("Inputs and outputs"), &m_signatureTable);
    m_initializers = addTable(tr("Initializers"), &m_initializerTable);
    m_operators = addTable(tr("Operators"), &m_operatorTable);
    m_scopes = addTable(tr("Scopes"), &m_scopeTable);
    m_metadata = new MetadataPage(context);
    addTab(m_metadata, tr("Metadata"));
    m_opsets = addTable(tr("Opsets"));
    LinkedTable* functions = nullptr;
    m_functions = addTable(tr("Bodies and functions"), &functions);
    m_files = addTable(tr("External files"));
    m_warnings = addTable(tr("Warnings"));
    for (LinkedTable* table : {m_operatorTable, m_scopeTable})
      table->view()->setItemDelegateForColumn(2, new BarCell(context.themes, table));
    m_operatorTable->setRowNodes([this](int row) {
      std::vector<NodeTarget> nodes;
      for (const int member : m_sums->operators[static_cast<size_t>(row)].members)
        nodes.push_back(m_sums->places[static_cast<size_t>(member)]);
      return nodes;
    });
    m_scopeTable->setRowNodes([this](int row) {
      std::vector<NodeTarget> nodes;
      for (const int member : m_sums->scopes[static_cast<size_t>(row)].members)
        nodes.push_back({GraphVersion::kLoaded, 0, member});
      return nodes;
    });
    for (LinkedTable* table : {m_signatureTable, m_initializerTable})
      connect(table, &LinkedTable::rowActivated, this,
              [this] { emit this->context().actions->toolRequested(QStringLiteral("tensor")); });
    connect(functions, &LinkedTable::rowActivated, this,
            [this](int row) { emit this->context().actions->enterGraph(m_functions->target(row).node.graph); });
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &ModelPanel::endSums);
    connect(&FormulasController::of(context.document), &FormulasController::changed, this, [this] {
      showNote();
      if (const auto walk = document().walk(); walk->load) setFacts(factsOf(*walk));
    });
  }
  ~ModelPanel() override { m_watcher.waitForFinished(); }

 private:
  // The newest of what the panel reads: it is filled again when types and costs become known.
  const void* source(const WalkReport& walk) const override {
    if (walk.loadedCosts) return walk.loadedCosts.get();
    if (walk.resolve) return walk.resolve.get();
    return walk.load.get();
  }

  void fill(const WalkReport& walk) override {
    const auto load = walk.load;
    const auto graphs = walk.loadedGraphs;
    m_signature->present(signatureRows(graphs));
    m_initializers->present(initializerRows(graphs));
    m_metadata->present(load);
    m_opsets->present(opsetRows(load));
    m_functions->present(functionRows(graphs));
    m_files->present(fileRows(load));
    m_warnings->present(warningRows(load, walk.resolve, graphs));
    setTabShown(4, load && !load->metadata.empty());
    setTabShown(6, m_functions->rowCount() > 0);
    setTabShown(7, m_files->rowCount() > 0);
    setTabShown(8, m_warnings->rowCount() > 0);
    setTabTitle(8, tr("Warnings (%1)").arg(m_warnings->rowCount()));
    setFacts(load ? factsOf(walk) : Facts());
    showNote();
    startSums(graphs, walk.loadedCosts);
  }

  Facts factsOf(const WalkReport& walk) const {
    const LoadReport& load = *walk.load;
    QStringList opsets;
    for (const auto& [domain, version] : load.opsets)
      opsets << QStringLiteral("%1 %2").arg(text(domain)).arg(version);
    const auto orDash = [](const QString& words) { return words.isEmpty() ? QStringLiteral("\u2013") : words; };
    Facts facts = {{tr("File"), orDash(text(load.path))},
                   {tr("Format"), tr("%1, IR version %2").arg(text(load.format)).arg(load.irVersion)},
                   {tr("Size"), sizeText(load.fileBytes)},
                   {tr("Producer"), orDash(text(load.producer))},
                   {tr("Opsets"), opsets.join(QStringLiteral(", "))},
                   {tr("Nodes"), countText(load.nodeCount)},
                   {tr("Weights"),
                    tr("%1 in %2 initializers").arg(sizeText(load.initializerBytes), countText(load.initializerCount))},
                   {tr("Parameters"), countText(load.parameterCount)}};
    if (walk.loadedCosts && !walk.loadedCosts->graphs.empty()) {
      const GraphCosts& costs = walk.loadedCosts->graphs[0];
      const bool open = costs.unknownNodes > 0;
      const bool sizesOpen =
          std::ranges::any_of(costs.nodes, [](const NodeFigures& node) { return node.movedBytes < 0; });
      // By formulas where there are some: only nodes without one are unknown then.
      const auto formulas = FormulasController::of(&document()).formulas();
      const auto amount = [](const CostFormula& formula, int64_t without, QString (*write)(int64_t)) {
        return partialAmount(formulaHeadWords(formula, write), without > 0, false);
      };
      const int64_t unknown = formulas ? formulas->nodesWithoutFlops : costs.unknownNodes;
      const int64_t unsized = formulas ? formulas->nodesWithoutBytes : sizesOpen ? 1 : 0;
      facts.emplace_back(tr("Operations"),
                         formulas ? amount(formulas->flops, unknown, workText)
                                  : partialAmount(workText(costs.total.flops), open, costs.total.flops == 0),
                         unknown > 0 ? TruthKind::kPartial : TruthKind::kExact);
      if (costs.total.movedBytes >= 0)
        facts.emplace_back(
            tr("Activations moved"),
            formulas ? amount(formulas->movedBytes, unsized, sizeText)
                     : partialAmount(sizeText(costs.total.movedBytes), sizesOpen, costs.total.movedBytes == 0),
            unsized > 0 ? TruthKind::kPartial : TruthKind::kExact);
      if (unknown > 0)
        facts.emplace_back(tr("Nodes of unknown cost"),
                           tr("%1 of %2").arg(countText(unknown), countText(std::ssize(costs.nodes))));
    }
    return facts;
  }

  // What the file says of itself, and what it costs once the open dimensions have sizes.
  void showNote() {
    const auto load = document().walk()->load;
    if (!load) return setNote(tr("No model is open yet."));
    QStringList lines;
    if (const QString words = shortened(text(load->documentation).simplified(), 300); !words.isEmpty()) lines << words;
    if (const auto formulas = FormulasController::of(&document()).formulas()) {
      const auto words = [&](const CostFormula& formula, int64_t left, QString (*write)(int64_t)) {
        const QString all = formulaWords(formula, formulas->free, write);
        return left > 0 ? all + tr(", %1 nodes open").arg(countText(left)) : all;
      };
      lines << tr("By the open dimensions: %1; moved between nodes %2")
                       .arg(words(formulas->flops, formulas->nodesWithoutFlops, workText),
                            words(formulas->movedBytes, formulas->nodesWithoutBytes, sizeText)) +
                   conditionWords(formulas->multiples);
    }
    if (const Error* error = FormulasController::of(&document()).error())
      lines << tr("No costs by the open dimensions: %1").arg(told(*error));
    setNote(lines.join(QLatin1Char('\n')));
  }

  // Sums over 50,000 nodes are a worker's business.
  void startSums(std::shared_ptr<const ModelGraphs> graphs, std::shared_ptr<const CostReport> costs) {
    if (!graphs) {
      m_watcher.setFuture({});
      return showSums(nullptr);
    }
    m_watcher.setFuture(promised(
        [graphs, costs]() -> Sums { return std::make_shared<const ModelRollup>(rollUp(*graphs, costs.get())); }));
  }

  void endSums() {
    if (m_watcher.future().resultCount() == 0) return;
    const Sums sums = m_watcher.result();
    if (!sums) emit this->context().actions->message(told(sums.error()));
    showSums(sums.value_or(nullptr));
  }

  void showSums(std::shared_ptr<const ModelRollup> sums) {
    m_sums = std::move(sums);
    m_operators->present(rollupRows(m_sums, false));
    m_scopes->present(rollupRows(m_sums, true));
    setTabShown(3, m_sums && !m_sums->scopes.empty());
  }

  ReportModel* m_signature;
  ReportModel* m_initializers;
  ReportModel* m_operators;
  ReportModel* m_scopes;
  ReportModel* m_opsets;
  ReportModel* m_functions;
  ReportModel* m_files;
  ReportModel* m_warnings;
  MetadataPage* m_metadata;
  LinkedTable* m_signatureTable;
  LinkedTable* m_initializerTable;
  LinkedTable* m_operatorTable;
  LinkedTable* m_scopeTable;
  QFutureWatcher<Sums> m_watcher;
  std::shared_ptr<const ModelRollup> m_sums;
};

}  // namespace

const PanelDescriptor& panel_model() {
  static const PanelDescriptor descriptor{.id = "model",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Model properties"),
                                          .icon = "stage-load",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .keys = "Ctrl+Return; Ctrl+Enter",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new ModelPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
