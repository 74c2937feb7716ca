// The draft of a configuration, kept as what differs from the session's.
#include "ui/document/what_if_draft.h"

#include <algorithm>

#include <QStringList>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

std::vector<DraftProvider>::iterator find(std::vector<DraftProvider>& providers, const QString& name) {
  return std::ranges::find(providers, name, &DraftProvider::name);
}

std::vector<DraftProvider> draftProviders(const std::vector<std::string>& specs, const QString& lastName) {
  std::vector<DraftProvider> providers;
  for (const std::string& spec : specs)
    providers.push_back(draftProvider(spec));
  const auto last = find(providers, lastName);
  if (last == providers.end()) {
    if (!lastName.isEmpty()) providers.push_back({lastName, {}, true});
  } else {
    std::rotate(last, last + 1, providers.end());
  }
  return providers;
}

QStringList enabledNames(const std::vector<DraftProvider>& providers) {
  QStringList names;
  for (const DraftProvider& provider : providers)
    if (provider.enabled) names << text(specOf(provider));
  return names;
}

constexpr const char* kReuseKey = "session.enable_mem_reuse";
constexpr const char* kPatternKey = "session.enable_mem_pattern";

bool switchedOn(const std::map<std::string, std::string>& keys, const char* key, bool otherwise) {
  const auto found = keys.find(key);
  return found == keys.end() ? otherwise : found->second != "0";
}

DraftPlan planOf(const session::SessionOptions& options) {
  return {options.order,
          options.planRules,
          switchedOn(options.config, kReuseKey, true),
          options.inPlace,
          switchedOn(options.config, kPatternKey, true),
          options.executor,
          options.interThreads,
          options.dims};
}

// Only what differs is said, so that a configuration stays short.
void sayPlan(session::Configuration& configuration, const DraftPlan& now, const DraftPlan& start) {
  if (now.order != start.order) configuration.order = now.order;
  if (now.rules != start.rules) configuration.planRules = now.rules;
  if (now.inPlace != start.inPlace) configuration.inPlace = now.inPlace;
  if (now.executor != start.executor) configuration.executor = now.executor;
  if (now.workers != start.workers) configuration.interThreads = now.workers;
  if (now.reuse != start.reuse) configuration.keys[kReuseKey] = now.reuse ? "1" : "0";
  if (now.pattern != start.pattern) configuration.keys[kPatternKey] = now.pattern ? "1" : "0";
  for (const auto& [name, value] : now.dims)
    if (const auto before = start.dims.find(name); before == start.dims.end() || before->second != value)
      configuration.dims[name] = value;
}

// What a loaded configuration says of the plan moves from it into the draft.
void takePlan(DraftPlan& plan, session::Configuration& from) {
  if (from.order) plan.order = *from.order;
  if (from.planRules) plan.rules = *from.planRules;
  if (from.inPlace) plan.inPlace = *from.inPlace;
  if (from.executor) plan.executor = *from.executor;
  if (from.interThreads) plan.workers = *from.interThreads;
  plan.reuse = switchedOn(from.keys, kReuseKey, plan.reuse);
  plan.pattern = switchedOn(from.keys, kPatternKey, plan.pattern);
  for (const auto& [name, value] : from.dims)
    plan.dims[name] = value;
  from.order.reset();
  from.planRules.reset();
  from.inPlace.reset();
  from.executor.reset();
  from.interThreads.reset();
  from.keys.erase(kReuseKey);
  from.keys.erase(kPatternKey);
  from.dims.clear();
}

