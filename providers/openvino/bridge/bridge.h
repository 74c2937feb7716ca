#pragma once
// The narrow interface between the engine and OpenVINO's C++ libraries.
//
// libcutaway_openvino.so is the only thing that links OpenVINO; it is opened at run time, so that the program works
// where the libraries are missing. Everything that passes the interface is plain: numbers, pointers, std::string and
// std::vector. Nothing throws through it; `problem` is empty when a call went well. Thread rule: Bridge and Compiled
// may be used from any thread; a Request by one at a time. Example: see providers/openvino/library.h.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::openvino {

inline constexpr int kBridgeInterface = 3;
inline constexpr const char* kBridgeSymbol = "cutawayOpenvinoBridge";

// Element types are the numbers of TensorProto.DataType.
struct TensorView {
  int32_t element = 0;
  const int64_t* dims = nullptr;
  size_t rank = 0;
  void* data = nullptr;
};

struct Port {
  int32_t element = 0;  // 0: a type that ONNX has no number for
  bool isStatic = false;
  bool isPassed = false;  // an output that is an input as it came: it is fetched and copied, because OpenVINO does not
                          // write it to memory of ours
  std::vector<int64_t> dims;       // -1: open; empty with isStatic false: the rank is open, too
  std::vector<std::string> names;  // of the value in the model; inputs that nothing needs have no port
};

struct CompileSettings {
  std::string device;                                           // "CPU"
  std::vector<std::pair<std::string, std::string>> properties;  // OpenVINO's own keys
};

// What a device is, for telling whether a blob was made for it.
struct DeviceFacts {
  std::string description;  // "CPU: Intel(R) Xeon(R) ... intel64 (BF16 FP32 INT8 ...)"; of every device that a composed
                            // one is made of
  bool canExport = false;   // blobs go out and come in
};

// Bytes that somebody else holds.
struct BlobView {
  const void* data = nullptr;
  size_t sizeBytes = 0;
};

// An operator form that OpenVINO is asked about: the graph outputs "q<number>.o<slot>" of the questions model belong to
// it.
struct ExpectedOutput {
  size_t question = 0;
  std::string name;
  int32_t element = 0;  // 0: any
  bool isRanked = false;
  std::vector<int64_t> dims;  // when isRanked; -1: any
};
enum class Judgement : uint8_t { kSupported, kNoConversion, kConversionFailed, kNotOnDevice, kOtherResult };
struct Judged {
  Judgement judgement = Judgement::kSupported;
  std::string operation;  // OpenVINO's operation that the device lacks, or the type of result it gives
};

class Request {
 public:
  virtual ~Request() = default;
  // The memory is used where it lies, until it is bound again.
  virtual void bindInput(size_t slot, const TensorView& view, std::string& problem) = 0;
  virtual void bindOutput(size_t slot, const TensorView& view, std::string& problem) = 0;
  virtual void run(std::string& problem) = 0;
  // The result of an output that was not bound; valid until the next output() or run().
  virtual TensorView output(size_t slot, std::string& problem) = 0;
};

class Compiled {
 public:
  virtual ~Compiled() = default;
  virtual const std::vector<Port>& inputs() const = 0;
  virtual const std::vector<Port>& outputs() const = 0;
  virtual std::unique_ptr<Request> makeRequest(std::string& problem) = 0;
  // A request of its own, run once; only made where the shape of an input is open.
  virtual void runOnZeros(std::string& problem) = 0;
  // Compiled code and weights as bytes that importBlob() of the same version and device takes, appended to `blob`; room
  // reserved there saves memory. Stops with a problem once `cancelled` says so.
  virtual void exportBlob(std::string& blob, const std::function<bool()>& cancelled, std::string& problem) = 0;
};

class Bridge {
 public:
  virtual ~Bridge() = default;
  virtual std::string version() const = 0;  // "2026.4.1-22982-..."
  virtual std::vector<std::string> devices(std::string& problem) = 0;
  // One verdict for each of `count` questions. A problem means that the model as a whole could not be judged.
  virtual std::vector<Judged> judge(const std::string& onnxModel, const std::vector<ExpectedOutput>& outputs,
                                    size_t count, const std::string& device, std::string& problem) = 0;
  // The frontend's own words on why it cannot convert a model; empty when it can.
  virtual std::string conversionProblem(const std::string& onnxModel) = 0;
  // Weights may be referred to by address (see model_writer.h); they must outlive the result.
  virtual std::unique_ptr<Compiled> compile(const std::string& onnxModel, const CompileSettings& settings,
                                            std::string& problem) = 0;
  // Weights are used where they lie in the blob, where the device's plugin can: it must outlive the result. OpenVINO
  // takes a blob on trust; who calls has checked where it comes from.
  virtual std::unique_ptr<Compiled> importBlob(const BlobView& blob, const CompileSettings& settings,
                                               std::string& problem) = 0;
  virtual DeviceFacts deviceFacts(const std::string& device, std::string& problem) = 0;
};

// The module exports this one function under kBridgeSymbol; nullptr when it was built for another interface.
using BridgeFactory = Bridge* (*)(int interfaceVersion);

}  // namespace cutaway::openvino
