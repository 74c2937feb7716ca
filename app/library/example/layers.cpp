// layers MODEL [CONFIGURATION]: runs a model on random inputs, prints its outputs, and runs it twice more in the
// background.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <future>

#include <cutaway/reports.h>
#include <cutaway/session.h>

namespace api = cutaway::api;

namespace {

void printOutput(const api::NamedTensor& output) {
  std::printf("%s: %s", output.name.c_str(), api::elementTypeName(output.tensor.type).c_str());
  for (const int64_t axis : output.tensor.shape)
    std::printf(" %lld", static_cast<long long>(axis));
  if (output.tensor.type == api::ElementType::kFloat && output.tensor.sizeBytes > 0)
    std::printf(", first value %g", *static_cast<const float*>(output.tensor.data));
  std::printf("\n");
}

// The same runs asked for together; this thread is free until their answers come.
size_t outputsOfTwoRuns(const api::Session& session, const std::vector<api::NamedTensor>& feeds) {
  std::promise<size_t> answers[2];
  for (std::promise<size_t>& answer : answers)
    session.runAsync(feeds, {}, [&answer](const std::vector<api::NamedTensor>& outputs, const api::Error* error) {
      if (error != nullptr)
        answer.set_exception(std::make_exception_ptr(*error));
      else
        answer.set_value(outputs.size());
    });
  return answers[0].get_future().get() + answers[1].get_future().get();
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    std::fprintf(stderr, "usage: layers MODEL [CONFIGURATION]\n");
    return EXIT_FAILURE;
  }
  try {
    const api::Model model{.path = words[1]};
    const std::string configuration = count > 2 ? words[2] : "";
    const api::Session session(model, configuration);
    const std::vector<api::NamedTensor> feeds = session.randomFeeds(1);
    for (const api::NamedTensor& output : session.run(feeds))
      printOutput(output);
    std::printf("two runs later: %zu outputs\n", outputsOfTwoRuns(session, feeds));
    std::printf("report of %zu bytes, written by version %s\n", session.report().size(), api::version().c_str());
  } catch (const api::Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.code().c_str(), error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
