// The window driven at random for as long as is wanted: whether anything is left over.
//
//   soak_window [--seconds 7200] [--rounds 0] [--actions 40] [--seed 1] [--providers LIST] MODEL...
//
// A round opens models, does what people do in any order (stages, tools, selecting, running, cancelling, what-if,
// exports, ONNX Runtime's opinion, themes, folding, searching, files that are no models), kills a host process now and
// then, and closes everything. After each, one line: resident memory, what of the heap is in use, descriptors, threads,
// processes. From 16 rounds on the first quarter counts as warm-up (caches fill), and the growth a round after it is
// told: of both, because memory that is resident and not in use is lost to gaps in the heap, and no leak. The exit
// status is 1 when the last quarter of the rounds takes more than 5 % more memory than the second, or descriptors,
// threads or processes are more than they were after the first two. The number after --seed repeats a drive, but for
// what timing decides.
#include <csignal>
#include <cstdio>
#include <random>

#include <malloc.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>

#include "engine/base/freed_memory.h"
#include "tests/gui/window_driver.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/panels/panel_table.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::WindowDriver;

namespace {

constexpr double kMostGrowth = 1.05;
constexpr size_t kJudgedRounds = 16;

struct Left {
  double megabytes = 0, inUse = 0;
  int descriptors = 0, threads = 0, processes = 0;
};

int entries(const QString& folder) {
  return static_cast<int>(QDir(folder).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size());
}

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const QString& task : QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    QFile list(QStringLiteral("/proc/self/task/%1/children").arg(task));
    if (!list.open(QIODevice::ReadOnly)) continue;
    for (const QByteArray& number : list.readAll().simplified().split(' '))
      if (!number.isEmpty()) found.push_back(static_cast<pid_t>(number.toInt()));
  }
  return found;
}

Left left() {
  malloc_trim(0);
  Left now;
  const struct mallinfo2 heap = mallinfo2();
  now.inUse = static_cast<double>(heap.uordblks + heap.hblkhd) / 1e6;
  QFile status(QStringLiteral("/proc/self/status"));
  if (status.open(QIODevice::ReadOnly))
    for (const QByteArray& line : status.readAll().split('\n'))
      if (line.startsWith("VmRSS")) now.megabytes = line.simplified().split(' ').at(1).toDouble() / 1000;
  now.descriptors = entries(QStringLiteral("/proc/self/fd"));
  now.threads = entries(QStringLiteral("/proc/self/task"));
  now.processes = static_cast<int>(children().size());
  return now;
}

class Drive {
 public:
  Drive(QStringList models, const session::SessionOptions& options, unsigned seed)
      : m_models(std::move(models)), m_options(options), m_random(seed) {}

  void round(int actions) {
    WindowDriver driver(test::engineHost(), m_options);
    m_driver = &driver;
    open();
    for (int i = 0; i < actions; ++i) {
      act();
      QTest::qWait(draw(40));
    }
    for (DocumentPage* page : driver.window.pages())
      driver.window.removePage(page);
    m_driver = nullptr;
  }
  int actions() const { return m_done; }

 private:
  int draw(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }
  DocumentPage* page() { return m_driver->window.currentPage(); }
  Document* document() { return page() == nullptr ? nullptr : page()->document(); }
  CanvasPane* canvas() { return page() == nullptr ? nullptr : page()->canvas(); }

  void open() { m_driver->window.openFile(m_models[draw(static_cast<int>(m_models.size()))]); }

  void openNothingGood() {
    const QString path = m_driver->target("no_model.onnx");
    QByteArray bytes;
    for (int i = draw(400); i > 0; --i)
      bytes += static_cast<char>(draw(256));
    if (test::writeFile(path, bytes)) m_driver->window.openFile(path);
  }

  void close() {
    if (page() != nullptr) m_driver->window.removePage(page());
  }

  void settle() {
    if (page() == nullptr) return;
    const QPointer<DocumentPage> there = page();
    (void)QTest::qWaitFor([&] { return !there || !there->document()->service().busy(); }, 2000);
  }

