// How readable drawings of models are: crossings, lines over cards, area, length of lines, and the scale at which the
// whole of it fits a window. One line of tab-separated figures for each model and way of drawing.
//
//   bench_layout [--dot] [--seconds N] MODEL...
//
//   flat       every node a card: what any tool for graphs would be given
//   automatic  as the window shows it at first
//   dot        Graphviz's dot on the same cards and lines as "flat" (--dot; at most 2,000 nodes, N seconds each)
//
// A line is all of one value from one card; pieces of the same line do not cross one another. Curves are measured as
// polygons of pieces that are at most 32 units long; a unit is a pixel at 100 %.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unordered_map>

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QProcess>

#include "engine/base/clock.h"
#include "engine/stages/load/load.h"
#include "engine/stages/resolve/resolve.h"
#include "ui/canvas/scene.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

constexpr double kWindowWidth = 1440, kWindowHeight = 850;
constexpr double kPiece = 32, kCell = 64;
constexpr double kUnitsPerInch = 72;
constexpr size_t kMostNodesOfDot = 2000;
constexpr int kStepsOfCurve = 8;

struct Line {
  int net = 0;
  std::vector<QPointF> points;
};

struct Drawing {
  std::vector<QRectF> cards;
  std::vector<Line> lines;
  size_t edges = 0;  // from card to card
};

struct Piece {
  QPointF from, to;
  int net;
};

std::vector<Piece> piecesOf(const Drawing& drawing) {
  std::vector<Piece> pieces;
  for (const Line& line : drawing.lines)
    for (size_t i = 0; i + 1 < line.points.size(); ++i) {
      const QPointF way = line.points[i + 1] - line.points[i];
      const int count = std::max(1, static_cast<int>(std::ceil(std::hypot(way.x(), way.y()) / kPiece)));
      for (int k = 0; k < count; ++k)
        pieces.push_back({line.points[i] + way * (static_cast<double>(k) / count),
                          line.points[i] + way * (static_cast<double>(k + 1) / count), line.net});
    }
  return pieces;
}

// Which pieces come into which cell of a grid.
class Cells {
 public:
  explicit Cells(const std::vector<Piece>& pieces) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      const QRectF around = QRectF(pieces[i].from, pieces[i].to).normalized();
      for (int x = cell(around.left()); x <= cell(around.right()); ++x)
        for (int y = cell(around.top()); y <= cell(around.bottom()); ++y)
          m_pieces[key(x, y)].push_back(static_cast<int>(i));
    }
  }
  static int cell(double place) { return static_cast<int>(std::floor(place / kCell)); }
  static int64_t key(int x, int y) { return (static_cast<int64_t>(x) << 32) ^ static_cast<uint32_t>(y); }
  const std::unordered_map<int64_t, std::vector<int>>& all() const { return m_pieces; }
  const std::vector<int>* at(int x, int y) const {
    const auto found = m_pieces.find(key(x, y));
    return found == m_pieces.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<int64_t, std::vector<int>> m_pieces;
};

double cross(const QPointF& a, const QPointF& b) {
  return a.x() * b.y() - a.y() * b.x();
}

long long crossingsOf(const std::vector<Piece>& pieces, const Cells& cells) {
  long long crossings = 0;
  for (const auto& [key, inside] : cells.all())
    for (size_t i = 0; i < inside.size(); ++i)
      for (size_t k = i + 1; k < inside.size(); ++k) {
        const Piece &a = pieces[inside[i]], &b = pieces[inside[k]];
        if (a.net == b.net) continue;
        const QPointF r = a.to - a.from, s = b.to - b.from, between = b.from - a.from;
        const double across = cross(r, s);
        if (std::abs(across) < 1e-9) continue;
        const double t = cross(between, s) / across, u = cross(between, r) / across;
        if (t < 0 || t >= 1 || u < 0 || u >= 1) continue;
        const QPointF where = a.from + r * t;
        crossings += Cells::key(Cells::cell(where.x()), Cells::cell(where.y())) == key;  // once, not in every cell
      }
  return crossings;
}

