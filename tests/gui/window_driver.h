#pragma once
// The window on a driver, for tests that drive it as a person does: it opens models, clicks, types, turns the wheel,
// drags, drops, and looks at pixels.
//
// The engine behind it is the whole one; settings lie in a temporary folder. CUTAWAY_PICTURES=DIR keeps pictures of
// what a test sees, CUTAWAY_THEME=dark|light chooses the theme, CUTAWAY_FONT_SCALE=150 the size of text,
// CUTAWAY_MODEL=FILE another model where a test allows one. Thread rule: GUI thread. Example:
//   WindowDriver driver;  QVERIFY(driver.open(sample("digits_cnn")));  driver.clickNode(1);  driver.keys(Qt::Key_F,
//   Qt::ControlModifier);  driver.keepPicture("found");

#include <memory>

#include <QImage>
#include <QStringList>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/document.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"

namespace cutaway::ui::test {

inline constexpr int kPatienceMs = 120'000;

QString sample(const char* name);       // a bundled model
QString sampleInput(const char* name);  // its input_0.pb
// The whole engine, with hooks that a test may replace.
std::shared_ptr<EngineHost> engineHost();
bool writeFile(const QString& path, const QByteArray& bytes);

class WindowDriver {
 public:
  explicit WindowDriver(std::shared_ptr<const EngineHost> host = engineHost(),
                        const session::SessionOptions& options = {});
  ~WindowDriver();

  // Opens a model and waits until everything about it is there, or an error; null: it took too long.
  DocumentPage* open(const QString& path);
  DocumentPage* open(const QString& path, Stage stage);
  // Nothing is under way: no job, no layout.
  bool idle();
  // Chooses a stage by its key, as the ribbon does.
  void go(Stage stage);

  Document& document() { return *page->document(); }
  CanvasPane& canvas() { return *page->canvas(); }
  GraphView& view() { return *page->canvas()->view(); }

  // A widget of the window by its object name or type, brought to the front of the tabs that it lies in.
  template <typename Widget>
  Widget* bring(const QString& name = {}) {
    auto* found = window.findChild<Widget*>(name);
    front(found);
    return found;
  }
  void front(QWidget* widget);
  // A visible button with these words.
  QAbstractButton* button(const QString& words, QWidget* inside = nullptr);

  // Items of the scene; a node is counted in the graph that is shown.
  int itemOf(int node) const;
  QPoint pointOf(int item) const;
  void clickItem(int item, Qt::KeyboardModifiers modifiers = {});
  void clickNode(int node, Qt::KeyboardModifiers modifiers = {});
  void doubleClickItem(int item);

  // Keys go to the widget that has the focus, like a person's.
  void keys(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
  void type(const QString& words);
  // The widget that has it. Qt's offscreen platform hands the activation to a popup (the options of a completer, say)
  // and does not hand it back when that closes, as window systems do: the window is activated then.
  QWidget* focus();

  QStringList filesThere() const;  // in the temporary folder, besides the settings
  QString target(const char* name) const { return folder.filePath(QLatin1String(name)); }
  void keepPicture(const char* name);  // for people who want to see what a test sees

  QTemporaryDir folder;
  ViewState viewState{folder.filePath(QStringLiteral("settings.ini"))};
  ThemeStore themes;
  MainWindow window;
  DocumentPage* page = nullptr;
};

// The wheel over a point of a widget; steps > 0: away from the user.
void turnWheel(QWidget* widget, const QPoint& at, int steps, Qt::KeyboardModifiers modifiers = {});
// Press, move in steps, release.
void drag(QWidget* widget, const QPoint& from, const QPoint& to, Qt::MouseButton button = Qt::LeftButton,
          Qt::KeyboardModifiers modifiers = {});
// Files let go over a widget; false: it does not take them.
bool dropFiles(QWidget* widget, const QStringList& files);

// What is to be seen: pixels of a widget as it is painted now.
QImage picture(QWidget* widget);
// Share of the pixels in `where` (whole picture when null) that are this colour, give or take.
double shareOf(const QImage& image, const QColor& color, const QRect& where = {}, int tolerance = 12);
// Share of the pixels that differ between two pictures of one size; 1 when the sizes differ.
double differenceOf(const QImage& a, const QImage& b, int tolerance = 6);
// Number of clearly different colours: an empty area has one.
int colorCount(const QImage& image, const QRect& where = {});

}  // namespace cutaway::ui::test
