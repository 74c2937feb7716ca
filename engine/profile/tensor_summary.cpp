#include "engine/profile/tensor_summary.h"

#include <cmath>

#include "engine/tensor/element_numbers.h"

namespace cutaway::profile {
namespace {

constexpr int64_t kPreviewed = 8;

class NumberSummary {
 public:
  explicit NumberSummary(TensorSummary& summary) : m_summary(summary) {}
  void add(double number) {
    if (m_seen++ < kPreviewed) m_summary.preview += fmt::format("{}{:.6g}", m_seen > 1 ? ", " : "", number);
    if (std::isnan(number)) {
      ++m_summary.nanCount;
    } else if (std::isinf(number)) {
      ++m_summary.infCount;
    } else {
      m_summary.minimum = m_finite == 0 ? number : std::min(m_summary.minimum, number);
      m_summary.maximum = m_finite == 0 ? number : std::max(m_summary.maximum, number);
      m_sum += number;
      ++m_finite;
    }
  }
  void finish() {
    if (m_finite > 0) m_summary.mean = m_sum / static_cast<double>(m_finite);
    if (m_seen > kPreviewed) m_summary.preview += ", ...";
  }

 private:
  TensorSummary& m_summary;
  int64_t m_seen = 0;
  int64_t m_finite = 0;
  double m_sum = 0;
};

void summarizeTensor(const Tensor& tensor, TensorSummary& summary) {
  if (tensor.type() == ElementType::kString) {
    const auto strings = tensor.span<std::string>();
    for (size_t i = 0; i < strings.size() && i < kPreviewed; ++i)
      summary.preview += fmt::format("{}\"{}\"", i > 0 ? ", " : "", strings[i].substr(0, 40));
    return;
  }
  NumberSummary numbers(summary);
  if (forEachNumber(tensor, [&](double number) { numbers.add(number); })) numbers.finish();
}

// The first keys and the first values, as they stand.
std::string mapPreview(const MapValue& map) {
  TensorSummary keys, values;
  summarizeTensor(map.keys, keys);
  summarizeTensor(map.values, values);
  return fmt::format("keys {}; values {}", keys.preview, values.preview);
}

std::string mapTypeText(const MapValue& map) {
  return fmt::format("map({},{})", elementTypeName(map.keys.type()), elementTypeName(map.values.type()));
}

}  // namespace

TensorSummary summarize(const std::string& name, const RuntimeValue& value) {
  TensorSummary summary;
  summary.name = name;
  if (value.isTensor()) {
    const Tensor& tensor = value.tensor();
    summary.type = fmt::format("{}{}", elementTypeName(tensor.type()), dimsToText(tensor.dims()));
    summary.sizeBytes = tensor.sizeBytes();
    if (tensor.device().type == DeviceType::kCpu || tensor.device().type == DeviceType::kSimulated)
      summarizeTensor(tensor, summary);
  } else if (value.isSequence()) {
    summary.type = fmt::format("seq({})", toText(value.sequence().elementType));
    const auto& items = value.sequence().items;
    summary.preview = fmt::format("{} items", items.size());
    if (!items.empty() && items.front().isMap())
      summary.preview += ", the first with " + mapPreview(items.front().map());
  } else if (value.isMap()) {
    summary.type = mapTypeText(value.map());
    summary.preview = fmt::format("{} entries, {}", value.map().keys.elementCount(), mapPreview(value.map()));
  } else {
    summary.type = "absent";
  }
  return summary;
}

}  // namespace cutaway::profile