void addPlanWords(QStringList& words, const DraftPlan& now, const DraftPlan& start) {
  if (now.order != start.order) words << QObject::tr("uses the %1 order").arg(text(now.order));
  if (now.rules != start.rules)
    words << (now.rules == "onnxruntime"            ? QObject::tr("plans by onnxruntime's rules")
              : now.rules == "onnxruntime-counters" ? QObject::tr("plans by the rules of onnxruntime for training")
                                                    : QObject::tr("plans by Cutaway's rules"));
  if (now.reuse != start.reuse)
    words << (now.reuse ? QObject::tr("reuses free buffers") : QObject::tr("reuses no free buffer"));
  if (now.inPlace != start.inPlace)
    words << (now.inPlace ? QObject::tr("writes in place") : QObject::tr("writes nothing in place"));
  if (now.pattern != start.pattern)
    words << (now.pattern ? QObject::tr("plans a memory pattern") : QObject::tr("plans no memory pattern"));
  if (now.executor != start.executor || now.workers != start.workers)
    words << (now.executor == "dataflow" ? (now.workers > 0 ? QObject::tr("runs on %1 workers").arg(now.workers)
                                                            : QObject::tr("runs independent nodes at once"))
                                         : QObject::tr("runs one node after the other"));
  for (const auto& [name, value] : now.dims)
    if (const auto before = start.dims.find(name); before == start.dims.end() || before->second != value)
      words << QObject::tr("has %1 = %2").arg(text(name)).arg(value);
}

}  // namespace

DraftProvider draftProvider(const std::string& spec) {
  const QString whole = text(spec).trimmed();
  const qsizetype open = whole.indexOf(QLatin1Char('{'));
  if (open < 0 || !whole.endsWith(QLatin1Char('}'))) return {whole, {}, true};
  return {whole.left(open), whole.mid(open + 1, whole.size() - open - 2), true};
}

std::string specOf(const DraftProvider& provider) {
  const QString options = provider.options.trimmed();
  return (options.isEmpty() ? provider.name : provider.name + QLatin1Char('{') + options + QLatin1Char('}'))
      .toStdString();
}

QString pinText(const NodePin& pin) {
  const QString where = text(pin.pattern);
  switch (pin.kind) {
    case NodePin::Kind::kNode:
      return QObject::tr("node %1").arg(where);
    case NodePin::Kind::kScope:
      return QObject::tr("everything in %1").arg(where);
    case NodePin::Kind::kOperator:
      return QObject::tr("all %1").arg(where);
  }
  return where;
}

void WhatIfDraft::start(const session::SessionOptions& options, QString lastProvider) {
  m_last = std::move(lastProvider);
  m_start = {draftProviders(options.providers, m_last), options.pins, options.minimumGroupNodes, planOf(options)};
  m_extras = {};
  m_now = m_start;
  emit changed();
}

void WhatIfDraft::revert() {
  m_extras = {};
  m_now = m_start;
  emit changed();
}

void WhatIfDraft::load(const session::Configuration& configuration) {
  State next = m_now;
  if (configuration.providers) next.providers = draftProviders(*configuration.providers, m_last);
  for (DraftProvider& provider : next.providers) {
    const auto options = configuration.providerOptions.find(provider.name.toStdString());
    if (options == configuration.providerOptions.end()) continue;
    QStringList words;
    for (const auto& [key, value] : options->second)
      words << text(key) + QLatin1Char('=') + text(value);
    provider.options = words.join(QLatin1Char(','));
  }
  if (configuration.pins) next.pins = *configuration.pins;
  if (configuration.minimumGroupNodes) next.minimumGroupNodes = *configuration.minimumGroupNodes;
  m_extras = configuration;
  m_extras.providers.reset();
  m_extras.providerOptions.clear();
  m_extras.pins.reset();
  m_extras.minimumGroupNodes.reset();
  takePlan(next.plan, m_extras);
  m_now = std::move(next);
  emit changed();
}

bool WhatIfDraft::hasExtras() const {
  return m_extras.optimizationLevel || m_extras.precision || m_extras.threads || !m_extras.keys.empty();
}

void WhatIfDraft::change(State next) {
  if (next == m_now) return;
  m_now = std::move(next);
  emit changed();
}