// Pairs of a card and a line that runs over it. Lines end at cards: their edges do not count.
long long linesOverCards(const Drawing& drawing, const std::vector<Piece>& pieces, const Cells& cells) {
  long long over = 0;
  std::vector<int> seen;
  for (const QRectF& card : drawing.cards) {
    const QRectF inner = card.adjusted(4, 4, -4, -4);
    seen.clear();
    for (int x = Cells::cell(inner.left()); x <= Cells::cell(inner.right()); ++x)
      for (int y = Cells::cell(inner.top()); y <= Cells::cell(inner.bottom()); ++y)
        if (const std::vector<int>* inside = cells.at(x, y))
          for (const int piece : *inside)
            if (inner.contains((pieces[piece].from + pieces[piece].to) / 2)) seen.push_back(pieces[piece].net);
    std::sort(seen.begin(), seen.end());
    over += std::unique(seen.begin(), seen.end()) - seen.begin();
  }
  return over;
}

Drawing drawingOf(const Scene& scene) {
  Drawing drawing;
  for (const SceneItem& item : scene.items)
    drawing.cards.push_back(item.rect);
  for (const SceneSegment& segment : scene.segments) {
    const SegmentCurve curve = curveOf(segment, scene.direction);
    Line line{segment.net, {}};
    for (int step = 0; step <= kStepsOfCurve; ++step)
      line.points.push_back(curve.at(static_cast<double>(step) / kStepsOfCurve));
    drawing.lines.push_back(std::move(line));
    drawing.edges += segment.arrow();
  }
  return drawing;
}

QByteArray dotTextOf(const Scene& scene) {
  QByteArray text =
      "digraph g { nodesep=0.36; ranksep=0.61; node [shape=box fixedsize=true label=\"\"]; edge [arrowhead=none];\n";
  for (size_t i = 0; i < scene.items.size(); ++i)
    text += "n" + QByteArray::number(static_cast<int>(i)) +
            " [width=" + QByteArray::number(scene.items[i].rect.width() / kUnitsPerInch) +
            " height=" + QByteArray::number(scene.items[i].rect.height() / kUnitsPerInch) + "];\n";
  for (const SceneSegment& segment : scene.segments)
    if (const int source = scene.nets[segment.net].source; segment.arrow() && source >= 0)
      text += "n" + QByteArray::number(source) + " -> n" + QByteArray::number(segment.target) +
              " [label=\"\" id=" + QByteArray::number(segment.net) + "];\n";
  return text + "}\n";
}

using NetsOfEnds = std::map<std::pair<QByteArray, QByteArray>, std::vector<int>>;

// dot's answer in its "plain" form: https://graphviz.org/docs/outputs/plain/. Lines between the same two cards come in
// the order they were given.
Drawing readPlain(const QByteArray& plain, NetsOfEnds nets) {
  Drawing drawing;
  for (const QByteArray& row : plain.split('\n')) {
    const QList<QByteArray> words = row.split(' ');
    const auto number = [&](qsizetype i) { return words[i].toDouble() * kUnitsPerInch; };
    if (words[0] == "node" && words.size() > 5)
      drawing.cards.emplace_back(number(2) - number(4) / 2, number(3) - number(5) / 2, number(4), number(5));
    if (words[0] != "edge" || words.size() < 4) continue;
    const auto count = words[3].toInt();
    std::vector<int>& between = nets[{words[1], words[2]}];
    Line line{between.empty() ? -1 : between.front(), {}};
    if (!between.empty()) between.erase(between.begin());
    for (int i = 0; i + 3 < count; i += 3) {
      const auto point = [&](int k) { return QPointF(number(4 + 2 * (i + k)), number(5 + 2 * (i + k))); };
      const SegmentCurve curve{point(0), point(1), point(2), point(3)};
      for (int step = 0; step <= kStepsOfCurve; ++step)
        line.points.push_back(curve.at(static_cast<double>(step) / kStepsOfCurve));
    }
    drawing.lines.push_back(std::move(line));
    ++drawing.edges;
  }
  return drawing;
}

