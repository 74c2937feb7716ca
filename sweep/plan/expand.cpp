#include "sweep/plan/expand.h"

#include <algorithm>
#include <map>
#include <set>

#include "sweep/plan/glob.h"
#include "sweep/plan/model_hash.h"

namespace cutaway::sweep {

namespace {

constexpr size_t kMostJobs = 1'000'000;
constexpr int64_t kProcessBytes = 256'000'000;  // what a process takes beside its model; assumed

struct ModelVariant {
  std::filesystem::path path;
  std::string label;
  std::map<std::string, int64_t> dims;
  const ModelSet* set = nullptr;
};

// All combinations of the dims of a set.
std::vector<std::map<std::string, int64_t>> dimChoices(const ModelSet& set) {
  std::vector<std::map<std::string, int64_t>> all = {{}};
  for (const auto& [name, sizes] : set.dims) {
    std::vector<std::map<std::string, int64_t>> next;
    for (const auto& each : all) {
      for (const int64_t size : sizes) {
        next.push_back(each);
        next.back()[name] = size;
      }
    }
    all = std::move(next);
    if (all.size() > kMostJobs) break;
  }
  return all;
}

std::string labelOf(const std::filesystem::path& folder, const std::filesystem::path& model) {
  const std::filesystem::path relative = model.lexically_relative(folder);
  return relative.empty() ? model.string() : relative.string();
}

class Expander {
 public:
  Expander(const Plan& plan, const std::string& version, const OpenPack& openPack, Progress& progress)
      : m_plan(plan), m_version(version), m_openPack(openPack), m_progress(progress) {}

  Result<Expansion> run() {
    CUTAWAY_CHECK(findModels());
    m_progress.begin("sweep", fmt::format("{} models", m_models.size()));
    uint64_t done = 0;
    for (const ModelVariant& model : m_models) {
      if (m_progress.cancelled()) return fail(cancelledError());
      for (const PlannedConfiguration& configuration : m_plan.configurations) {
        for (const Measure& measure : m_plan.measures)
          CUTAWAY_CHECK(addJobs(model, configuration, measure));
      }
      m_progress.update(++done, m_models.size());
    }
    if (m_withoutTestData > 0)
      m_expansion.notes.push_back(fmt::format(
          "check: {} cells are left out: no test_data_set_* lies beside a model.onnx there", m_withoutTestData));
    return std::move(m_expansion);
  }

 private:
  Result<void> findModels() {
    const std::filesystem::path folder = m_plan.folder();
    std::set<std::string> labels;
    for (const ModelSet& set : m_plan.models) {
      for (const std::string& pattern : set.files) {
        const std::vector<std::filesystem::path> files = filesOf(folder, pattern);
        if (files.empty())
          return fail(ErrorCode::kInvalidArgument, "{}:{}: models: no file matches '{}'", m_plan.file.string(),
                      set.line, pattern);
        for (const std::filesystem::path& file : files) {
          const std::string label = labelOf(folder, file);
          if (isLeftOut(set, label)) continue;
          CUTAWAY_CHECK(isPack(file) ? addPack(set, file, label, labels) : addVariants(set, file, label, labels));
        }
      }
    }
    return {};
  }

  static bool isLeftOut(const ModelSet& set, const std::string& label) {
    return std::ranges::any_of(set.exclude, [&](const auto& glob) { return globMatches(glob, label); });
  }

  // Models in a pack are called as if the pack were a folder: "zoo.tar.xz/resnet/model.onnx".
  Result<void> addPack(const ModelSet& set, const std::filesystem::path& pack, const std::string& label,
                       std::set<std::string>& labels) {
    const Result<std::filesystem::path> folder = m_openPack(pack);
    if (!folder)
      return fail(folder.error().code, "{}:{}: models: {}", m_plan.file.string(), set.line, folder.error().message);
    const std::vector<std::filesystem::path> models = modelsBelow(*folder);
    if (models.empty())
      return fail(ErrorCode::kInvalidArgument, "{}:{}: models: no model is in the pack '{}'", m_plan.file.string(),
                  set.line, pack.string());
    for (const std::filesystem::path& model : models) {
      const std::string name = label + "/" + model.lexically_relative(*folder).string();
      if (!isLeftOut(set, name)) CUTAWAY_CHECK(addVariants(set, model, name, labels));
    }
    return {};
  }

