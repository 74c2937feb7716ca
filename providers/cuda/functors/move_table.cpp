// Instances of the moving functors by word size: "move.strided.4", with 64-bit divisions "move.strided.4.long".
#include "providers/cuda/functors/move_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Parameters, typename Functor>
int launchEach(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  return forEach(Functor{p}, p.count, stream, multiprocessors);
}

template <typename Word>
int launchTurn(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const TurnParameters*>(parameters);
  return forEachBlock(Turn<Word>{p}, p.rowTiles * p.columnTiles * p.matrices, stream, multiprocessors, kThreadsPerBlock,
                      kTurnTile * (kTurnTile + 1) * static_cast<int64_t>(sizeof(Word)));
}

template <typename Word>
void addWord(LaunchTable& table) {
  table.add(wordName<Word>("move.strided"), &launchEach<StridedParameters, Strided<Word, uint32_t>>);
  table.add(wordName<Word>("move.strided") + ".long", &launchEach<StridedParameters, Strided<Word, int64_t>>);
  table.add(wordName<Word>("move.turn"), &launchTurn<Word>);
  table.add(wordName<Word>("move.parts"), &launchEach<PartsParameters, Parts<Word, uint32_t>>);
  table.add(wordName<Word>("move.parts") + ".long", &launchEach<PartsParameters, Parts<Word, int64_t>>);
  table.add(wordName<Word>("move.fill"), &launchEach<FillParameters, Fill<Word>>);
  table.add(wordName<Word>("move.pad"), &launchEach<PadParameters, Pad<Word, uint32_t>>);
  table.add(wordName<Word>("move.pad") + ".long", &launchEach<PadParameters, Pad<Word, int64_t>>);
  table.add(wordName<Word>("move.reverse"), &launchEach<ReverseParameters, Reverse<Word>>);
}

using RangeTypes = TypeList<float, double, Half, Brain, int16_t, int32_t, int64_t>;

}  // namespace

void functors_move(LaunchTable& table) {
  WordTypes::each([&]<typename Word>() { addWord<Word>(table); });
  RangeTypes::each([&]<typename T>() {
    table.add(std::string("move.range.") + NameOf<T>::value, &launchEach<RangeParameters, RangeOf<T>>);
  });
}

}  // namespace cutaway::cuda
