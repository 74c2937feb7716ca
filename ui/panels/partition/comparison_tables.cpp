// Rows of moved nodes and changed copies.
#include "ui/panels/partition/comparison_tables.h"

#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

QString taker(const std::string& provider) {
  return provider.empty() ? QObject::tr("no provider") : text(provider);
}

}  // namespace

ReportRows movedRows(std::shared_ptr<const PartitionComparison> comparison, MarkOf mark) {
  using Moved = ColumnOf<MovedNode>;
  std::vector<Moved> columns = {
      {.title = QObject::tr("Node"), .text = &MovedNode::name},
      {.title = QObject::tr("Operator"), .text = &MovedNode::opType},
      {.title = QObject::tr("Now"),
       .text = [](const MovedNode& moved) { return taker(moved.from); },
       .decoration = [mark](const MovedNode& moved) { return mark(moved.from); }},
      {.title = QObject::tr("What if"),
       .text = [](const MovedNode& moved) { return taker(moved.to); },
       .decoration = [mark](const MovedNode& moved) { return mark(moved.to); }},
      Moved::figure(QObject::tr("Work"), &MovedNode::flops, workText),
      {.title = QObject::tr("Why"), .text = [](const MovedNode& moved) { return told(moved.reason); }}};
  return rowsOf<MovedNode>(partOf(comparison, comparison->moved), std::move(columns), [](const MovedNode& moved) {
    return RowTarget{{GraphVersion::kOptimized, moved.graph, moved.node}, {}};
  });
}

namespace {

struct ChangedCopy {
  bool goes;  // else it comes
  const CopyReport* copy;
};

}  // namespace

// Those that go first: they are what a change is made for.
ReportRows changedCopyRows(std::shared_ptr<const PartitionComparison> comparison) {
  using Changes = ColumnOf<ChangedCopy>;
  std::vector<ChangedCopy> changes;
  for (const CopyReport& copy : comparison->copiesOnlyInA)
    changes.push_back({true, &copy});
  for (const CopyReport& copy : comparison->copiesOnlyInB)
    changes.push_back({false, &copy});
  std::vector<Changes> columns = {
      {.title = QObject::tr("Change"),
       .text =
           [](const ChangedCopy& change) {
             return change.goes ? QObject::tr("\u2212 removed") : QObject::tr("+ added");
           }},
      {.title = QObject::tr("Value"), .text = [](const ChangedCopy& change) { return change.copy->value; }},
      {.title = QObject::tr("Size"),
       .kind = Changes::kNumber,
       .text =
           [](const ChangedCopy& change) {
             return change.copy->sizeBytes < 0 ? QStringLiteral("\u2013") : sizeText(change.copy->sizeBytes);
           },
       .key = [](const ChangedCopy& change) { return change.copy->sizeBytes; }},
      {.title = QObject::tr("From \u2192 to"),
       .text =
           [](const ChangedCopy& change) {
             return text(change.copy->from) + QStringLiteral(" \u2192 ") + text(change.copy->to);
           }},
      {.title = QObject::tr("Kind"), .text = [](const ChangedCopy& change) { return change.copy->kind; }},
      {.title = QObject::tr("Forced by"), .text = [](const ChangedCopy& change) { return change.copy->cause; }},
      {.title = QObject::tr("Removed by"),
       .text = [](const ChangedCopy& change) { return told(change.copy->remedy); }}};
  return rowsOf<ChangedCopy>(listOf(std::move(changes), comparison), std::move(columns), [](const ChangedCopy& change) {
    return RowTarget{{}, {change.copy->graph, text(change.copy->value)}};
  });
}

}  // namespace cutaway::ui
