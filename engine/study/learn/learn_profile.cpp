#include "engine/study/learn/learn_profile.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "engine/base/clock.h"
#include "engine/schema/schema_list.h"
#include "engine/study/learn/findings.h"
#include "engine/study/learn/probe_table.h"
#include "engine/study/learn/prober.h"

namespace cutaway::study {

namespace {

// The operator set that forms are asked in, where they are right for it: old enough for providers of some years, new
// enough for what models use.
constexpr int64_t kUsualOpset = 21;
constexpr const char* kMicrosoft = "com.microsoft";
constexpr std::string_view kMicrosoftStart = "ms:";
constexpr size_t kUsualRank = 4;

// Which of the types that an operator allows is tried first.
constexpr auto kUsualTypes =
    std::to_array<ElementType>({ElementType::kFloat, ElementType::kBool, ElementType::kInt64, ElementType::kInt32,
                                ElementType::kUint8, ElementType::kInt8, ElementType::kFloat16});

std::optional<ElementType> tensorType(const std::string& text) {
  constexpr std::string_view kStart = "tensor(";
  if (!text.starts_with(kStart) || !text.ends_with(')')) return std::nullopt;
  return elementTypeFromName(text.substr(kStart.size(), text.size() - kStart.size() - 1));
}

const FormalParameter& parameterOf(const OperatorSchema& schema, size_t slot) {
  return schema.inputs[std::min(slot, schema.inputs.size() - 1)];
}

std::vector<ElementType> allowedBy(const OperatorSchema& schema, const std::string& parameter) {
  std::vector<ElementType> allowed;
  for (const TypeConstraint& constraint : schema.typeConstraints) {
    if (constraint.name != parameter) continue;
    for (const std::string& text : constraint.allowed) {
      const std::optional<ElementType> type = tensorType(text);
      if (type && std::ranges::find(learnedTypes(), *type) != learnedTypes().end()) allowed.push_back(*type);
    }
  }
  return allowed;
}

std::map<std::string, ElementType> usualTypes(const OperatorSchema& schema) {
  std::map<std::string, ElementType> types;
  for (const TypeConstraint& constraint : schema.typeConstraints) {
    const std::vector<ElementType> allowed = allowedBy(schema, constraint.name);
    const auto usual = std::ranges::find_if(
        kUsualTypes, [&](ElementType type) { return std::ranges::find(allowed, type) != allowed.end(); });
    if (usual != kUsualTypes.end()) types[constraint.name] = *usual;
  }
  return types;
}

// Asked about in units: alone they are at the border of a model, where providers answer otherwise.
bool isOfUnits(const std::string& op) {
  return op == "QuantizeLinear" || op == "DequantizeLinear";
}

class Learner {
 public:
  Learner(ExecutionProvider& provider, const LearnOptions& options, Progress& progress)
      : m_options(options),
        m_progress(progress),
        m_prober(provider, progress, [this] { return m_watch.elapsedNs() > m_mostNs; }),
        m_mostNs(static_cast<int64_t>(options.mostSeconds * 1e9)) {}

  Result<LearnedProfile> learn() {
    CUTAWAY_CHECK(makePlans());
    for (size_t i = 0; i < m_found.plans.size(); ++i)
      askForms(i);
    CUTAWAY_CHECK(askAll("forms and types"));
    std::vector<size_t> refused;
    for (size_t i = 0; i < m_found.plans.size(); ++i) {
      choose(m_found.plans[i]);
      if (!m_found.plans[i].isTaken) refused.push_back(i);
    }
    CUTAWAY_CHECK(askOlderSets(refused));
    for (size_t i = 0; i < m_found.plans.size(); ++i) {
      if (m_found.plans[i].isTaken) askDetails(i);
    }
    CUTAWAY_CHECK(askAll("attributes and versions"));
    CUTAWAY_CHECK(askUnits());
    CUTAWAY_CHECK(askOpenShape());
    if (m_prober.counts().taken == 0) return fail(nothingTaken());
    m_found.counts = m_prober.counts();
    m_found.isComplete = m_watch.elapsedNs() <= m_mostNs;
    return writeProfile(m_found, m_options);
  }

 private:
  // A profile without operators would only look like an answer.
  Error nothingTaken() const {
    std::string reason = "there was no time to ask about any";
    for (const Probe& probe : m_found.probes) {
      if (probe.outcome != ProbeOutcome::kRefused) continue;
      reason = probe.reason.empty() ? "it gives no reason" : probe.reason;
      break;
    }
    return {ErrorCode::kEpFail,
            fmt::format("no profile is learned: of {} nodes asked about, {} takes none; {}", m_prober.counts().asked,
                        m_options.asked.empty() ? m_options.name : m_options.asked, reason),
            {}};
  }

