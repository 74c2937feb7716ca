#include "sweep/answers/matrix.h"

#include <algorithm>

#include "engine/base/format.h"

namespace cutaway::sweep {

namespace {

size_t indexIn(std::vector<std::string>& names, std::map<std::string, size_t>& known, const std::string& name) {
  const auto [found, isNew] = known.try_emplace(name, names.size());
  if (isNew) names.push_back(name);
  return found->second;
}

}  // namespace

int64_t MatrixCell::open() const {
  return std::ranges::count_if(results, [](const CellResult* each) { return !each->isDone; });
}

Outcome MatrixCell::worst() const {
  Outcome worst = Outcome::kOk;
  for (const CellResult* each : results) {
    if (each->isDone && worst == Outcome::kOk) worst = each->record.outcome;
  }
  return worst;
}

double medianOf(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Figure overRepeats(const std::vector<const Figure*>& all) {
  Figure figure = *all.front();
  if (all.size() == 1) return figure;
  std::vector<double> values;
  for (const Figure* each : all)
    values.push_back(each->value);
  std::tie(figure.low, figure.high) = std::pair(std::ranges::min(values), std::ranges::max(values));
  figure.value = medianOf(std::move(values));
  return figure;
}

std::map<std::string, Figure> MatrixCell::figures() const {
  std::map<std::string, std::vector<const Figure*>> all;
  for (const CellResult* each : results) {
    for (const auto& [name, figure] : each->record.findings.figures)
      all[name].push_back(&figure);
  }
  std::map<std::string, Figure> figures;
  for (const auto& [name, each] : all)
    figures[name] = overRepeats(each);
  return figures;
}

std::optional<Figure> MatrixCell::figure(const std::string& name) const {
  std::vector<const Figure*> all;
  for (const CellResult* each : results) {
    const auto found = each->record.findings.figures.find(name);
    if (found != each->record.findings.figures.end()) all.push_back(&found->second);
  }
  return all.empty() ? std::nullopt : std::optional(overRepeats(all));
}

const std::vector<ProviderShare>* MatrixCell::providers() const {
  for (const CellResult* each : results) {
    if (!each->record.findings.providers.empty()) return &each->record.findings.providers;
  }
  return nullptr;
}

Matrix matrixOf(const std::vector<CellResult>& cells) {
  Matrix matrix;
  std::map<std::string, size_t> models, configurations;
  for (const CellResult& cell : cells) {
    indexIn(matrix.models, models, cell.cell.model);
    indexIn(matrix.configurations, configurations, cell.cell.configuration);
  }
  matrix.cells.resize(matrix.models.size() * matrix.configurations.size());
  for (const CellResult& cell : cells) {
    const size_t at = models[cell.cell.model] * matrix.configurations.size() + configurations[cell.cell.configuration];
    matrix.cells[at].results.push_back(&cell);
    ++matrix.jobs;
    if (cell.isDone)
      ++matrix.outcomes[cell.record.outcome];
    else
      ++matrix.open;
  }
  return matrix;
}

std::string figureText(const Figure& figure) {
  const std::string least = figure.truth == "partial" ? ">= " : "";  // more comes to what is known of it
  if (figure.unit == "ms") return formatTime(static_cast<int64_t>(figure.value * 1e6));
  if (figure.unit == "bytes") return least + formatBytes(static_cast<int64_t>(figure.value));
  return fmt::format("{:g}", figure.value);
}

std::string sharedFolder(const std::vector<std::string>& models) {
  if (models.size() < 2) return "";
  std::string shared = models.front();
  for (const std::string& each : models)
    shared.resize(static_cast<size_t>(std::mismatch(shared.begin(), shared.end(), each.begin(), each.end()).first -
                                      shared.begin()));
  return shared.substr(0, shared.rfind('/') + 1);
}

std::string shareText(const std::vector<ProviderShare>& providers) {
  std::vector<std::string> words;
  for (const ProviderShare& share : providers) {
    if (share.nodes > 0) words.push_back(fmt::format("{} {}", share.nodes, share.provider));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string cellText(const MatrixCell& cell) {
  if (cell.isEmpty()) return "";
  if (const Outcome worst = cell.worst(); worst != Outcome::kOk) return std::string(outcomeName(worst));
  if (cell.open() == static_cast<int64_t>(cell.results.size())) return "open";
  for (const char* name : {"median_ms", "max_abs_error", "planned_peak_bytes"}) {
    if (const std::optional<Figure> figure = cell.figure(name))
      return (std::string_view(name) == "max_abs_error" ? "error " : "") + figureText(*figure);
  }
  if (const auto* providers = cell.providers()) return shareText(*providers);
  return "ok";
}

}  // namespace cutaway::sweep
