#include "engine/math/packed_bytes.h"

#include <vector>

#include <spdlog/fmt/fmt.h>

#include "engine/math/integer_exact.h"
#include "engine/math/requantized_convolution.h"
#include "engine/tensor/packed_weight.h"

namespace cutaway::math {

namespace {

Result<std::shared_ptr<const PackedBytes>> packAnew(const dnnl::memory::desc& stored, const dnnl::memory::desc& wanted,
                                                    const int8_t* weights, size_t count) {
  auto packed = std::make_shared<PackedBytes>();
  packed->descriptor = wanted;
  const auto reorder = [&](const int8_t* from, onednn::OwnedMemory& to) {
    to = onednn::newMemory(wanted);
    dnnl::stream stream(onednn::cpuEngine());
    dnnl::memory source(stored, onednn::cpuEngine(), const_cast<int8_t*>(from));
    dnnl::reorder(source, to.view).execute(stream, source, to.view);
    stream.wait();
  };
  CUTAWAY_CHECK(onednn::attempt("byte packing", [&] {
    if (addsExactly()) {
      reorder(weights, packed->parts[0]);
      return;
    }
    std::vector<int8_t> high(count), low(count);
    splitHalves({weights, count}, high.data(), low.data());
    reorder(high.data(), packed->parts[0]);
    reorder(low.data(), packed->parts[1]);
  }));
  return packed;
}

}  // namespace

dnnl::memory::desc ownOrder(const RequantizedConvolution& convolution) {
  return {{convolution.packedBytes()}, dnnl::memory::data_type::s8, dnnl::memory::format_tag::a};
}

Result<std::shared_ptr<const PackedBytes>> packOwn(const RequantizedConvolution& convolution, std::string_view shape,
                                                   std::span<const int8_t> weights,
                                                   const std::function<void(int8_t* packed)>& pack) {
  return sharedPack<PackedBytes>(std::as_bytes(weights), fmt::format("own bytes {}", shape), convolution.packedBytes(),
                                 [&]() -> Result<std::shared_ptr<const PackedBytes>> {
                                   auto packed = std::make_shared<PackedBytes>();
                                   packed->descriptor = ownOrder(convolution);
                                   CUTAWAY_CHECK(onednn::attempt("byte packing", [&] {
                                     packed->parts[0] = onednn::newMemory(packed->descriptor);
                                     pack(static_cast<int8_t*>(packed->parts[0].bytes.get()));
                                   }));
                                   return packed;
                                 });
}

Result<std::shared_ptr<const PackedBytes>> packBytes(const dnnl::memory::desc& stored, const dnnl::memory::desc& wanted,
                                                     const int8_t* weights, size_t count) {
  const int64_t sizeBytes = static_cast<int64_t>(wanted.get_size()) * (addsExactly() ? 1 : 2);
  return sharedPack<PackedBytes>(std::as_bytes(std::span(weights, count)), onednn::packingName("bytes", stored, wanted),
                                 sizeBytes, [&] { return packAnew(stored, wanted, weights, count); });
}

}  // namespace cutaway::math