  Result<void> makePlans() {
    std::set<std::string> wanted(m_options.operators.begin(), m_options.operators.end());
    std::map<std::pair<std::string, std::string>, const OperatorSchema*> newest;
    for (const OperatorSchema* const schema : allSchemas()) {
      if (schema->domain.empty() || schema->domain == kMicrosoft) newest[{schema->domain, schema->opType}] = schema;
    }
    std::set<std::pair<std::string, std::string>> inTable;
    for (const ProbeRow& row : probeRows()) {
      std::string_view rest = row.operators;
      while (!rest.empty()) {
        const size_t end = std::min(rest.find(' '), rest.size());
        std::string_view name = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const bool isMicrosoft = name.starts_with(kMicrosoftStart);
        if (isMicrosoft) name.remove_prefix(kMicrosoftStart.size());
        const std::string domain = isMicrosoft ? kMicrosoft : "";
        inTable.insert({domain, std::string(name)});
        addPlan(std::string(name), domain, row, wanted);
      }
    }
    for (const auto& [key, schema] : newest) {
      if (!inTable.contains(key) && !isOfUnits(key.second)) addPlan(key.second, key.first, rowOf(*schema), wanted);
      wanted.erase(key.second);
    }
    if (!wanted.empty())
      return fail(ErrorCode::kInvalidArgument, "there is no operator '{}' to ask about", *wanted.begin());
    return {};
  }

  // Operators without a row: as many inputs as they need, all of one shape.
  ProbeRow rowOf(const OperatorSchema& schema) {
    const bool needsAttributes =
        std::ranges::any_of(schema.attributes, [](const SchemaAttribute& attribute) { return attribute.required; });
    ProbeRow row{.operators = {}, .from = 1, .to = 0, .forms = {}};
    if (schema.deprecated || needsAttributes) return row;
    constexpr std::array<std::string_view, 4> kForms{"", "R", "R R", "R R R"};
    const auto inputs = static_cast<size_t>(std::max(schema.minInputs, 0));
    if (inputs > 0 && inputs < kForms.size()) row.forms = kForms[inputs];
    return row;
  }

  void addPlan(const std::string& op, const std::string& domain, const ProbeRow& row,
               const std::set<std::string>& wanted) {
    if (!m_options.operators.empty() && !wanted.contains(op)) return;
    const int64_t last = row.to == 0 ? kNewestOpset : row.to;
    const int64_t opset = std::clamp(std::max(kUsualOpset, row.from), kOldestOpset, last);
    const OperatorSchema* const schema = findSchema(op, domain, domain.empty() ? opset : 1);
    if (schema == nullptr || schema->deprecated || row.forms.empty() || schema->inputs.empty()) {
      // Not in this operator set, or nothing is known to ask.
      if (row.to == 0) m_found.unknown.insert(domain.empty() ? op : domain + "." + op);
      return;
    }
    Plan plan{.op = op, .domain = domain, .from = row.from, .to = row.to, .opset = opset};
    plan.forms = probeForms(row.forms);
    plan.variations = probeVariations(row.variations);
    plan.schema = schema;
    plan.types = usualTypes(*schema);
    const auto isUsual = [](const ProbeForm& form) { return form.inputs.front().dims.size() == kUsualRank; };
    const auto usual = std::ranges::find_if(plan.forms, isUsual);
    if (usual != plan.forms.end()) plan.form = static_cast<size_t>(usual - plan.forms.begin());
    m_found.plans.push_back(std::move(plan));
  }

  // False: the form has an input that is no tensor.
  std::optional<Probe> probeOf(const Plan& plan, size_t form, const std::map<std::string, ElementType>& types) const {
    Probe probe{.op = plan.op, .domain = plan.domain, .opset = plan.opset};
    const ProbeForm& shape = plan.forms[form];
    for (size_t i = 0; i < shape.inputs.size(); ++i) {
      const ProbeSlot& slot = shape.inputs[i];
      const std::string& text = parameterOf(*plan.schema, i).typeText;
      const auto parameter = types.find(text);
      const std::optional<ElementType> type = parameter != types.end() ? parameter->second : tensorType(text);
      if (!type) return std::nullopt;
      probe.inputs.push_back({.isAbsent = slot.isAbsent,
                              .isConstant = slot.isConstant,
                              .type = *type,
                              .dims = slot.dims,
                              .values = slot.values});
    }
    probe.attributes = shape.attributes;
    probe.outputs = shape.outputs;
    if (plan.schema->minOutputs > static_cast<int32_t>(probe.outputs))
      probe.outputs = static_cast<size_t>(plan.schema->minOutputs);
    return probe;
  }

