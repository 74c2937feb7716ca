// The attention operators: sizes, head counts, caches, masks and attributes, a case a line.

#include "engine/operators/attention.h"
#include "engine/operators/group_query_attention.h"
#include "engine/operators/multi_head_attention.h"
#include "engine/operators/projected_attention.h"
#include "engine/operators/rotary_embedding.h"
#include "tests/unit/engine/operators/operator_case.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

constexpr ElementType kF = ElementType::kFloat, kH = ElementType::kFloat16, kI = ElementType::kInt32,
                      kL = ElementType::kInt64, kNone = ElementType::kUndefined;

std::string steps(const HeadSteps& s) {
  return fmt::format("{}+{}/{}/{}", s.start, s.batchStep, s.headStep, s.rowStep);
}

std::string plane(const Result<ScorePlane>& result) {
  return textOf<ScorePlane>(result, [](const ScorePlane& p) {
    return fmt::format("{} {} {} {} of {}", p.step[0], p.step[1], p.step[2], p.step[3], p.columns);
  });
}

std::string padding(ElementType type, const Dims& dims) {
  return textOf<PaddingMask>(paddingMask({2, 4, 3, 5}, type, dims, "Op"), [](const PaddingMask& m) {
    if (m.ends) return std::string(m.starts ? "ends and starts" : "ends");
    return fmt::format("{}+{}/{}/{}", m.start, m.step[0], m.step[2], m.step[3]);
  });
}

std::string attention(const AttentionSettings& settings, const Dims& q, const Dims& k, const Dims& v) {
  return textOf<AttentionOperands>(attentionOperands(settings, q, k, v), [](const AttentionOperands& o) {
    return fmt::format("{} of {} {} {}, {}", dimsToText(o.outputDims()), steps(o.query.steps), steps(o.key.steps),
                       steps(o.value.steps), o.key.heads);
  });
}

std::string attributes(std::vector<std::pair<std::string, AttributeValue>> list, std::vector<ElementType> inputs) {
  const NodeCase made = nodeOf("Attention", std::move(list), std::move(inputs), 23);
  return textOf<AttentionSettings>(readAttention(made.node()), [](const AttentionSettings& s) {
    return fmt::format("{} {} {:.3f} {} {}", s.queryHeads, s.keyHeads, s.scaleOf(64), s.left, s.scoreStage);
  });
}

std::string multiHead(const MultiHeadForm& form, const Dims& query, std::optional<Dims> key,
                      std::optional<Dims> value) {
  return textOf<MultiHeadOperands>(multiHeadOperands(form, 4, query, key ? &*key : nullptr, value ? &*value : nullptr),
                                   [](const MultiHeadOperands& o) {
                                     return fmt::format("{} queries {} keys {} {} | {} {} {}{}", o.queries, o.fresh,
                                                        o.size, o.valueSize, steps(o.q), steps(o.k), steps(o.v),
                                                        o.encoder ? " encoder" : "");
                                   });
}

std::string cache(const Dims& past, std::optional<int32_t> length) {
  const MultiHeadOperands operands{.batch = 2, .queries = 1, .fresh = 1, .size = 8, .valueSize = 8};
  const Tensor key = *Tensor::create(kF, past), value = *Tensor::create(kF, past);
  const Tensor given = Tensor::scalar<int32_t>(length.value_or(0));
  return textOf<MultiHeadCache>(
      multiHeadCache(kMultiHeadForm, 4, operands, &key, &value, length ? &given : nullptr),
      [](const MultiHeadCache& c) { return fmt::format("{} of {}, {}", c.kept, c.held, c.capacity); });
}

std::string projected(std::vector<int64_t> hidden, const Dims& input, const Dims& weights, std::optional<Dims> bias) {
  const ProjectedSettings settings{.heads = 4, .hiddenSizes = std::move(hidden)};
  return textOf<ProjectedSizes>(
      projectedSizes(settings, input, weights, bias ? &*bias : nullptr), [](const ProjectedSizes& s) {
        return fmt::format("{} {} {} | {} {}", s.hidden, s.valueHidden, s.columns(), s.size, s.valueSize);
      });
}

