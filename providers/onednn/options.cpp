#include "providers/onednn/options.h"

#include <charconv>

namespace cutaway::onednn {

namespace {

Result<bool> flag(const std::string& name, const std::string& value) {
  if (value == "1" || value == "true") return true;
  if (value == "0" || value == "false") return false;
  return fail(ErrorCode::kInvalidArgument, "provider onednn: option {} is 0 or 1, not '{}'", name, value);
}

Result<size_t> count(const std::string& name, const std::string& value) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size())
    return fail(ErrorCode::kInvalidArgument, "provider onednn: option {} is a whole number, not '{}'", name, value);
  return number;
}

}  // namespace

Result<Options> parseOptions(const ProviderOptions& given) {
  Options options;
  for (const auto& [name, value] : given) {
    if (name == "minimum_nodes") {
      CUTAWAY_TRY(options.minimumNodes, count(name, value));
    } else if (name == "claim_all") {
      CUTAWAY_TRY(options.claimAll, flag(name, value));
    } else if (name == "fuse") {
      CUTAWAY_TRY(options.fuse, flag(name, value));
    } else if (name == "int8") {
      CUTAWAY_TRY(options.int8, flag(name, value));
    } else if (name == "precision") {
      CUTAWAY_TRY(options.precision, math::precisionAsked("onednn", value));
    } else {
      return fail(ErrorCode::kInvalidArgument,
                  "provider onednn has no option '{}'; it has minimum_nodes, claim_all, fuse, int8 and precision",
                  name);
    }
  }
  return options;
}

}  // namespace cutaway::onednn
