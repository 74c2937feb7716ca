#pragma once
// The window with one model open at the context stage, for tests of context models.
//
// Example: ContextWindow desk(host);  QVERIFY(desk.open(sample("digits_cnn")));
// QTest::mouseClick(desk.exportPage()->exportButton(), Qt::LeftButton);

#include "tests/gui/desk.h"
#include "ui/panels/context/export_page.h"

namespace cutaway::ui::test {

struct ContextWindow : Desk {
  using Desk::Desk;
  // A report that has no scene is enough here.
  bool open(const QString& path) {
    page = window.openFile(path);
    window.ribbon()->button(Stage::kContext)->click();
    return idle();
  }
  ExportPage* exportPage() { return bring<ExportPage>(QStringLiteral("context/export")); }
};

}  // namespace cutaway::ui::test
