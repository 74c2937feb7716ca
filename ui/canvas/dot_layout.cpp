// How dot works: E. R. Gansner, E. Koutsofios, S. C. North, K.-P. Vo, "A Technique for Drawing Directed Graphs", 1993.
// Its JSON: https://graphviz.org/docs/outputs/json/; places are points, y upwards; splines are cubic pieces.
#include "ui/canvas/dot_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointF>

#include "ui/canvas/dot_program.h"
#include "ui/canvas/proper_graph.h"

namespace cutaway::ui {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kSmallest = 1;     // dot has no nodes without a size
constexpr double kSameLayer = 2;    // points
constexpr int kPiecesOfCubic = 12;  // a spline as a polyline
constexpr double kPortWidth = 2;

struct NodePorts {
  std::vector<double> in, out;  // from the centre, ascending

  bool any() const { return !in.empty() || !out.empty(); }
};

void keepOnce(std::vector<double>& ports) {
  std::ranges::sort(ports);
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
}

std::vector<NodePorts> portsOf(const LayoutInput& input) {
  std::vector<NodePorts> ports(input.nodes.size());
  for (const LayoutNet& net : input.nets) {
    if (!std::isnan(net.port) && net.port != 0) ports[net.source].out.push_back(net.port);
    for (int t = net.firstTarget; t < net.firstTarget + net.targetCount; ++t) {
      const LayoutTarget& target = input.targets[t];
      if (!std::isnan(target.port) && target.port != 0) ports[target.node].in.push_back(target.port);
    }
  }
  for (NodePorts& each : ports) {
    keepOnce(each.in);
    keepOnce(each.out);
  }
  return ports;
}

class DotText {
 public:
  DotText(const LayoutInput& input, const LayoutOptions& options) : m_input(input), m_ports(portsOf(input)) {
    m_text = QByteArray("digraph {\ngraph [nodesep=") + inches(options.nodeGap) +
             ", ranksep=" + inches(options.layerGap) +
             "];\nnode [shape=box, fixedsize=true, label=\"\"];\nedge [dir=none];\n";
  }

  QByteArray write() {
    for (size_t node = 0; node < m_input.nodes.size(); ++node)
      writeNode(static_cast<int>(node));
    writePins(LayerPin::kFirst, "source");
    writePins(LayerPin::kLast, "sink");
    for (const LayoutNet& net : m_input.nets)
      for (int t = net.firstTarget; t < net.firstTarget + net.targetCount; ++t)
        writeEdge(net, t);
    return m_text + "}\n";
  }

 private:
  static QByteArray inches(double units) {
    return QByteArray::number(std::max(units, kSmallest) / kPointsPerInch, 'f', 4);
  }
  static QByteArray id(int node) { return "n" + QByteArray::number(node); }

  void writeNode(int node) {
    const LayoutNode& shown = m_input.nodes[node];
    if (m_ports[node].any())
      m_text += id(node) + " [shape=plain, fixedsize=false, label=<" + table(shown, m_ports[node]) + ">];\n";
    else
      m_text += id(node) + " [width=" + inches(shown.width) + ", height=" + inches(shown.height) + "];\n";
  }

  // A box with places on its upper and lower edge.
  static QByteArray table(const LayoutNode& node, const NodePorts& ports) {
    const QByteArray inner = cell({}, node.width, std::max(node.height - 2 * kPortWidth, kSmallest));
    return kTable + "<TR><TD>" + row(node, ports.in, 'i') + "</TD></TR><TR>" + inner + "</TR><TR><TD>" +
           row(node, ports.out, 'o') + "</TD></TR></TABLE>";
  }
  static QByteArray row(const LayoutNode& node, const std::vector<double>& ports, char letter) {
    QByteArray cells;
    double at = 0;
    for (size_t i = 0; i < ports.size(); ++i) {
      const double left = std::clamp(ports[i] + node.width / 2 - kPortWidth / 2, at, node.width);
      if (left - at >= 1) cells += cell({}, left - at, kPortWidth);
      cells += cell(letter + QByteArray::number(i), kPortWidth, kPortWidth);
      at = std::max(left, at) + kPortWidth;
    }
    if (node.width - at >= 1) cells += cell({}, node.width - at, kPortWidth);
    return kTable + "<TR>" + cells + "</TR></TABLE>";
  }
  static QByteArray cell(const QByteArray& port, double width, double height) {
    return "<TD FIXEDSIZE=\"TRUE\" WIDTH=\"" + QByteArray::number(std::lround(width)) + "\" HEIGHT=\"" +
           QByteArray::number(std::lround(height)) + '"' + (port.isEmpty() ? QByteArray() : " PORT=\"" + port + '"') +
           "></TD>";
  }

