#include "engine/math/own_convolution.h"

#include "engine/math/few_channels.h"
#include "engine/math/planar_pointwise.h"
#include "engine/math/pointwise.h"
#include "engine/math/transposed_tiles.h"
#include "engine/math/winograd.h"

namespace cutaway::math {

std::shared_ptr<const OwnConvolution> OwnConvolution::forShape(const ConvolutionShape& shape) {
  if (TransposedTiles::suits(shape)) return std::make_shared<const TransposedTiles>(shape);
  if (roundsToBfloat16(shape)) return nullptr;
  if (PlanarPointwise::suits(shape)) return std::make_shared<const PlanarPointwise>(shape);
  if (Pointwise::suits(shape)) return std::make_shared<const Pointwise>(shape);
  if (shape.precision != Precision::kExact && Winograd::suits(shape)) return std::make_shared<const Winograd>(shape);
  if (FewChannels::suits(shape)) return std::make_shared<const FewChannels>(shape);
  return nullptr;
}

std::shared_ptr<const OwnConvolution> OwnConvolution::insteadOfSlowForm(const ConvolutionShape& shape) {
  return FewChannels::replacesSlowForm(shape) ? std::make_shared<const FewChannels>(shape) : nullptr;
}

}  // namespace cutaway::math
