#pragma once
// What the four modes of `context` share: their options, and what they print.
//
// Thread rule: the main thread. Example: see context.cpp.

#include <string>
#include <vector>

#include "app/cli/feeds.h"
#include "app/cli/shared_options.h"
#include "engine/report/context_report.h"

namespace cutaway::cli {

struct ContextVerbOptions {
  SharedOptions shared;
  FeedOptions feeds;
  std::vector<std::string> models;
  bool preview = false;
  std::string output;  // -o
  bool embed = false;
  bool isShared = false;  // --share-group was given
  std::string shareGroup;
  std::string prefix;
  std::string initializersFile;
  uint64_t thresholdBytes = 0;
  bool force = false;
  bool verify = false;
  std::string verifyFile;  // --verify FILE
  std::string original;
  std::string showFile;
  int runs = 3;
  bool all = false;
};

int previewContext(const ContextVerbOptions& options);
int exportContexts(const ContextVerbOptions& options);
int showContext(const ContextVerbOptions& options);
int verifyContextFile(const ContextVerbOptions& options);

void printPreview(const WalkReport& walk);
void printWritten(const ContextWritten& written);
void printContextNodes(const WalkReport& walk, bool everyNode);
// simulated: providers whose run times are a simulator's.
void printVerification(const ContextVerification& seen, const std::vector<std::string>& simulated);

// Providers that the EPContext nodes of a model name and that this build has, in order of first appearance; for options
// that name none. Errors: those of load.
Result<std::vector<std::string>> providersOfContexts(const Model& model);
// onnx_model_filename of its first EPContext node that has one; empty: none says. A name that leaves the model's folder
// is INVALID_GRAPH.
Result<std::filesystem::path> originalOf(const Model& model);
// A model without its weights, to look at its nodes.
Result<Model> loadToLook(const std::string& file, Progress& progress);

}  // namespace cutaway::cli
