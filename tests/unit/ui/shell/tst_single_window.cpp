// A program started again hands its files to the one that runs.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>

#include "ui/shell/single_window.h"

using namespace cutaway::ui;

namespace {

// handOver() waits for the answer, which this thread gives: it is called on another one, as another program would.
bool handOverElsewhere(const QString& place, const QStringList& files) {
  bool taken = false;
  const std::unique_ptr<QThread> other(QThread::create([&] { taken = SingleWindow::handOver(place, files); }));
  other->start();
  while (!other->wait(5))
    QCoreApplication::processEvents();
  QCoreApplication::processEvents();
  return taken;
}

}  // namespace

class TestSingleWindow : public QObject {
  Q_OBJECT

 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void filesArriveWithTheirWholePaths() {
    SingleWindow window(place());
    QVERIFY(window.listens());
    QSignalSpy asked(&window, &SingleWindow::asked);
    QVERIFY(handOverElsewhere(place(), {QStringLiteral("/a/b.onnx"), QStringLiteral("c \"d\"\n.onnx")}));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.front().front().toStringList(),
             (QStringList{QStringLiteral("/a/b.onnx"), QDir::currentPath() + QStringLiteral("/c \"d\"\n.onnx")}));
    QVERIFY(handOverElsewhere(place(), {}));
    QCOMPARE(asked.size(), 2);
    QVERIFY(asked.back().front().toStringList().isEmpty());
  }

  void nobodyTakesThemWhereNobodyListens() {
    QVERIFY(!handOverElsewhere(place(), {QStringLiteral("/a")}));
    QVERIFY(!handOverElsewhere(QString(), {QStringLiteral("/a")}));
    QVERIFY(!SingleWindow(QString()).listens());
  }

  void aSecondListenerLeavesTheFirstAlone() {
    SingleWindow first(place());
    QSignalSpy asked(&first, &SingleWindow::asked);
    const SingleWindow second(place());
    QVERIFY(first.listens() && !second.listens());
    QVERIFY(handOverElsewhere(place(), {QStringLiteral("/a")}));
    QCOMPARE(asked.size(), 1);
  }

  void aSocketThatACrashLeftIsTaken() {
    QFile left(place());
    QVERIFY(left.open(QIODevice::WriteOnly));
    left.close();
    SingleWindow window(place());
    QVERIFY(window.listens());
    QVERIFY(handOverElsewhere(place(), {}));
  }

  void aWindowThatDoesNotAnswerIsLeftAlone() {
    QLocalServer silent;
    QVERIFY(silent.listen(place()));
    QVERIFY(!handOverElsewhere(place(), {QStringLiteral("/a")}));
  }

  void whatIsNoMessageOpensNothing_data() {
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("no JSON") << QByteArray("hello\n");
    QTest::newRow("an object") << QByteArray("{\"a\": 1}\n");
    QTest::newRow("a relative path") << QByteArray("[\"a.onnx\"]\n");
    QTest::newRow("no texts") << QByteArray("[1, null]\n");
    QTest::newRow("zeros") << QByteArray(64, '\0') + '\n';
    QTest::newRow("too long") << QByteArray((1 << 20) + 4096, 'x');
  }
  void whatIsNoMessageOpensNothing() {
    QFETCH(const QByteArray, message);
    SingleWindow window(place());
    QSignalSpy asked(&window, &SingleWindow::asked);
    QLocalSocket socket;
    socket.connectToServer(place());
    QVERIFY(socket.waitForConnected());
    socket.write(message);
    QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
    QVERIFY(asked.isEmpty());
    QVERIFY(handOverElsewhere(place(), {}));  // and others are heard
  }

  void onlyTheUserReachesTheSocket() {
    const SingleWindow window(place());
    QVERIFY(window.listens());
    QVERIFY(
        !(QFile::permissions(place()) & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
  }

  void placesDifferByVersion() {
    QVERIFY(SingleWindow::place(QStringLiteral("1")) != SingleWindow::place(QStringLiteral("2")));
  }

 private:
  QString place() const { return m_folder->filePath(QStringLiteral("socket")); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestSingleWindow)
#include "tst_single_window.moc"
