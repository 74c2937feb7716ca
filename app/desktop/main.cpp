// The window's program: arguments, application object, the providers that were built, and nothing else.
#include <QApplication>
#include <QPalette>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <mutex>

#include "app/desktop/desktop_options.h"
#include "app/providers/provider_table.h"
#include "engine/compile/compile.h"
#include "engine/compile/verify.h"
#include "engine/runtime/compare_plans.h"
#include "engine/runtime/profiles.h"
#include "engine/runtime/what_if.h"
#include "engine/stages/load/tensor_file.h"
#include "ui/base/view_state.h"
#include "ui/shell/main_window.h"
#include "ui/shell/tour.h"

namespace {

using namespace cutaway;

std::shared_ptr<const ui::EngineHost> makeHost() {
  auto host = std::make_shared<ui::EngineHost>();
  host->providers = builtProviders();
  host->createSession = [](const ModelSource& source, const SessionOptions& options, const ProviderTable& table, Progress& progress, const WalkListener& listener) {
    return Session::create(source, options, table, progress, listener);
  };
  host->readTensorFile = [](const std::filesystem::path& path, const ValueType& type) -> Result<RuntimeValue> {
    CUTAWAY_TRY(NamedValue value, readTensorFile(path, type));
    return std::move(value.value);
  };
  host->readTrace = readTrace;
  host->compareRuns = compareRuns;
  // One for all windows, because it remembers how fast this machine is; it takes one question at a time.
  struct Shared {
    explicit Shared(const ProviderTable& table) : whatIf(table) {}
    std::mutex mutex;
    WhatIf whatIf;
  };
  host->evaluateWhatIf = [shared = std::make_shared<Shared>(host->providers)](const Model& optimized, const SessionOptions& options, const Configuration& change, const WalkReport& present, Progress& progress,
                                                                             int measureRuns) {
    const std::lock_guard lock(shared->mutex);
    return shared->whatIf.evaluate(optimized, options, change, present, progress, measureRuns);
  };
  host->compareOrders = [table = host->providers](const Model& optimized, const SessionOptions& options, Progress& progress) { return compareOrders(optimized, options, table, progress); };
  host->sweepDimension = [table = host->providers](const Model& optimized, const SessionOptions& options, const std::string& dimension, const std::vector<int64_t>& values, Progress& progress) {
    return sweepDimension(optimized, options, table, dimension, values, progress);
  };
  host->compileModel = compileModel;
  host->verifyContext = verifyContext;
  return host;
}

ui::ThemeMode themeMode(const DesktopOptions& options, const ui::ViewState& viewState) {
  if (options.theme == "dark") return ui::ThemeMode::kDark;
  if (options.theme == "light") return ui::ThemeMode::kLight;
  return static_cast<ui::ThemeMode>(std::clamp(viewState.get(QStringLiteral("window/theme"), 0).toInt(), 0, 2));
}

int runWindow(QApplication& app, const DesktopOptions& options) {
  QTemporaryDir scratch;
  // A tour starts from factory settings and leaves no trace in the user's.
  auto viewState = options.tourFolder.empty() ? std::make_unique<ui::ViewState>() : std::make_unique<ui::ViewState>(scratch.filePath(QStringLiteral("settings.ini")));
  ui::ThemeStore themes;
  themes.setSystemIsDark(app.palette().color(QPalette::Window).lightness() < 128);
  themes.setMode(themeMode(options, *viewState));
  ui::MainWindow window(makeHost(), options.session, viewState.get(), &themes);
  if (options.tourFolder.empty()) {
    window.show();
    for (const std::string& model : options.models) window.openFile(QString::fromStdString(model));
    return app.exec();
  }
  window.resize(1440, 900);
  window.arrangeDocks();
  window.show();
  ui::Tour tour(&window, QString::fromStdString(options.tourFolder), QString::fromStdString(options.models.front()));
  tour.start();
  return app.exec();
}

}  // namespace

int main(int argc, char** argv) {
  const DesktopOptions options = parseDesktopOptions(argc, argv);
  if (options.exitCode >= 0) return options.exitCode;
  if (options.scale > 1) qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("cutaway"));
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QApplication::setFont(ui::interfaceFont());
  qRegisterMetaType<std::shared_ptr<const WalkReport>>();
  const int code = runWindow(app, options);
  ui::EngineService::waitForThreads();
  return code;
}
