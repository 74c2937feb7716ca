// Profiles inside of sessions: what a few bytes may grow to.
#include <QJsonDocument>
#include <QTest>

#include "ui/shell/session_file.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestSessionProfiles : public QObject {
  Q_OBJECT
 private slots:
  void comesBackAsItWas() {
    const QByteArray trace(100'000, 'x');
    const Result<SessionState> read = readBack(qCompress(trace));
    QVERIFY(read);
    QCOMPARE(read->models[0].trace, trace);
    const QByteArray written = sessionToJson(*read, kFile);
    const Result<SessionState> again = sessionFromJson(written, kFile, {});
    QVERIFY(again);
    QCOMPARE(again->models[0].trace, trace);
  }

  // They are no profile, and no room is made for them.
  void whatGrowsIsLeftOut_data() {
    QTest::addColumn<QByteArray>("compressed");
    const QByteArray zeros = qCompress(QByteArray(400 << 20, '0'), 9);
    QTest::newRow("grows to 400 MB") << zeros;
    QByteArray lies = zeros;
    lies.replace(0, 4, QByteArray("\0\0\x10\0", 4));
    QTest::newRow("grows to 400 MB and says 4 kB") << lies;
    QByteArray claims = qCompress(QByteArray("{}"));
    claims.replace(0, 4, QByteArray("\x0f\xff\xff\xff", 4));
    QTest::newRow("says 256 MB and has two bytes") << claims;
    QTest::newRow("cut off") << qCompress(QByteArray(1000, 'x')).first(12);
    QTest::newRow("no head") << QByteArray("abc");
  }
  void whatGrowsIsLeftOut() {
    QFETCH(QByteArray, compressed);
    const Result<SessionState> read = readBack(compressed);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY2(read->models[0].trace.isEmpty(), qPrintable(QString::number(read->models[0].trace.size())));
  }

 private:
  static Result<SessionState> readBack(const QByteArray& compressed) {
    const QByteArray json = "{\"schema\": \"cutaway.session/1\", \"models\": [{\"path\": \"m.onnx\", \"profile\": \"" +
                            compressed.toBase64() + "\"}]}";
    return sessionFromJson(json, kFile, {});
  }
  inline static const QString kFile = QStringLiteral("/somewhere/work.cutaway");
};

QTEST_GUILESS_MAIN(TestSessionProfiles)
#include "tst_session_profiles.moc"