  void writePins(LayerPin pin, const char* rank) {
    QByteArray members;
    for (size_t node = 0; node < m_input.nodes.size(); ++node)
      if (m_input.nodes[node].pin == pin) members += id(static_cast<int>(node)) + "; ";
    if (!members.isEmpty()) m_text += QByteArray("{rank=") + rank + "; " + members + "}\n";
  }

  static QByteArray place(const std::vector<double>& ports, double port, char letter, char side) {
    const auto found = std::isnan(port) ? ports.end() : std::ranges::find(ports, port);
    return found == ports.end() ? QByteArray()
                                : ':' + (letter + QByteArray::number(found - ports.begin())) + ':' + side;
  }

  void writeEdge(const LayoutNet& net, int target) {
    const LayoutTarget& to = m_input.targets[target];
    m_text += id(net.source) + place(m_ports[net.source].out, net.port, 'o', 's') + " -> " + id(to.node) +
              place(m_ports[to.node].in, to.port, 'i', 'n') + " [id=" + QByteArray::number(target) + "];\n";
  }

  inline static const QByteArray kTable = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">";

  const LayoutInput& m_input;
  std::vector<NodePorts> m_ports;
  QByteArray m_text;
};

// "123.5,40 118,52.25": y grows downwards afterwards.
std::vector<QPointF> pointsIn(const QString& words) {
  std::vector<QPointF> points;
  for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const QStringList parts = word.split(QLatin1Char(','));
    if (parts.size() == 2) points.emplace_back(parts[0].toDouble(), -parts[1].toDouble());
  }
  return points;
}

std::vector<QPointF> polylineOf(const std::vector<QPointF>& spline) {
  std::vector<QPointF> line;
  for (size_t i = 0; i + 3 < spline.size(); i += 3) {
    for (int piece = 0; piece <= kPiecesOfCubic; ++piece) {
      const double t = static_cast<double>(piece) / kPiecesOfCubic, u = 1 - t;
      line.push_back(u * u * u * spline[i] + 3 * u * u * t * spline[i + 1] + 3 * u * t * t * spline[i + 2] +
                     t * t * t * spline[i + 3]);
    }
  }
  return line;
}

struct DotPlaces {
  std::vector<QPointF> nodes;                 // centres
  std::vector<std::vector<QPointF>> splines;  // by target; empty: dot drew none
};

Result<DotPlaces> placesIn(const QByteArray& json, const LayoutInput& input) {
  const QJsonObject root = QJsonDocument::fromJson(json).object();
  DotPlaces places;
  places.nodes.resize(input.nodes.size());
  places.splines.resize(input.targets.size());
  size_t found = 0;
  for (const QJsonValue& each : root[QStringLiteral("objects")].toArray()) {
    const QString name = each[QStringLiteral("name")].toString();
    bool isNumber = false;
    const size_t node = name.startsWith(QLatin1Char('n')) ? name.mid(1).toULongLong(&isNumber) : 0;
    const std::vector<QPointF> at = pointsIn(each[QStringLiteral("pos")].toString());
    if (!isNumber || node >= places.nodes.size() || at.size() != 1) continue;
    places.nodes[node] = at[0];
    ++found;
  }
  if (found != places.nodes.size())
    return fail(ErrorCode::kFail, "Graphviz's dot placed {} of {} nodes", found, places.nodes.size());
  for (const QJsonValue& each : root[QStringLiteral("edges")].toArray()) {
    bool isNumber = false;
    const size_t target = each[QStringLiteral("id")].toString().toULongLong(&isNumber);
    if (isNumber && target < places.splines.size())
      places.splines[target] = polylineOf(pointsIn(each[QStringLiteral("pos")].toString()));
  }
  return places;
}

