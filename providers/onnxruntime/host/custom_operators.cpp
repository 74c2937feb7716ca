// Libraries may keep the table that they are given first, so the copy lives as long as this process and passes on
// everything that it does not keep.
#include "providers/onnxruntime/host/custom_operators.h"

#include <algorithm>
#include <climits>
#include <map>

#include "engine/base/opened_library.h"
#include "providers/onnxruntime/abi/custom_operator.h"
#include "providers/onnxruntime/abi/plugin_interface.h"

namespace cutaway::onnxruntime {

namespace {

constexpr size_t kMostParameters = 1024;

struct Book {
  const CApi* api = nullptr;
  std::vector<const void*> functions;  // ONNX Runtime's own, two of them replaced
  abi::ApiBase base{};
  uint32_t refusedVersion = 0;  // of the interface, that the library asked for in vain
  std::map<const abi::CustomDomain*, std::string> domains;
  std::vector<std::pair<std::string, const abi::CustomOperator*>> operators;  // with their domain
};

Book& book() {
  static auto* const instance = new Book;
  return *instance;
}

abi::Status* createDomain(const char* name, abi::CustomDomain** domain) {
  abi::Status* const status = book().api->at(abi::kCreateDomain)(name, domain);
  if (status == nullptr) book().domains[*domain] = name == nullptr ? "" : name;
  return status;
}

abi::Status* addToDomain(abi::CustomDomain* domain, const abi::CustomOperator* added) {
  abi::Status* const status = book().api->at(abi::kAddToDomain)(domain, added);
  if (status == nullptr && added != nullptr) book().operators.emplace_back(book().domains[domain], added);
  return status;
}

const void* const* tableOf(uint32_t version) {
  if (version > 0 && version <= book().api->version()) return book().functions.data();
  const void* const* const table = book().api->base()->tableOf(version);
  if (table == nullptr) book().refusedVersion = version;
  return table;
}

void prepare(const CApi& api) {
  book().refusedVersion = 0;
  book().domains.clear();
  book().operators.clear();
  if (book().api != nullptr) return;
  book().api = &api;
  size_t count = 0;
  for (const abi::TableSize& size : abi::kTableSizes) {
    if (size.version <= api.version()) count = size.functions;
  }
  const void* const* const own = api.table();
  book().functions.assign(own, own + count);
  book().functions[abi::kCreateDomain.index] = reinterpret_cast<const void*>(&createDomain);
  book().functions[abi::kAddToDomain.index] = reinterpret_cast<const void*>(&addToDomain);
  book().base = {.tableOf = &tableOf, .version = api.base()->version};
}

// One side of an operator's signature.
struct Side {
  size_t (*count)(const abi::CustomOperator*);
  int32_t (*element)(const abi::CustomOperator*, size_t);
  int32_t (*role)(const abi::CustomOperator*, size_t);
  int (*least)(const abi::CustomOperator*);
  int (*homogeneous)(const abi::CustomOperator*);
};

Result<std::vector<CustomParameter>> parametersOf(const abi::CustomOperator* from, const std::string& name,
                                                  const Side& side) {
  if (side.count == nullptr || side.element == nullptr)
    return fail(ErrorCode::kEpFail, "its operator {} does not tell its inputs and outputs", name);
  const size_t count = side.count(from);
  if (count > kMostParameters)
    return fail(ErrorCode::kEpFail, "its operator {} tells of {} inputs or outputs; {} are the most", name, count,
                kMostParameters);
  std::vector<CustomParameter> parameters(count);
  for (size_t i = 0; i < count; ++i) {
    CustomParameter& parameter = parameters[i];
    parameter.element = onnxElement(side.element(from, i));
    if (from->version >= abi::kOptionalParameters && side.role != nullptr)
      parameter.role = static_cast<CustomRole>(side.role(from, i));
    if (parameter.role < CustomRole::kRequired || parameter.role > CustomRole::kVariadic)
      return fail(ErrorCode::kEpFail, "its operator {} calls a parameter neither required, optional nor variadic: {}",
                  name, static_cast<int>(parameter.role));
    if (from->version < abi::kVariadicParameters || parameter.role != CustomRole::kVariadic) continue;
    if (side.least != nullptr) parameter.least = std::max(0, side.least(from));
    if (side.homogeneous != nullptr) parameter.homogeneous = side.homogeneous(from) != 0;
  }
  return parameters;
}

Result<CustomOperator> describe(const std::string& domain, const abi::CustomOperator* from) {
  const char* const name = from->name == nullptr ? nullptr : from->name(from);
  if (name == nullptr || *name == 0)
    return fail(ErrorCode::kEpFail, "an operator of its domain '{}' has no name", domain);
  CustomOperator to{.domain = domain, .name = name, .provider = {}, .interfaceVersion = from->version};
  if (const char* const provider = from->provider == nullptr ? nullptr : from->provider(from); provider != nullptr)
    to.provider = provider;
  CUTAWAY_TRY(to.inputs, parametersOf(from, to.name,
                                      {from->inputCount, from->inputElement, from->inputRole, from->leastVariadicInputs,
                                       from->homogeneousInputs}));
  CUTAWAY_TRY(to.outputs, parametersOf(from, to.name,
                                       {from->outputCount, from->outputElement, from->outputRole,
                                        from->leastVariadicOutputs, from->homogeneousOutputs}));
  if (from->version < abi::kVersionedOperators) return to;
  to.infersShapes = from->inferShapes != nullptr;
  if (from->startVersion != nullptr) to.sinceVersion = std::max(1, from->startVersion(from));
  const int last = from->endVersion == nullptr ? INT_MAX : from->endVersion(from);
  to.lastVersion = last == INT_MAX ? 0 : last;
  return to;
}

}  // namespace

Result<CustomOperatorList> readCustomOperators(Runtime& runtime, const CustomLibraryPlace& place) {
  const CApi& api = runtime.api();
  const OpenedLibrary library = openLibraryFile(place.library);
  if (!library) return fail(ErrorCode::kEpFail, "{} cannot be opened: {}", place.library, library.reason);
  auto* const registers = library.symbol<abi::RegisterOperators>(abi::kRegisterOperators);
  if (registers == nullptr)
    return fail(ErrorCode::kEpFail, "{} is no library of custom operators: it does not export {}", place.library,
                abi::kRegisterOperators);
  CUTAWAY_CHECK(runtime.environment());
  prepare(api);
  OwnedSessionOptions options(api);
  CUTAWAY_CHECK(api.check(abi::kCreateSessionOptions, options.out()));
  const Result<void> registered = api.checked(registers(options.get(), &book().base));
  if (book().refusedVersion > 0)
    return fail(ErrorCode::kEpFail,
                "{} asks for version {} of ONNX Runtime's interface, and ONNX Runtime {} has them up to {}: take a "
                "newer ONNX Runtime, or the library for an older one",
                place.library, book().refusedVersion, api.libraryVersion(), api.version());
  if (!registered) return fail(ErrorCode::kEpFail, "{} refuses: {}", place.library, registered.error().message);
  CustomOperatorList list;
  for (const auto& [domain, each] : book().operators) {
    Result<CustomOperator> described = describe(domain, each);
    if (!described) return fail(ErrorCode::kEpFail, "{}: {}", place.library, described.error().message);
    list.operators.push_back(*std::move(described));
  }
  return list;
}

}  // namespace cutaway::onnxruntime
