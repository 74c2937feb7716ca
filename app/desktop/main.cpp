// The window's program: arguments, application object, the providers that were built, and nothing else.
#include <csignal>
#include <cstdlib>

#include <QApplication>
#include <QPalette>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QTimer>

#include "app/about/build_facts.h"
#include "app/desktop/desktop_options.h"
#include "app/desktop/engine_host.h"
#include "app/program_heap/memory_end.h"
#include "app/records/record_options.h"
#include "engine/base/crash_guard.h"
#include "engine/base/freed_memory.h"
#include "engine/base/log.h"
#include "engine/base/log_recent.h"
#include "ui/base/comfort.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/shell/desktop_recent.h"
#include "ui/shell/document_page.h"
#include "ui/shell/guided_tour.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"
#include "ui/shell/panels_ahead.h"
#include "ui/shell/session_keeper.h"
#include "ui/shell/settings_dialog.h"
#include "ui/shell/single_window.h"
#include "ui/shell/tour.h"

namespace {

using namespace cutaway;

ui::ThemeMode themeMode(const DesktopOptions& options, const ui::ViewState& viewState) {
  if (options.theme == "dark") return ui::ThemeMode::kDark;
  if (options.theme == "light") return ui::ThemeMode::kLight;
  return static_cast<ui::ThemeMode>(std::clamp(viewState.get(QStringLiteral("window/theme"), 0).toInt(), 0, 2));
}

QString socketPlace() {
  return ui::SingleWindow::place(QString::fromLatin1(versionNumber()));
}

// Opened files in the desktop's list; never of a test, which has no desktop.
void tellDesktop(ui::MainWindow& window) {
  if (QGuiApplication::platformName() == QLatin1String("offscreen")) return;
  QObject::connect(&window, &ui::MainWindow::pageOpened, &window, [](ui::DocumentPage* page) {
    const QString path = page->document()->path();
    QThreadPool::globalInstance()->start([path] {
      if (!QFileInfo::exists(path)) return;
      const auto noted = ui::noteRecentFile(ui::desktopRecentList(), path, QDateTime::currentDateTimeUtc());
      if (!noted) log::warn(log::Category::kProgram, "the desktop's list of recent files: {}", noted.error().message);
    });
  });
}

void takeFiles(ui::MainWindow& window, const QStringList& files) {
  window.openFiles(files);
  window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
  window.raise();
  window.activateWindow();
}

QStringList filesOf(const DesktopOptions& options) {
  QStringList files;
  for (const std::string& model : options.models)
    files.append(QString::fromStdString(model));
  return files;
}

int runWindow(QApplication& app, const DesktopOptions& options) {
  QTemporaryDir scratch;
  // A tour starts from factory settings and leaves no trace in the user's.
  auto viewState = options.tourFolder.empty()
                       ? std::make_unique<ui::ViewState>()
                       : std::make_unique<ui::ViewState>(scratch.filePath(QStringLiteral("settings.ini")));
  if (options.textSize > 0 && !options.tourFolder.empty())
    viewState->put(QLatin1String(ui::kTextScaleKey), options.textSize);
  ui::installLanguage(app, options.language.empty() ? viewState->get(QLatin1String(ui::kLanguageKey)).toString()
                                                    : QString::fromStdString(options.language));
  ui::ThemeStore themes;
  themes.setSystemIsDark(app.palette().color(QPalette::Window).lightness() < 128);
  themes.setMode(themeMode(options, *viewState));
  ui::MainWindow window(makeEngineHost(), options.session, viewState.get(), &themes);
  if (options.tourFolder.empty()) {
    ui::applyDefaults(window);
    tellDesktop(window);
    ui::SingleWindow single(socketPlace());
    QObject::connect(&single, &ui::SingleWindow::asked, &window,
                     [&window](const QStringList& files) { takeFiles(window, files); });
    // Before it is shown, so that its first picture has the model, and all of it is dressed once.
    for (const QString& file : filesOf(options))
      window.openFile(file);
    window.show();
    new ui::PanelsAhead(&window);
    window.session()->offerRestore();
    if (options.models.empty()) QTimer::singleShot(0, &window, [&window] { ui::greet(window); });
    return app.exec();
  }
  const QStringList size = QString::fromStdString(options.size).split(QLatin1Char('x'));
  window.resize(size.value(0).toInt(), size.value(1).toInt());
  window.arrangeDocks();
  window.show();
  ui::Tour tour(&window, QString::fromStdString(options.tourFolder), QString::fromStdString(options.models.front()));
  tour.start();
  return app.exec();
}

}  // namespace

int main(int argc, char** argv) {
  tellEndOfMemory(
      {.program = "cutaway",
       .advice = "close other programs or open a smaller model. What was open is offered at the next start.",
       .exitCode = EXIT_FAILURE,
       .onlyThisThread = true});
  keepFewHeaps();
  std::signal(SIGCHLD, SIG_DFL);  // whoever started the program may have it ignored, and that is inherited
  log::Recent::keep();            // from here on, for the panel Program log
  const DesktopOptions options = parseDesktopOptions(argc, argv);
  if (options.exitCode >= 0) return options.exitCode;
  if (options.scale > 1) qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("cutaway"));
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QApplication::setFont(ui::interfaceFont());
  qRegisterMetaType<std::shared_ptr<const WalkReport>>();
  if (const Result<void> guarded = CrashGuard::install(); !guarded)
    log::warn(log::Category::kProgram, "crashes in the background will end the program: {}", guarded.error().message);
  if (!options.ownWindow && ui::SingleWindow::handOver(socketPlace(), filesOf(options))) return EXIT_SUCCESS;
  const int code = runWindow(app, options);
  if (const Result<void> recorded = finishRecords(); !recorded)
    log::error(log::Category::kProgram, "the record of providers: {}", recorded.error().message);
  // Parked threads may hold what the end of the program would wait for.
  if (CrashGuard::parkedThreads() > 0) std::_Exit(code);
  ui::EngineService::waitForThreads();
  return code;
}
