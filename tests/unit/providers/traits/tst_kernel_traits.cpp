// Every kernel of every provider that has kernels is of an operator with a row, and its hints agree with that row.

#include <set>

#include <QtTest/QtTest>

#include "engine/graph/ids.h"
#include "engine/operators/traits/operator_traits.h"
#include "providers/cpu/kernels/kernel_table.h"
#include "providers/cuda/kernels/kernel_table.h"
#include "providers/onednn/operator_table.h"

using namespace cutaway;
using operators::findTraits;
using operators::OperatorTraits;

namespace {

// Lists are longer than a failure's message may be.
bool isEmpty(const std::set<std::string>& wrong) {
  for (const std::string& each : wrong)
    qWarning("%s", each.c_str());
  return wrong.empty();
}

// Domains of nodes that the engine ("cutaway") or a provider makes for itself, such as cutaway.cuda.
bool isPrivate(std::string_view domain) {
  return domain == "cutaway" || domain.starts_with("cutaway.");
}

std::vector<const KernelRow*> allKernels() {
  std::vector<const KernelRow*> rows = cpu::cpuKernels().rows();
  for (const KernelRows table : cuda::kernelTables()) {
    for (const KernelRow& row : table)
      rows.push_back(&row);
  }
  return rows;
}

}  // namespace

class TestKernelTraits : public QObject {
  Q_OBJECT

 private slots:
  void everyKernelHasARow() {
    std::set<std::string> without;
    for (const KernelRow* row : allKernels()) {
      if (!isPrivate(row->domain) && findTraits(row->opType, row->domain) == nullptr)
        without.insert(fmt::format("{}:{}", row->domain, row->opType));
    }
    for (const onednn::OperatorRow* row : onednn::allOperators()) {
      if (findTraits(row->opType, row->domain) == nullptr)
        without.insert(fmt::format("onednn {}:{}", row->domain, row->opType));
    }
    QVERIFY(isEmpty(without));
  }

  // A kernel whose output is always its first input under another shape is of an operator that means just that.
  void viewsAreViews() {
    std::set<std::string> wrong;
    for (const KernelRow* row : allKernels()) {
      const OperatorTraits* traits = findTraits(row->opType, row->domain);
      const bool view = std::ranges::any_of(row->inplace, [](const InplaceHint& hint) {
        return hint.kind == AliasKind::kAlias && hint.input == 0 && hint.output == 0;
      });
      if (view && traits != nullptr && traits->relation != operators::Relation::kView)
        wrong.insert(fmt::format("{}:{}", row->domain, row->opType));
    }
    QVERIFY(isEmpty(wrong));
  }

  // Joins and splits of kernels follow what the row says of the operator.
  void joinsAndSplitsAgree() {
    std::set<std::string> wrong;
    for (const KernelRow* row : allKernels()) {
      const OperatorTraits* traits = findTraits(row->opType, row->domain);
      for (const InplaceHint& hint : row->inplace) {
        const bool join = hint.kind == AliasKind::kJoin, split = hint.kind == AliasKind::kSplit;
        if (traits != nullptr && ((join && traits->relation != operators::Relation::kJoin) ||
                                  (split && traits->relation != operators::Relation::kSplit)))
          wrong.insert(fmt::format("{}:{}", row->domain, row->opType));
      }
    }
    QVERIFY(isEmpty(wrong));
  }
};

QTEST_GUILESS_MAIN(TestKernelTraits)
#include "tst_kernel_traits.moc"
