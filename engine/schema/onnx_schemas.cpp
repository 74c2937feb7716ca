#include "engine/schema/onnx_schemas.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <tuple>

#include <onnx/defs/operator_sets.h>
#include <onnx/defs/operator_sets_ml.h>
#include <onnx/defs/operator_sets_preview.h>

#include "engine/base/text_stream.h"

namespace cutaway {
namespace {

struct Row {
  std::string_view opType, domain;
  int version;
  onnx::OpSchema (*make)();
};

// The domains as the names of onnx's classes have them. Those of the last one are in two domains.
constexpr std::string_view Onnx, OnnxML = "ai.onnx.ml", OnnxPreview = "ai.onnx.preview";
constexpr std::string_view kPreviewTraining = "ai.onnx.preview.training";

// From onnx's headers, when the build is configured (packaging/cmake/OnnxSchemaTable.cmake).
constexpr Row kRows[] = {
#define CUTAWAY_ONNX_SCHEMA(domain, version, name) \
  {#name, domain, version, onnx::GetOpSchema<onnx::ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(domain, version, name)>},
#include "onnx_schema_table.inc"
#undef CUTAWAY_ONNX_SCHEMA
};

class OnnxSchemas {
 public:
  OnnxSchemas() {
    std::ranges::copy(kRows, m_rows.begin());
    for (Row& row : m_rows) {
      if (row.domain == OnnxPreview && row.make().domain() == kPreviewTraining) row.domain = kPreviewTraining;
    }
    std::ranges::sort(m_rows, {}, key);
  }

  std::span<const Row> rows() const { return m_rows; }

  const onnx::OpSchema* find(std::string_view opType, std::string_view domain, int version) {
    const auto behind = std::ranges::upper_bound(m_rows, std::tuple(opType, domain, version), {}, key);
    if (behind == m_rows.begin()) return nullptr;
    const auto found = std::prev(behind);
    if (found->opType != opType || found->domain != domain) return nullptr;
    const std::scoped_lock lock(m_mutex);
    auto& made = m_made[static_cast<size_t>(found - m_rows.begin())];
    if (!made) {
      auto schema = std::make_unique<onnx::OpSchema>(found->make());
      schema->Finalize();
      made = std::move(schema);
    }
    return made.get();
  }

 private:
  static std::tuple<std::string_view, std::string_view, int> key(const Row& row) {
    return {row.opType, row.domain, row.version};
  }

  std::array<Row, std::size(kRows)> m_rows{};
  std::mutex m_mutex;
  std::array<std::unique_ptr<onnx::OpSchema>, std::size(kRows)> m_made;
};

// Never destroyed: schemas live for the process, and to free them one by one would make its end slower.
OnnxSchemas& schemas() {
  static OnnxSchemas* const instance = new OnnxSchemas;
  return *instance;
}

// onnx only writes a line to std::cerr about a schema that it cannot make.
bool makesWholeRegistry() {
  TextStream said;
  const auto restore = [](std::streambuf* before) { std::cerr.rdbuf(before); };
  std::unique_ptr<std::streambuf, decltype(restore)> before(std::cerr.rdbuf(said.rdbuf()), restore);
  onnx::OpSchemaRegistry::Schema("Identity");
  before.reset();
  const bool isWritten = std::cerr.good();  // a line that there was no memory for is lost
  std::cerr.clear();
  return said.view().empty() && isWritten;
}

}  // namespace

const onnx::OpSchema* findOnnxSchema(std::string_view opType, std::string_view domain, int version) {
  return schemas().find(opType, domain, version);
}

std::vector<OnnxOperator> onnxOperators() {
  std::vector<OnnxOperator> operators;
  for (const Row& row : schemas().rows())
    operators.push_back({row.opType, row.domain, row.version});
  return operators;
}

void makeOnnxRegistry() {
  static const bool whole = makesWholeRegistry();
  if (!whole)
    throw std::runtime_error(
        "the operators' schemas are incomplete, as memory ran out while they were made: start the program again, with "
        "more memory");
}

}  // namespace cutaway