void print(const QString& model, const char* way, const Drawing& drawing, double milliseconds) {
  const std::vector<Piece> pieces = piecesOf(drawing);
  const Cells cells(pieces);
  QRectF bounds;
  double length = 0;
  for (const QRectF& card : drawing.cards)
    bounds = bounds.united(card);
  for (const Piece& piece : pieces) {
    bounds = bounds.united(QRectF(piece.from, piece.to).normalized());
    length += std::hypot(piece.to.x() - piece.from.x(), piece.to.y() - piece.from.y());
  }
  std::printf("%s\t%s\t%zu\t%zu\t%lld\t%lld\t%.0f\t%.0f\t%.0f\t%.4f\t%.1f\n", qPrintable(model), way,
              drawing.cards.size(), drawing.edges, crossingsOf(pieces, cells), linesOverCards(drawing, pieces, cells),
              bounds.width(), bounds.height(), length / static_cast<double>(std::max<size_t>(1, drawing.edges)),
              std::min(kWindowWidth / bounds.width(), kWindowHeight / bounds.height()), milliseconds);
  std::fflush(stdout);
}

std::shared_ptr<const Scene> sceneOf(const std::shared_ptr<const ModelGraphs>& graphs, Grouping grouping) {
  SceneRequest request{.graphs = graphs, .grouping = grouping};
  request.scopes = std::make_shared<const ScopeTree>(groupsOf(*graphs, 0, grouping));
  request.unfolded = initiallyUnfolded(*request.scopes);
  return buildScene(request, CancelToken());
}

void measureDot(const QString& model, const Scene& scene, int seconds) {
  NetsOfEnds nets;
  for (const SceneSegment& segment : scene.segments)
    if (const int source = scene.nets[segment.net].source; segment.arrow() && source >= 0)
      nets[{"n" + QByteArray::number(source), "n" + QByteArray::number(segment.target)}].push_back(segment.net);
  const Stopwatch watch;
  QProcess dot;
  dot.start(QStringLiteral("dot"), {QStringLiteral("-Tplain"), QStringLiteral("-y")});
  dot.write(dotTextOf(scene));
  dot.closeWriteChannel();
  if (!dot.waitForFinished(seconds * 1000) || dot.exitCode() != 0) {
    dot.kill();
    dot.waitForFinished();
    std::printf("%s\tdot\tgave no answer in %d s\n", qPrintable(model), seconds);
    return;
  }
  const double milliseconds = static_cast<double>(watch.elapsedNs()) / 1e6;
  QByteArray plain = dot.readAllStandardOutput();
  plain.replace("\\\n", "");  // long lines are broken
  print(model, "dot", readPlain(plain, std::move(nets)), milliseconds);
}

bool measure(const QString& path, bool withDot, int seconds) {
  Progress progress;
  auto loaded = load::load(load::ModelSource::file(path.toStdString()), {}, progress);
  if (!loaded) return std::fprintf(stderr, "%s\n", loaded.error().message.c_str()), false;
  if (auto resolved = resolve::resolve(loaded->model, {}, progress); !resolved)
    return std::fprintf(stderr, "%s\n", resolved.error().message.c_str()), false;
  const auto graphs = std::make_shared<const ModelGraphs>(resolve::describeGraphs(loaded->model));
  const QString model = QFileInfo(path).dir().dirName() + QLatin1Char('/') + QFileInfo(path).fileName();
  for (const auto& [way, grouping] :
       {std::pair("flat", Grouping::kFlat), std::pair("automatic", Grouping::kAutomatic)}) {
    const Stopwatch watch;
    const auto scene = sceneOf(graphs, grouping);
    if (!scene) return false;
    print(model, way, drawingOf(*scene), static_cast<double>(watch.elapsedNs()) / 1e6);
    if (withDot && grouping == Grouping::kFlat && scene->items.size() <= kMostNodesOfDot)
      measureDot(model, *scene, seconds);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QGuiApplication application(argc, argv);
  bool withDot = false;
  int seconds = 60;
  QStringList models;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--dot") == 0) {
      withDot = true;
    } else if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      seconds = std::max(1, std::atoi(argv[++i]));
    } else {
      models << QString::fromLocal8Bit(argv[i]);
    }
  }
  std::printf("model\tway\tcards\tlines\tcrossings\tover cards\twidth\theight\tlength\tfit\tms\n");
  bool all = !models.isEmpty();
  for (const QString& model : models)
    all = measure(model, withDot, seconds) && all;
  return all ? 0 : 1;
}
