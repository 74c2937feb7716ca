#include "engine/study/what_if/estimate.h"

#include <algorithm>
#include <set>

namespace cutaway::study {
namespace {

bool known(const DeviceSpeed& speed) {
  return speed.flopsPerSecond > 0 && speed.memoryBytesPerSecond > 0;
}

class Estimate {
 public:
  Estimate(const PartitionReport& report, const SpeedTable& speeds, PartitionFigures& figures)
      : m_report(report), m_speeds(speeds), m_figures(figures) {}

  void fill() {
    nodes();
    copies();
    const bool mostKnown = m_open * 10 <= static_cast<int64_t>(m_report.nodes.size());
    if (m_open > 0)
      m_figures.warnings.push_back(
          fmt::format("{} of {} nodes have sizes that are not known before running: {}", m_open, m_report.nodes.size(),
                      mostKnown ? "they are not in the estimate" : "there is no estimate; bind the open dimensions"));
    double total = m_figures.estimatedCopyNs;
    bool complete = mostKnown && m_withoutSpeed.empty() && total >= 0;
    for (ProviderFigures& provider : m_figures.providers) {
      const bool usable = mostKnown && !m_withoutSpeed.contains(provider.provider);
      provider.estimatedNs = usable ? m_times[provider.provider] : -1;
      if (usable) total += provider.estimatedNs;
    }
    for (const std::string& name : m_withoutSpeed)
      m_figures.warnings.push_back(fmt::format("{} declares no speeds: there is no estimate", name));
    m_figures.estimatedNs = complete ? total : -1;
  }

 private:
  // nullptr: nothing is known of hardware that is not here.
  const DeviceSpeed* speedOf(const std::string& provider) const {
    const auto found = m_speeds.providers.find(provider);
    if (found != m_speeds.providers.end() && found->second) return known(*found->second) ? &*found->second : nullptr;
    const auto summary = std::ranges::find(m_report.providers, provider, &ProviderSummary::name);
    const bool simulated = summary != m_report.providers.end() && summary->simulated;
    return simulated || !known(m_speeds.cpu) ? nullptr : &m_speeds.cpu;
  }

  void nodes() {
    std::set<int32_t> launched;
    for (const NodePlacement& node : m_report.nodes) {
      if (node.provider.empty()) continue;
      const DeviceSpeed* speed = speedOf(node.provider);
      if (speed == nullptr) {
        m_withoutSpeed.insert(node.provider);
        continue;
      }
      const bool compiled = node.group != kNone && m_report.groups[static_cast<size_t>(node.group)].compiled;
      double& time = m_times[node.provider];
      if (!compiled || launched.insert(node.group).second) time += speed->launchNs;
      const double took = nodeTimeNs(node, *speed);
      if (took < 0)
        ++m_open;
      else
        time += took;
    }
  }

  // The link of the device on either side that is not the host; copies between host devices go through memory.
  const DeviceSpeed* linkOf(const CopyReport& copy) const {
    const DeviceSpeed* slowest = nullptr;
    for (const ProviderSummary& provider : m_report.providers) {
      if (provider.device != copy.from && provider.device != copy.to) continue;
      const DeviceSpeed* speed = speedOf(provider.name);
      if (speed == nullptr || speed->linkBytesPerSecond <= 0) continue;
      if (slowest == nullptr || speed->linkBytesPerSecond < slowest->linkBytesPerSecond) slowest = speed;
    }
    return slowest != nullptr ? slowest : known(m_speeds.cpu) ? &m_speeds.cpu : nullptr;
  }

  void copies() {
    double total = 0;
    for (const CopyReport& copy : m_report.copies) {
      if (copy.sizeBytes < 0) continue;  // counted as copies of unknown size
      const DeviceSpeed* link = copy.kind == "cast" && known(m_speeds.cpu) ? &m_speeds.cpu : linkOf(copy);
      if (link == nullptr) return;
      total += static_cast<double>(copy.sizeBytes) / link->linkBytesPerSecond * 1e9 + link->transferNs;
    }
    m_figures.estimatedCopyNs = total;
  }

  const PartitionReport& m_report;
  const SpeedTable& m_speeds;
  PartitionFigures& m_figures;
  std::map<std::string, double> m_times;
  std::set<std::string> m_withoutSpeed;
  int64_t m_open = 0;
};

}  // namespace

double nodeTimeNs(const NodePlacement& node, const DeviceSpeed& speed) {
  if (node.movedBytes < 0) return -1;
  const int64_t weights = node.flops == 0 ? std::min(node.weightBytes, node.movedBytes) : node.weightBytes;
  const double bytes = static_cast<double>(node.movedBytes + weights) / speed.memoryBytesPerSecond;
  const double work = node.flops > 0 ? static_cast<double>(node.flops) / speed.flopsPerSecond : 0;
  return std::max(bytes, work) * 1e9;
}

void estimateTimes(const WalkReport& walk, const SpeedTable& speeds, PartitionFigures& figures) {
  if (walk.partition != nullptr) Estimate(*walk.partition, speeds, figures).fill();
}

}  // namespace cutaway::study