std::string projectedPast(bool shared, std::optional<Dims> past, std::optional<int32_t> length) {
  const ProjectedSettings settings{.heads = 4, .sharedCache = shared};
  const ProjectedSizes sizes{.batch = 2, .sequence = 3, .hidden = 32, .valueHidden = 32, .size = 8, .valueSize = 8};
  const Tensor held = *Tensor::create(kF, past.value_or(Dims{})), given = Tensor::scalar<int32_t>(length.value_or(0));
  return textOf<ProjectedCache>(
      projectedCache(settings, sizes, past ? &held : nullptr, length ? &given : nullptr, true),
      [](const ProjectedCache& c) { return fmt::format("{} of {}, {}", c.kept, c.held, c.capacity); });
}

std::string groupQuery(const Dims& query, std::optional<Dims> key) {
  const GroupQuerySettings settings{.heads = 4, .keyHeads = 2};
  return textOf<GroupQueryOperands>(
      groupQueryOperands(kGroupQueryForm, settings, query, key ? &*key : nullptr, key ? &*key : nullptr),
      [](const GroupQueryOperands& o) {
        return fmt::format("{} | {} {} {}", o.size, steps(o.q), steps(o.k), steps(o.v));
      });
}

std::string lengths(GroupQuerySettings settings, const Dims& dims, int32_t total, std::optional<Dims> past) {
  const Tensor all = Tensor::scalar<int32_t>(total), held = *Tensor::create(kF, past.value_or(Dims{}));
  return textOf<GroupQueryLengths>(groupQueryLengths(kGroupQueryForm, settings, {.batch = 2, .sequence = 3, .size = 8},
                                                     dims, all, past ? &held : nullptr),
                                   [](const GroupQueryLengths& l) {
                                     return fmt::format("{} after {}, {}{}", l.total, l.held, l.capacity,
                                                        l.first ? ", first" : "");
                                   });
}

std::string groupAttributes(std::vector<std::pair<std::string, AttributeValue>> list,
                            std::vector<ElementType> inputs = {kF}) {
  list.emplace_back("kv_num_heads", int64_t{2});
  const NodeCase made = nodeOf("GroupQueryAttention", std::move(list), std::move(inputs));
  return textOf<GroupQuerySettings>(
      readGroupQuery(kGroupQueryForm, made.graph, made.node()), [](const GroupQuerySettings& s) {
        return fmt::format("{} {} left {} scale {}", s.heads, s.keyHeads, s.left(), s.scaleOf(16));
      });
}

std::string rotary(const RotaryForm& form, const RotarySettings& settings, const Dims& x, const Dims& cosine,
                   std::optional<Dims> positions) {
  return textOf<RotaryLayout>(
      rotaryLayout(form, settings, x, cosine, cosine, positions ? &*positions : nullptr), [](const RotaryLayout& l) {
        return fmt::format("{}x{}x{}x{} {} angles of {}{} {}", l.batch, l.heads, l.sequence, l.size, l.angles,
                           l.tableRows, l.oneStart ? " from one start" : "", steps(l.steps));
      });
}

}  // namespace

class TestAttentionSizes : public QObject {
  Q_OBJECT

