#pragma once
// What plans are made for where there is no device: the properties of an H100 (SXM5, 80 GB), in the form in which cuDNN
// keeps device properties.
//
// Figures: NVIDIA H100 Tensor Core GPU Architecture, and the CUDA programming guide's table of compute capability 9.0.
// Thread rule: constant. Example: makeCudnnConvolution({.facts = &facts, .plansOnly = true}, description, store,
// operation)

namespace cutaway::cuda {

inline constexpr int kPlannedArchitecture = 90, kPlannedMultiprocessors = 132;
inline constexpr const char* kPlannedDevice =
    R"({"cudaDeviceId":0,"deviceName":"NVIDIA H100 80GB HBM3","deviceVer":900,"driverVer":13000,"pciDeviceId":590614750,"isTccDriver":0,"multiProcessorCount":132,"warpSize":32,)"
    R"("maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"maxCtasPerSM":32,"maxBlockSize":[1024,1024,64],"maxGridSize":[2147483647,65535,65535],)"
    R"("regsPerBlock":65536,"maxRegistersPerSM":65536,"maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":232448,"reservedSharedMemoryPerBlock":1024,)"
    R"("supportCoopLaunch":1,"smClockRateKHz":1980000,"memClockRateKHz":2619000,"l2CacheSize":52428800,"totalGlobalMem":85045411840})";

}  // namespace cutaway::cuda
