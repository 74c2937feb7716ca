// layers MODEL [CONFIGURATION]: runs a model on random inputs and prints its outputs and where each stage left it.
#include <cstdio>
#include <cstdlib>

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
    for (const api::NamedTensor& output : session.run(session.randomFeeds(1)))
      printOutput(output);
    std::printf("report of %zu bytes, written by version %s\n", session.report().size(), api::version().c_str());
  } catch (const api::Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.code().c_str(), error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