 private slots:
  void planesBroadcastFromTheRight() {
    const ScoreDims scores{2, 4, 3, 5};
    compareTexts({
        {"scalar", plane(scorePlane(scores, Dims{}, "mask")), "0 0 0 0 of 5"},
        {"queries by keys", plane(scorePlane(scores, Dims{3, 5}, "mask")), "0 0 5 1 of 5"},
        {"all", plane(scorePlane(scores, Dims{2, 4, 3, 5}, "mask")), "60 15 5 1 of 5"},
        {"one head", plane(scorePlane(scores, Dims{2, 1, 3, 5}, "mask")), "15 0 5 1 of 5"},
        {"shorter", plane(scorePlane(scores, Dims{3, 2}, "mask", true)), "0 0 2 1 of 2"},
        {"one column, shorter", plane(scorePlane(scores, Dims{3, 1}, "mask", true)), "0 0 1 1 of 1"},
        {"shorter is not allowed", plane(scorePlane(scores, Dims{3, 2}, "mask")), "! mask is [3,2], which does not"},
        {"rank 5", plane(scorePlane(scores, Dims{1, 2, 4, 3, 5}, "mask")), "! does not broadcast to batch 2"},
        {"bias of rank 3", plane(scoreBiasPlane(scores, Dims{4, 3, 5}, "Op")),
         "! Op: attention_bias is [4,3,5], not 4-D"},
        {"bias", plane(scoreBiasPlane(scores, Dims{1, 4, 3, 5}, "Op")), "0 15 5 1 of 5"},
    });
  }

  void integerMasks() {
    compareTexts({
        {"ends", padding(kI, {2}), "ends"},
        {"ends and starts", padding(kI, {4}), "ends and starts"},
        {"packed kernels' numbers", padding(kI, {8}), "ends"},
        {"keys", padding(kI, {2, 5}), "0+5/0/1"},
        {"queries by keys", padding(kI, {2, 3, 5}), "0+15/5/1"},
        {"by position", padding(kI, {2, 1, 7, 7}), "14+49/7/1"},
        {"too short a square", padding(kI, {2, 1, 4, 4}), "! a mask of int32 [2,1,4,4] says nothing"},
        {"no square", padding(kI, {2, 1, 5, 7}), "! says nothing about 2 batches of 3 queries and 5 keys"},
        {"another type", padding(kL, {2, 5}), "! a mask of int64"},
        {"another length", padding(kI, {3}), "! Op: a mask of"},
    });
  }

  void operandsOfAttention() {
    const AttentionSettings given{.queryHeads = 4, .keyHeads = 2, .version = 23}, none{.version = 25};
    compareTexts({
        {"3-D", attention(given, {2, 3, 32}, {2, 5, 16}, {2, 5, 12}), "[2,3,24] of 0+96/8/32 0+80/8/16 0+60/6/12, 2"},
        {"4-D", attention(none, {2, 4, 3, 8}, {2, 2, 5, 8}, {2, 2, 5, 6}),
         "[2,4,3,6] of 0+96/24/8 0+80/40/8 0+60/30/6, 2"},
        {"head counts beside 4-D",
         attention({.queryHeads = 4, .version = 25}, {2, 4, 3, 8}, {2, 4, 5, 8}, {2, 4, 5, 8}),
         "! q_num_heads and kv_num_heads are for 3-D"},
        {"mixed ranks", attention(given, {2, 3, 32}, {2, 2, 5, 8}, {2, 2, 5, 8}), "! are 3-D or 4-D alike"},
        {"rank 2", attention(given, {3, 32}, {5, 16}, {5, 16}), "! are 3-D or 4-D alike"},
        {"heads do not divide", attention(given, {2, 3, 30}, {2, 5, 16}, {2, 5, 16}), "! which 4 heads do not divide"},
        {"no head count", attention(none, {2, 3, 32}, {2, 5, 16}, {2, 5, 16}), "! which 0 heads do not divide"},
        {"another batch", attention(none, {2, 4, 3, 8}, {1, 2, 5, 8}, {2, 2, 5, 8}), "! do not belong together"},
        {"another head size", attention(none, {2, 4, 3, 8}, {2, 2, 5, 4}, {2, 2, 5, 8}), "! do not belong together"},
        {"three heads of keys", attention(none, {2, 4, 3, 8}, {2, 3, 5, 8}, {2, 3, 5, 8}), "! 3 heads of keys do not"},
    });
  }

