#pragma once
// The fields that a query may ask for: names, aliases, what is compared, units.
//
// Thread rule: pure functions over tables. Example: const FindFieldRow* row = findField("ms");  numberWithUnit("1.5ms",
// FindUnit::kTime) == 1.5e6

#include <optional>
#include <string_view>
#include <vector>

#include <QString>

namespace cutaway::ui {

enum class FindField {
  kAny,
  kName,
  kOperator,
  kDomain,
  kProvider,
  kRefused,
  kRewrite,
  kGroup,
  kType,
  kShape,
  kAttribute,
  kInput,
  kOutput,
  kValue,
  kScope,
  kGraph,
  kStep,
  kTime,
  kMemory,
  kFlops,
  kParameters,
  kWeights,
  kMoved,
  kError,
  kInputs,
  kOutputs,
  kIndex,
};
enum class FindUnit { kNone, kTime, kBytes, kCount };  // kNone: text

struct FindFieldRow {
  FindField field = FindField::kAny;
  const char* name = "";     // as completion proposes it
  const char* aliases = "";  // divided by blanks
  FindUnit unit = FindUnit::kNone;
  const char* help = "";  // QT_TRANSLATE_NOOP("FindQuery", ...)
  const char* example = "";

  bool isNumber() const { return unit != FindUnit::kNone; }
};

const std::vector<FindFieldRow>& findFields();
const FindFieldRow* findField(QStringView name);  // by name or alias, any case; null: there is none
// "1ms" -> 1e6 (nanoseconds), "2MB" -> 2e6 (bytes), "1.5G" -> 1.5e9, "1e6" -> 1e6; nullopt: no number, or another unit.
std::optional<double> numberWithUnit(QStringView text, FindUnit unit);
// The units of a field in words, for messages: "ns, us, ms, s".
QString unitWords(FindUnit unit);
// Names people use for element types: "fp16" -> "float16".
std::string_view elementTypeAlias(std::string_view lowerName);

}  // namespace cutaway::ui
