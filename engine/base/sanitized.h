#pragma once
// Whether this is built with a sanitizer that keeps a shadow of all memory and handles faults itself (address, thread,
// memory): limits on a process's memory would count the shadow, too, and faults are the sanitizer's to tell. Any
// thread.
//
//   if (!kSanitized) setrlimit(RLIMIT_DATA, &limit);
namespace cutaway {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace cutaway
