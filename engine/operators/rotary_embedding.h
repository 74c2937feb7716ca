#pragma once
// RotaryEmbedding of ai.onnx and com.microsoft, and MRotaryEmbedding: which channels turn, by which rows of the caches.
//
// Sources: the ONNX operator specification, RotaryEmbedding-23; ONNX Runtime, docs/ContribOperators.md. Errors are
// INVALID_ARGUMENT with the operator's name and the sizes.

#include <vector>

#include "engine/graph/graph.h"
#include "engine/operators/attention_layout.h"

namespace cutaway::operators {

// Where the inputs lie in each form of the operator.
struct RotaryForm {
  std::string_view name;
  size_t cosine, sine, positions;
  bool microsoft;  // positions of one element: where the first token stands; heads may be left to the caches' width
  bool streams;    // positions [3, batch, sequence]: three streams that share the channels
};
inline constexpr RotaryForm kRotaryForm{"RotaryEmbedding", 1, 2, 3, false, false},
    kMicrosoftRotaryForm{"RotaryEmbedding", 2, 3, 1, true, false},
    kStreamsRotaryForm{"MRotaryEmbedding", 2, 3, 1, true, true};

struct RotarySettings {
  int64_t heads = 0;       // of 3-D inputs
  int64_t rotarySize = 0;  // channels of a head that turn; 0: all
  bool interleaved = false;
  bool woven = false;             // channels of the streams alternate
  std::vector<int64_t> sections;  // angles of each stream
};
// Caches are of the input's type.
Result<RotarySettings> readRotary(const RotaryForm& form, const Graph& graph, const Node& node);

struct RotaryLayout {
  int64_t batch = 0, heads = 0, sequence = 0, size = 0;
  HeadSteps steps;        // a row: one token of one head
  int64_t angles = 0;     // pairs of channels that turn
  int64_t tableRows = 0;  // of the caches; 0: a row a token, without positions
  bool oneStart = false;  // positions is where the first token stands
};
// x [batch, heads, sequence, size] or [batch, sequence, heads * size]; caches [rows, angles] with positions (their
// dims; nullptr: none), or [batch, sequence, angles] without.
Result<RotaryLayout> rotaryLayout(const RotaryForm& form, const RotarySettings& settings, std::span<const int64_t> x,
                                  std::span<const int64_t> cosine, std::span<const int64_t> sine,
                                  const Dims* positions);

}  // namespace cutaway::operators
