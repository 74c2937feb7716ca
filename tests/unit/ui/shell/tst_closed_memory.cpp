// What a document took lies in small pieces between what stays. Closing it gives them back to the system, with
// the pictures that Qt keeps of its widgets.
#include <fstream>
#include <memory>
#include <vector>

#include <unistd.h>

#include <QPixmapCache>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/engine_host.h"
#include "ui/document/engine_service.h"
#include "ui/shell/main_window.h"

using namespace cutaway::ui;

namespace {

double residentMegabytes() {
  int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace

class TestClosedMemory : public QObject {
  Q_OBJECT
 private slots:
  void closingGivesBackWhatWasFreed() {
    constexpr size_t kPieces = 4'000, kPieceBytes = 20'000;
    constexpr double kLeastMegabytes = 30;
    const QTemporaryDir folder;
    ViewState viewState(folder.filePath(QStringLiteral("settings.ini")));
    ThemeStore themes;
    MainWindow window(std::make_shared<EngineHost>(), {}, &viewState, &themes);
    window.show();
    DocumentPage* page = window.openFile(folder.filePath(QStringLiteral("model.onnx")));
    QVERIFY(page);
    QTest::qWait(100);
    std::vector<std::vector<char>> freed;
    std::vector<std::unique_ptr<int>> kept;  // between them: the C library gives back only what lies at the end
    for (size_t piece = 0; piece < kPieces; ++piece) {
      freed.emplace_back(kPieceBytes, 'x');
      kept.push_back(std::make_unique<int>(0));
    }
    freed.clear();
    QPixmap arrow(16, 16);  // of one of the page's tables
    QPixmapCache::insert(QStringLiteral("arrow"), arrow);
    const double before = residentMegabytes();
    window.removePage(page);
    QTRY_VERIFY_WITH_TIMEOUT(residentMegabytes() < before - kLeastMegabytes, 20'000);
    QVERIFY(!QPixmapCache::find(QStringLiteral("arrow"), &arrow));
    QThreadPool::globalInstance()->waitForDone();
    EngineService::waitForThreads();
  }
};

QTEST_MAIN(TestClosedMemory)
#include "tst_closed_memory.moc"
