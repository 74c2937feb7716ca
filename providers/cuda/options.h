#pragma once
// Options of the provider, as users write them: cuda{device=1,tf32=1}.
//
// Thread rule: plain values. Example: CUTAWAY_TRY(const CudaOptions options, readOptions(given));

#include <string>

#include "engine/provider/execution_provider.h"

namespace cutaway::cuda {

struct CudaOptions {
  int device = 0;  // device=N
  std::string backend =
      "cuda";                  // backend=cuda (a real GPU) | emulator (the device code on the CPU: slow, for checking)
  bool tf32 = true;            // tf32=0: fp32 products and convolutions in full precision
  bool nhwc = true;            // nhwc=0: images stay channels first
  bool fuse = true;            // fuse=0: no chains compiled at run time
  bool recordSegments = true;  // graphs=0: no CUDA graphs
  bool blocking = false;       // blocking=1: wait after every kernel, so that a device error names its node
  bool search = false;         // search=1: time the algorithms instead of asking the library's heuristic
  std::string
      cacheFolder;  // cache=DIR: compiled chains and algorithm choices; empty: the user's cache folder; "off": none
  int64_t memoryLimitBytes = 0;  // memory_limit=BYTES on the device; 0: none
  bool strict = false;  // backend=emulator only, strict=1: device memory cannot be touched from outside, and streams
                        // run as late and as interleaved as they may
  std::string blocks = "single";  // backend=emulator only, blocks=single | forward | backward: blocks of one thread, or
                                  // as on the device, taking turns in either order (functors/block_threads.h)
  bool libraries = true;  // backend=emulator only, libraries=0: products, convolutions and attention by functors, as
                          // where only a driver is
  std::string failures;   // backend=emulator only, fail=KIND:NUMBER;...: that call fails (emulator/emulator.h)
  bool groups = false;    // groups=1, or where contexts are written: claim groups, which can be kept as contexts
  // Given by the session
  bool planOnly = false;  // nothing will be run: claims as if the hardware were there
};

// INVALID_ARGUMENT naming what there is.
Result<CudaOptions> readOptions(const ProviderOptions& options);

}  // namespace cutaway::cuda
