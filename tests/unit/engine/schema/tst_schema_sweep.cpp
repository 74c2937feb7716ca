// Inference over every operator and version with odd inputs, attributes and constants, in processes of its own: no
// signal, no case that eats the memory, no word of a library where people read ours.
#include <cstring>
#include <new>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest/QtTest>

#include "engine/base/printable.h"
#include "engine/base/sanitized.h"
#include "engine/schema/schema_list.h"
#include "tests/unit/engine/schema/odd_nodes.h"

using namespace cutaway;

namespace {

constexpr size_t kWordBytes = 512, kMostFindings = 400;
// For one case; onnx's own tables need some tens of megabytes.
constexpr rlim_t kRoomBytes = rlim_t{1} << 30;

// What the child tells while it works, and what is left of it after a signal.
struct Shared {
  size_t schema = 0, node = 0;
  int64_t cases = 0;
  char words[kWordBytes] = {};
  size_t findings = 0;
  char finding[kMostFindings][kWordBytes] = {};
};

void copyWords(char* to, const std::string& words) {
  std::strncpy(to, words.c_str(), kWordBytes - 1);
}

void limitMemory() {
  if (kSanitized) return;  // shadow memory would count, too
  long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  const rlim_t bytes = static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + kRoomBytes;
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
}

std::string faultOf(Model& model) {
  std::vector<InferenceWarning> warnings;
  const Result<void> inferred = inferGraph(model, model.graph, {}, warnings);
  if (inferred) return {};
  const std::string text = describe(inferred.error());
  for (const char* bad : {"std::", "bad_alloc", "vector::", "json.exception", "what()", "basic_string", "_M_"}) {
    if (text.find(bad) != std::string::npos) return text;
  }
  return text.size() < 1024 && printable(text) == text ? std::string() : "not for people: " + text;
}

void work(Shared& shared, const std::vector<const OperatorSchema*>& schemas) {
  const size_t firstSchema = shared.schema, firstNode = shared.node;
  for (size_t at = firstSchema; at < schemas.size(); ++at) {
    shared.schema = at;
    size_t node = 0;
    test::forEachOddNode(*schemas[at], [&](const std::string& words, Model& model) {
      if (at == firstSchema && node < firstNode) {
        ++node;
        return;
      }
      shared.node = ++node;
      ++shared.cases;
      copyWords(shared.words, words);
      const std::string fault = faultOf(model);
      if (fault.empty() || shared.findings == kMostFindings) return;
      copyWords(shared.finding[shared.findings++],
                fmt::format("{} {}: {}: {}", schemas[at]->opType, schemas[at]->sinceVersion, words, fault));
    });
  }
}

}  // namespace

class TestSchemaSweep : public QObject {
  Q_OBJECT

 private slots:
  void everyOperatorWithOddInputs() {
    const std::vector<const OperatorSchema*> schemas = allSchemas();
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    QVERIFY(memory != MAP_FAILED);
    auto& shared = *new (memory) Shared;
    QStringList signals_;
    while (true) {
      const pid_t child = ::fork();
      if (child == 0) {
        limitMemory();
        work(shared, schemas);
        ::_exit(0);
      }
      int status = 0;
      ::waitpid(child, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
      signals_ << QStringLiteral("%1 %2: %3: %4")
                      .arg(QString::fromStdString(schemas[shared.schema]->opType))
                      .arg(schemas[shared.schema]->sinceVersion)
                      .arg(QString::fromUtf8(shared.words))
                      .arg(WIFSIGNALED(status) ? QString::fromUtf8(::strsignal(WTERMSIG(status)))
                                               : QStringLiteral("ended"));
      if (signals_.size() > 2000) break;
    }
    qInfo("%zu operators and versions, %lld cases", schemas.size(), static_cast<long long>(shared.cases));
    for (const QString& each : signals_.mid(0, 100))
      qWarning("%s", qPrintable(each));
    for (size_t i = 0; i < std::min<size_t>(shared.findings, 100); ++i)
      qWarning("%s", shared.finding[i]);
    QCOMPARE(signals_.size(), 0);
    QCOMPARE(shared.findings, size_t{0});
    QVERIFY(schemas.size() > 500 && shared.cases > 100'000);
  }
};

QTEST_GUILESS_MAIN(TestSchemaSweep)
#include "tst_schema_sweep.moc"
