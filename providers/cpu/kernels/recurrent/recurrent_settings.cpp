#include "providers/cpu/kernels/recurrent/recurrent_settings.h"

namespace cutaway::cpu {

Result<RecurrentSettings> readRecurrentSettings(const KernelInfo& info, RecurrentKind kind) {
  RecurrentSettings settings;
  CUTAWAY_TRY(static_cast<operators::RecurrentSettings&>(settings), operators::readRecurrent(info.node(), kind));
  for (size_t direction = 0; direction < settings.choices.size(); ++direction) {
    for (size_t i = 0; i < settings.choices[direction].size(); ++i)
      settings.functions[direction][i] = cellFunction(settings.choices[direction][i]);
  }
  return settings;
}

}  // namespace cutaway::cpu
