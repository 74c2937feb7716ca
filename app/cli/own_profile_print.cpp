#include "app/cli/own_profile_print.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

constexpr size_t kMostNodes = 30;

const char* wordOf(OwnPart part) {
  switch (part) {
    case OwnPart::kCompile:
      return "compile";
    case OwnPart::kRun:
      return "run";
    case OwnPart::kNode:
      return "node";
  }
  return "";
}

std::string amount(double value, const std::string& unit) {
  if (unit == "us") return formatTime(static_cast<int64_t>(std::llround(value * 1e3)));
  const std::string count = formatCount(static_cast<int64_t>(std::llround(value)));
  return unit == "count" ? count : count + " " + unit;
}

std::string spread(const OwnFigure& figure) {
  if (figure.times < 2) return {};
  return fmt::format("{} to {}", amount(figure.minimum, figure.unit), amount(figure.maximum, figure.unit));
}

void printFigures(const OwnProfile& profile) {
  TableOf<OwnFigure> table({{"of", [](const OwnFigure& figure) { return std::string(wordOf(figure.part)); }},
                            {"figure", &OwnFigure::name},
                            {">mean", [](const OwnFigure& figure) { return amount(figure.mean, figure.unit); }},
                            {">least to most", spread},
                            {">times", [](const OwnFigure& figure) { return formatCount(figure.times); }}});
  for (const OwnFigure& figure : profile.figures) {
    if (figure.part != OwnPart::kNode) table.add(figure);
  }
  if (!table.empty()) table.print();
}

void printNodes(const OwnProfile& profile) {
  std::vector<OwnFigure> nodes;
  int64_t fused = 0;
  for (const OwnFigure& figure : profile.figures) {
    if (figure.part != OwnPart::kNode) continue;
    if (figure.maximum > 0) {
      nodes.push_back(figure);
    } else {
      ++fused;
    }
  }
  if (nodes.empty()) return;
  double sum = 0;
  for (const OwnFigure& node : nodes)
    sum += node.mean;
  std::ranges::stable_sort(nodes, std::greater(), &OwnFigure::mean);
  TableOf<OwnFigure> table(
      {{"node", &OwnFigure::name},
       {"operator", &OwnFigure::opType},
       {">mean", [](const OwnFigure& figure) { return amount(figure.mean, figure.unit); }},
       {">share",
        [sum](const OwnFigure& figure) { return fmt::format("{:.1f} %", sum > 0 ? 100 * figure.mean / sum : 0); }},
       {">least to most", spread}},
      nodes);
  put("\n");
  table.print(kMostNodes, 56);
  if (fused > 0) put("{} more have none: the compiler fused them into others\n", formatCount(fused));
}

}  // namespace

std::vector<OwnProfile> ownProfilesOf(const WalkReport& walk) {
  std::vector<OwnProfile> found;
  if (walk.partition == nullptr) return found;
  const std::vector<OwnProfile> all = OwnProfiles::all();
  for (const GroupReport& group : walk.partition->groups) {
    for (const OwnProfile& profile : all) {
      if (profile.group == group.name && profile.provider == group.provider) found.push_back(profile);
    }
  }
  return found;
}

void printOwnProfiles(const std::vector<OwnProfile>& profiles) {
  for (const OwnProfile& profile : profiles) {
    put("\n{}, group {}: {}\n", profile.title, profile.group,
        profile.simulated
            ? "its own figures. Steps of the compiler are the device's compiler on this machine; runs and "
              "cycles are its simulator's, and say nothing about the chip"
            : "its own figures");
    if (!profile.problem.empty()) put("none: {}\n", profile.problem);
    printFigures(profile);
    printNodes(profile);
  }
}

nlohmann::json ownProfilesToJson(const std::vector<OwnProfile>& profiles) {
  nlohmann::json list = nlohmann::json::array();
  for (const OwnProfile& profile : profiles) {
    nlohmann::json figures = nlohmann::json::array();
    for (const OwnFigure& figure : profile.figures)
      figures.push_back({{"of", wordOf(figure.part)},
                         {"name", figure.name},
                         {"op_type", figure.opType},
                         {"unit", figure.unit},
                         {"mean", figure.mean},
                         {"min", figure.minimum},
                         {"max", figure.maximum},
                         {"times", figure.times}});
    list.push_back({{"provider", profile.provider},
                    {"group", profile.group},
                    {"simulated", profile.simulated},
                    {"problem", profile.problem},
                    {"figures", std::move(figures)}});
  }
  return list;
}

}  // namespace cutaway::cli