  void add(std::optional<Probe> probe, Asked asked) {
    if (!probe) return;
    m_found.plans[asked.plan].probes.push_back(m_found.probes.size());
    m_found.probes.push_back(*std::move(probe));
    m_found.asked.push_back(asked);
  }

  void askForms(size_t place) {
    const Plan& plan = m_found.plans[place];
    for (size_t form = 0; form < plan.forms.size(); ++form)
      add(probeOf(plan, form, plan.types), {.plan = place, .question = ProbeKind::kForm, .form = form});
    askTypes(place);
  }

  void askTypes(size_t place) {
    const Plan plan = m_found.plans[place];
    for (const auto& [parameter, chosen] : plan.types) {
      for (const ElementType type : allowedBy(*plan.schema, parameter)) {
        if (type == chosen) continue;
        std::map<std::string, ElementType> types = plan.types;
        types[parameter] = type;
        add(probeOf(plan, plan.form, types), {.plan = place, .question = ProbeKind::kTypes, .form = plan.form});
      }
    }
  }

  // Puts all questions that have no answer yet.
  Result<void> askAll(std::string_view about) {
    m_progress.begin("Learn", about);
    std::vector<Probe> open;
    std::vector<size_t> places;
    for (size_t i = m_answered; i < m_found.probes.size(); ++i) {
      open.push_back(m_found.probes[i]);
      places.push_back(i);
    }
    // In parts, so that progress is seen.
    constexpr size_t kPart = 512;
    for (size_t first = 0; first < open.size(); first += kPart) {
      const size_t count = std::min(kPart, open.size() - first);
      std::vector<Probe> part(open.begin() + static_cast<std::ptrdiff_t>(first),
                              open.begin() + static_cast<std::ptrdiff_t>(first + count));
      CUTAWAY_CHECK(m_prober.ask(part));
      for (size_t i = 0; i < count; ++i)
        m_found.probes[places[first + i]] = std::move(part[i]);
      m_progress.update(first + count, open.size());
    }
    m_answered = m_found.probes.size();
    return {};
  }

  // Operators that the provider may know from older sets alone.
  Result<void> askOlderSets(const std::vector<size_t>& refused) {
    for (const size_t place : refused) {
      if (const std::optional<Probe> base =
              probeOf(m_found.plans[place], m_found.plans[place].form, m_found.plans[place].types))
        askVersions(place, *base);
    }
    CUTAWAY_CHECK(askAll("older operator sets"));
    std::vector<size_t> older;
    for (const size_t place : refused) {
      Plan& plan = m_found.plans[place];
      const std::vector<size_t> taken = takenOf(plan, ProbeKind::kVersion);
      if (taken.empty()) continue;
      plan.opset = static_cast<int64_t>(m_found.asked[taken.back()].detail);
      plan.schema = findSchema(plan.op, plan.domain, plan.opset);
      plan.types = usualTypes(*plan.schema);
      plan.probes.clear();
      askForms(place);
      older.push_back(place);
    }
    CUTAWAY_CHECK(askAll("older operator sets"));
    for (const size_t place : older)
      choose(m_found.plans[place]);
    return {};
  }

  // What is asked further starts from a form that is taken: the usual one if it can be.
  void choose(Plan& plan) {
    const Probe* best = nullptr;
    const Asked* how = nullptr;
    for (const size_t place : plan.probes) {
      const Probe& probe = m_found.probes[place];
      if (probe.outcome == ProbeOutcome::kRefused && plan.reason.empty()) plan.reason = probe.reason;
      if (probe.outcome != ProbeOutcome::kTaken) continue;
      const bool isUsual = m_found.asked[place].question == ProbeKind::kForm && m_found.asked[place].form == plan.form;
      if (best != nullptr && !isUsual) continue;
      best = &probe;
      how = &m_found.asked[place];
    }
    if (best == nullptr) return;
    plan.isTaken = true;
    const bool isOtherForm = how->form != plan.form;
    const bool isOtherType = how->question == ProbeKind::kTypes;
    plan.form = how->form;
    if (isOtherType) {
      for (size_t i = 0; i < best->inputs.size(); ++i) {
        const auto parameter = plan.types.find(parameterOf(*plan.schema, i).typeText);
        if (parameter != plan.types.end()) parameter->second = best->inputs[i].type;
      }
    }
    const auto place = static_cast<size_t>(&plan - m_found.plans.data());
    if (isOtherForm) askTypes(place);
    if (isOtherType) {
      for (size_t form = 0; form < plan.forms.size(); ++form)
        add(probeOf(plan, form, plan.types), {.plan = place, .question = ProbeKind::kForm, .form = form});
    }
  }

