#pragma once
// One tool panel over a document without an engine, for tests of panels.
//
// Example: test::ToolBench bench("operator");  bench.document.setWalk(test::sampleWalk());  bench.panel->grab();
#include <memory>

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/panel_table.h"

namespace cutaway::ui::test {

struct ToolBench {
  QTemporaryDir folder;
  ViewState viewState{folder.filePath(QStringLiteral("settings.ini"))};
  ThemeStore themes;
  PanelActions actions;
  Document document;
  PanelContext context{&document, &viewState, &themes, &actions};
  std::unique_ptr<QWidget> panel;

  explicit ToolBench(const char* id, std::shared_ptr<const EngineHost> host = std::make_shared<EngineHost>())
      : document(std::move(host), {}) {
    for (const PanelDescriptor* each : panelTable())
      if (QLatin1String(each->id) == QLatin1String(id)) panel.reset(each->create(context, nullptr));
    panel->setPalette(themes.current().palette());
    panel->setStyleSheet(themes.current().styleSheet());
    panel->resize(760, 520);
    panel->show();
  }

  template <typename T>
  T* find(const char* name = "") const {
    return panel->findChild<T*>(QString::fromLatin1(name));
  }
  // Pictures to look at, when CUTAWAY_PICTURES names a folder.
  void picture(const QString& name) const {
    QCoreApplication::processEvents();
    if (const QString to = qEnvironmentVariable("CUTAWAY_PICTURES"); !to.isEmpty())
      panel->grab().save(to + QLatin1Char('/') + name + QStringLiteral(".png"));
  }
};

}  // namespace cutaway::ui::test
