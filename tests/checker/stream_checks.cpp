// Streams, run on a model of them: each goes on until it stands at a wait for what was not given yet. A clock per
// stream says what of the other streams is known to be over.

#include <algorithm>
#include <map>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

class Streams {
 public:
  Streams(const Graph& graph, const schedule::SequentialExecutionPlan& order, const GraphSchedule& schedule,
          Complaints& complaints)
      : m_graph(graph),
        m_order(order),
        m_schedule(schedule),
        m_complaints(complaints),
        m_place(order.steps.size(), {-1, -1}) {}

  void run() {
    const size_t streams = m_schedule.streamPlans.size();
    m_clocks.assign(streams, std::vector<int32_t>(streams, -1));
    m_at.assign(streams, 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t stream = 0; stream < streams; ++stream) {
        while (m_at[stream] < m_schedule.streamPlans[stream].commands.size() && advance(stream))
          moved = true;
      }
    }
    for (size_t stream = 0; stream < streams; ++stream) {
      if (m_at[stream] < m_schedule.streamPlans[stream].commands.size())
        m_complaints.add(PlanRule::kStreams, "stream {} waits for ever at command {}", stream, m_at[stream]);
    }
    const auto missing =
        std::count_if(m_place.begin(), m_place.end(), [](const Place& place) { return place.stream < 0; });
    if (missing > 0 && m_complaints.empty())
      m_complaints.add(PlanRule::kStreams, "{} steps are never launched", missing);
  }

 private:
  struct Place {
    int32_t stream;
    int32_t position;
  };

  // False: it must wait.
  bool advance(size_t stream) {
    const StreamCommand& command = m_schedule.streamPlans[stream].commands[m_at[stream]];
    const bool waits = command.kind == StreamCommandKind::kWaitOnEp || command.kind == StreamCommandKind::kBarrier;
    if (waits) {
      auto& given = command.kind == StreamCommandKind::kBarrier ? m_barriers : m_notifications;
      const auto found = given.find(command.notification);
      if (found == given.end()) return false;
      for (size_t other = 0; other < m_clocks.size(); ++other)
        m_clocks[stream][other] = std::max(m_clocks[stream][other], found->second[other]);
    }
    m_clocks[stream][stream] = static_cast<int32_t>(m_at[stream]);
    if (command.kind == StreamCommandKind::kLaunchKernel) launch(stream, command.step);
    if (command.kind == StreamCommandKind::kActivateNotification) give(m_notifications, stream, command.notification);
    if (command.kind == StreamCommandKind::kTriggerDownstream) give(m_barriers, stream, command.notification);
    ++m_at[stream];
    return true;
  }

  void give(std::map<int32_t, std::vector<int32_t>>& given, size_t stream, int32_t number) {
    if (!given.emplace(number, m_clocks[stream]).second)
      m_complaints.add(PlanRule::kStreams, "notification {} is given twice", number);
  }

  void launch(size_t stream, int32_t step) {
    const auto at = static_cast<size_t>(step);
    if (step < 0 || at >= m_place.size())
      return m_complaints.add(PlanRule::kStreams, "stream {} launches step {}, which does not exist", stream, step);
    if (m_place[at].stream >= 0) m_complaints.add(PlanRule::kStreams, "step {} is launched twice", step);
    if (m_order.steps[at].stream != static_cast<int32_t>(stream))
      m_complaints.add(PlanRule::kStreams, "step {} of stream {} is launched on stream {}", step,
                       m_order.steps[at].stream, stream);
    m_place[at] = {static_cast<int32_t>(stream), static_cast<int32_t>(m_at[stream])};
    const Node& node = m_graph.node(m_order.steps[at].node);
    if (node.opType == "Shape" || node.opType == "Size") return;  // reads no data
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (const ValueId value : *list) {
        if (!value.valid() || !m_graph.value(value).producer.valid()) continue;
        const auto made = static_cast<size_t>(m_order.stepOfNode[m_graph.value(value).producer.index()]);
        const auto madeOn = static_cast<size_t>(m_order.steps[made].stream);
        const bool known = m_place[made].stream >= 0 && m_clocks[stream][madeOn] >= m_place[made].position;
        if (!known)
          m_complaints.add(PlanRule::kStreams, "step {} does not wait for '{}' of step {}", step,
                           m_graph.value(value).name, made);
      }
    }
  }

  const Graph& m_graph;
  const schedule::SequentialExecutionPlan& m_order;
  const GraphSchedule& m_schedule;
  Complaints& m_complaints;
  std::vector<Place> m_place;                  // by step
  std::vector<std::vector<int32_t>> m_clocks;  // by stream: the last command of each stream that is over
  std::vector<size_t> m_at;                    // by stream: the next command
  std::map<int32_t, std::vector<int32_t>> m_notifications, m_barriers;  // given: with the clock of the giver
};

}  // namespace

std::vector<PlanViolation> checkStreams(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                        const GraphSchedule& schedule) {
  Complaints complaints;
  const bool fits = std::all_of(order.steps.begin(), order.steps.end(), [&](const schedule::ExecutionStep& step) {
    return step.stream >= 0 && static_cast<size_t>(step.stream) < schedule.streamPlans.size();
  });
  if (fits) {
    Streams(graph, order, schedule, complaints).run();
  } else {
    complaints.add(PlanRule::kStreams, "{} streams are planned, and a step is on another", schedule.streamPlans.size());
  }
  return complaints.take();
}

}  // namespace cutaway
