// What is in a tensor, read from its own bytes when asked for.
#include "engine/study/tensor/tensor_content.h"

#include <complex>

#include "engine/base/new_file.h"
#include "engine/stages/load/npy_file.h"
#include "engine/study/tensor/number_run.h"
#include "engine/study/tensor/tensor_statistics.h"

namespace cutaway::study {
namespace {

Error unfit(const std::string& name, std::string_view what) {
  return atValue({ErrorCode::kInvalidArgument, std::string(what), {}}, name);
}

Result<void> checkTensor(const std::string& name, const RuntimeValue& value) {
  if (value.empty()) return fail(unfit(name, "the value is absent: an optional that holds nothing"));
  if (value.isSequence())
    return fail(
        unfit(name, fmt::format("the value is a sequence of {} items, not a tensor", value.sequence().items.size())));
  if (value.isMap())
    return fail(unfit(name, fmt::format("the value is a map of {} entries, not a tensor",
                                        value.map().keys.valid() ? value.map().keys.elementCount() : 0)));
  const Tensor& tensor = value.tensor();
  if (!tensor.valid()) return fail(unfit(name, "the value is a tensor without a type"));
  if (tensor.device().type != DeviceType::kCpu)
    return fail(unfit(name, fmt::format("the tensor lies in the memory of {}, where it cannot be read from here",
                                        tensor.device().name)));
  if (tensor.data() == nullptr && tensor.elementCount() > 0)
    return fail(unfit(name, "the tensor has no bytes: its external data was not found"));
  return {};
}

template <typename T>
std::string plainText(const Tensor& tensor, int64_t index) {
  const T element = tensor.span<T>()[static_cast<size_t>(index)];
  if constexpr (sizeof(T) == 1)
    return std::to_string(static_cast<int>(element));
  else
    return fmt::format("{}", element);
}

template <typename T>
std::string complexText(const Tensor& tensor, int64_t index) {
  const std::complex<T> element = tensor.span<std::complex<T>>()[static_cast<size_t>(index)];
  return fmt::format("{}{:+}i", element.real(), element.imag());
}

}  // namespace

Result<std::shared_ptr<const TensorContent>> TensorContent::make(std::string name, RuntimeValue value,
                                                                 const CancelToken& cancel) {
  CUTAWAY_CHECK(checkTensor(name, value));
  auto content = std::make_shared<TensorContent>();
  const Tensor& tensor = value.tensor();
  content->m_name = std::move(name);
  content->m_elementType = elementTypeName(tensor.type());
  content->m_dims.assign(tensor.dims().begin(), tensor.dims().end());
  content->m_count = tensor.elementCount();
  content->m_sizeBytes = tensor.sizeBytes();
  content->m_numeric = hasNumbers(tensor.type());
  CUTAWAY_TRY(content->m_statistics, takeStatistics(tensor, cancel));
  content->m_value = std::move(value);
  return content;
}

double TensorContent::number(int64_t index) const {
  if (!m_numeric || index < 0 || index >= m_count) return 0;
  double number = 0;
  readNumbers(m_value.tensor(), index, 1, &number);
  return number;
}

std::string TensorContent::text(int64_t index) const {
  if (index < 0 || index >= m_count) return {};
  const Tensor& tensor = m_value.tensor();
  switch (tensor.type()) {
    case ElementType::kString:
      return tensor.span<std::string>()[static_cast<size_t>(index)];
    case ElementType::kBool:
      return number(index) != 0 ? "true" : "false";
    case ElementType::kDouble:
      return plainText<double>(tensor, index);
    case ElementType::kInt8:
      return plainText<int8_t>(tensor, index);
    case ElementType::kUint8:
      return plainText<uint8_t>(tensor, index);
    case ElementType::kInt16:
      return plainText<int16_t>(tensor, index);
    case ElementType::kUint16:
      return plainText<uint16_t>(tensor, index);
    case ElementType::kInt32:
      return plainText<int32_t>(tensor, index);
    case ElementType::kUint32:
      return plainText<uint32_t>(tensor, index);
    case ElementType::kInt64:
      return plainText<int64_t>(tensor, index);
    case ElementType::kUint64:
      return plainText<uint64_t>(tensor, index);
    case ElementType::kComplex64:
      return complexText<float>(tensor, index);
    case ElementType::kComplex128:
      return complexText<double>(tensor, index);
    default:
      break;
  }
  if (!m_numeric) return {};
  // What is left is exact in 32 bits: the shortest text that gives the same number.
  return isInteger(tensor.type()) ? std::to_string(static_cast<int>(number(index)))
                                  : fmt::format("{}", static_cast<float>(number(index)));
}

Result<void> TensorContent::saveNpy(const std::filesystem::path& path) const {
  const auto write = [&]() -> Result<void> {
    CUTAWAY_TRY(const std::unique_ptr<NewFile> file, NewFile::create(path, {}));
    CUTAWAY_CHECK(
        load::writeNpyTo(m_value.tensor(), [&](std::span<const std::byte> bytes) { return file->write(bytes); }));
    return file->publish();
  };
  Result<void> written = write();
  if (!written) return fail(atFile(std::move(written).error(), path.string()));
  return {};
}

}  // namespace cutaway::study
