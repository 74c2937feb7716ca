#pragma once
// What this program uses of the interface between ONNX Runtime and libraries of custom operators, declared from public
// facts: the function that such a library exports, and the struct in which it describes an operator.
//
// A library fills as much of the struct as the version has that it was built with; what came later is not there. Thread
// rule: declarations only. Example: see host/custom_operators.cpp.

#include "providers/onnxruntime/abi/c_interface.h"

namespace cutaway::onnxruntime::abi {

// Only ever pointed at.
struct CustomDomain;
struct KernelInfo;
struct KernelContext;
struct ShapeContext;

struct CustomOperator {
  uint32_t version;  // of the interface
  void* (*createKernel)(const CustomOperator*, const void* const* functions, const KernelInfo*);
  const char* (*name)(const CustomOperator*);
  const char* (*provider)(const CustomOperator*);  // nullptr: the CPU's
  int32_t (*inputElement)(const CustomOperator*, size_t index);
  size_t (*inputCount)(const CustomOperator*);
  int32_t (*outputElement)(const CustomOperator*, size_t index);
  size_t (*outputCount)(const CustomOperator*);
  void (*compute)(void* kernel, KernelContext*);
  void (*destroyKernel)(void* kernel);
  int32_t (*inputRole)(const CustomOperator*, size_t index);  // since kOptionalParameters
  int32_t (*outputRole)(const CustomOperator*, size_t index);
  int32_t (*inputMemory)(const CustomOperator*, size_t index);
  int (*leastVariadicInputs)(const CustomOperator*);  // since kVariadicParameters
  int (*homogeneousInputs)(const CustomOperator*);
  int (*leastVariadicOutputs)(const CustomOperator*);
  int (*homogeneousOutputs)(const CustomOperator*);
  Status* (*createKernelChecked)(const CustomOperator*, const void* const* functions, const KernelInfo*, void** kernel);
  Status* (*computeChecked)(void* kernel, KernelContext*);
  Status* (*inferShapes)(const CustomOperator*, ShapeContext*);  // since kVersionedOperators
  int (*startVersion)(const CustomOperator*);
  int (*endVersion)(const CustomOperator*);
};
inline constexpr uint32_t kOptionalParameters = 8;
inline constexpr uint32_t kVariadicParameters = 14;
inline constexpr uint32_t kVersionedOperators = 17;

// What every library of custom operators exports.
inline constexpr const char* kRegisterOperators = "RegisterCustomOps";
using RegisterOperators = Status*(SessionOptions* options, const ApiBase* base);

inline constexpr Slot<Status*(const char* domain, CustomDomain**)> kCreateDomain{26, 1, "CreateCustomOpDomain"};
inline constexpr Slot<Status*(CustomDomain*, const CustomOperator*)> kAddToDomain{27, 1, "CustomOpDomain_Add"};
inline constexpr Slot<Status*(SessionOptions*, const char* library)> kRegisterOperatorLibrary{
    228, 14, "RegisterCustomOpsLibrary_V2"};

}  // namespace cutaway::onnxruntime::abi
