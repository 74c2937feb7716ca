// TfIdfVectorizer: how often each n-gram of a pool occurs in a row of tokens, plain (TF), as a weight where it occurs
// (IDF), or weighted (TFIDF).
//
// Tokens of the input are numbered by the pool's list of tokens; one that no n-gram holds ends every walk. An n-gram of
// length n with skip s takes tokens at i, i + s + 1, i + 2(s + 1) ... for every s up to max_skip_count; single tokens
// have no gaps and count once.

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/text/ngram_pool.h"

namespace cutaway::cpu {
namespace {

using text::NgramPool;

enum class Mode : uint8_t { kCount, kWeightOnce, kWeightedCount };

struct Settings {
  Mode mode = Mode::kCount;
  int64_t shortest = 1, longest = 1;
  int64_t largestStep = 1;       // max_skip_count + 1
  std::vector<int64_t> columns;  // by n-gram
  std::vector<float> weights;    // by n-gram; empty: all one
  std::vector<float>
      columnWeights;  // by column, when every column has one n-gram at most and counts are weighted at the end of a row
  int64_t width = 0;
};

class TfIdfKernel final : public Kernel {
 public:
  TfIdfKernel(Settings settings, NumberLookup numbers, StringLookup strings, NgramPool pool)
      : m_settings(std::move(settings)),
        m_numbers(std::move(numbers)),
        m_strings(std::move(strings)),
        m_pool(std::move(pool)) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    const Dims& dims = input->dims();
    if (dims.size() != 1 && dims.size() != 2)
      return fail(ErrorCode::kInvalidArgument, "TfIdfVectorizer takes [C] or [N, C], not {}", dimsToText(dims));
    const bool flat = dims.size() == 1;
    const int64_t rows = flat ? 1 : dims[0], length = flat ? dims[0] : dims[1];
    CUTAWAY_CHECK(checkedMultiply(rows, m_settings.width));
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(rows * length) * sizeof(int32_t)));
    CUTAWAY_TRY(Tensor * output,
                flat ? context.output(0, {m_settings.width}) : context.output(0, {rows, m_settings.width}));
    auto* numbered = reinterpret_cast<int32_t*>(memory.data());
    float* target = output->span<float>().data();
    parallelFor(rows, std::max<int64_t>(1, 2048 / std::max<int64_t>(1, length + m_settings.width / 8)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    const std::span<int32_t> tokens(numbered + row * length, static_cast<size_t>(length));
                    numberTokens(*input, row * length, tokens);
                    countRow(tokens, target + row * m_settings.width);
                  }
                });
    return {};
  }

 private:
  void numberTokens(const Tensor& input, int64_t from, std::span<int32_t> tokens) const {
    const auto each = [&](const auto* elements, const auto& table) {
      for (size_t i = 0; i < tokens.size(); ++i)
        tokens[i] = table.find(elements[i]);
    };
    if (input.type() == ElementType::kString) return each(input.span<std::string>().data() + from, m_strings);
    if (input.type() == ElementType::kInt32) return each(input.span<int32_t>().data() + from, m_numbers);
    each(input.span<int64_t>().data() + from, m_numbers);
  }

  void hit(int32_t node, float* row) const {
    const int32_t ngram = m_pool.ngramAt(node);
    if (ngram == NgramPool::kNone) return;
    float& place = row[m_settings.columns[static_cast<size_t>(ngram)]];
    const bool weighted = !m_settings.weights.empty();
    switch (m_settings.mode) {
      case Mode::kCount:
        place += 1.0f;
        return;
      case Mode::kWeightOnce:
        place = weighted ? m_settings.weights[static_cast<size_t>(ngram)] : 1.0f;
        return;
      case Mode::kWeightedCount:
        place += weighted && m_settings.columnWeights.empty() ? m_settings.weights[static_cast<size_t>(ngram)] : 1.0f;
        return;
    }
  }

  void countRow(std::span<const int32_t> tokens, float* row) const {
    std::fill_n(row, m_settings.width, 0.0f);
    if (m_settings.shortest == 1) {
      for (const int32_t token : tokens) {
        if (token < 0) continue;
        const int32_t node = m_pool.first(token);
        if (node != NgramPool::kNone) hit(node, row);
      }
    }
    if (m_settings.longest > 1) countLonger(tokens, row);
    for (size_t i = 0; i < m_settings.columnWeights.size(); ++i)
      row[i] *= m_settings.columnWeights[i];
  }

  void countLonger(std::span<const int32_t> tokens, float* row) const {
    const auto length = static_cast<int64_t>(tokens.size());
    const int64_t largestStep = std::min(m_settings.largestStep, length - 1);
    for (int64_t step = 1; step <= largestStep; ++step) {
      for (int64_t start = 0; start + step < length; ++start) {
        if (tokens[static_cast<size_t>(start)] < 0) continue;
        int32_t node = m_pool.first(tokens[static_cast<size_t>(start)]);
        int64_t at = start + step;
        for (int64_t size = 2; size <= m_settings.longest && at < length && node != NgramPool::kNone;
             ++size, at += step) {
          const int32_t token = tokens[static_cast<size_t>(at)];
          if (token < 0) break;
          node = m_pool.next(node, token);
          if (node != NgramPool::kNone) hit(node, row);
        }
      }
    }
  }

  Settings m_settings;
  NumberLookup m_numbers;
  StringLookup m_strings;
  NgramPool m_pool;
};

