#pragma once
// Rows shared out over threads, a task of adjacent rows each, so that every task can have its own piece of scratch
// memory.
//
// Thread rule: tasks run on different threads.
// Example: const RowTasks tasks(rows, count); tasks.run([&](int64_t task, int64_t begin, int64_t end) { ... });

#include <algorithm>

#include "engine/base/parallel.h"

namespace cutaway::cpu {

class RowTasks {
 public:
  static constexpr int64_t kElementsPerTask = 1 << 14;
  RowTasks(int64_t rows, int64_t count)
      : m_rows(rows),
        m_tasks(std::clamp<int64_t>(usefulThreads(rows * count, kElementsPerTask), 1, std::max<int64_t>(rows, 1))) {}
  int64_t count() const { return m_tasks; }

  template <typename Body>
  void run(Body&& body) const {
    parallelFor(m_tasks, 1, [&](int64_t first, int64_t last) {
      for (int64_t task = first; task < last; ++task)
        body(task, m_rows * task / m_tasks, m_rows * (task + 1) / m_tasks);
    });
  }

 private:
  int64_t m_rows, m_tasks;
};

}  // namespace cutaway::cpu
