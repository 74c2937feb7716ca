// From sections to a kernel: the graph is read and checked, packed constants are given to the weight store where they
// lie, and the plan is made as the exported one was.
#include "engine/base/exception_text.h"
#include "engine/base/parallel.h"
#include "providers/onednn/context.h"
#include "providers/onednn/record_bytes.h"
#include "providers/onednn/stored_graph.h"

namespace cutaway::onednn {

namespace {

Result<void> readPlan(RecordReader reader, const SectionsByName& sections, GroupSource& source) {
  CUTAWAY_TRY(const uint64_t revision, reader.number(~uint64_t{0}));
  if (revision != kContextRevision)
    return fail(
        ErrorCode::kEpFail,
        "the compiled group has revision {}, and this program reads revision {}: compile the original model again",
        revision, kContextRevision);
  CUTAWAY_TRY(const uint64_t fuse, reader.number(1));
  constexpr uint64_t kKnown = kInt8Bit | kExactBit | kBfloat16Bit;
  CUTAWAY_TRY(const uint64_t options, reader.number(kKnown));
  if ((options & ~kKnown) != 0 || (options & kExactBit && options & kBfloat16Bit))
    return fail(ErrorCode::kEpFail, "the compiled group is damaged: {} is no set of options", options);
  source.options.fuse = fuse != 0;
  source.options.int8 = (options & kInt8Bit) != 0;
  source.options.precision = options & kExactBit      ? math::Precision::kExact
                             : options & kBfloat16Bit ? math::Precision::kBfloat16
                                                      : math::Precision::kFast;
  CUTAWAY_TRY(const std::string_view links, reader.text());
  const std::vector<NodeId> nodes = source.graph.nodeIds();
  if (!links.empty() && links.size() != nodes.size())
    return fail(ErrorCode::kEpFail, "the compiled group is damaged: its plan is for {} nodes, and there are {}",
                links.size(), nodes.size());
  if (!links.empty()) source.fusedLinks.assign(source.graph.nodeSlots(), kNotTried);
  for (size_t i = 0; i < links.size(); ++i)
    source.fusedLinks[nodes[i].index()] = static_cast<uint8_t>(links[i]);
  constexpr size_t kLeastEntryBytes = 4 * 8;
  CUTAWAY_TRY(const size_t packed, reader.count(kLeastEntryBytes));
  source.stored.reserve(packed);
  for (size_t i = 0; i < packed; ++i) {
    CUTAWAY_TRY(const std::string_view name, reader.text());
    CUTAWAY_TRY(const std::string_view from, reader.text());
    CUTAWAY_TRY(const std::string_view layout, reader.text());
    CUTAWAY_TRY(const std::string_view section, reader.text());
    const ValueId value = source.graph.findValue(name);
    const auto found = sections.find(section);
    if (!value.valid() || !source.graph.isConstant(value) || found == sections.end())
      return fail(ErrorCode::kEpFail,
                  "the compiled group is damaged: a packed constant belongs to no value, or has no bytes");
    source.stored.push_back(
        {static_cast<uint32_t>(value.index()), std::string(from), std::string(layout), found->second->bytes});
  }
  if (!reader.atEnd()) return fail(ErrorCode::kEpFail, "the compiled group is damaged: something follows its plan");
  return {};
}

Result<void> checkPrecision(math::Precision compiled, math::Precision asked) {
  using math::Precision;
  if (compiled == asked || (compiled == Precision::kExact && asked == Precision::kFast)) return {};
  return fail(ErrorCode::kEpFail,
              "the compiled group multiplies with precision={}, and the session asks for precision={}: compile the "
              "original model again, or ask for onednn{{precision={}}}",
              math::precisionName(compiled), math::precisionName(asked), math::precisionName(compiled));
}

Result<std::shared_ptr<const GroupKernel>> restoreChecked(const ContextRestore& stored, math::Precision precision,
                                                          const Progress& progress) try {
  SectionsByName sections;
  for (const context_binary::ContextSection& section : stored.partition.sections)
    sections.try_emplace(section.name, &section);
  const auto plan = sections.find(kPlanSection);
  if (plan == sections.end())
    return fail(ErrorCode::kEpFail, "the compiled group is damaged: there is no section '{}'", kPlanSection);
  GroupSource source{.keepAlive = stored.keepAlive, .trusted = false};
  CUTAWAY_TRY(source.graph, readStoredGraph(stored.partition, sections, stored.keepAlive, progress));
  CUTAWAY_CHECK(readPlan(RecordReader(plan->second->bytes), sections, source));
  CUTAWAY_CHECK(checkPrecision(source.options.precision, precision));
  if (progress.cancelled()) return fail(cancelledError());
  return GroupKernel::create(std::move(source));
} catch (const std::exception& error) {
  return fail(ErrorCode::kEpFail, "the compiled group cannot be used: {}", exceptionText(error));
}

}  // namespace

Result<std::shared_ptr<const GroupKernel>> restoreGroup(const ContextRestore& stored, math::Precision precision,
                                                        const Progress& progress) {
  auto restored = restoreChecked(stored, precision, progress);
  if (restored || restored.error().code == ErrorCode::kModelLoadCanceled) return restored;
  Error error = std::move(restored).error();
  error.code = ErrorCode::kEpFail;
  return fail(std::move(error));
}

}  // namespace cutaway::onednn
