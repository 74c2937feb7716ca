// com.microsoft WordConvEmbedding: a vector for each word from a convolution over the vectors of its characters: tanh,
// then the largest over the places of the window.
//
// Characters are numbers above 0; a word ends at the first other one. A word shorter than the window has one place,
// padded by the embedding of what stands behind it; an empty word gives zeros.

#include <cmath>
#include <limits>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

struct Words {
  int64_t count = 0, length = 0, filters = 0, window = 0, width = 0, letters = 0;
};

class WordConvEmbedding final : public Kernel {
 public:
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &sequence = *context.input(0), &weights = *context.input(1), &bias = *context.input(2),
                 &table = *context.input(3);
    CUTAWAY_TRY(const Words words, wordsOf(sequence, weights, bias, table));
    Dims dims(sequence.dims());
    dims[dims.size() - 1] = words.filters;
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    const int32_t* letters = sequence.span<int32_t>().data();
    for (int64_t i = 0; i < words.count * words.length; ++i) {
      if (letters[i] < 0 || letters[i] >= words.letters)
        return fail(ErrorCode::kInvalidArgument, "WordConvEmbedding: character {} of {}", letters[i], words.letters);
    }
    const float *filter = weights.span<float>().data(), *summand = bias.span<float>().data(),
                *vectors = table.span<float>().data();
    float* target = y->span<float>().data();
    parallelFor(words.count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t word = begin; word < end; ++word)
        one(words, letters + word * words.length, filter, summand, vectors, target + word * words.filters);
    });
    return {};
  }

 private:
  static Result<Words> wordsOf(const Tensor& sequence, const Tensor& weights, const Tensor& bias, const Tensor& table) {
    if (sequence.rank() < 1 || weights.rank() != 4 || table.rank() != 2)
      return fail(ErrorCode::kInvalidArgument, "WordConvEmbedding: sequence {}, weights {}, characters {}",
                  dimsToText(sequence.dims()), dimsToText(weights.dims()), dimsToText(table.dims()));
    Words words{.count = 0,
                .length = sequence.dims()[sequence.rank() - 1],
                .filters = weights.dims()[0],
                .window = weights.dims()[2],
                .width = weights.dims()[3],
                .letters = table.dims()[0]};
    words.count = words.length > 0 ? sequence.elementCount() / words.length : 0;
    if (weights.dims()[1] != 1 || table.dims()[1] != words.width || bias.elementCount() != words.filters ||
        words.window < 1 || words.window > words.length) {
      return fail(ErrorCode::kInvalidArgument,
                  "WordConvEmbedding: sequence {}, weights {}, bias {}, characters {} do not fit together",
                  dimsToText(sequence.dims()), dimsToText(weights.dims()), dimsToText(bias.dims()),
                  dimsToText(table.dims()));
    }
    return words;
  }

  static void one(const Words& words, const int32_t* letters, const float* filter, const float* bias,
                  const float* vectors, float* to) {
    int64_t length = 0;
    while (length < words.length && letters[length] > 0)
      ++length;
    if (length == 0) {
      std::fill_n(to, words.filters, 0.0f);
      return;
    }
    std::fill_n(to, words.filters, -std::numeric_limits<float>::infinity());
    const int64_t places = std::max<int64_t>(length - words.window + 1, 1);
    for (int64_t place = 0; place < places; ++place) {
      for (int64_t f = 0; f < words.filters; ++f) {
        float sum = bias[f];
        for (int64_t i = 0; i < words.window; ++i) {
          const float *vector = vectors + letters[place + i] * words.width,
                      *kernel = filter + (f * words.window + i) * words.width;
          for (int64_t c = 0; c < words.width; ++c)
            sum += vector[c] * kernel[c];
        }
        to[f] = std::max(to[f], std::tanh(sum));
      }
    }
  }
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  for (size_t slot = 0; slot < 4; ++slot) {
    if (!info.hasInput(slot)) return fail(ErrorCode::kInvalidArgument, "WordConvEmbedding lacks input {}", slot);
  }
  return std::make_unique<WordConvEmbedding>();
}

constexpr ElementType kInt[] = {ElementType::kInt32};
constexpr TypeRule kRules[] = {{0, kInt}, {1, kFloatList}, {2, kFloatList}, {3, kFloatList}};

constexpr KernelRow kRows[] = {
    {.opType = "WordConvEmbedding",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .fastPath = "threads",
     .create = create},
};

}  // namespace

KernelRows kernel_word_conv_embedding() {
  return kRows;
}

}  // namespace cutaway::cpu
