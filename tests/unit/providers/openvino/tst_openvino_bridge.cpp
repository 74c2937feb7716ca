// Through the interface without a session: compile, run, export, import.
#include <array>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "providers/openvino/library.h"
#include "providers/openvino/model_writer.h"

using namespace cutaway;
using namespace cutaway::openvino;

namespace {

// Weights above the limit of kByAddressBytes, so that they go by address.
struct Product {
  Model model = *parseModelText(
      "<ir_version: 10, opset_import: [\"\" : 17]> main (float[2,64] x) => (float[2,64] y) <float[64,64] w> { y = "
      "MatMul (x, w) }");
  Tensor weights = *Tensor::create(ElementType::kFloat, {64, 64});

  Product() {
    for (int64_t i = 0; i < 64 * 64; ++i)
      weights.span<float>()[i] = i / 64 == i % 64 ? 2.0f : 0.0f;
    model.graph.addInitializer("w", weights);
  }
  std::string bytes() const { return *writeGroupModel(model.graph, model.opsets); }
};

std::vector<float> run(Compiled& compiled, std::string& problem) {
  const std::array<int64_t, 2> dims{2, 64};
  std::vector<float> input(128), output(128, -1.0f);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = static_cast<float>(i);
  const std::unique_ptr<Request> request = compiled.makeRequest(problem);
  if (request == nullptr) return {};
  request->bindInput(0, {1, dims.data(), 2, input.data()}, problem);
  if (problem.empty()) request->bindOutput(0, {1, dims.data(), 2, output.data()}, problem);
  if (problem.empty()) request->run(problem);
  return output;
}

}  // namespace

class TestOpenvinoBridge : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const Library& library = openvinoLibrary();
    QVERIFY2(library.bridge != nullptr, library.reason.c_str());
    m_bridge = library.bridge;
  }

  void largeWeightsGoByAddress() {
    const Product product;
    QVERIFY(product.bytes().size() < 1000);
    QVERIFY(product.bytes().find("_ORT_MEM_ADDR_") != std::string::npos);
  }

  void compilesAndRunsOverOurMemory() {
    const Product product;
    std::string problem;
    const std::unique_ptr<Compiled> compiled = m_bridge->compile(product.bytes(), m_settings, problem);
    QVERIFY2(compiled != nullptr, problem.c_str());
    QCOMPARE(compiled->inputs().size(), size_t{1});
    QVERIFY(compiled->outputs()[0].isStatic);
    QCOMPARE(compiled->outputs()[0].dims, (std::vector<int64_t>{2, 64}));
    const std::vector<float> output = run(*compiled, problem);
    QVERIFY2(problem.empty(), problem.c_str());
    for (size_t i = 0; i < output.size(); ++i)
      QCOMPARE(output[i], 2.0f * static_cast<float>(i));
  }

  void blobsComeBack() {
    std::string problem;
    std::string blob;
    std::vector<float> before;
    {
      const Product product;  // its weights are gone when the blob is read
      const std::unique_ptr<Compiled> compiled = m_bridge->compile(product.bytes(), m_settings, problem);
      QVERIFY2(compiled != nullptr, problem.c_str());
      before = run(*compiled, problem);
      compiled->exportBlob(blob, {}, problem);
      QVERIFY2(problem.empty(), problem.c_str());
    }
    QVERIFY(blob.size() > 64 * 64 * sizeof(float));
    const std::unique_ptr<Compiled> restored = m_bridge->importBlob({blob.data(), blob.size()}, m_settings, problem);
    QVERIFY2(restored != nullptr, problem.c_str());
    QCOMPARE(run(*restored, problem), before);
  }

  void foreignBlobsAreRefused() {
    for (const std::string& blob :
         {std::string("x"), std::string("ELF etc., and more than the head of a blob, so that OpenVINO has something to "
                                        "look at: 0123456789012345678901234567890123456789")}) {
      std::string problem;
      QVERIFY(m_bridge->importBlob({blob.data(), blob.size()}, m_settings, problem) == nullptr);
      QVERIFY(!problem.empty());
    }
  }

  void anExportMayBeStopped() {
    const Product product;
    std::string problem, blob;
    const std::unique_ptr<Compiled> compiled = m_bridge->compile(product.bytes(), m_settings, problem);
    QVERIFY2(compiled != nullptr, problem.c_str());
    compiled->exportBlob(blob, [&] { return blob.size() > 1000; }, problem);
    QVERIFY(!problem.empty());
  }

  void devicesSayWhatTheyAre() {
    std::string problem;
    const DeviceFacts cpu = m_bridge->deviceFacts("CPU", problem);
    QVERIFY(problem.empty() && cpu.canExport);
    QVERIFY2(cpu.description.starts_with("CPU: ") && cpu.description.find("FP32") != std::string::npos,
             cpu.description.c_str());
    QVERIFY(!m_bridge->deviceFacts("TOASTER", problem).canExport);
  }

  void nonsenseIsAProblemAndNoException() {
    std::string problem;
    QVERIFY(m_bridge->compile("this is no model", m_settings, problem) == nullptr);
    QVERIFY(!problem.empty());
    QVERIFY(m_bridge->compile(Product().bytes(), {.device = "TOASTER", .properties = {}}, problem) == nullptr);
    QVERIFY2(problem.find("TOASTER") != std::string::npos, problem.c_str());
    QVERIFY(!m_bridge->conversionProblem("this is no model").empty());
  }

 private:
  Bridge* m_bridge = nullptr;
  CompileSettings m_settings{.device = "CPU", .properties = {{"INFERENCE_PRECISION_HINT", "f32"}}};
};

QTEST_GUILESS_MAIN(TestOpenvinoBridge)
#include "tst_openvino_bridge.moc"