  Result<void> addVariants(const ModelSet& set, const std::filesystem::path& file, const std::string& label,
                           std::set<std::string>& labels) {
    for (const auto& dims : dimChoices(set)) {
      std::string name = label;
      for (const auto& [dim, size] : dims)
        name += fmt::format(" {}={}", dim, size);
      if (!labels.insert(name).second) continue;  // two patterns find one file
      if (m_models.size() >= kMostJobs) return fail(tooMany());
      m_models.push_back({file, name, dims, &set});
    }
    return {};
  }

  bool isExcluded(const Cell& cell) const {
    return std::ranges::any_of(m_plan.exclusions, [&](const Exclusion& each) {
      const auto matches = [](const std::string& pattern, std::string_view text) {
        return pattern.empty() || globMatches(pattern, text);
      };
      return matches(each.model, cell.model) && matches(each.configuration, cell.configuration) &&
             matches(each.measure, measureName(cell.measure));
    });
  }

  // Read once for all configurations; nullptr: it cannot be read, which a note says.
  const ModelBytes* bytesOf(const ModelVariant& model, bool withTestData) {
    const auto [found, isNew] = m_bytes.try_emplace({model.path, withTestData});
    if (isNew) {
      Result<ModelBytes> bytes = hashModel(model.path, withTestData);
      if (bytes)
        found->second = *std::move(bytes);
      else
        m_expansion.notes.push_back(fmt::format("left out: {}", bytes.error().message));
    }
    return found->second.hash.empty() ? nullptr : &found->second;
  }

  const Json* settingsOf(const std::string& name) const {
    const auto found = std::ranges::find(m_plan.configurations, name, &PlannedConfiguration::name);
    return found == m_plan.configurations.end() ? nullptr : &found->settings;
  }

  Result<void> addJobs(const ModelVariant& model, const PlannedConfiguration& configuration, const Measure& measure) {
    Job job;
    job.cell = {model.label, configuration.name, measure.kind, 0};
    if (isExcluded(job.cell)) {
      ++m_expansion.excludedCells;
      return {};
    }
    // A configuration is not compared with itself.
    if (measure.kind == MeasureKind::kCompare && measure.reference == configuration.name) return {};
    const bool isCheck = measure.kind == MeasureKind::kCheck;
    if (isCheck && !hasTestData(model.path)) {
      ++m_withoutTestData;
      return {};
    }
    const ModelBytes* bytes = bytesOf(model, isCheck);
    if (bytes == nullptr) return {};
    job.model = model.path;
    job.modelHash = bytes->hash;
    job.modelBytes = bytes->sizeBytes;
    job.settings = withDims(configuration.settings, model.dims);
    if (measure.kind == MeasureKind::kCompare) job.reference = withDims(*settingsOf(measure.reference), model.dims);
    job.measure = measure;
    job.limits = limitsOf(model, configuration, measure, bytes->sizeBytes);
    // A job keeps to its cores.
    for (Json* settings : {&job.settings, &job.reference}) {
      if (settings->is_object() && !settings->contains("threads")) (*settings)["threads"] = job.limits.cpus;
    }
    for (int64_t repeat = 0; repeat < measure.repeats; ++repeat) {
      if (m_expansion.jobs.size() >= kMostJobs) return fail(tooMany());
      job.cell.repeat = repeat;
      job.key = keyOf(job, m_version);
      m_expansion.jobs.push_back(job);
    }
    return {};
  }

  Limits limitsOf(const ModelVariant& model, const PlannedConfiguration& configuration, const Measure& measure,
                  int64_t sizeBytes) const {
    Limits limits = m_plan.limits;
    limits.apply(model.set->limits);
    limits.apply(configuration.limits);
    limits.apply(measure.limits);
    if (limits.memoryBytes == 0) limits.memoryBytes = kProcessBytes + 4 * std::min<int64_t>(sizeBytes, 1LL << 50);
    return limits;
  }

  static Json withDims(Json settings, const std::map<std::string, int64_t>& dims) {
    for (const auto& [name, size] : dims)
      settings["dims"][name] = size;
    return settings;
  }

  Error tooMany() const {
    return {ErrorCode::kInvalidArgument, fmt::format("{}: more than {} jobs", m_plan.file.string(), kMostJobs), {}};
  }

  const Plan& m_plan;
  const std::string& m_version;
  const OpenPack& m_openPack;
  Progress& m_progress;
  std::vector<ModelVariant> m_models;
  std::map<std::pair<std::filesystem::path, bool>, ModelBytes> m_bytes;
  Expansion m_expansion;
  int64_t m_withoutTestData = 0;
};

}  // namespace

Result<Expansion> expand(const Plan& plan, const std::string& programVersion, const OpenPack& openPack,
                         Progress& progress) {
  return Expander(plan, programVersion, openPack, progress).run();
}

}  // namespace cutaway::sweep
