#include "ui/panels/derive/derive_rows.h"

#include <algorithm>
#include <map>

#include <QCoreApplication>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::DeriveRows)
};

struct Row {
  QString kind, list, value, what;
  int inFile = -1, inNodes = -1;  // places in the list of either side, from 0; -1: not there
  int graph = 0;
  QString title{};  // of the graph
};

struct ListTitle {
  QString title;
  std::vector<std::string> InputOutputLists::* names;
};

std::vector<ListTitle> listTitles() {
  return {{Words::tr("inputs including initializers"), &InputOutputLists::inputs},
          {Words::tr("inputs excluding initializers"), &InputOutputLists::requiredInputs},
          {Words::tr("overridable initializers"), &InputOutputLists::overridable},
          {Words::tr("outputs"), &InputOutputLists::outputs},
          {Words::tr("value_info (intermediates)"), &InputOutputLists::intermediates}};
}

void addEntries(std::vector<Row>& rows, const ListTitle& list, const DerivedLists& derived) {
  std::map<std::string, size_t> rowOf;  // a file may list a name twice: its first place counts
  const auto rowFor = [&](const std::string& value) -> Row& {
    const auto [entry, isNew] = rowOf.try_emplace(value, rows.size());
    if (isNew) rows.push_back({Words::tr("entry"), list.title, text(value), {}});
    return rows[entry->second];
  };
  const auto& declared = derived.declared.*list.names;
  const auto& made = derived.derived.*list.names;
  for (size_t i = 0; i < declared.size(); ++i)
    if (Row& row = rowFor(declared[i]); row.inFile < 0) row.inFile = static_cast<int>(i);
  for (size_t i = 0; i < made.size(); ++i)
    if (Row& row = rowFor(made[i]); row.inNodes < 0) row.inNodes = static_cast<int>(i);
}

void addRows(std::vector<Row>& rows, const DerivedLists& derived) {
  const size_t first = rows.size();
  for (const ListDifference& each : derived.differences)
    rows.push_back({Words::tr("difference"), text(each.list), text(each.value), text(each.text)});
  for (const ListTitle& list : listTitles())
    addEntries(rows, list, derived);
  for (size_t i = 0; i < derived.steps.size(); ++i) {
    const ResolveStep& step = derived.steps[i];
    const QString change =
        step.list.empty() ? QString() : QLatin1Char(step.added ? '+' : '-') + (u' ' + text(step.list));
    rows.push_back({Words::tr("step %1").arg(i + 1), change, {}, text(step.text)});
  }
  for (size_t i = first; i < rows.size(); ++i)
    rows[i].graph = derived.graph, rows[i].title = text(derived.title);
}

// The main graph, then its bodies; of each differences first, steps last.
std::vector<Row> rowsIn(const DerivedInputsOutputs& derived) {
  std::vector<Row> rows;
  addRows(rows, derived);
  for (const DerivedLists& body : derived.bodies)
    addRows(rows, body);
  return rows;
}

int64_t differencesIn(const DerivedInputsOutputs& derived) {
  size_t count = derived.differences.size();
  for (const DerivedLists& body : derived.bodies)
    count += body.differences.size();
  return static_cast<int64_t>(count);
}

ColumnOf<Row> placeColumn(const QString& title, int Row::* place) {
  return {.title = title,
          .kind = Column::kNumber,
          .text = [place](const Row& row) { return row.*place < 0 ? QString() : QString::number(row.*place + 1); },
          .key = [place](const Row& row) { return row.*place; }};
}

}  // namespace

QString deriveSentence(const DerivedInputsOutputs& derived) {
  const QString lists =
      Words::tr("Inputs and outputs by the nodes alone: %1 and %2; as the file lists them: %3 and %4.")
          .arg(derived.derived.inputs.size())
          .arg(derived.derived.outputs.size())
          .arg(derived.declared.inputs.size())
          .arg(derived.declared.outputs.size());
  const QString bodies =
      derived.bodies.empty()
          ? QString()
          : Words::tr(" Bodies of control flow: %1.").arg(countText(static_cast<int64_t>(derived.bodies.size())));
  const int64_t differences = differencesIn(derived);
  return lists + bodies + u' ' +
         (differences == 0 ? Words::tr("There is no difference.")
                           : Words::tr("Differences: %1.").arg(countText(differences)));
}

ReportRows deriveRows(const std::shared_ptr<const DerivedInputsOutputs>& derived) {
  if (!derived) return {};
  std::vector<ColumnOf<Row>> columns = {{.title = Words::tr("Kind"), .text = &Row::kind},
                                        {.title = Words::tr("List"), .text = &Row::list},
                                        {.title = Words::tr("Value"), .text = &Row::value},
                                        placeColumn(Words::tr("In the file"), &Row::inFile),
                                        placeColumn(Words::tr("From the nodes"), &Row::inNodes),
                                        {.title = Words::tr("What happened"), .text = &Row::what}};
  if (!derived->bodies.empty()) columns.push_back({.title = Words::tr("Graph"), .text = &Row::title});
  return rowsOf<Row>(rowsIn(*derived), std::move(columns), [](const Row& row) {
    return row.value.isEmpty() ? RowTarget() : RowTarget{{}, {row.graph, row.value}};
  });
}

}  // namespace cutaway::ui
