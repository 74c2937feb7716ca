#pragma once
// What attention without a library gets: operands by strides, what a query sees, what is added to its scores.
//
// Thread rule: plain values. Example: AttentionParameters p{.q = q, .k = k, .v = v, .y = y, .heads = 8, .keyHeads = 2,
// .queries = 1, .keys = 700};

#include <cstdint>

namespace cutaway::cuda {

enum AttentionPlaneKind : int32_t {
  kPlaneNone,
  kPlaneFloat,  // added
  kPlaneOwn,    // of the operands' type, added
  kPlaneBool,   // false: not seen
  kPlaneInt,    // int32: not above 0 adds `filter`
  kPlaneEnds,   // int32 [batch]: keys from there on (and before starts[batch]) add `filter`
};

struct AttentionPlane {
  const void* data = nullptr;
  const int32_t* starts = nullptr;
  int64_t stride[4] = {};  // batch, head, query, key; 0: broadcast
  int64_t columns = 0;     // keys from there on are not seen
  int32_t kind = kPlaneNone;
  float filter = 0;
};

struct AttentionParameters {
  const void* q = nullptr;
  const void* k = nullptr;
  const void* v = nullptr;
  void* y = nullptr;
  int64_t strideQ[3] = {}, strideK[3] = {}, strideV[3] = {}, strideY[3] = {};  // batch, head, row
  int64_t batch = 1, heads = 1, keyHeads = 1, queries = 1, keys = 1, size = 64, valueSize = 64;
  float scale = 1, softcap = 0;
  int32_t causal = 0, smooth = 0;        // smooth: one more summand exp(0) below the line
  int64_t left = -1, right = -1;         // keys around the query's position that it sees; -1: all
  int64_t offset = 0;                    // position of query 0
  int32_t offsetFromLength = 0;          // instead: length - queries
  const int32_t* lengths = nullptr;      // keys of each batch, less lengthAdd; nullptr: all
  const int64_t* longLengths = nullptr;  // the same as int64
  int64_t lengthAdd = 0;
  const void* sinks = nullptr;  // one a head, of the operands' type: a score without a value
  AttentionPlane planes[2];
  int32_t rowsPerBlock = 8, keysPerTile = 32, splits = 1;
  float* partial = nullptr;  // [rows of all, splits, valueSize + 2]
};

}  // namespace cutaway::cuda
