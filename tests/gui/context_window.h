#pragma once
// The window with one model open at the context stage, for tests that drive it as a person does.
//
// Example: Desk desk(host);  QVERIFY(desk.open(sample("digits_cnn")));  QTest::mouseClick(desk.exportPage()->exportButton(), Qt::LeftButton);

#include <QDir>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/document/document.h"
#include "ui/panels/context/export_page.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"

namespace cutaway::ui::test {

inline constexpr int kPatienceMs = 120'000;

inline QString sample(const char* name) { return QStringLiteral(CUTAWAY_SOURCE_DIR "/resources/samples/%1/model.onnx").arg(QLatin1String(name)); }

struct Desk {
  explicit Desk(std::shared_ptr<EngineHost> host, SessionOptions options = {}) : window(host, options, &viewState, &themes) {
    if (qEnvironmentVariable("CUTAWAY_THEME") == QLatin1String("dark")) themes.setMode(ThemeMode::kDark);
    window.resize(1440, 900);
    window.arrangeDocks();
    window.show();
  }
  bool open(const QString& path, Stage stage = Stage::kContext) {
    page = window.openFile(path);
    window.ribbon()->button(stage)->click();
    return idle();
  }
  bool idle() {
    return QTest::qWaitFor([&] { return !document().service().busy() && !page->canvas()->loading(); }, kPatienceMs);
  }
  Document& document() { return *page->document(); }
  template <typename Widget>
  Widget* bring(const QString& name) {
    auto* found = window.findChild<Widget*>(name);
    for (QWidget* up = found; up; up = up->parentWidget())
      if (auto* tabs = qobject_cast<QTabWidget*>(up))
        for (int i = 0; i < tabs->count(); ++i)
          if (tabs->widget(i) == found || tabs->widget(i)->isAncestorOf(found)) tabs->setCurrentIndex(i);
    return found;
  }
  ExportPage* exportPage() { return bring<ExportPage>(QStringLiteral("context/export")); }
  QString target(const char* name) const { return folder.filePath(QLatin1String(name)); }
  QStringList filesThere() const {
    QStringList files = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
    files.removeAll(QStringLiteral("settings.ini"));
    return files;
  }
  // For people who want to see what a test sees.
  void keepPicture(const char* name) {
    if (const QString pictures = qEnvironmentVariable("CUTAWAY_PICTURES"); !pictures.isEmpty()) {
      QTest::qWait(200);
      window.grab().save(pictures + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
    }
  }

  QTemporaryDir folder;
  ViewState viewState{folder.filePath("settings.ini")};
  ThemeStore themes;
  MainWindow window;
  DocumentPage* page = nullptr;
};

}  // namespace cutaway::ui::test
