// Strings.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "RegexFullMatch", .flops = {.rule = unknown}},
    {.opType = "StringConcat", .flops = {.rule = unknown}},
    {.opType = "StringNormalizer", .flops = {.rule = unknown}},
    {.opType = "StringSplit", .flops = {.rule = unknown}},
    {.opType = "TfIdfVectorizer", .flops = {.rule = unknown}},
    {.opType = "Tokenizer", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "MurmurHash3", .domain = kMicrosoft, .flops = {.rule = unknown}},
};

}  // namespace

OperatorRows traits_text() {
  return kRows;
}

}  // namespace cutaway::operators