struct DotLayers {
  std::vector<int> of;         // by node
  std::vector<double> middle;  // by layer
};

// dot centres the nodes of a layer on one line.
DotLayers layersOf(const std::vector<QPointF>& nodes) {
  DotLayers layers;
  layers.of.resize(nodes.size());
  std::vector<int> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int node) { return nodes[node].y(); });
  for (const int node : order) {
    if (layers.middle.empty() || nodes[node].y() - layers.middle.back() > kSameLayer)
      layers.middle.push_back(nodes[node].y());
    layers.of[node] = static_cast<int>(layers.middle.size()) - 1;
  }
  return layers;
}

// Where a line is at a height; between its ends where it never gets there.
double xAt(const std::vector<QPointF>& line, double y, const QPointF& from, const QPointF& to) {
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const QPointF &a = line[i], &b = line[i + 1];
    if ((a.y() <= y) == (b.y() <= y)) continue;
    return a.x() + (b.x() - a.x()) * (y - a.y()) / (b.y() - a.y());
  }
  const double height = to.y() - from.y();
  return height == 0 ? from.x() : from.x() + (to.x() - from.x()) * (y - from.y()) / height;
}

// A net is one line with branches: it runs as dot's line to the farthest target does.
int farthestTarget(const LayoutInput& input, const DotLayers& layers, int net) {
  int farthest = input.nets[net].firstTarget;
  for (int t = farthest; t < input.nets[net].firstTarget + input.nets[net].targetCount; ++t)
    if (layers.of[input.targets[t].node] > layers.of[input.targets[farthest].node]) farthest = t;
  return farthest;
}

std::vector<double> placesAcross(const LayoutInput& input, const DotPlaces& places, const DotLayers& layers,
                                 const ProperGraph& graph) {
  std::vector<double> x(graph.vertexCount());
  for (int node = 0; node < graph.realCount; ++node)
    x[node] = places.nodes[node].x();
  for (const LayerLine& line : graph.lines) {
    if (!graph.isBend(line.to)) continue;
    const int target = farthestTarget(input, layers, line.net);
    x[line.to] = xAt(places.splines[target], layers.middle[graph.layerOf[line.to]],
                     places.nodes[input.nets[line.net].source], places.nodes[input.targets[target].node]);
  }
  return x;
}

}  // namespace

QByteArray dotInput(const LayoutInput& input, const LayoutOptions& options) {
  return DotText(input, options).write();
}

Result<LayoutResult> readDotAnswer(const QByteArray& json, const LayoutInput& input, const LayoutOptions& options) {
  CUTAWAY_TRY(const DotPlaces places, placesIn(json, input));
  const DotLayers layers = layersOf(places.nodes);
  ProperGraph graph = addBends(input, options, layers.of, std::vector<bool>(input.targets.size(), false));
  std::vector<double> x = placesAcross(input, places, layers, graph);
  for (int vertex = 0; vertex < graph.vertexCount(); ++vertex)
    graph.layers[graph.layerOf[vertex]].push_back(vertex);
  for (std::vector<int>& layer : graph.layers)
    std::ranges::stable_sort(layer, {}, [&](int vertex) { return x[vertex]; });
  setPositions(graph);
  sortLines(graph);
  return placeGraph(input, graph, std::move(x), options);
}

Result<LayoutResult> layoutWithDot(const LayoutInput& input, const LayoutOptions& options, const CancelToken& cancel) {
  if (input.nodes.empty()) return LayoutResult();
  CUTAWAY_TRY(const QByteArray json, runDot(dotInput(input, options), cancel));
  return readDotAnswer(json, input, options);
}

}  // namespace cutaway::ui
