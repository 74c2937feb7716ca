// StringSplit: each string cut at a delimiter, or at runs of white space; the pieces in a new last axis, filled up with
// empty strings.
//
// Two passes: the first counts the pieces (the widest element decides the new axis), the second writes them. Where the
// standard's words leave room, onnxruntime's answer holds: an empty string has no pieces at all, and with
// white space as delimiter the rest behind the last allowed cut loses its white space at both ends.

#include <algorithm>
#include <limits>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kStringsPerThread = 1024;

// Space, tab, line feed, vertical tab, form feed, carriage return.
bool isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Calls visit(piece) for each piece in order; at most `cuts` cuts.
template <typename Visit>
void forEachWord(std::string_view text, int64_t cuts, Visit&& visit) {
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end && isSpace(end[-1]))
    --end;
  while (at != end && isSpace(*at))
    ++at;
  while (at != end) {
    const char* stop = cuts-- > 0 ? std::find_if(at, end, isSpace) : end;
    visit(std::string_view(at, static_cast<size_t>(stop - at)));
    at = stop;
    while (at != end && isSpace(*at))
      ++at;
  }
}

template <typename Visit>
void forEachPiece(std::string_view text, std::string_view delimiter, int64_t cuts, Visit&& visit) {
  if (delimiter.empty()) return forEachWord(text, cuts, visit);
  if (text.empty()) return;
  while (true) {
    const size_t end = cuts > 0 ? text.find(delimiter) : std::string_view::npos;
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + delimiter.size());
    --cuts;
  }
}

class StringSplitKernel final : public Kernel {
 public:
  explicit StringSplitKernel(const KernelInfo& info) : m_delimiter(info.attribute<std::string>("delimiter", "")) {
    const int64_t cuts = info.attribute<int64_t>("maxsplit", -1);
    m_cuts = cuts < 0 ? std::numeric_limits<int64_t>::max() : cuts;
  }
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    const auto strings = input->span<std::string>();
    const auto count = static_cast<int64_t>(strings.size());
    std::span<int64_t> lengths;
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * given, context.output(1, ElementType::kInt64, input->dims()));
      lengths = given->span<int64_t>();
    } else {
      CUTAWAY_TRY(const auto bytes, context.scratch(strings.size() * sizeof(int64_t)));
      lengths = {reinterpret_cast<int64_t*>(bytes.data()), strings.size()};
    }
    parallelFor(count, kStringsPerThread, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        int64_t pieces = 0;
        forEachPiece(strings[i], m_delimiter, m_cuts, [&](std::string_view) { ++pieces; });
        lengths[i] = pieces;
      }
    });
    if (!context.hasOutput(0)) return {};
    if (context.cancelled()) return fail(cancelledError());
    const int64_t widest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
    CUTAWAY_CHECK(checkedMultiply(count, widest));
    CUTAWAY_TRY(Tensor * output, context.output(0, withAxis(input->dims(), widest)));
    std::string* target = output->span<std::string>().data();
    parallelFor(count, kStringsPerThread, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        std::string* piece = target + i * widest;
        std::string* const last = piece + widest;
        forEachPiece(strings[static_cast<size_t>(i)], m_delimiter, m_cuts,
                     [&](std::string_view text) { (piece++)->assign(text); });
        for (; piece != last; ++piece)
          piece->clear();
      }
    });
    return {};
  }

 private:
  static Dims withAxis(const Dims& dims, int64_t last) {
    Dims result = filledList(dims.size() + 1, last);
    for (size_t i = 0; i < dims.size(); ++i)
      result[i] = dims[i];
    return result;
  }

  std::string m_delimiter;
  int64_t m_cuts;
};

constexpr ElementType kStrings[] = {ElementType::kString};
constexpr TypeRule kTypes[] = {{0, kStrings}};
constexpr KernelRow kRows[] = {
    {.opType = "StringSplit",
     .versions = {20},
     .types = kTypes,
     .fastPath = "threads",
     .create = makeKernel<StringSplitKernel>},
};

}  // namespace

KernelRows kernel_string_split() {
  return kRows;
}

}  // namespace cutaway::cpu
