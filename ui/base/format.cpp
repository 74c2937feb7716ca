#include "ui/base/format.h"

#include <array>

#include <QObject>

#include "engine/base/format.h"
#include "engine/base/node_name.h"
#include "engine/report/walk_report.h"

namespace cutaway::ui {

QString sizeText(int64_t sizeBytes) {
  return text(formatBytes(sizeBytes));
}
QString timeText(int64_t timeNs) {
  return text(formatTime(timeNs));
}
QString countText(int64_t count) {
  return text(formatCount(count));
}

QString percentText(double share) {
  const double percent = share * 100;
  return QString::number(percent, 'f', percent < 10 ? 1 : 0) + QStringLiteral(" %");
}

QString workText(int64_t flops) {
  if (flops < 0) return QStringLiteral("\u2013");
  constexpr std::array<const char*, 6> kUnits = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"};
  double amount = static_cast<double>(flops);
  size_t unit = 0;
  while (amount >= 1000 && unit + 1 < kUnits.size())
    amount /= 1000, ++unit;
  const int decimals = unit == 0 || amount >= 100 ? 0 : amount >= 10 ? 1 : 2;
  return QString::number(amount, 'f', decimals) + QChar(0x00a0) + QLatin1String(kUnits[unit]);
}

QStringList shapeDims(std::string_view shape) {
  const size_t open = shape.find('[');
  if (open == std::string_view::npos || shape.back() != ']') return {};
  QStringList dims;
  bool quoted = false;
  for (const QChar letter : text(shape.substr(open + 1, shape.size() - open - 2))) {
    if (dims.isEmpty()) dims << QString();
    if (letter == QLatin1Char('"')) quoted = !quoted;
    if (letter == QLatin1Char(',') && !quoted)
      dims << QString();
    else
      dims.last() += letter;
  }
  return dims;
}

QString shapeText(std::string_view shape) {
  const QStringList dims = shapeDims(shape);
  if (dims.isEmpty()) return shape.ends_with("[]") ? QStringLiteral("scalar") : QString();
  return dims.join(QChar(0x00d7)).remove(QLatin1Char(' '));
}

QString nodeTitle(const GraphReport& graph, int node) {
  if (node < 0 || node >= static_cast<int>(graph.nodes.size())) return {};
  const NodeReport& report = graph.nodes[node];
  return text(nodeName(report.name, report.opType, static_cast<size_t>(node)));
}

QString operatorText(const NodeReport& node) {
  return node.rewrite.starts_with("fused by ") ? QObject::tr("Compiled group") : text(node.opType);
}

QString shortName(std::string_view name) {
  while (!name.empty() && name.back() == '/')
    name.remove_suffix(1);
  const size_t slash = name.rfind('/');
  return text(slash == std::string_view::npos ? name : name.substr(slash + 1));
}

QString shortened(const QString& line, int limit) {
  if (line.size() <= limit) return line;
  const int head = (limit - 1) * 2 / 3;
  return line.left(head) + QChar(0x2026) + line.right(limit - 1 - head);
}

}  // namespace cutaway::ui
