#pragma once
// The window with one model open at the context stage, for tests of context models.
//
// Example: ContextWindow driver(host);  QVERIFY(driver.open(sample("digits_cnn")));
// QTest::mouseClick(driver.exportPage()->exportButton(), Qt::LeftButton);

#include "tests/gui/window_driver.h"
#include "ui/panels/context/export_page.h"

namespace cutaway::ui::test {

struct ContextWindow : WindowDriver {
  using WindowDriver::WindowDriver;
  // A report that has no scene is enough here.
  bool open(const QString& path) {
    page = window.openFile(path);
    window.ribbon()->button(Stage::kContext)->click();
    return idle();
  }
  ExportPage* exportPage() { return bring<ExportPage>(QStringLiteral("context/export")); }
};

}  // namespace cutaway::ui::test