  void askDetails(size_t place) {
    const Plan plan = m_found.plans[place];
    const std::optional<Probe> base = probeOf(plan, plan.form, plan.types);
    if (!base) return;
    for (size_t i = 0; i < plan.variations.size(); ++i) {
      for (size_t value = 0; value < plan.variations[i].values.size(); ++value) {
        Probe probe = *base;
        std::erase_if(probe.attributes,
                      [&](const Attribute& attribute) { return attribute.name == plan.variations[i].name; });
        probe.attributes.push_back(plan.variations[i].values[value]);
        add(std::move(probe),
            {.plan = place, .question = ProbeKind::kAttribute, .form = plan.form, .detail = i, .value = value});
      }
    }
    for (size_t i = 0; i < base->inputs.size(); ++i) {
      if (!base->inputs[i].isConstant) continue;
      Probe probe = *base;
      probe.inputs[i].isConstant = false;
      add(std::move(probe), {.plan = place, .question = ProbeKind::kDynamic, .form = plan.form, .detail = i});
    }
    if (plan.schema->maxOutputs > static_cast<int32_t>(base->outputs) && plan.schema->maxOutputs < INT32_MAX) {
      Probe probe = *base;
      ++probe.outputs;
      add(std::move(probe),
          {.plan = place, .question = ProbeKind::kOutputs, .form = plan.form, .detail = base->outputs});
    }
    askVersions(place, *base);
  }

  void askVersions(size_t place, const Probe& base) {
    const Plan plan = m_found.plans[place];
    if (!plan.domain.empty()) return;
    const int64_t last = plan.to == 0 ? kNewestOpset : plan.to;
    int32_t before = 0;
    for (int64_t opset = std::max(plan.from, kOldestOpset); opset <= last; ++opset) {
      const OperatorSchema* const schema = findSchema(plan.op, plan.domain, opset);
      if (schema == nullptr || schema->deprecated || schema->sinceVersion == before) continue;
      before = schema->sinceVersion;
      Probe probe = base;
      probe.opset = opset;
      add(std::move(probe),
          {.plan = place, .question = ProbeKind::kVersion, .form = plan.form, .detail = static_cast<size_t>(opset)});
    }
  }

  // Quantised values: a DequantizeLinear, an operator and a QuantizeLinear, in each type.
  Result<void> askUnits() {
    std::vector<Probe> probes;
    for (const ElementType type :
         {ElementType::kUint8, ElementType::kInt8, ElementType::kUint16, ElementType::kInt16}) {
      Probe probe{.op = std::string(unitOperator()), .domain = {}, .opset = kUsualOpset};
      probe.inputs.push_back({.type = type, .dims = {1, 2, 3, 4}});
      probe.isUnit = true;
      probes.push_back(std::move(probe));
    }
    if (!m_options.operators.empty()) return {};
    m_progress.begin("Learn", "quantised values");
    CUTAWAY_CHECK(m_prober.ask(probes));
    for (const Probe& probe : probes) {
      if (probe.outcome == ProbeOutcome::kTaken) m_found.unitTypes.push_back(probe.inputs.front().type);
    }
    return {};
  }

  Result<void> askOpenShape() {
    const auto taken = std::ranges::find_if(m_found.probes, [](const Probe& probe) {
      return probe.outcome == ProbeOutcome::kTaken && probe.inputs.size() == 1 && !probe.inputs.front().dims.empty();
    });
    if (taken == m_found.probes.end()) return {};
    std::vector<Probe> probes{*taken};
    probes.front().inputs.front().dims.front() = -1;
    probes.front().outcome = ProbeOutcome::kNotAsked;
    CUTAWAY_CHECK(m_prober.ask(probes));
    m_found.needsStaticShapes = probes.front().outcome == ProbeOutcome::kRefused;
    return {};
  }

  std::vector<size_t> takenOf(const Plan& plan, ProbeKind question) const {
    std::vector<size_t> places;
    for (const size_t place : plan.probes) {
      if (m_found.asked[place].question == question && m_found.probes[place].outcome == ProbeOutcome::kTaken)
        places.push_back(place);
    }
    return places;
  }

  const LearnOptions& m_options;
  Progress& m_progress;
  Stopwatch m_watch;
  Prober m_prober;
  int64_t m_mostNs;
  Findings m_found;
  size_t m_answered = 0;  // of its probes
};

}  // namespace

Result<LearnedProfile> learnProfile(ExecutionProvider& provider, const LearnOptions& options, Progress& progress) {
  return Learner(provider, options, progress).learn();
}

}  // namespace cutaway::study