  void attributesOfAttention() {
    compareTexts({
        {"defaults", attributes({}, {kF, kF, kF}), "0 0 0.125 -1 0"},
        {"given", attributes({{"q_num_heads", int64_t{4}}, {"scale", 0.5f}, {"left_window_size", int64_t{3}}}, {kF}),
         "4 0 0.500 3 0"},
        {"score stage", attributes({{"qk_matmul_output_mode", int64_t{4}}}, {kF}), "! 4 is none of 0 to 3"},
        {"window", attributes({{"right_window_size", int64_t{-2}}}, {kF}), "! right_window_size -2 is below -1"},
        {"half a past", attributes({}, {kF, kF, kF, kNone, kF}), "! come together or not at all"},
        {"two caches", attributes({}, {kF, kF, kF, kNone, kF, kF, kL}), "! is for a cache outside"},
    });
  }

  void operandsOfMultiHead() {
    compareTexts({
        {"separate", multiHead(kMultiHeadForm, {2, 3, 32}, Dims{2, 5, 32}, Dims{2, 5, 24}),
         "3 queries 5 keys 8 6 | 0+96/8/32 0+160/8/32 0+120/6/24"},
        {"packed keys", multiHead(kMultiHeadForm, {2, 3, 32}, Dims{2, 5, 4, 2, 8}, {}),
         "3 queries 5 keys 8 8 | 0+96/8/32 0+320/16/64 8+320/16/64"},
        {"packed", multiHead(kMultiHeadForm, {2, 3, 4, 3, 8}, {}, {}),
         "3 queries 3 keys 8 8 | 0+288/24/96 8+288/24/96 16+288/24/96"},
        {"packed for a decoder", multiHead(kDecoderMaskedForm, {2, 1, 96}, {}, {}),
         "1 queries 1 keys 8 8 | 0+96/8/96 32+96/8/96 64+96/8/96"},
        {"encoder", multiHead(kMultiHeadForm, {2, 3, 32}, Dims{2, 4, 5, 8}, Dims{2, 4, 5, 6}),
         "3 queries 5 keys 8 6 | 0+96/8/32 0+160/40/8 0+120/30/6 encoder"},
        {"packed in three axes", multiHead(kMultiHeadForm, {2, 1, 96}, {}, {}), "! key none and value none"},
        {"value alone", multiHead(kMultiHeadForm, {2, 3, 4, 3, 8}, {}, Dims{2, 3, 32}), "! do not belong together"},
        {"rank 2", multiHead(kMultiHeadForm, {2, 32}, {}, {}), "! with 4 heads"},
        {"hidden size", multiHead(kMultiHeadForm, {2, 3, 30}, Dims{2, 5, 30}, Dims{2, 5, 30}), "! with 4 heads"},
        {"another batch", multiHead(kMultiHeadForm, {2, 3, 32}, Dims{1, 5, 32}, Dims{1, 5, 32}), "! with 4 heads"},
    });
  }

  void cachesOfMultiHead() {
    compareTexts({
        {"grows", cache({2, 4, 6, 8}, {}), "6 of 6, 7"},
        {"has room", cache({2, 4, 6, 8}, 3), "3 of 6, 6"},
        {"is full", cache({2, 4, 6, 8}, 6), "6 of 6, 7"},
        {"too many", cache({2, 4, 6, 8}, 7), "! 7 tokens of past_key [2,4,6,8]"},
        {"negative", cache({2, 4, 6, 8}, -1), "! cannot go before 2 batches of 4 heads"},
        {"another rank", cache({2, 4, 48}, {}), "! -1 tokens"},
    });
    const MultiHeadOperands operands{.batch = 2, .queries = 1, .fresh = 1, .size = 8, .valueSize = 6};
    QCOMPARE(textOf(checkMultiHeadBias(kMultiHeadForm, 4, operands, Dims{88})), std::string("ok"));
    QVERIFY(!checkMultiHeadBias(kMultiHeadForm, 4, operands, Dims{96}));
    const NodeCase other = nodeOf("MultiHeadAttention", {{"num_heads", int64_t{4}}}, {kF, kH});
    QVERIFY(!readMultiHead(kMultiHeadForm, other.graph, other.node()));
    const NodeCase none = nodeOf("MultiHeadAttention", {}, {kF, kF, kF});
    QVERIFY(!readMultiHead(kMultiHeadForm, none.graph, none.node()));
  }

