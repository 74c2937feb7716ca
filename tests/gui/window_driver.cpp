#include "tests/gui/window_driver.h"

#include <cstdlib>

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QMimeData>
#include <QSet>
#include <QWheelEvent>

#include "app/desktop/engine_host.h"
#include "ui/base/comfort.h"

namespace cutaway::ui::test {
namespace {

ThemeMode wantedTheme() {
  const QString wanted = qEnvironmentVariable("CUTAWAY_THEME");
  return wanted == QLatin1String("dark")    ? ThemeMode::kDark
         : wanted == QLatin1String("light") ? ThemeMode::kLight
                                            : ThemeMode::kSystem;
}

// Settings that must stand before the window is made.
ViewState* prepared(ViewState& state) {
  if (const int percent = qEnvironmentVariableIntValue("CUTAWAY_FONT_SCALE"); percent > 0)
    state.put(QLatin1String(kTextScaleKey), percent);
  return &state;
}

QRect within(const QImage& image, const QRect& where) {
  return where.isNull() ? image.rect() : where.intersected(image.rect());
}

bool alike(QRgb a, QRgb b, int tolerance) {
  return std::abs(qRed(a) - qRed(b)) <= tolerance && std::abs(qGreen(a) - qGreen(b)) <= tolerance &&
         std::abs(qBlue(a) - qBlue(b)) <= tolerance;
}

}  // namespace

QString sample(const char* name) {
  return QStringLiteral(CUTAWAY_SOURCE_DIR "/resources/samples/%1/model.onnx").arg(QLatin1String(name));
}
QString sampleInput(const char* name) {
  return QStringLiteral(CUTAWAY_SOURCE_DIR "/resources/samples/%1/test_data_set_0/input_0.pb").arg(QLatin1String(name));
}

std::shared_ptr<EngineHost> engineHost() {
  return std::make_shared<EngineHost>(*makeEngineHost());
}

bool writeFile(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

WindowDriver::WindowDriver(std::shared_ptr<const EngineHost> host, const session::SessionOptions& options)
    : window(std::move(host), options, prepared(viewState), &themes) {
  themes.setMode(wantedTheme());
  window.resize(1440, 900);
  window.arrangeDocks();
  window.show();
  window.activateWindow();
}

WindowDriver::~WindowDriver() = default;

namespace {

// A stage's panel is completed in turns of the event loop.
void completePanel() {
  constexpr int kTurns = 3;
  for (int turn = 0; turn < kTurns; ++turn)
    QCoreApplication::processEvents();
}

}  // namespace

DocumentPage* WindowDriver::open(const QString& path) {
  page = window.openFile(path);
  if (!page) return nullptr;
  const auto there = [this] { return idle() && (canvas().loaded().scene || document().error()); };
  return there() || QTest::qWaitFor(there, kPatienceMs) ? page : nullptr;
}

DocumentPage* WindowDriver::open(const QString& path, Stage stage) {
  if (!open(path)) return nullptr;
  window.ribbon()->button(stage)->click();
  completePanel();
  return idle() ? page : nullptr;
}

bool WindowDriver::idle() {
  return QTest::qWaitFor([&] { return !document().service().busy() && !canvas().loading(); }, kPatienceMs);
}

void WindowDriver::go(Stage stage) {
  QTest::keyClick(&window, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(stage)), Qt::AltModifier);
  completePanel();
}

void WindowDriver::front(QWidget* widget) {
  for (QWidget* up = widget; up; up = up->parentWidget())
    if (auto* tabs = qobject_cast<QTabWidget*>(up))
      for (int i = 0; i < tabs->count(); ++i)
        if (tabs->widget(i) == widget || tabs->widget(i)->isAncestorOf(widget)) tabs->setCurrentIndex(i);
}

QAbstractButton* WindowDriver::button(const QString& words, QWidget* inside) {
  for (auto* button : (inside ? inside : &window)->findChildren<QAbstractButton*>())
    if (button->isVisible() && button->text().remove(QLatin1Char('&')) == words) return button;
  return nullptr;
}

int WindowDriver::itemOf(int node) const {
  return page->canvas()->loaded().scene->itemOfNode[static_cast<size_t>(node)];
}

QPoint WindowDriver::pointOf(int item) const {
  const CanvasPane* canvas = page->canvas();
  return page->canvas()
      ->view()
      ->transform()
      .toScreen(canvas->loaded().scene->items[static_cast<size_t>(item)].rect.center())
      .toPoint();
}

void WindowDriver::clickItem(int item, Qt::KeyboardModifiers modifiers) {
  QTest::mouseClick(&view(), Qt::LeftButton, modifiers, pointOf(item));
}
void WindowDriver::clickNode(int node, Qt::KeyboardModifiers modifiers) {
  clickItem(itemOf(node), modifiers);
}
void WindowDriver::doubleClickItem(int item) {
  QTest::mouseDClick(&view(), Qt::LeftButton, {}, pointOf(item));
}

QWidget* WindowDriver::focus() {
  const bool lost = !QApplication::activeWindow() || QApplication::activeWindow()->windowType() == Qt::Popup;
  if (lost && !QApplication::activePopupWidget() && !QApplication::activeModalWidget() &&
      QGuiApplication::platformName() == QLatin1String("offscreen")) {
    window.activateWindow();
    if (!QTest::qWaitFor([this] { return window.isActiveWindow(); })) return nullptr;
  }
  return QApplication::focusWidget();
}

void WindowDriver::keys(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QWidget* to = focus();
  QTest::keyClick(to ? to : &window, key, modifiers);
}

void WindowDriver::type(const QString& words) {
  QWidget* to = focus();
  QTest::keyClicks(to ? to : &window, words);
}

QStringList WindowDriver::filesThere() const {
  QStringList files = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
  files.removeAll(QStringLiteral("settings.ini"));
  return files;
}

void WindowDriver::keepPicture(const char* name) {
  const QString pictures = qEnvironmentVariable("CUTAWAY_PICTURES");
  if (pictures.isEmpty()) return;
  QTest::qWait(200);
  window.grab().save(pictures + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
}

void turnWheel(QWidget* widget, const QPoint& at, int steps, Qt::KeyboardModifiers modifiers) {
  constexpr int kStep = 120;  // one notch, in eighths of a degree
  for (int i = 0; i < std::abs(steps); ++i) {
    QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, steps > 0 ? kStep : -kStep), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(widget, &event);
  }
}

void drag(QWidget* widget, const QPoint& from, const QPoint& to, Qt::MouseButton button,
          Qt::KeyboardModifiers modifiers) {
  QTest::mousePress(widget, button, modifiers, from);
  constexpr int kSteps = 8;
  for (int i = 1; i <= kSteps; ++i) {
    const QPoint at = from + (to - from) * i / kSteps;
    QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, button, modifiers);
    QCoreApplication::sendEvent(widget, &move);
  }
  QTest::mouseRelease(widget, button, modifiers, to);
}

