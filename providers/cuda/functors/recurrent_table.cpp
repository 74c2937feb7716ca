// Instances of the cells: "recurrent.<cell>.<type>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/recurrent_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Functor>
int launchCell(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const CellParameters*>(parameters);
  return forEach(Functor{p}, p.count(), stream, multiprocessors);
}

}  // namespace

void functors_recurrent(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() {
    const auto add = [&](const char* name, LaunchTable::Launch launch) {
      table.add(std::string("recurrent.") + name + "." + NameOf<T>::value, launch);
    };
    add("rnn", &launchCell<RnnCell<T>>);
    add("lstm", &launchCell<LstmCell<T>>);
    add("reset", &launchCell<GruReset<T>>);
    add("gru", &launchCell<GruCell<T>>);
    add("first", &launchCell<FirstStates<T>>);
    add("last", &launchCell<LastStates<T>>);
  });
}

}  // namespace cutaway::cuda
