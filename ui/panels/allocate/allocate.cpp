// Allocation: the rule and buffer of every value, why, what came closest; buffers as lanes, rules with their sums.
#include <optional>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/formula_words.h"
#include "ui/base/icons.h"
#include "ui/base/partial_amount.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/formulas_controller.h"
#include "ui/panels/allocate/allocation_tables.h"
#include "ui/panels/allocate/buffer_lanes.h"
#include "ui/panels/allocate/step_rows.h"
#include "ui/panels/allocate/value_page.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/plan_what_if.h"
#include "ui/panels/play_bar.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr int kMarkSize = 14;
constexpr size_t kManyValues = 2000;  // from which on a picture of all of them waits until it is seen

class AllocatePanel : public StagePanel {
 public:
  AllocatePanel(const PanelContext& context, QWidget* parent)
      : StagePanel(context, QStringLiteral("allocate"), parent),
        m_page(new ValuePage(context)),
        m_lanes(new LifeChart(context)) {
    addTop(new PlayBar(context));
    addTop(makeDevice());
    addTab(m_page, tr("Value"));
    addTab(makeValues(), tr("Values"));
    LinkedTable* rules = nullptr;
    m_rules = addTable(tr("Rules"), &rules);
    rules->view()->setItemDelegateForColumn(2, new BarCell(context.themes, rules, 0));
    connect(rules, &LinkedTable::rowActivated, this, [this](int row) {
      if (m_view) showRule(static_cast<int>(rulesInUse(*m_view)[static_cast<size_t>(row)]));
    });
    addTab(m_lanes, tr("Buffers"));
    m_steps = addTable(tr("Steps"));
    m_stepsTab = tabs()->count() - 1;
    connect(tabs(), &QTabWidget::currentChanged, this, [this] {
      fillLanes();
      fillSteps();
    });
    addWhatIf([context](QWidget* room) { return makePlanWhatIf(context, QStringLiteral("allocate"), room); });
    connect(m_table, &LinkedTable::rowActivated, this, [this](int) { tabs()->setCurrentWidget(m_page); });
    connect(m_table, &LinkedTable::released, this, [this] {
      m_rule->setCurrentIndex(0);
      m_kind->setCurrentIndex(0);
      m_device->setCurrentIndex(0);
    });
    new ThemeFollower(this, context.themes, [this] { fillTables(); });
    connect(&FormulasController::of(context.document), &FormulasController::changed, this, &AllocatePanel::tell);
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.allocate.get(); }