bool dropFiles(QWidget* widget, const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& file : files)
    urls << QUrl::fromLocalFile(file);
  data.setUrls(urls);
  const QPoint at = widget->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(widget, &enter);
  if (!enter.isAccepted()) return false;
  QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(widget, &drop);
  return drop.isAccepted();
}

QImage picture(QWidget* widget) {
  return widget->grab().toImage().convertToFormat(QImage::Format_RGB32);
}

double shareOf(const QImage& image, const QColor& color, const QRect& where, int tolerance) {
  const QRect area = within(image, where);
  qint64 found = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x)
      found += alike(image.pixel(x, y), color.rgb(), tolerance);
  return area.isEmpty() ? 0 : static_cast<double>(found) / (static_cast<double>(area.width()) * area.height());
}

double differenceOf(const QImage& a, const QImage& b, int tolerance) {
  if (a.size() != b.size() || a.isNull()) return 1;
  qint64 different = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      different += !alike(a.pixel(x, y), b.pixel(x, y), tolerance);
  return static_cast<double>(different) / (static_cast<double>(a.width()) * a.height());
}

int colorCount(const QImage& image, const QRect& where) {
  constexpr QRgb kCoarse = 0xfff0f0f0;
  QSet<QRgb> colors;
  const QRect area = within(image, where);
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x)
      colors.insert(image.pixel(x, y) & kCoarse);
  return static_cast<int>(colors.size());
}

}  // namespace cutaway::ui::test
