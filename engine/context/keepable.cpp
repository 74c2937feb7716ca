#include "engine/context/keepable.h"

#include "engine/base/exception_text.h"
#include "engine/base/quote.h"

namespace cutaway::context {

bool isContextType(ElementType type) {
  switch (type) {
    case ElementType::kBool:
    case ElementType::kInt8:
    case ElementType::kInt16:
    case ElementType::kInt32:
    case ElementType::kInt64:
    case ElementType::kUint8:
    case ElementType::kUint16:
    case ElementType::kUint32:
    case ElementType::kUint64:
    case ElementType::kFloat16:
    case ElementType::kFloat:
    case ElementType::kDouble:
    case ElementType::kBfloat16:
      return true;
    default:
      return false;
  }
}

std::string portObjection(std::string_view side, std::string_view name, bool isTensor, ElementType type,
                          std::string_view typeText) {
  if (isTensor && isContextType(type)) return {};
  if (isTensor)
    return fmt::format(
        "its {} {} is of type {}, which an EPContext node cannot have (it takes bool, integers of 8 to 64 bits, "
        "float16, float, double and bfloat16)",
        side, identifierOrQuoted(name), elementTypeName(type));
  return fmt::format("its {} {} is {}, and EPContext nodes take and give tensors only", side, identifierOrQuoted(name),
                     typeText == "unknown" ? std::string("of unknown type") : fmt::format("of type {}", typeText));
}

ContextSupport askContextSupport(const ExecutionProvider& provider) {
  try {
    return provider.contextSupport();
  } catch (const std::exception& exception) {
    return {.kind = ContextKind::kNone,
            .reason = fmt::format("provider {} threw when asked what it can keep: {}", provider.name(),
                                  exceptionText(exception)),
            .sdkVersion = {},
            .hardware = {}};
  } catch (...) {
    return {.kind = ContextKind::kNone,
            .reason = fmt::format("provider {} threw when asked what it can keep", provider.name()),
            .sdkVersion = {},
            .hardware = {}};
  }
}

ExecutionProvider* findProvider(std::span<const std::unique_ptr<ExecutionProvider>> providers, std::string_view name) {
  for (const std::unique_ptr<ExecutionProvider>& each : providers) {
    if (each->name() == name) return each.get();
  }
  return nullptr;
}

}  // namespace cutaway::context
