#pragma once
// An object for each thread, which ends with it: what thread_local is for types with a destructor, and where memory may
// be short. The C library ends the program when it has no memory to note a thread_local's destructor; here the thread
// goes without the object. Objects of plain data stay thread_local (tests/lint, rule thread_locals).
//
// Thread rule: any thread; each has its own object. The PerThread itself is a static. It takes the object of the thread
// that ends the program with it; those of threads that still run then stay. Example:
//   static PerThread<Stack> stacks;
//   if (Stack* own = stacks.find()) own->use();   // nullptr: there is no memory for one

#include <memory>
#include <new>

#include <pthread.h>

namespace cutaway {

template <typename T>
class PerThread {
 public:
  PerThread() : m_works(::pthread_key_create(&m_key, end) == 0) {}
  ~PerThread() {
    if (!m_works) return;
    end(::pthread_getspecific(m_key));
    ::pthread_key_delete(m_key);
  }
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  // The calling thread's, made when it first asks; nullptr where there is no memory for it, or no thread may have more
  // objects of its own.
  T* find() const {
    if (!m_works) return nullptr;
    if (void* const own = ::pthread_getspecific(m_key)) return static_cast<T*>(own);
    std::unique_ptr<T> made(new (std::nothrow) T);
    if (made == nullptr || ::pthread_setspecific(m_key, made.get()) != 0) return nullptr;
    return made.release();
  }

  // The same; throws std::bad_alloc where there is none.
  T& own() const {
    if (T* const found = find()) return *found;
    throw std::bad_alloc();
  }

 private:
  static void end(void* object) { delete static_cast<T*>(object); }

  pthread_key_t m_key = 0;
  const bool m_works;
};

}  // namespace cutaway
