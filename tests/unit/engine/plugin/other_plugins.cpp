// Libraries that this program must refuse, with a reason.
#include <cutaway/plugin.h>

#ifdef OF_TOMORROW
extern "C" const cutaway::plugin::Library* cutaway_plugin(int interface) {
  static constexpr cutaway::plugin::Library kLibrary{.name = "tomorrow", .version = "2"};
  return interface > cutaway::plugin::kInterface ? &kLibrary : nullptr;
}
#endif

#ifdef WITHOUT_KERNEL
extern "C" const cutaway::plugin::Library* cutaway_plugin(int) {
  static constexpr cutaway::plugin::Operator kOperator{.domain = "com.example", .name = "Empty"};
  static constexpr cutaway::plugin::Library kLibrary{
      .name = "empty", .version = "1", .operators = &kOperator, .operatorCount = 1};
  return &kLibrary;
}
#endif
