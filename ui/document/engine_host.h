#pragma once
// What the program that holds the window gives it: providers, and those functions of the engine that a test of the
// window replaces. Everything else the window asks of the engine itself; it knows no provider and no file format.
//
// Thread rule: the functions are called on any worker thread. Without createSession there is no engine: what a walk
// found out is shown, and nothing is made.
// Example: auto host = std::make_shared<EngineHost>();  host->createSession = Session::create;

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compile/compile.h"
#include "engine/compile/verify.h"
#include "engine/report/opinion_report.h"
#include "engine/report/plan_comparison.h"
#include "engine/report/run_comparison.h"
#include "engine/session/session.h"
#include "engine/study/what_if/what_if.h"

namespace cutaway::ui {

struct EngineHost {
  using CreateSession = std::function<Result<std::unique_ptr<session::Session>>(
      const load::ModelSource&, const session::SessionOptions&, const ProviderTable&, Progress&,
      const session::WalkListener&)>;
  using EvaluateWhatIf = std::function<Result<study::WhatIfResult>(
      const Model& optimized, const session::SessionOptions&, const session::Configuration& change,
      const WalkReport& present, Progress&, int measureRuns)>;
  using CompareOrders =
      std::function<Result<PlanTable>(const Model& optimized, const session::SessionOptions&, Progress&)>;
  using CompileModel =
      std::function<Result<compile::Compiled>(const compile::CompileRequest&, const ProviderTable&, Progress&)>;
  using VerifyContext =
      std::function<Result<ContextVerification>(const compile::VerifyRequest&, const ProviderTable&, Progress&)>;
  using ReadTrace =
      std::function<Result<RunReport>(std::string_view json, const std::string& file, const WalkReport& walk)>;
  using CompareRuns = std::function<RunComparison(const RunReport& a, const ModelGraphs& graphsA, const RunReport& b,
                                                  const ModelGraphs& graphsB)>;

  // What ONNX Runtime makes of the model file beside what this engine does. NOT_FOUND says where it was looked for and
  // how to get it; empty feeds are made up.
  using AskOnnxruntime = std::function<Result<SecondOpinion>(
      const std::filesystem::path& model, const session::SessionOptions&, std::vector<execute::Feed> feeds, Progress&)>;

  ProviderTable providers;
  CreateSession createSession = {};
  EvaluateWhatIf evaluateWhatIf = {};
  CompareOrders compareOrders = {};
  CompileModel compileModel = {};
  VerifyContext verifyContext = {};
  ReadTrace readTrace = {};
  CompareRuns compareRuns = {};
  AskOnnxruntime askOnnxruntime = {};

  bool hasEngine() const { return static_cast<bool>(createSession); }
};

}  // namespace cutaway::ui
