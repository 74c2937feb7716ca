// What a panel builds again when something changes that it does not show: nothing.
#include <QAbstractItemModel>
#include <QScrollArea>
#include <QTest>

#include "tests/unit/ui/panels/tool_bench.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// Counts models that are filled again, rows of lists that come anew and widgets that are made, below a panel.
class Rebuilds : public QObject {
 public:
  explicit Rebuilds(QWidget* panel) : m_panel(panel) {
    for (QAbstractItemModel* model : panel->findChildren<QAbstractItemModel*>()) {
      connect(model, &QAbstractItemModel::modelReset, this, [this] { ++m_count; });
      connect(model, &QAbstractItemModel::rowsInserted, this, [this] { ++m_count; });
    }
    qApp->installEventFilter(this);
  }
  int taken() {
    QTest::qWait(kSettleMs);  // some panels collect changes for a while
    return std::exchange(m_count, 0);
  }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::ChildAdded && static_cast<QChildEvent*>(event)->child()->isWidgetType())
      for (const QObject* each = object; each; each = each->parent())
        if (each == m_panel) {
          ++m_count;
          break;
        }
    return QObject::eventFilter(object, event);
  }

 private:
  static constexpr int kSettleMs = 150;
  QWidget* m_panel;
  int m_count = 0;
};

// The same reports but for one.
template <typename Report>
std::shared_ptr<const WalkReport> with(const WalkReport& walk, std::shared_ptr<const Report> WalkReport::* report) {
  auto next = std::make_shared<WalkReport>(walk);
  (*next).*report = std::make_shared<const Report>(*((walk).*report));
  return next;
}

}  // namespace

class TestRebuilds : public QObject {
  Q_OBJECT

 private slots:
  void panelsBuildWhatTheyShow_data() {
    QTest::addColumn<bool>("showsRuns");
    QTest::addColumn<bool>("showsPatterns");
    for (const PanelDescriptor* panel : panelTable()) {
      const QString id = QString::fromLatin1(panel->id);
      const bool everything = QStringList{"story", "inspector", "nodes"}.contains(id);
      QTest::newRow(panel->id) << (everything || id == "run" || id == "pattern") << (everything || id == "pattern");
    }
  }
  void panelsBuildWhatTheyShow() {
    QFETCH(bool, showsRuns);
    QFETCH(bool, showsPatterns);
    test::ToolBench bench(QTest::currentDataTag());
    const auto walk = test::sampleWalk();
    bench.document.setWalk(walk);
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 2});
    Rebuilds rebuilds(bench.panel.get());
    rebuilds.taken();
    bench.document.setWalk(std::make_shared<const WalkReport>(*walk));
    QCOMPARE(rebuilds.taken(), 0);  // the same reports
    bench.document.setWalk(with(*walk, &WalkReport::run));
    if (!showsRuns) QCOMPARE(rebuilds.taken(), 0);
    rebuilds.taken();
    bench.document.setWalk(with(*bench.document.walk(), &WalkReport::pattern));
    if (!showsPatterns) QCOMPARE(rebuilds.taken(), 0);
    rebuilds.taken();
  }

  // The count can rise: another model is built again by what shows models.
  void anotherModelIsSeen_data() {
    QTest::addColumn<int>("unused");
    for (const char* id : {"edit", "load", "story", "partition"})
      QTest::newRow(id) << 0;
  }
  void anotherModelIsSeen() {
    test::ToolBench bench(QTest::currentDataTag());
    bench.document.setWalk(test::sampleWalk());
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 2});
    Rebuilds rebuilds(bench.panel.get());
    rebuilds.taken();
    bench.document.setWalk(test::flatWalk(12));
    QVERIFY(rebuilds.taken() > 0);
  }
};

QTEST_MAIN(TestRebuilds)
#include "tst_rebuilds.moc"
