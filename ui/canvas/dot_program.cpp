#include "ui/canvas/dot_program.h"

#include <QProcess>
#include <QStandardPaths>

namespace cutaway::ui {
namespace {

constexpr int kPatienceMs = 20;        // between two looks at the token
constexpr int kStartMs = 10'000;       // for a machine that swaps
constexpr qsizetype kMostWords = 300;  // of what it complains about

}  // namespace

const QString& dotProgram() {
  static const QString path = QStandardPaths::findExecutable(QStringLiteral("dot"));
  return path;
}

Result<QByteArray> runDot(const QByteArray& text, const CancelToken& cancel) {
  if (dotProgram().isEmpty())
    return fail(ErrorCode::kNotFound, "Graphviz is not installed: the package graphviz has its program dot");
  QProcess dot;
  dot.start(dotProgram(), {QStringLiteral("-Tjson0")});
  if (!dot.waitForStarted(kStartMs))
    return fail(ErrorCode::kFail, "Graphviz's dot does not start: {}", dot.errorString().toStdString());
  dot.write(text);
  dot.closeWriteChannel();
  while (dot.state() != QProcess::NotRunning && !dot.waitForFinished(kPatienceMs)) {
    if (!cancel.cancelled()) continue;
    dot.kill();
    dot.waitForFinished();
    return fail(cancelledError());
  }
  if (dot.exitStatus() == QProcess::NormalExit && dot.exitCode() == 0) return dot.readAllStandardOutput();
  return fail(ErrorCode::kFail, "Graphviz's dot failed: {}",
              dot.readAllStandardError().trimmed().left(kMostWords).toStdString());
}

}  // namespace cutaway::ui
