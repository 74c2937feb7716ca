#include "engine/session/overridable_session.h"

#include <algorithm>

#include "engine/session/io_binding_state.h"

namespace cutaway::session {

OverridableSession::OverridableSession(std::unique_ptr<InnerSession> fixed, std::vector<execute::NamedType> inputs,
                                       Open open)
    : m_inputs(std::move(inputs)), m_fixed(std::move(fixed)), m_open(std::move(open)), m_now(m_fixed.get()) {
  std::vector<size_t> places;
  for (const execute::NamedType& input : m_fixed->inputs()) {
    const auto found = std::ranges::find(m_inputs, input.name, &execute::NamedType::name);
    places.push_back(static_cast<size_t>(found - m_inputs.begin()));
  }
  for (size_t place = 0; place < m_inputs.size(); ++place) {
    if (std::ranges::find(places, place) == places.end()) m_defaults.insert(m_inputs[place].name);
  }
  m_fixed->belongTo(*this, std::move(places));
}

Session& OverridableSession::now() const {
  return *m_now.load(std::memory_order_acquire);
}

bool OverridableSession::isDefault(const std::string& name) const {
  return m_defaults.contains(name);
}

// From here on every run is one of the model as it stands, so that reports and runs are of the same nodes.
Result<void> OverridableSession::open() {
  const std::lock_guard lock(m_opening);
  if (isOpen()) return {};
  CUTAWAY_TRY(m_asItStands, m_open());
  std::vector<size_t> places(m_inputs.size());
  for (size_t i = 0; i < places.size(); ++i)
    places[i] = i;
  m_asItStands->belongTo(*this, std::move(places));
  m_now.store(m_asItStands.get(), std::memory_order_release);
  return {};
}

Result<execute::RunResult> OverridableSession::run(const std::vector<execute::Feed>& feeds,
                                                   const execute::RunOptions& options) {
  if (!isOpen() && std::ranges::any_of(feeds, [&](const execute::Feed& feed) { return isDefault(feed.name); }))
    CUTAWAY_CHECK(open());
  return now().run(feeds, options);
}

Result<execute::RunResult> OverridableSession::run(IoBinding& binding, const execute::RunOptions& options) {
  if (!isOpen()) {
    const IoBinding::State& state = binding.state();
    for (size_t place = 0; place < state.isBound.size() && &state.session == this; ++place) {
      if (state.isBound[place] == 0 || !isDefault(m_inputs[place].name)) continue;
      CUTAWAY_CHECK(open());
      break;
    }
  }
  return now().run(binding, options);
}

}  // namespace cutaway::session
