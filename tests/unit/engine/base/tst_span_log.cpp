// Spans of long work: nesting, threads without a log, the bound.
#include <thread>

#include <QTest>

#include "engine/base/span_log.h"

using namespace cutaway;

class TestSpanLog : public QObject {
  Q_OBJECT
 private slots:
  void spansNest() {
    SpanLog log;
    {
      const SpanLog::Use use(log);
      const SpanScope outer("outer");
      {
        const SpanScope inner("in", "ner");
      }
      SpanLog::current()->add("timed elsewhere", 5, 9);
    }
    QVERIFY(SpanLog::current() == nullptr);
    QCOMPARE(log.spans().size(), size_t{3});
    QCOMPARE(log.spans()[0].name, std::string("outer"));
    QCOMPARE(log.spans()[0].depth, 0);
    QCOMPARE(log.spans()[1].name, std::string("inner"));
    QCOMPARE(log.spans()[1].depth, 1);
    QVERIFY(log.spans()[0].startNs <= log.spans()[1].startNs && log.spans()[1].endNs <= log.spans()[0].endNs);
    QCOMPARE(log.spans()[2].depth, 1);
    QCOMPARE(log.spans()[2].endNs, int64_t{9});
  }

  void withoutALogNothingHappens() {
    const SpanScope span("nobody listens");
    QVERIFY(SpanLog::current() == nullptr);
  }

  void otherThreadsHaveTheirOwn() {
    SpanLog log;
    const SpanLog::Use use(log);
    std::thread([] {
      QVERIFY(SpanLog::current() == nullptr);
      const SpanScope span("elsewhere");
    }).join();
    QVERIFY(log.spans().empty());
    SpanLog inner;
    {
      const SpanLog::Use nested(inner);
      const SpanScope span("in the inner log");
    }
    QVERIFY(SpanLog::current() == &log);
    QCOMPARE(inner.spans().size(), size_t{1});
  }

  void whatFindsNoRoomIsCounted() {
    SpanLog log;
    const SpanLog::Use use(log);
    for (size_t i = 0; i < SpanLog::kMostSpans + 10; ++i)
      const SpanScope span("s");
    QCOMPARE(log.spans().size(), SpanLog::kMostSpans);
    QCOMPARE(log.dropped(), int64_t{10});
    log.add("after", 1, 2);
    QCOMPARE(log.dropped(), int64_t{11});
  }
};

QTEST_GUILESS_MAIN(TestSpanLog)
#include "tst_span_log.moc"