  void select() {
    if (canvas() == nullptr || !canvas()->loaded().scene || canvas()->loaded().scene->items.empty()) return;
    const auto scene = canvas()->loaded().scene;
    const auto& item = scene->items[static_cast<size_t>(draw(static_cast<int>(scene->items.size())))];
    GraphView* view = canvas()->view();
    view->reveal(item.rect);
    const QPoint at = view->transform().toScreen(item.rect.center()).toPoint();
    if (view->rect().contains(at)) QTest::mouseClick(view, Qt::LeftButton, {}, at);
  }

  void search() {
    if (canvas() == nullptr) return;
    static const std::array<const char*, 4> kWords{"relu", "op:Conv", "idx:3", "nothing has this"};
    canvas()->openFind();
    QLineEdit* line = canvas()->findBar()->line();
    line->setText(QLatin1String(kWords[static_cast<size_t>(draw(4))]));
    QTest::qWait(20);
    QTest::keyClick(line, Qt::Key_Escape);
  }

  void tool() {
    std::vector<QString> tools;
    for (const PanelDescriptor* panel : panelTable())
      if (panel->area == PanelArea::kTool) tools.push_back(QLatin1String(panel->id));
    m_driver->window.tools()->toggle(tools[static_cast<size_t>(draw(static_cast<int>(tools.size())))]);
  }

  void fold() {
    if (canvas() == nullptr) return;
    draw(2) == 0 ? canvas()->foldAll() : canvas()->unfoldAll();
  }

  void theme() {
    m_driver->window.commands()->run(QLatin1String(draw(2) == 0 ? "view.theme.dark" : "view.theme.light"));
  }

  void killHost() {
    const std::vector<pid_t> hosts = children();
    if (!hosts.empty()) ::kill(hosts[static_cast<size_t>(draw(static_cast<int>(hosts.size())))], SIGKILL);
  }

  void exportContext() {
    if (document() == nullptr || !document()->contexts().can()) return;
    document()->contexts().exportModel({.file = m_driver->target("made_ctx.onnx"), .overwrite = true});
  }

  void opinion() {
    if (document() == nullptr || !document()->opinion().whyNot().isEmpty()) return;
    document()->opinion().ask();
  }

  void work() {
    if (document() == nullptr) return;
    switch (draw(6)) {
      case 0:
        return document()->compare();
      case 1:
        return exportContext();
      case 2:
        return opinion();
      case 3:
        return document()->reload();
      default:
        return document()->run();
    }
  }

  void act() {
    ++m_done;
    switch (draw(16)) {
      case 0:
        return open();
      case 1:
        return draw(4) == 0 ? openNothingGood() : close();
      case 2:
      case 3:
        return work();
      case 4:
        return document() == nullptr ? void() : document()->service().cancel();
      case 5:
        return settle();
      case 6:
        return draw(3) == 0 ? theme() : fold();
      case 7:
        return search();
      case 8:
      case 9:
        return tool();
      case 10:
        return killHost();
      case 11:
      case 12:
        return select();
      default:
        m_driver->go(static_cast<Stage>(draw(kStageCount)));
    }
  }

