#include "engine/context/share_export.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "engine/base/quote.h"
#include "engine/base/short_memory.h"
#include "engine/context/write_exports.h"

namespace cutaway::context {
namespace {

namespace fs = std::filesystem;

struct Waiting {
  std::mutex mutex;
  std::map<std::string, std::vector<PendingExport>> groups;
};

Waiting& waiting() {
  static Waiting instance;
  return instance;
}

fs::path folderOf(const PendingExport& each) {
  std::error_code error;
  const fs::path folder =
      fs::weakly_canonical(each.target.parent_path().empty() ? fs::path(".") : each.target.parent_path(), error);
  throwIfShort(error);
  return error ? each.target.parent_path() : folder;
}

std::string groupTitle(const std::string& group) {
  return group.empty() ? std::string("the share group") : "share group " + quotedText(group);
}

Result<void> checkFits(std::span<const PendingExport> group, const PendingExport& made) {
  const std::string title = groupTitle(made.options.shareGroup);
  for (const PendingExport& each : group) {
    if (folderOf(each) != folderOf(made)) {
      return fail(ErrorCode::kInvalidArgument,
                  "models that share a binary lie in one folder: {} goes to {}, and {} of {} to {}",
                  made.target.filename().string(), quotedText(folderOf(made).string()), each.target.filename().string(),
                  title, quotedText(folderOf(each).string()));
    }
    if (each.target.filename() == made.target.filename())
      return fail(ErrorCode::kFail, "{} writes {} already: give each model an ep.context_file_path of its own", title,
                  quotedText(each.target.string()));
    for (const context_binary::ContextPartition& partition : made.partitions) {
      const auto same = std::ranges::find_if(each.partitions, [&](const context_binary::ContextPartition& other) {
        return other.name == partition.name && other.source == partition.source;
      });
      if (same == each.partitions.end()) continue;
      return fail(
          ErrorCode::kModelLoaded,
          "{} has a context {} of {} already, from {}: give each model an ep.context_node_name_prefix of its own",
          title, partition.name, partition.source, each.target.filename().string());
    }
  }
  return {};
}

}  // namespace

Result<ContextWritten> addSharedExport(PendingExport made) {
  const std::scoped_lock lock(waiting().mutex);
  std::vector<PendingExport>& group = waiting().groups[made.options.shareGroup];
  CUTAWAY_CHECK(checkFits(group, made));
  ContextWritten written = made.figures;
  written.warnings.push_back(
      fmt::format("{} waits in {}: it is written by the session with ep.stop_share_ep_contexts=1",
                  made.target.filename().string(), groupTitle(made.options.shareGroup)));
  group.push_back(std::move(made));
  return written;
}

Result<ContextWritten> writeSharedExports(const std::string& name, std::optional<PendingExport> last,
                                          Progress& progress) {
  const std::scoped_lock lock(waiting().mutex);
  std::vector<PendingExport>& group = waiting().groups[name];
  if (last) CUTAWAY_CHECK(checkFits(group, *last));
  // Written from a copy, which shares weights and sections: what fails leaves the group as it is.
  std::vector<PendingExport> exports = group;
  if (last) exports.push_back(*std::move(last));
  if (exports.empty()) return ContextWritten{};
  CUTAWAY_TRY(ContextWritten written, writeExports(exports, progress));
  waiting().groups.erase(name);
  return written;
}

size_t dropSharedExports(const std::string& group) {
  const std::scoped_lock lock(waiting().mutex);
  const auto found = waiting().groups.find(group);
  if (found == waiting().groups.end()) return 0;
  const size_t count = found->second.size();
  waiting().groups.erase(found);
  return count;
}

size_t pendingSharedExports(const std::string& group) {
  const std::scoped_lock lock(waiting().mutex);
  const auto found = waiting().groups.find(group);
  return found == waiting().groups.end() ? 0 : found->second.size();
}

}  // namespace cutaway::context