  void projections() {
    compareTexts({
        {"thirds", projected({}, {2, 3, 16}, {16, 96}, Dims{96}), "32 32 96 | 8 8"},
        {"listed", projected({32, 32, 16}, {2, 3, 16}, {16, 80}, {}), "32 16 80 | 8 4"},
        {"depth", projected({}, {2, 3, 15}, {16, 96}, {}), "! input [2,3,15], weights [16,96] and bias none"},
        {"columns", projected({}, {2, 3, 16}, {16, 97}, {}), "! of 4 heads"},
        {"bias", projected({}, {2, 3, 16}, {16, 96}, Dims{32}), "! bias [32]"},
        {"no past", projectedPast(false, {}, {}), "0 of 0, 3"},
        {"past", projectedPast(false, Dims{2, 2, 4, 5, 8}, {}), "5 of 5, 8"},
        {"shared", projectedPast(true, Dims{2, 2, 4, 16, 8}, 5), "5 of 16, 16"},
        {"shared and full", projectedPast(true, Dims{2, 2, 4, 6, 8}, 5), "5 of 6, 8"},
        {"shared without length", projectedPast(true, Dims{2, 2, 4, 16, 8}, {}), "! -1 tokens of a past"},
        {"length", projectedPast(true, Dims{2, 2, 4, 16, 8}, 17), "! 17 tokens of a past of [2,2,4,16,8]"},
        {"form", projectedPast(false, Dims{2, 2, 4, 5, 6}, {}), "! cannot go before 2 batches"},
    });
  }

  void groupedQueries() {
    compareTexts({
        {"separate", groupQuery({2, 3, 32}, Dims{2, 3, 16}), "8 | 0+96/8/32 0+48/8/16 0+48/8/16"},
        {"packed", groupQuery({2, 3, 64}, {}), "8 | 0+192/8/64 32+192/8/64 48+192/8/64"},
        {"rank", groupQuery({2, 32}, {}), "! query is [2,32], not 3-D"},
        {"heads", groupQuery({2, 3, 30}, Dims{2, 3, 16}), "! 4 heads do not divide the query"},
        {"keys", groupQuery({2, 3, 32}, Dims{2, 3, 32}), "! should be [2,3,16]"},
        {"defaults", groupAttributes({{"num_heads", int64_t{4}}}), "4 2 left -1 scale 0.25"},
        {"window", groupAttributes({{"num_heads", int64_t{4}}, {"local_window_size", int64_t{9}}}),
         "4 2 left 8 scale 0.25"},
        {"heads of keys", groupAttributes({{"num_heads", int64_t{3}}}), "! 2 heads of keys do not divide 3 heads"},
        {"window of nothing", groupAttributes({{"num_heads", int64_t{4}}, {"local_window_size", int64_t{0}}}),
         "! local_window_size 0 is neither"},
        {"scores", groupAttributes({{"num_heads", int64_t{4}}, {"qk_output", int64_t{3}}}), "! is none of 0, 1, 2"},
        {"window without past",
         groupAttributes(
             {{"num_heads", int64_t{4}}, {"local_window_size", int64_t{4}}, {"sliding_window_cache", int64_t{1}}}),
         "! sliding_window_cache needs"},
        {"half a past", groupAttributes({{"num_heads", int64_t{4}}}, {kF, kF, kF, kF}), "! come together"},
        {"another type", groupAttributes({{"num_heads", int64_t{4}}}, {kF, kH, kH}), "! input 1 is not of the query's"},
    });
  }

