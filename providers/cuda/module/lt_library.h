#pragma once
// cuBLASLt, opened at run time: the calls this module makes of it, and one handle a device.
//
// Thread rule: any thread; cuBLASLt's handle may be used by several at once.
// Example: const LtLibrary* lt = nullptr;  if (Status failure = ltLibrary(lt); !failure.ok()) return failure;
// lt->matmul(...);

#include <string>

#include <cublasLt.h>

#include "providers/cuda/backend/status.h"

namespace cutaway::cuda {

struct LtLibrary {
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtGetVersion) version = nullptr;
  decltype(&cublasLtGetStatusName) statusName = nullptr;
  decltype(&cublasLtMatmulDescInit_internal) initProduct = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) setProduct = nullptr;
  decltype(&cublasLtMatrixLayoutInit_internal) initLayout = nullptr;
  decltype(&cublasLtMatrixLayoutSetAttribute) setLayout = nullptr;
  decltype(&cublasLtMatmulPreferenceInit_internal) initPreference = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) setPreference = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
  decltype(&cublasLtMatmulAlgoCheck) check = nullptr;
  decltype(&cublasLtMatmulAlgoConfigGetAttribute) algorithmFact = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;
};

// kUnsupported with the reason where it cannot be opened.
Status ltLibrary(const LtLibrary*& library);
// The handle of the current device, made when first asked for and kept.
Status ltHandle(const LtLibrary& library, int device, cublasLtHandle_t& handle);
// A status of cuBLASLt as a Status: a lost device is not the same as a product that cannot be.
Status ltStatus(const LtLibrary& library, cublasStatus_t status, const std::string& what);

}  // namespace cutaway::cuda