  // Every device has memory of its own: its values and its buffers can be looked at alone.
  QWidget* makeDevice() {
    m_deviceRow = new QWidget;
    auto* row = new QHBoxLayout(m_deviceRow);
    row->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpace);
    row->setSpacing(kSpace);
    auto* label = new QLabel(tr("Memory of"));
    label->setProperty("role", "secondary");
    label->setBuddy(m_device);
    m_device->setObjectName(QStringLiteral("allocate/device"));
    m_device->setAccessibleName(tr("Device"));
    row->addWidget(label);
    row->addWidget(m_device, 1);
    m_deviceRow->hide();
    connect(m_device, &QComboBox::currentIndexChanged, this, [this] {
      m_lanesOf.reset();
      fillLanes();
      filter();
    });
    return m_deviceRow;
  }

  std::string device() const { return m_device->currentData().toString().toStdString(); }  // empty: all

  QWidget* makeValues() {
    m_table = new LinkedTable(context(), QStringLiteral("allocate/values"), this);
    m_table->setObjectName(QStringLiteral("allocate/values"));
    m_values = new ReportModel(this);
    m_table->setModel(m_values);
    m_table->view()->setAccessibleName(tr("Values and their places"));
    m_table->followRange();
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kSpace, kSpace, kSpace, 0);
    row->setSpacing(kSpace);
    for (const auto& [combo, name] : {std::pair(m_rule, "allocate/rule"), std::pair(m_kind, "allocate/kind")}) {
      combo->setObjectName(QLatin1String(name));
      combo->setMinimumContentsLength(14);
      combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
      row->addWidget(combo, 1);
      connect(combo, &QComboBox::currentIndexChanged, this, [this] { filter(); });
    }
    m_rule->setAccessibleName(tr("Rule"));
    m_kind->setAccessibleName(tr("Kind"));
    column->addLayout(row);
    column->addWidget(m_table, 1);
    return box;
  }

  void showRule(int rule) {
    m_kind->setCurrentIndex(0);
    m_rule->setCurrentIndex(std::max(0, m_rule->findData(rule)));
    tabs()->setCurrentIndex(1);
  }

  void filter() {
    const int rule = m_rule->currentData().toInt(), kind = m_kind->currentData().toInt();
    const std::string where = device();
    if ((rule < 0 && kind < 0 && where.empty()) || !m_view) {
      m_table->restrict({}, {});
      return;
    }
    QStringList words;
    if (rule >= 0) words << tr("rule %1").arg(ruleText(static_cast<AllocRule>(rule)));
    if (kind >= 0) words << tr("kind %1").arg(text(allocKindName(static_cast<AllocKind>(kind))));
    if (!where.empty()) words << tr("device %1").arg(text(where));
    m_table->restrict(tr("Only %1").arg(words.join(tr(" and "))), [view = m_view, rule, kind, where](int row) {
      const ValueAllocation* value =
          view->at(view->rows[static_cast<size_t>(row)].first, view->rows[static_cast<size_t>(row)].second);
      return value && (where.empty() || value->device == where) &&
             (rule < 0 || static_cast<int>(ruleOf(*value)) == rule) &&
             (kind < 0 || static_cast<int>(value->kind) == kind);
    });
  }

  void fill(const WalkReport&) override {
    m_view = allocationView(document().walk());
    fillChoices();
    m_page->present(m_view);
    fillLanes();
    fillTables();
    fillSteps();
    tell();
  }

  // Facts and note; again when formulas over open dimensions were made.
  void tell() {
    if (!m_view) {
      setFacts({});
      setNote({});
      return;
    }
    const AllocateReport& report = m_view->report();
    const auto sum = [this](std::initializer_list<AllocRule> rules) {
      RuleSum total;
      for (const AllocRule rule : rules)
        total.values += m_view->sums[static_cast<size_t>(rule)].values,
            total.bytes += m_view->sums[static_cast<size_t>(rule)].bytes,
            total.unknown += m_view->sums[static_cast<size_t>(rule)].unknown;
      return total;
    };
    const auto fact = [&](const QString& title, std::initializer_list<AllocRule> rules) {
      const RuleSum total = sum(rules);
      if (total.values == 0) return Fact{title, QStringLiteral("0")};
      const bool open = total.unknown > 0;
      if (const auto bytes = open ? formulaOf(rules) : std::nullopt)
        return Fact{title, QStringLiteral("%1, %2").arg(countText(total.values), formulaHeadWords(*bytes, sizeText))};
      return Fact{title,
                  QStringLiteral("%1, %2").arg(countText(total.values), partialAmount(sizeText(total.bytes), open,
                                                                                      total.unknown == total.values)),
                  open ? TruthKind::kPartial : TruthKind::kExact};
    };
    setFacts({fact(tr("New buffers"), {AllocRule::kNewBuffer, AllocRule::kExternal}),
              fact(tr("From the free list"), {AllocRule::kFreeBuffer, AllocRule::kLargerBuffer}),
              fact(tr("In place and views"), {AllocRule::kInPlace, AllocRule::kView, AllocRule::kShared}),
              fact(tr("Parts and into outputs"), {AllocRule::kPart, AllocRule::kSplitPart, AllocRule::kIntoOutput}),
              fact(tr("Outputs"), {AllocRule::kOutput}),
              {tr("Weights"), tr("%1 in %2").arg(sizeText(report.weightsBytes), countText(report.statically))}});
    QStringList notes;
    if (report.rules != "cutaway")
      notes << (report.rules == "onnxruntime" ? tr("Planned by the rules of onnxruntime.")
                                              : tr("Planned by the rules of onnxruntime's builds for training."));
    if (!report.note.empty()) notes << text(report.note);
    setNote(notes.join(QLatin1Char(' ')));
  }

  // Bytes of the values that the rules placed, over the open dimensions; nullopt: one has no formula.
  std::optional<CostFormula> formulaOf(std::initializer_list<AllocRule> rules) const {
    const auto known = FormulasController::of(&document()).formulas();
    if (!known) return std::nullopt;
    CostFormula sum;
    for (const auto& [plan, value] : m_view->rows) {
      const ValueAllocation& each = *m_view->at(plan, value);
      if (std::ranges::find(rules, ruleOf(each)) == rules.end()) continue;
      const GraphAllocation& graph = m_view->report().graphs[static_cast<size_t>(plan)];
      const std::string& name =
          m_view->graphs().graphs[static_cast<size_t>(graph.graph)].values[static_cast<size_t>(each.value)].name;
      const auto size =
          graph.graph == 0 || each.sizeBytes >= 0 ? study::sizeFormula(each, name, known->sizes) : std::nullopt;
      if (!size || !sum.add(*size)) return std::nullopt;
    }
    return sum;
  }

  // Of many values when they are looked at: each is a block of the picture.
  void fillLanes() {
    if (m_lanesOf && m_lanesOf == m_view) return;
    const bool isLarge = m_view && m_view->rows.size() > kManyValues;
    if (isLarge && tabs()->currentWidget() != m_lanes) return m_lanesOf.reset();
    m_lanesOf = m_view;
    m_lanes->present(bufferLanes(m_view, 0, device()));
  }

  // Made when they are looked at: they tell of every step.
  void fillSteps() {
    if (tabs()->currentIndex() != m_stepsTab || m_stepsOf == m_view) return;
    m_stepsOf = m_view;
    m_steps->present(m_view ? allocationStepRows(m_view) : ReportRows{});
  }

  void fillTables() {
    if (!m_view) {
      m_values->present({});
      m_rules->present({});
      return;
    }
    const RuleMarkOf mark = [this](AllocRule rule) {
      const RuleLook look = ruleLook(rule);
      const Theme& theme = context().themes->current();
      return QVariant(categoryMark(theme.category(look.category), look.letter, theme, kMarkSize, devicePixelRatioF()));
    };
    m_values->present(valueRows(m_view, mark));
    m_rules->present(ruleRows(m_view, mark));
    filter();
  }

  // What there is, with how many; the choice stays where it can.
  void fillChoices() {
    const QSignalBlocker quietRule(m_rule), quietKind(m_kind), quietDevice(m_device);
    const int rule = m_rule->currentData().isValid() ? m_rule->currentData().toInt() : -1,
              kind = m_kind->currentData().isValid() ? m_kind->currentData().toInt() : -1;
    const QString where = m_device->currentData().toString();
    m_rule->clear();
    m_kind->clear();
    m_device->clear();
    m_device->addItem(tr("All devices"), QString());
    m_deviceRow->setVisible(m_view && m_view->devices.size() > 1);
    m_rule->addItem(tr("All rules"), -1);
    m_kind->addItem(tr("All kinds"), -1);
    if (!m_view) return;
    for (const AllocRule each : rulesInUse(*m_view))
      m_rule->addItem(
          QStringLiteral("%1 (%2)").arg(ruleText(each), countText(m_view->sums[static_cast<size_t>(each)].values)),
          static_cast<int>(each));
    std::array<int64_t, 8> kinds{};
    for (const auto& [plan, value] : m_view->rows)
      if (const auto index = static_cast<size_t>(m_view->at(plan, value)->kind); index < kinds.size()) ++kinds[index];
    for (size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i] > 0)
        m_kind->addItem(
            QStringLiteral("%1 (%2)").arg(text(allocKindName(static_cast<AllocKind>(i))), countText(kinds[i])),
            static_cast<int>(i));
    for (const std::string& each : m_view->devices)
      m_device->addItem(text(each), text(each));
    m_device->setCurrentIndex(std::max(0, m_device->findData(where)));
    m_rule->setCurrentIndex(std::max(0, m_rule->findData(rule)));
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(kind)));
  }

  std::shared_ptr<const AllocationView> m_view;
  ValuePage* m_page;
  LifeChart* m_lanes;
  LinkedTable* m_table = nullptr;
  QComboBox* m_device = new QComboBox;
  QWidget* m_deviceRow = nullptr;
  QComboBox* m_rule = new QComboBox;
  QComboBox* m_kind = new QComboBox;
  ReportModel* m_values = nullptr;
  ReportModel* m_rules;
  ReportModel* m_steps;
  int m_stepsTab = -1;
  std::shared_ptr<const AllocationView> m_stepsOf;  // that the table shows
  std::shared_ptr<const AllocationView> m_lanesOf;  // that the picture shows
};

}  // namespace

const PanelDescriptor& panel_allocate() {
  static const PanelDescriptor descriptor{.id = "allocate",
                                          .title = "Allocation",
                                          .icon = "stage-allocate",
                                          .area = PanelArea::kStage,
                                          .stage = Stage::kAllocate,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new AllocatePanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
