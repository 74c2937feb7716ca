#include "engine/schema/added_schemas.h"

#include <algorithm>
#include <memory>
#include <shared_mutex>

#include "engine/schema/schema_entry.h"

namespace cutaway {

namespace {

struct Added {
  std::shared_mutex mutex;
  std::vector<std::unique_ptr<const AddedSchema>> schemas;
};

Added& added() {
  static Added instance;
  return instance;
}

}  // namespace

Result<void> addSchema(AddedSchema schema) {
  const OperatorSchema& its = schema.schema;
  if (its.opType.empty() || its.sinceVersion < 1)
    return fail(ErrorCode::kInvalidArgument, "{} describes an operator without a name or a version", schema.source);
  const OperatorSchema* const known = findSchema(its.opType, its.domain, its.sinceVersion);
  if (known != nullptr && known->sinceVersion == its.sinceVersion)
    return fail(ErrorCode::kInvalidArgument, "the operator {} of {} is known already, and its schema holds", its.opType,
                its.domain.empty() ? "ai.onnx" : its.domain);
  {
    const std::unique_lock lock(added().mutex);
    added().schemas.push_back(std::make_unique<const AddedSchema>(std::move(schema)));
  }
  forgetUnknownOperators();
  return {};
}

const AddedSchema* findAddedSchema(std::string_view opType, std::string_view domain, int64_t opsetVersion) {
  const std::shared_lock lock(added().mutex);
  const AddedSchema* newest = nullptr;
  for (const auto& each : added().schemas) {
    const OperatorSchema& schema = each->schema;
    if (schema.opType != opType || schema.domain != domain || schema.sinceVersion > opsetVersion) continue;
    if (newest == nullptr || schema.sinceVersion > newest->schema.sinceVersion) newest = each.get();
  }
  return newest;
}

int64_t newestAddedVersion(std::string_view domain) {
  const std::shared_lock lock(added().mutex);
  int64_t newest = 0;
  for (const auto& each : added().schemas) {
    if (each->schema.domain == domain) newest = std::max<int64_t>(newest, each->schema.sinceVersion);
  }
  return newest;
}

}  // namespace cutaway