  void lengthsOfGroupedQueries() {
    const GroupQuerySettings usual{.heads = 4, .keyHeads = 2},
        windowed{.heads = 4, .keyHeads = 2, .window = 4, .windowedCache = true};
    compareTexts({
        {"first", lengths(usual, {2}, 3, {}), "3 after 0, 3, first"},
        {"later", lengths(usual, {2, 1}, 8, Dims{2, 2, 5, 8}), "8 after 5, 8"},
        {"with room", lengths(usual, {2}, 8, Dims{2, 2, 16, 8}), "8 after 16, 16"},
        {"windowed", lengths(windowed, {2}, 80, Dims{2, 2, 6, 8}), "80 after 6, 6"},
        {"no room", lengths(usual, {2}, 9, Dims{2, 2, 5, 8}), "! 9 is more than a cache of 5 and 3 new tokens"},
        {"short", lengths(usual, {2}, 2, {}), "! total_sequence_length 2 is below the 3 tokens"},
        {"lengths", lengths(usual, {3}, 3, {}), "! seqlens_k is [3]"},
        {"window", lengths(windowed, {2}, 8, Dims{2, 2, 3, 8}), "! a cache of 3 rows does not hold a window of 4"},
    });
  }

  void rotation() {
    compareTexts({
        {"outside", rotary(kRotaryForm, {}, {2, 4, 3, 8}, {10, 4}, Dims{2, 3}), "2x4x3x8 4 angles of 10 0+96/24/8"},
        {"inside", rotary(kRotaryForm, {.heads = 4}, {2, 3, 32}, {10, 4}, Dims{2, 3}),
         "2x4x3x8 4 angles of 10 0+96/8/32"},
        {"in part", rotary(kRotaryForm, {.heads = 4, .rotarySize = 4}, {2, 3, 32}, {10, 2}, Dims{2, 3}),
         "2x4x3x8 2 angles of 10 0+96/8/32"},
        {"without positions", rotary(kRotaryForm, {}, {2, 4, 3, 8}, {2, 3, 4}, {}), "2x4x3x8 4 angles of 0 0+96/24/8"},
        {"heads from the caches", rotary(kMicrosoftRotaryForm, {}, {2, 3, 32}, {10, 4}, Dims{1}),
         "2x4x3x8 4 angles of 10 from one start 0+96/8/32"},
        {"no heads", rotary(kRotaryForm, {}, {2, 3, 32}, {10, 4}, Dims{2, 3}), "! 0 heads do not divide"},
        {"one start is com.microsoft's", rotary(kRotaryForm, {}, {2, 4, 3, 8}, {10, 4}, Dims{1}),
         "! position_ids is [1]"},
        {"odd", rotary(kRotaryForm, {.rotarySize = 3}, {2, 4, 3, 8}, {10, 1}, Dims{2, 3}), "! 3 channels of 8 cannot"},
        {"more than there are", rotary(kRotaryForm, {.rotarySize = 10}, {2, 4, 3, 8}, {10, 5}, Dims{2, 3}),
         "! 10 channels of 8"},
        {"caches", rotary(kRotaryForm, {}, {2, 4, 3, 8}, {10, 3}, Dims{2, 3}), "! do not give 4 angles"},
        {"rank 2", rotary(kRotaryForm, {}, {3, 8}, {10, 4}, Dims{2, 3}), "! not 3-D or 4-D"},
        {"streams", rotary(kStreamsRotaryForm, {.heads = 4, .sections = {1, 1, 2}}, {2, 3, 32}, {10, 4}, Dims{3, 2, 3}),
         "2x4x3x8 4 angles of 10 0+96/8/32"},
        {"sections",
         rotary(kStreamsRotaryForm, {.heads = 4, .sections = {1, 1, 1}}, {2, 3, 32}, {10, 4}, Dims{3, 2, 3}),
         "! mrope_section is not three sizes that sum to 4"},
    });
  }
};

QTEST_GUILESS_MAIN(TestAttentionSizes)
#include "tst_attention_sizes.moc"
