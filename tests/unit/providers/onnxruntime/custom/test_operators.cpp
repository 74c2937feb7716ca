// A library of custom operators as users of ONNX Runtime write them, in domain cutaway.test: Twice doubles floats and
// infers its shape; Total adds any number of floats of one shape and infers nothing. CUTAWAY_TEST_OPERATORS says what
// it does wrong, by name of the function: "fail:Register", "crash:Register", "new:Register" (wants an interface that no
// ONNX Runtime has), "nameless:Register", "crash:Compute", "fail:Compute", "crash:InferShapes".
//
// Made from the same public facts as the program, and nothing else.
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "providers/onnxruntime/abi/custom_operator.h"
#include "providers/onnxruntime/abi/plugin_interface.h"
#include "tests/program/crash.h"

using namespace cutaway::onnxruntime::abi;
using cutaway::test::crash;

namespace {

constexpr Slot<Status*(SessionOptions*, CustomDomain*)> kAddDomain{28, 1, "AddCustomOpDomain"};
constexpr Slot<Status*(const KernelContext*, size_t*)> kInputCount{88, 1, "KernelContext_GetInputCount"};
constexpr Slot<Status*(const KernelContext*, size_t, const Value**)> kKernelInput{90, 1, "KernelContext_GetInput"};
constexpr Slot<Status*(KernelContext*, size_t, const int64_t*, size_t, Value**)> kKernelOutput{
    91, 1, "KernelContext_GetOutput"};
constexpr Slot<Status*(const ShapeContext*, size_t, TensorInfo**)> kShapeInput{268, 17,
                                                                               "ShapeInferContext_GetInputTypeShape"};
constexpr Slot<Status*(const ShapeContext*, size_t, const TensorInfo*)> kShapeOutput{
    270, 17, "ShapeInferContext_SetOutputTypeShape"};
constexpr uint32_t kVersion = 17;
constexpr uint32_t kFutureVersion = 999;
constexpr int32_t kFloat = 1;
constexpr int32_t kVariadic = 2;

const void* const* functions = nullptr;

template <typename Function>
Function* at(const Slot<Function>& slot) {
  return reinterpret_cast<Function*>(const_cast<void*>(functions[slot.index]));
}

bool isTold(const char* what) {
  const char* const text = std::getenv("CUTAWAY_TEST_OPERATORS");
  return text != nullptr && std::strcmp(text, what) == 0;
}

Status* valuesOf(const Value* value, std::vector<int64_t>& dims, size_t& count, const float** data) {
  TensorInfo* info = nullptr;
  if (Status* const status = at(kTensorInfoOfValue)(value, &info); status != nullptr) return status;
  size_t rank = 0;
  Status* status = at(kRank)(info, &rank);
  dims.resize(rank);
  if (status == nullptr) status = at(kDimensions)(info, dims.data(), rank);
  if (status == nullptr) status = at(kElementCount)(info, &count);
  at(kReleaseTensorInfo)(info);
  void* bytes = nullptr;
  if (status == nullptr) status = at(kTensorData)(const_cast<Value*>(value), &bytes);
  *data = static_cast<const float*>(bytes);
  return status;
}

// The sum of all inputs, times what the kernel is: 1 or 2.
Status* compute(void* kernel, KernelContext* context) {
  if (isTold("crash:Compute")) crash();
  if (isTold("fail:Compute")) return at(kCreateStatus)(1, "the test operator was told to fail");
  size_t inputs = 0;
  if (Status* const status = at(kInputCount)(context, &inputs); status != nullptr) return status;
  std::vector<float> sum;
  std::vector<int64_t> dims;
  for (size_t input = 0; input < inputs; ++input) {
    const Value* value = nullptr;
    size_t count = 0;
    const float* data = nullptr;
    if (Status* const status = at(kKernelInput)(context, input, &value); status != nullptr) return status;
    if (Status* const status = valuesOf(value, dims, count, &data); status != nullptr) return status;
    sum.resize(count);
    for (size_t i = 0; i < count; ++i)
      sum[i] += data[i];
  }
  Value* output = nullptr;
  void* to = nullptr;
  if (Status* const status = at(kKernelOutput)(context, 0, dims.data(), dims.size(), &output); status != nullptr)
    return status;
  if (Status* const status = at(kTensorData)(output, &to); status != nullptr) return status;
  for (size_t i = 0; i < sum.size(); ++i)
    static_cast<float*>(to)[i] = sum[i] * *static_cast<const float*>(kernel);
  return nullptr;
}

Status* inferShapes(const CustomOperator* /*self*/, ShapeContext* context) {
  if (isTold("crash:InferShapes")) crash();
  TensorInfo* info = nullptr;
  if (Status* const status = at(kShapeInput)(context, 0, &info); status != nullptr) return status;
  return at(kShapeOutput)(context, 0, info);
}

CustomOperator plainOperator() {
  CustomOperator made{};
  made.version = kVersion;
  made.provider = [](const CustomOperator*) -> const char* { return nullptr; };
  made.inputElement = made.outputElement = [](const CustomOperator*, size_t) { return kFloat; };
  made.inputCount = made.outputCount = [](const CustomOperator*) -> size_t { return 1; };
  made.inputRole = made.outputRole = [](const CustomOperator*, size_t) -> int32_t { return 0; };
  made.inputMemory = [](const CustomOperator*, size_t) -> int32_t { return 0; };
  made.leastVariadicInputs = made.leastVariadicOutputs = [](const CustomOperator*) { return 1; };
  made.homogeneousInputs = made.homogeneousOutputs = [](const CustomOperator*) { return 1; };
  made.computeChecked = compute;
  made.destroyKernel = [](void*) {};
  made.startVersion = [](const CustomOperator*) { return 1; };
  made.endVersion = [](const CustomOperator*) { return INT_MAX; };
  return made;
}

const CustomOperator& twice() {
  static const CustomOperator made = [] {
    CustomOperator filled = plainOperator();
    filled.name = [](const CustomOperator*) -> const char* { return isTold("nameless:Register") ? nullptr : "Twice"; };
    filled.createKernelChecked = [](const CustomOperator*, const void* const*, const KernelInfo*,
                                    void** kernel) -> Status* {
      static float factor = 2;
      *kernel = &factor;
      return nullptr;
    };
    filled.inferShapes = inferShapes;
    return filled;
  }();
  return made;
}

const CustomOperator& total() {
  static const CustomOperator made = [] {
    CustomOperator filled = plainOperator();
    filled.name = [](const CustomOperator*) -> const char* { return "Total"; };
    filled.createKernelChecked = [](const CustomOperator*, const void* const*, const KernelInfo*,
                                    void** kernel) -> Status* {
      static float factor = 1;
      *kernel = &factor;
      return nullptr;
    };
    filled.inputRole = [](const CustomOperator*, size_t) -> int32_t { return kVariadic; };
    return filled;
  }();
  return made;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) Status* RegisterCustomOps(SessionOptions* options,
                                                                            const ApiBase* base) {
  if (isTold("crash:Register")) crash();
  functions = base->tableOf(isTold("new:Register") ? kFutureVersion : kVersion);
  if (functions == nullptr) return nullptr;
  if (isTold("fail:Register")) return at(kCreateStatus)(1, "the test operators were told to fail");
  CustomDomain* domain = nullptr;
  if (Status* const status = at(kCreateDomain)("cutaway.test", &domain); status != nullptr) return status;
  for (const CustomOperator* const each : {&twice(), &total()}) {
    if (Status* const status = at(kAddToDomain)(domain, each); status != nullptr) return status;
  }
  return at(kAddDomain)(options, domain);
}
