// Instances: "embed.layer_norm.<type>" of the tables, "embed.count".
#include "providers/cuda/functors/embed_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchEmbed(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const EmbedParameters*>(parameters);
  return forEachBlock(Embed<T>{p}, p.tokens, stream, multiprocessors, kThreadsPerBlock,
                      p.width * static_cast<int64_t>(sizeof(float)));
}
int launchCount(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const MaskCountParameters*>(parameters);
  return forEachBlock(MaskCount{p}, p.batch, stream, multiprocessors, 128);
}

}  // namespace

void functors_embed(LaunchTable& table) {
  TypeList<float, Half, Brain>::each(
      [&]<typename T>() { table.add(std::string("embed.layer_norm.") + NameOf<T>::value, &launchEmbed<T>); });
  table.add("embed.count", &launchCount);
}

}  // namespace cutaway::cuda