// The provider that takes the rest is always there and always asked last.
void WhatIfDraft::setProviders(std::vector<DraftProvider> providers) {
  const auto last = find(providers, m_last);
  if (last != providers.end()) std::rotate(last, last + 1, providers.end());
  if (last != providers.end()) providers.back().enabled = true;
  State next = m_now;
  next.providers = std::move(providers);
  change(std::move(next));
}

void WhatIfDraft::move(int from, int to) {
  std::vector<DraftProvider> providers = m_now.providers;
  const int count = static_cast<int>(providers.size());
  if (from < 0 || to < 0 || from >= count || to >= count) return;
  const DraftProvider moved = providers[static_cast<size_t>(from)];
  providers.erase(providers.begin() + from);
  providers.insert(providers.begin() + to, moved);
  setProviders(std::move(providers));
}

void WhatIfDraft::add(const QString& name) {
  std::vector<DraftProvider> providers = m_now.providers;
  const auto same = std::find_if(providers.begin(), providers.end(),
                                 [&](const DraftProvider& provider) { return provider.name == name; });
  if (same != providers.end()) {
    same->enabled = true;
  } else {
    providers.push_back({name, {}, true});
  }
  setProviders(std::move(providers));
}

void WhatIfDraft::remove(int index) {
  std::vector<DraftProvider> providers = m_now.providers;
  if (index < 0 || index >= static_cast<int>(providers.size()) || providers[static_cast<size_t>(index)].name == m_last)
    return;
  providers.erase(providers.begin() + index);
  setProviders(std::move(providers));
}

void WhatIfDraft::addPin(const NodePin& pin) {
  State next = m_now;
  std::erase_if(next.pins,
                [&](const NodePin& other) { return other.kind == pin.kind && other.pattern == pin.pattern; });
  next.pins.push_back(pin);
  change(std::move(next));
}

void WhatIfDraft::removePin(int index) {
  State next = m_now;
  if (index < 0 || index >= static_cast<int>(next.pins.size())) return;
  next.pins.erase(next.pins.begin() + index);
  change(std::move(next));
}

void WhatIfDraft::setMinimumGroupNodes(int64_t count) {
  State next = m_now;
  next.minimumGroupNodes = count;
  change(std::move(next));
}

void WhatIfDraft::setPlan(DraftPlan plan) {
  State next = m_now;
  next.plan = std::move(plan);
  change(std::move(next));
}

QStringList WhatIfDraft::changes() const {
  QStringList words;
  const QStringList before = enabledNames(m_start.providers), now = enabledNames(m_now.providers);
  if (before != now) words << tr("uses %1").arg(now.join(QStringLiteral(" \u2192 ")));
  for (const NodePin& pin : m_now.pins)
    if (std::find(m_start.pins.begin(), m_start.pins.end(), pin) == m_start.pins.end())
      words << tr("%1 on %2").arg(pinText(pin), text(pin.provider));
  for (const NodePin& pin : m_start.pins)
    if (std::find(m_now.pins.begin(), m_now.pins.end(), pin) == m_now.pins.end())
      words << tr("%1 unpinned").arg(pinText(pin));
  if (m_now.minimumGroupNodes != m_start.minimumGroupNodes)
    words << tr("groups of at least %1").arg(m_now.minimumGroupNodes);
  addPlanWords(words, m_now.plan, m_start.plan);
  if (hasExtras()) words << tr("settings of the file that was loaded");
  return words;
}

session::Configuration WhatIfDraft::configuration() const {
  session::Configuration configuration = m_extras;
  std::vector<std::string> providers;
  for (const DraftProvider& provider : m_now.providers)
    if (provider.enabled) providers.push_back(specOf(provider));
  configuration.providers = std::move(providers);
  configuration.pins = m_now.pins;
  configuration.minimumGroupNodes = m_now.minimumGroupNodes;
  sayPlan(configuration, m_now.plan, m_start.plan);
  return configuration;
}

}  // namespace cutaway::ui
