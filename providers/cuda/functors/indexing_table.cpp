// Instances of the indexing functors: by word size where data only moves ("indexing.gather.4"), by type where it is
// combined ("indexing.combine.float").
#include "providers/cuda/functors/one_hot_functors.h"
#include "providers/cuda/functors/scatter_functors.h"
#include "providers/cuda/functors/suppression_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Parameters, typename Functor>
int launchEach(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  return forEach(Functor{p}, p.count, stream, multiprocessors);
}

int launchCompress(const void* parameters, Stream stream, int multiprocessors) {
  constexpr int kThreads = 1024;
  return forEachBlock(CompressPlaces{*static_cast<const CompressParameters*>(parameters)}, 1, stream, multiprocessors,
                      kThreads, kThreads * static_cast<int64_t>(sizeof(int64_t)));
}

template <typename Functor>
int launchLists(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const SuppressParameters*>(parameters);
  return forEachBlock(Functor{p}, p.lists, stream, multiprocessors, 512);
}

template <typename Word>
void addWord(LaunchTable& table) {
  table.add(wordName<Word>("indexing.gather"), &launchEach<GatherParameters, Gather<Word, uint32_t>>);
  table.add(wordName<Word>("indexing.gather") + ".long", &launchEach<GatherParameters, Gather<Word, int64_t>>);
  table.add(wordName<Word>("indexing.elements"), &launchEach<GatherElementsParameters, GatherElements<Word, uint32_t>>);
  table.add(wordName<Word>("indexing.elements") + ".long",
            &launchEach<GatherElementsParameters, GatherElements<Word, int64_t>>);
  table.add(wordName<Word>("indexing.tuples"), &launchEach<GatherTuplesParameters, GatherTuples<Word>>);
  table.add(wordName<Word>("indexing.replace"), &launchEach<ReplaceParameters, ReplaceLast<Word>>);
  table.add(wordName<Word>("indexing.cache"), &launchEach<ScatterCacheParameters, WriteCache<Word>>);
  table.add(wordName<Word>("indexing.onehot"), &launchEach<OneHotParameters, OneHot<Word>>);
}

using CombinedTypes =
    TypeList<float, Half, Brain, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;

}  // namespace

void functors_indexing(LaunchTable& table) {
  WordTypes::each([&]<typename Word>() { addWord<Word>(table); });
  CombinedTypes::each([&]<typename T>() {
    table.add(std::string("indexing.combine.") + NameOf<T>::value, &launchEach<CombineParameters, CombineInOrder<T>>);
  });
  table.add("indexing.note", &launchEach<NoteParameters, NoteUpdates>);
  table.add("indexing.order", &launchEach<OrderParameters, OrderUpdates>);
  table.add("indexing.compress", &launchCompress);
  table.add("indexing.suppress", &launchLists<Suppress>);
  table.add("indexing.suppressed", &launchLists<SuppressedRows>);
}

}  // namespace cutaway::cuda
