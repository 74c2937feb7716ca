// What stands in for cuDNN where the module was built without its headers.
#include "providers/cuda/module/cudnn_operations.h"

namespace cutaway::cuda {
namespace {
constexpr const char* kWithout =
    "cuDNN: this module was built without the headers of its front end (packaging/setup.sh fetches them)";
}

std::string cudnnVersion(std::string& reason) {
  reason = kWithout;
  return {};
}
Status makeCudnnConvolution(const CudnnDevice&, const ConvolutionDescription&, ArtifactStore&,
                            std::unique_ptr<Operation>&) {
  return Status::unsupported(kWithout);
}
Status makeCudnnAttention(const CudnnDevice&, const AttentionDescription&, ArtifactStore&,
                          std::unique_ptr<Operation>&) {
  return Status::unsupported(kWithout);
}

}  // namespace cutaway::cuda
