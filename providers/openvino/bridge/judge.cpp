// Questions to OpenVINO: convert what works, find what did not, ask the device about the rest.
#include "providers/openvino/bridge/judge.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

#include <openvino/op/constant.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/result.hpp>
#include <openvino/op/util/framework_node.hpp>

#include "providers/openvino/bridge/element.h"
#include "providers/openvino/bridge/frontend.h"

namespace cutaway::openvino {

namespace {

using OperationPointer = std::shared_ptr<ov::Node>;

struct Question {
  ov::ResultVector results;
  std::vector<OperationPointer> operations;  // without parameters, constants and results
};

// Walks back from the results; a question without a result keeps no operations and is judged unsupported.
void gatherOperations(Question& question) {
  std::unordered_set<ov::Node*> seen;
  std::vector<OperationPointer> open(question.results.begin(), question.results.end());
  while (!open.empty()) {
    const OperationPointer operation = open.back();
    open.pop_back();
    if (!seen.insert(operation.get()).second) continue;
    const bool border = ov::is_type<ov::op::v0::Result>(operation) || ov::is_type<ov::op::v0::Parameter>(operation) ||
                        ov::is_type<ov::op::v0::Constant>(operation);
    if (!border) question.operations.push_back(operation);
    for (size_t slot = 0; slot < operation->get_input_size(); ++slot)
      open.push_back(operation->get_input_node_shared_ptr(slot));
  }
}

// An operation that the frontend left as it was, directly or in a body.
OperationPointer leftover(const Question& question) {
  for (const OperationPointer& operation : question.operations) {
    if (ov::is_type<ov::op::util::FrameworkNode>(operation)) return operation;
  }
  return nullptr;
}

Judged describeLeftover(const OperationPointer& operation) {
  const auto& attributes = std::static_pointer_cast<ov::op::util::FrameworkNode>(operation)->get_attrs();
  const auto type = attributes.find("ONNX_META_type");
  return {Judgement::kConversionFailed, type == attributes.end() ? attributes.get_type_name() : type->second};
}

std::string typeText(const ov::Output<ov::Node>& output) {
  return output.get_element_type().get_type_name() + output.get_partial_shape().to_string();
}

// Empty when the results have the types that the standard gives them.
std::string otherResult(const ov::Output<ov::Node>& output, const ExpectedOutput& expected) {
  if (expected.element != 0 && output.get_element_type().is_static() &&
      onnxElementOf(output.get_element_type()) != expected.element)
    return typeText(output);
  const ov::PartialShape& shape = output.get_partial_shape();
  if (!expected.isRanked || shape.rank().is_dynamic()) return {};
  if (shape.size() != expected.dims.size()) return typeText(output);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (expected.dims[axis] >= 0 && shape[axis].is_static() && shape[axis].get_length() != expected.dims[axis])
      return typeText(output);
  }
  return {};
}

std::vector<Question> splitQuestions(const ov::Model& model, const std::vector<ExpectedOutput>& outputs,
                                     std::vector<Judged>& answers) {
  std::unordered_map<std::string, const ExpectedOutput*> byName;
  for (const ExpectedOutput& output : outputs)
    byName.emplace(output.name, &output);
  std::vector<Question> questions(answers.size());
  for (const auto& result : model.get_results()) {
    const ov::Output<ov::Node> source = result->input_value(0);
    const ExpectedOutput* expected = nullptr;
    for (const std::string& name : result->get_output_tensor(0).get_names()) {
      if (const auto found = byName.find(name); found != byName.end()) expected = found->second;
    }
    if (expected == nullptr) {
      // "q3.o0/sink_port_0"
      const std::string& name = result->get_friendly_name();
      if (const auto found = byName.find(name.substr(0, name.find('/'))); found != byName.end())
        expected = found->second;
    }
    if (expected == nullptr) continue;
    questions[expected->question].results.push_back(result);
    const std::string other = otherResult(source, *expected);
    if (!other.empty()) answers[expected->question] = {Judgement::kOtherResult, other};
  }
  return questions;
}

}  // namespace

std::vector<Judged> judgeQuestions(ov::Core& core, const std::string& onnxModel,
                                   const std::vector<ExpectedOutput>& outputs, size_t count,
                                   const std::string& device) {
  const std::shared_ptr<ov::Model> model = convertWhatWorks(onnxModel);
  std::vector<Judged> answers(count);
  std::vector<Question> questions = splitQuestions(*model, outputs, answers);
  ov::ResultVector results;
  std::set<size_t> open;
  for (size_t i = 0; i < count; ++i) {
    gatherOperations(questions[i]);
    if (questions[i].results.empty()) {
      answers[i] = {Judgement::kNoConversion, "no result"};
    } else if (const OperationPointer rest = leftover(questions[i])) {
      answers[i] = describeLeftover(rest);
    } else if (answers[i].judgement == Judgement::kSupported) {
      open.insert(i);
      results.insert(results.end(), questions[i].results.begin(), questions[i].results.end());
    }
  }
  if (open.empty()) return answers;

  ov::ParameterVector parameters;
  std::unordered_set<ov::Node*> seen;
  std::vector<OperationPointer> walk(results.begin(), results.end());
  while (!walk.empty()) {
    const OperationPointer operation = walk.back();
    walk.pop_back();
    if (!seen.insert(operation.get()).second) continue;
    if (const auto parameter = ov::as_type_ptr<ov::op::v0::Parameter>(operation)) parameters.push_back(parameter);
    for (size_t slot = 0; slot < operation->get_input_size(); ++slot)
      walk.push_back(operation->get_input_node_shared_ptr(slot));
  }
  const auto convertible = std::make_shared<ov::Model>(results, parameters, "questions");
  const ov::SupportedOpsMap supported = core.query_model(convertible, device);
  for (const size_t i : open) {
    for (const OperationPointer& operation : questions[i].operations) {
      if (supported.count(operation->get_friendly_name()) == 0)
        answers[i] = {Judgement::kNotOnDevice, operation->get_type_name()};
    }
  }
  return answers;
}

}  // namespace cutaway::openvino