Result<Settings> readSettings(const KernelInfo& info) {
  Settings settings;
  const std::string mode = info.attribute<std::string>("mode", "");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF")
    return fail(ErrorCode::kInvalidArgument, "mode is '{}' and must be TF, IDF or TFIDF", mode);
  settings.mode = mode == "TF" ? Mode::kCount : mode == "IDF" ? Mode::kWeightOnce : Mode::kWeightedCount;
  settings.shortest = info.attribute<int64_t>("min_gram_length", 1);
  settings.longest = info.attribute<int64_t>("max_gram_length", 1);
  const int64_t skips = info.attribute<int64_t>("max_skip_count", 0);
  if (settings.shortest < 1 || settings.longest < settings.shortest)
    return fail(ErrorCode::kInvalidArgument,
                "n-gram lengths {} to {}: the shortest must be at least 1 and no longer than the longest",
                settings.shortest, settings.longest);
  if (skips < 0) return fail(ErrorCode::kInvalidArgument, "max_skip_count is {}", skips);
  settings.largestStep = skips == std::numeric_limits<int64_t>::max() ? skips : skips + 1;
  settings.columns = info.attribute<std::vector<int64_t>>("ngram_indexes", {});
  settings.weights = info.attribute<std::vector<float>>("weights", {});
  if (settings.columns.empty()) return fail(ErrorCode::kInvalidArgument, "ngram_indexes is empty");
  if (!settings.weights.empty() && settings.weights.size() != settings.columns.size())
    return fail(ErrorCode::kInvalidArgument, "{} weights for {} n-grams", settings.weights.size(),
                settings.columns.size());
  const auto [smallest, largest] = std::ranges::minmax(settings.columns);
  if (smallest < 0 || largest == std::numeric_limits<int64_t>::max())
    return fail(ErrorCode::kInvalidArgument, "ngram_indexes reach from {} to {}", smallest, largest);
  settings.width = largest + 1;
  return settings;
}

// Weights by column, where that says the same as weights by n-gram: counts are whole numbers, so one product at the end
// is exact where repeated sums are not.
void weighColumns(Settings& settings) {
  constexpr int64_t kWidest = 1 << 24;
  if (settings.mode != Mode::kWeightedCount || settings.weights.empty() || settings.width > kWidest) return;
  std::vector<float> byColumn(static_cast<size_t>(settings.width), 0.0f);
  std::vector<bool> taken(byColumn.size());
  for (size_t i = 0; i < settings.columns.size(); ++i) {
    const auto column = static_cast<size_t>(settings.columns[i]);
    if (taken[column]) return;
    taken[column] = true;
    byColumn[column] = settings.weights[i];
  }
  settings.columnWeights = std::move(byColumn);
}

