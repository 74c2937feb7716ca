// Strings.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "RegexFullMatch", .flops = {.rule = unknown}},
    {.opType = "StringConcat", .flops = {.rule = unknown, .linear = true}},
    {.opType = "StringNormalizer", .flops = {.rule = unknown, .linear = true}},
    {.opType = "StringSplit", .flops = {.rule = unknown, .linear = true}},
    {.opType = "TfIdfVectorizer", .flops = {.rule = unknown, .atMost = ngramsAtMost}},
    {.opType = "Tokenizer", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "MurmurHash3", .domain = kMicrosoft, .flops = {.rule = unknown, .linear = true}},
};

}  // namespace

OperatorRows traits_text() {
  return kRows;
}

}  // namespace cutaway::operators
