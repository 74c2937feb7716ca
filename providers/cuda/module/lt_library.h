#pragma once
// cuBLASLt, opened at run time: the calls this module makes of it, and one handle a device.
//
// Thread rule: any thread; cuBLASLt's handle may be used by several at once.
// Example: const LtLibrary* lt = nullptr;  if (Problem problem = ltLibrary(lt)) return problem;  lt->matmul(...);

#include <string>

#include <cublasLt.h>

#include "providers/cuda/machine/problem.h"

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
Problem ltLibrary(const LtLibrary*& library);
// The handle of the current device, made when first asked for and kept.
Problem ltHandle(const LtLibrary& library, int device, cublasLtHandle_t& handle);
// A status as a Problem: a lost device is told from a product that cannot be.
Problem ltProblem(const LtLibrary& library, cublasStatus_t status, const std::string& what);

}  // namespace cutaway::cuda