// A section of the pool holds n-grams of one length: section n - 1 begins at counts[n - 1].
Result<NgramPool> buildPool(const Settings& settings, const std::vector<int64_t>& counts,
                            const std::vector<int32_t>& poolTokens, size_t tokenCount) {
  if (static_cast<int64_t>(counts.size()) < settings.longest)
    return fail(ErrorCode::kInvalidArgument, "ngram_counts has {} sections; n-grams of length {} need as many",
                counts.size(), settings.longest);
  const auto size = static_cast<int64_t>(poolTokens.size());
  NgramPool pool;
  int64_t ngram = 0;
  for (size_t section = 0; section < counts.size(); ++section) {
    const int64_t begin = counts[section], end = section + 1 < counts.size() ? counts[section + 1] : size;
    const auto length = static_cast<int64_t>(section) + 1;
    if (begin < 0 || end < begin || end > size)
      return fail(ErrorCode::kInvalidArgument, "section {} of ngram_counts is [{}, {}) in a pool of {}", section, begin,
                  end, size);
    if ((end - begin) % length != 0)
      return fail(ErrorCode::kInvalidArgument, "section {} of the pool has {} tokens, no multiple of {}", section,
                  end - begin, length);
    for (int64_t at = begin; at < end; at += length, ++ngram) {
      if (ngram >= static_cast<int64_t>(settings.columns.size()))
        return fail(ErrorCode::kInvalidArgument, "the pool has more n-grams than ngram_indexes has entries ({})",
                    settings.columns.size());
      if (length < settings.shortest || length > settings.longest) continue;
      CUTAWAY_CHECK(pool.add(std::span(poolTokens).subspan(static_cast<size_t>(at), static_cast<size_t>(length)),
                             static_cast<int32_t>(ngram)));
    }
  }
  if (ngram != static_cast<int64_t>(settings.columns.size()))
    return fail(ErrorCode::kInvalidArgument, "the pool has {} n-grams, ngram_indexes {} entries", ngram,
                settings.columns.size());
  pool.finish(tokenCount);
  return pool;
}

Result<std::unique_ptr<Kernel>> createTfIdf(const KernelInfo& info) {
  CUTAWAY_TRY(Settings settings, readSettings(info));
  auto numbers = info.attribute<std::vector<int64_t>>("pool_int64s", {});
  auto words = info.attribute<std::vector<std::string>>("pool_strings", {});
  if (numbers.empty() == words.empty())
    return fail(ErrorCode::kInvalidArgument, "one of pool_int64s and pool_strings must be given");
  const bool strings = !words.empty();
  if (strings != (info.inputElement(0) == ElementType::kString))
    return fail(ErrorCode::kInvalidArgument, "the pool holds {}, the input {}", strings ? "strings" : "integers",
                elementTypeName(info.inputElement(0)));
  const size_t tokens = strings ? words.size() : numbers.size();
  if (tokens > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    return fail(ErrorCode::kInvalidArgument, "a pool of {} tokens", tokens);
  // A token is numbered by the place where the pool has it first.
  NumberLookup numberTable(numbers, Repeated::kFirst);
  StringLookup stringTable(std::move(words), Repeated::kFirst);
  std::vector<int32_t> poolTokens(tokens);
  for (size_t i = 0; i < tokens; ++i)
    poolTokens[i] = strings ? stringTable.find(stringTable.keys()[i]) : numberTable.find(numbers[i]);
  CUTAWAY_TRY(NgramPool pool,
              buildPool(settings, info.attribute<std::vector<int64_t>>("ngram_counts", {}), poolTokens, tokens));
  weighColumns(settings);
  return std::make_unique<TfIdfKernel>(std::move(settings), std::move(numberTable), std::move(stringTable),
                                       std::move(pool));
}

constexpr ElementType kTokens[] = {ElementType::kString, ElementType::kInt32, ElementType::kInt64};
constexpr TypeRule kTypes[] = {{0, kTokens}};
constexpr KernelRow kRows[] = {
    {.opType = "TfIdfVectorizer", .versions = {9}, .types = kTypes, .fastPath = "threads", .create = createTfIdf},
};

}  // namespace

KernelRows kernel_tfidf_vectorizer() {
  return kRows;
}

}  // namespace cutaway::cpu
