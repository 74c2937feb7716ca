// What no model's file can hold, refused before a byte is copied; and a target that somebody else makes while an export
// runs.
#include <fstream>

#include <sys/mman.h>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/context/write_exports.h"
#include "engine/graph/text.h"
#include "tests/unit/engine/context/context_case.h"

using namespace cutaway;
namespace fs = std::filesystem;
using Names = std::vector<std::string>;

namespace {

// 2.25 GB of address space that takes no memory as long as nobody reads it.
constexpr size_t kHugeBytes = size_t{9} << 28;

std::shared_ptr<const void> hugeBytes() {
  void* address = ::mmap(nullptr, kHugeBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  return {address, [](void* held) { ::munmap(held, kHugeBytes); }};
}

context::PendingExport exportOf(const fs::path& target) {
  context::PendingExport made{.target = target,
                              .options = exportTo(target),
                              .model = *parseModelText(R"(<ir_version: 10, opset_import: ["" : 17, "com.microsoft" : 1]>
main (float[2] x) => (float[2] y) { [ctx] y = com.microsoft.EPContext <source = "npu"> (x) })"),
                              .nodes = {},
                              .partitions = {},
                              .figures = {}};
  made.nodes.push_back({0, made.model.graph.nodeIds().front()});
  made.partitions.push_back({.name = "ctx",
                             .source = "npu",
                             .sdkVersion = {},
                             .hardware = {},
                             .notes = "a note",
                             .inputs = {},
                             .outputs = {},
                             .sections = {}});
  return made;
}

}  // namespace

class ContextLimitsTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_temporary;
  fs::path m_folder;

 private slots:
  void init() {
    m_folder = fs::path(m_temporary.path().toStdString()) / QTest::currentTestFunction();
    fs::create_directories(m_folder);
  }

  void embeddedContextsPassTwoGigabytes() {
    const std::shared_ptr<const void> huge = hugeBytes();
    QVERIFY(huge != nullptr);
    context::PendingExport made = exportOf(m_folder / "net_ctx.onnx");
    made.options.embed = true;
    made.partitions[0].sections.push_back({"weights", {static_cast<const std::byte*>(huge.get()), kHugeBytes}, huge});
    Progress progress;
    const Result<ContextWritten> written = context::writeExports({&made, 1}, progress);
    QVERIFY(!written && written.error().code == ErrorCode::kFail);
    QVERIFY2(written.error().message.find("2.42 GB") != std::string::npos &&
                 written.error().message.find("ep.context_embed_mode=0") != std::string::npos,
             why(written).c_str());
    QCOMPARE(filesIn(m_folder), Names{});
  }

  void weightsOutsidePassTwoGigabytes() {
    const std::shared_ptr<const void> huge = hugeBytes();
    QVERIFY(huge != nullptr);
    context::PendingExport made = exportOf(m_folder / "net_ctx.onnx");
    const std::string bytes = "section";
    made.partitions[0].sections.push_back({"weights", std::as_bytes(std::span(bytes)), nullptr});
    made.model.graph.addInitializer(
        "w", Tensor::wrapConst(ElementType::kUint8, std::vector<int64_t>{kHugeBytes}, huge.get(), huge));
    Progress progress;
    const Result<ContextWritten> written = context::writeExports({&made, 1}, progress);
    QVERIFY(!written && written.error().code == ErrorCode::kFail);
    QVERIFY2(written.error().message.find("ep.context_model_external_initializers_file_name") != std::string::npos,
             why(written).c_str());
    QCOMPARE(filesIn(m_folder), Names{});
  }

  void targetComesToBeMeanwhile() {
    class Meddling final : public Progress {
     public:
      explicit Meddling(fs::path target) : m_target(std::move(target)) {}
      void begin(std::string_view, std::string_view detail) override {
        if (detail == "publishing net_ctx.onnx") std::ofstream(m_target) << "somebody else's";
      }

     private:
      fs::path m_target;
    };
    const ContextCase made("main (float[2] x) => (float[2] y) <float[2] b = {1,2}> { [a] y = Add (x, b) }",
                           {keeping("npu", {"Add"})});
    Meddling progress(m_folder / "net_ctx.onnx");
    const Result<ContextWritten> written = made.write(exportTo(m_folder / "net_ctx.onnx"), progress);
    QVERIFY(!written && written.error().code == ErrorCode::kFail);
    QCOMPARE(filesIn(m_folder), Names{"net_ctx.onnx"});  // and the binary that was published for it is gone
    QCOMPARE(fs::file_size(m_folder / "net_ctx.onnx"), uintmax_t{15});
  }

  void notesAndNamesOfANode() {
    context::PendingExport made = exportOf(m_folder / "net_ctx.onnx");
    const std::string bytes = "section";
    made.partitions[0].sections.push_back({"weights", std::as_bytes(std::span(bytes)), nullptr});
    Progress progress;
    QVERIFY(context::writeExports({&made, 1}, progress));
    const Model model = *loadedModel(m_folder / "net_ctx.onnx");
    QCOMPARE(model.graph.node(model.graph.nodeIds().front()).attributeOr<std::string>("notes", ""),
             std::string("a note"));
  }
};

QTEST_APPLESS_MAIN(ContextLimitsTest)
#include "tst_context_limits.moc"
