#include "app/cli/large_stack.h"

#include <pthread.h>
#include <sys/resource.h>

namespace cutaway::cli {

namespace {

constexpr rlim_t kUsualBytes = rlim_t{8} << 20;

struct Call {
  int (*work)(int, char**);
  int argc;
  char** argv;
  int code = 0;
};

bool isSmall() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < kUsualBytes;
}

}  // namespace

int onLargeStack(int (*work)(int argc, char** argv), int argc, char** argv) {
  pthread_attr_t attributes;
  if (!isSmall() || ::pthread_attr_init(&attributes) != 0) return work(argc, argv);
  Call call{work, argc, argv};
  pthread_t thread{};
  const auto run = [](void* given) -> void* {
    Call& of = *static_cast<Call*>(given);
    of.code = of.work(of.argc, of.argv);
    return nullptr;
  };
  const bool isLarge = ::pthread_attr_setstacksize(&attributes, kUsualBytes) == 0 &&
                       ::pthread_setattr_default_np(&attributes) == 0 &&
                       ::pthread_create(&thread, &attributes, run, &call) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!isLarge) return work(argc, argv);
  ::pthread_join(thread, nullptr);
  return call.code;
}

}  // namespace cutaway::cli