  QStringList m_models;
  session::SessionOptions m_options;
  std::mt19937 m_random;
  WindowDriver* m_driver = nullptr;
  int m_done = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double memoryOf(const std::vector<Left>& rounds, size_t from, size_t to) {
  std::vector<double> values;
  for (size_t i = from; i < to; ++i)
    values.push_back(rounds[i].megabytes);
  return median(values);
}

// Of all pairs of rounds from `from` on, the median: a single large round does not tilt it.
double growthOf(const std::vector<Left>& rounds, size_t from, double Left::* figure) {
  std::vector<double> slopes;
  for (size_t i = from; i < rounds.size(); ++i)
    for (size_t later = i + 1; later < rounds.size(); ++later)
      slopes.push_back((rounds[later].*figure - rounds[i].*figure) / static_cast<double>(later - i));
  return median(slopes);
}

void tellGrowth(const std::vector<Left>& rounds) {
  if (rounds.size() < kJudgedRounds) return;
  const size_t from = rounds.size() / 4;
  std::printf("growth a round, after %zu rounds: %+.1f kB resident, %+.1f kB of the heap in use\n", from,
              growthOf(rounds, from, &Left::megabytes) * 1000, growthOf(rounds, from, &Left::inUse) * 1000);
}

// What is left over; empty: nothing.
QStringList faults(const std::vector<Left>& rounds) {
  QStringList found;
  const Left &before = rounds[std::min<size_t>(1, rounds.size() - 1)], &now = rounds.back();
  const auto judge = [&found](const char* what, int was, int is) {
    if (is > was) found += QStringLiteral("%1 %2 at the end, %3 after the second round").arg(is).arg(what).arg(was);
  };
  judge("descriptors", before.descriptors, now.descriptors);
  judge("threads", before.threads, now.threads);
  judge("processes", before.processes, now.processes);
  if (rounds.size() < kJudgedRounds) return found;
  const size_t quarter = rounds.size() / 4;
  const double early = memoryOf(rounds, quarter, 2 * quarter);
  const double late = memoryOf(rounds, rounds.size() - quarter, rounds.size());
  if (late > early * kMostGrowth)
    found += QStringLiteral("%1 MB of memory in the last quarter, %2 MB in the second").arg(late).arg(early);
  return found;
}

// The threads and processes of a round end in their own time after it.
Left afterwards(const std::vector<Left>& rounds) {
  EngineService::waitForThreads();
  Left now = left();
  const Left& calm = rounds.size() > 1 ? rounds[1] : now;
  (void)QTest::qWaitFor(
      [&] {
        now = left();
        return now.descriptors <= calm.descriptors && now.threads <= calm.threads && now.processes <= calm.processes;
      },
      10'000);
  return now;
}

}  // namespace

int main(int count, char** arguments) {
  keepFewHeaps();  // as the program does
  QApplication application(count, arguments);
  QCommandLineParser parser;
  parser.addOptions({{QStringLiteral("seconds"), {}, QStringLiteral("S"), QStringLiteral("7200")},
                     {QStringLiteral("rounds"), {}, QStringLiteral("N"), QStringLiteral("0")},
                     {QStringLiteral("actions"), {}, QStringLiteral("N"), QStringLiteral("40")},
                     {QStringLiteral("seed"), {}, QStringLiteral("N"), QStringLiteral("1")},
                     {QStringLiteral("providers"), {}, QStringLiteral("LIST"), QStringLiteral("cpu")}});
  parser.process(application);
  QStringList models = parser.positionalArguments();
  if (models.isEmpty())
    for (const char* name : {"digits_cnn", "digits_mlp", "digits_early_exit", "digits_functions", "digits_rows"})
      models += test::sample(name);
  session::SessionOptions options;
  options.providers.clear();
  for (const QString& name : parser.value(QStringLiteral("providers")).split(QLatin1Char(',')))
    options.providers.push_back(name.toStdString());

  Drive drive(models, options, parser.value(QStringLiteral("seed")).toUInt());
  const int wanted = parser.value(QStringLiteral("rounds")).toInt();
  const double seconds = parser.value(QStringLiteral("seconds")).toDouble();
  std::vector<Left> rounds;
  QElapsedTimer timer;
  timer.start();
  do {
    drive.round(parser.value(QStringLiteral("actions")).toInt());
    rounds.push_back(afterwards(rounds));
    const Left& now = rounds.back();
    std::printf("round %zu, %lld s: %.1f MB, %.2f MB of the heap in use, %d descriptors, %d threads, %d processes\n",
                rounds.size(), timer.elapsed() / 1000, now.megabytes, now.inUse, now.descriptors, now.threads,
                now.processes);
    std::fflush(stdout);
  } while (wanted > 0 ? static_cast<int>(rounds.size()) < wanted : timer.elapsed() < seconds * 1000);
  tellGrowth(rounds);
  const QStringList found = faults(rounds);
  for (const QString& fault : found)
    std::printf("FAIL %s\n", qPrintable(fault));
  std::printf("%d actions in %zu rounds, %lld s: %s\n", drive.actions(), rounds.size(), timer.elapsed() / 1000,
              found.isEmpty() ? "nothing is left over" : "something is left over");
  return found.isEmpty() ? 0 : 1;
}
