// cutaway._engine: the library's interface for Python. Texts are JSON, tensors are DLPack; the package around it
// (cutaway/) makes reports and numpy arrays of them.
//
// Memory is never copied: arrays of the caller are kept alive as long as the engine looks at them, and arrays that are
// given out keep the engine's memory alive. The interpreter's lock is free while the engine works.

#include <optional>
#include <stdexcept>
#include <utility>

#include <cutaway/session.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
namespace api = cutaway::api;

namespace {

using AnyArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Feed = std::tuple<std::string, nb::object, std::string>;    // name, array or list of texts, element type
using Output = std::tuple<std::string, std::string, nb::object>;  // name, element type, array or list of texts

// The element type of ONNX and that of DLPack, where there is one.
struct TypePair {
  api::ElementType type;
  nb::dlpack::dtype_code code;
  uint8_t bits;
};
constexpr TypePair kTypes[] = {
    {api::ElementType::kFloat, nb::dlpack::dtype_code::Float, 32},
    {api::ElementType::kDouble, nb::dlpack::dtype_code::Float, 64},
    {api::ElementType::kFloat16, nb::dlpack::dtype_code::Float, 16},
    {api::ElementType::kBfloat16, nb::dlpack::dtype_code::Bfloat, 16},
    {api::ElementType::kInt8, nb::dlpack::dtype_code::Int, 8},
    {api::ElementType::kInt16, nb::dlpack::dtype_code::Int, 16},
    {api::ElementType::kInt32, nb::dlpack::dtype_code::Int, 32},
    {api::ElementType::kInt64, nb::dlpack::dtype_code::Int, 64},
    {api::ElementType::kUint8, nb::dlpack::dtype_code::UInt, 8},
    {api::ElementType::kUint16, nb::dlpack::dtype_code::UInt, 16},
    {api::ElementType::kUint32, nb::dlpack::dtype_code::UInt, 32},
    {api::ElementType::kUint64, nb::dlpack::dtype_code::UInt, 64},
    {api::ElementType::kBool, nb::dlpack::dtype_code::Bool, 8},
    {api::ElementType::kComplex64, nb::dlpack::dtype_code::Complex, 64},
    {api::ElementType::kComplex128, nb::dlpack::dtype_code::Complex, 128},
};

bool isByteFloat(api::ElementType type) {
  return (type >= api::ElementType::kFloat8E4M3FN && type <= api::ElementType::kFloat8E5M2FNUZ) ||
         type == api::ElementType::kFloat8E8M0;
}

// bits: types that numpy has no name for come as unsigned integers of their width.
nb::dlpack::dtype dlpackType(const api::NamedTensor& value, bool bits) {
  const api::ElementType type = value.tensor.type;
  const auto unsignedOf = [](uint8_t width) {
    return nb::dlpack::dtype{static_cast<uint8_t>(nb::dlpack::dtype_code::UInt), width, 1};
  };
  if (bits && type == api::ElementType::kBfloat16) return unsignedOf(16);
  if (isByteFloat(type)) return unsignedOf(8);
  for (const TypePair& pair : kTypes)
    if (pair.type == type) return {static_cast<uint8_t>(pair.code), pair.bits, 1};
  throw api::Error("NOT_IMPLEMENTED",
                   "'" + value.name + "' has elements of type " + api::elementTypeName(type) +
                       ", several a byte, which no array can hold; cast it in the model",
                   {.file = {}, .node = {}, .value = value.name}, false);
}

api::ElementType elementTypeOf(const AnyArray& array, const std::string& name) {
  for (const TypePair& pair : kTypes)
    if (static_cast<uint8_t>(pair.code) == array.dtype().code && pair.bits == array.dtype().bits) return pair.type;
  throw api::Error("INVALID_ARGUMENT", "feed '" + name + "' has a type of elements that ONNX has none for",
                   {.file = {}, .node = {}, .value = name}, false);
}

// Given back to Python wherever the engine lets go of it, with the lock.
std::shared_ptr<const void> keptAlive(nb::object object) {
  return {object.release().ptr(), [](const void* held) {
            if (nb::detail::cleanup_guard guard{})
              nb::handle(static_cast<PyObject*>(const_cast<void*>(held))).dec_ref();
          }};
}

api::Tensor textTensor(const nb::object& value) {
  // A pair of the shape and the texts, row by row.
  auto [shape, texts] = nb::cast<std::pair<std::vector<int64_t>, std::vector<std::string>>>(value);
  auto kept = std::make_shared<std::vector<std::string>>(std::move(texts));
  const auto size = static_cast<int64_t>(kept->size() * sizeof(std::string));
  const void* data = kept->data();
  return {.type = api::ElementType::kString,
          .shape = std::move(shape),
          .data = data,
          .sizeBytes = size,
          .owner = std::move(kept)};
}

api::Tensor arrayTensor(const std::string& name, const nb::object& value, const std::string& typeName) {
  AnyArray array;
  if (!nb::try_cast<AnyArray>(value, array))
    throw api::Error("INVALID_ARGUMENT", "feed '" + name + "' is no array that lies in the host's memory row by row",
                     {.file = {}, .node = {}, .value = name}, false);
  api::Tensor tensor{.type = typeName.empty() ? elementTypeOf(array, name) : api::elementTypeNamed(typeName),
                     .data = array.data(),
                     .sizeBytes = static_cast<int64_t>(array.nbytes())};
  for (size_t axis = 0; axis < array.ndim(); ++axis)
    tensor.shape.push_back(static_cast<int64_t>(array.shape(axis)));
  // The array that was cast may be another one than was given; it has a reference of its own to what owns the bytes.
  tensor.owner = std::shared_ptr<const void>(new AnyArray(array), [](const void* held) {
    if (nb::detail::cleanup_guard guard{}) delete static_cast<const AnyArray*>(held);
  });
  return tensor;
}

std::vector<api::NamedTensor> tensorsOf(const std::vector<Feed>& feeds) {
  std::vector<api::NamedTensor> tensors;
  for (const auto& [name, value, type] : feeds)
    tensors.push_back({name, type == "string" ? textTensor(value) : arrayTensor(name, value, type)});
  return tensors;
}

nb::object textsOf(const api::Tensor& tensor) {
  nb::list texts;
  const auto* strings = static_cast<const std::string*>(tensor.data);
  for (size_t i = 0; i < static_cast<size_t>(tensor.sizeBytes) / sizeof(std::string); ++i)
    texts.append(
        nb::steal(PyUnicode_DecodeUTF8(strings[i].data(), static_cast<Py_ssize_t>(strings[i].size()), "replace")));
  return nb::make_tuple(tensor.shape, texts);
}

nb::object arrayOf(const api::NamedTensor& value, bool bits) {
  const api::Tensor& tensor = value.tensor;
  if (tensor.type == api::ElementType::kString) return textsOf(tensor);
  const nb::dlpack::dtype type = dlpackType(value, bits);
  const std::vector<size_t> shape(tensor.shape.begin(), tensor.shape.end());
  auto owner = std::make_unique<std::shared_ptr<const void>>(tensor.owner);
  const nb::capsule kept(owner.get(),
                         [](void* held) noexcept { delete static_cast<std::shared_ptr<const void>*>(held); });
  (void)owner.release();
  return nb::cast(
      nb::ndarray<nb::array_api>(const_cast<void*>(tensor.data), shape.size(), shape.data(), kept, nullptr, type));
}

std::vector<Output> outputsOf(const std::vector<api::NamedTensor>& tensors, bool bits) {
  std::vector<Output> outputs;
  for (const api::NamedTensor& value : tensors)
    outputs.emplace_back(value.name, api::elementTypeName(value.tensor.type), arrayOf(value, bits));
  return outputs;
}

// content: the model's bytes; None: the file at `path`.
api::Model modelOf(const std::string& path, const std::optional<nb::bytes>& content) {
  if (!content) return {.path = path};
  return {.path = path, .bytes = content->c_str(), .sizeBytes = content->size(), .owner = keptAlive(*content)};
}

template <typename Work>
auto withoutLock(Work&& work) {
  const nb::gil_scoped_release released;
  return work();
}

// cutaway.Error: a RuntimeError with code, file, node, value and refused.
void translateErrors(nb::module_& module) {
  static PyObject* type = nullptr;
  type = PyErr_NewException("cutaway.Error", PyExc_RuntimeError, nullptr);
  module.attr("Error") = nb::handle(type);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const api::Error& error) {
      const nb::object raised = nb::handle(type)(error.what());
      raised.attr("code") = error.code();
      raised.attr("file") = error.place().file;
      raised.attr("node") = error.place().node;
      raised.attr("value") = error.place().value;
      raised.attr("refused") = error.isRefused();
      PyErr_SetObject(type, raised.ptr());
    }
  });
}

std::vector<std::tuple<std::string, std::string, bool>> typesOf(const std::vector<api::NamedType>& values) {
  std::vector<std::tuple<std::string, std::string, bool>> types;
  for (const api::NamedType& value : values)
    types.emplace_back(value.name, value.type, value.required);
  return types;
}

void defineSession(nb::module_& module) {
  nb::class_<api::Session>(module, "Session")
      .def(
          "__init__",
          [](api::Session* self, const std::string& path, const std::optional<nb::bytes>& content,
             const std::string& configuration) {
            const api::Model model = modelOf(path, content);
            const nb::gil_scoped_release released;
            new (self) api::Session(model, configuration);
          },
          nb::arg("path"), nb::arg("content").none(), nb::arg("configuration"))
      .def("inputs", [](const api::Session& self) { return typesOf(self.inputs()); })
      .def("outputs", [](const api::Session& self) { return typesOf(self.outputs()); })
      .def("report", [](const api::Session& self) { return withoutLock([&] { return self.report(); }); })
      .def("random_feeds",
           [](const api::Session& self, uint64_t seed, bool bits) {
             return outputsOf(withoutLock([&] { return self.randomFeeds(seed); }), bits);
           })
      .def("run",
           [](const api::Session& self, const std::vector<Feed>& feeds, const std::vector<std::string>& outputs,
              const std::vector<std::string>& keep, int64_t deadlineNs, bool bits) {
             const std::vector<api::NamedTensor> tensors = tensorsOf(feeds);
             const api::RunOptions options{.outputs = outputs, .keepValues = keep, .deadlineNs = deadlineNs};
             return outputsOf(withoutLock([&] { return self.run(tensors, options); }), bits);
           })
      .def("profile", [](const api::Session& self, const std::vector<Feed>& feeds, int runs, int warmups) {
        const std::vector<api::NamedTensor> tensors = tensorsOf(feeds);
        const api::Profile profile =
            withoutLock([&] { return self.profile(tensors, {.runs = runs, .warmups = warmups}); });
        return std::pair(profile.report, profile.trace);
      });
}

void defineReports(nb::module_& module) {
  module.def(
      "walk_report",
      [](const std::string& path, const std::optional<nb::bytes>& content, const std::string& configuration, int last) {
        const api::Model model = modelOf(path, content);
        return withoutLock([&] { return api::walkReport(model, configuration, static_cast<api::Stage>(last)); });
      },
      nb::arg("path"), nb::arg("content").none(), nb::arg("configuration"), nb::arg("last"));
  module.def(
      "compare",
      [](const std::string& path, const std::optional<nb::bytes>& content, const std::string& a, const std::string& b,
         const std::vector<Feed>& feeds, double relative, double absolute, uint64_t seed, bool layers,
         const std::string& failing) {
        const api::Model model = modelOf(path, content);
        const api::CompareOptions options{.relativeTolerance = relative,
                                          .absoluteTolerance = absolute,
                                          .seed = seed,
                                          .feeds = tensorsOf(feeds),
                                          .everyLayer = layers,
                                          .failingFolder = failing};
        return withoutLock([&] { return api::compare(model, a, b, options); });
      },
      nb::arg("path"), nb::arg("content").none(), nb::arg("a"), nb::arg("b"), nb::arg("feeds"), nb::arg("relative"),
      nb::arg("absolute"), nb::arg("seed"), nb::arg("layers"), nb::arg("failing"));
  module.def(
      "export_context",
      [](const std::string& path, const std::optional<nb::bytes>& content, const std::string& file,
         const std::string& configuration, bool embed, bool replace) {
        const api::Model model = modelOf(path, content);
        return withoutLock(
            [&] { return api::exportContext(model, file, configuration, {.embed = embed, .replace = replace}); });
      },
      nb::arg("path"), nb::arg("content").none(), nb::arg("file"), nb::arg("configuration"), nb::arg("embed"),
      nb::arg("replace"));
  module.def("providers", [] { return withoutLock([] { return api::providersReport(); }); });
  module.def("version", [] { return api::version(); });
}

}  // namespace

NB_MODULE(_engine, module) {
  translateErrors(module);
  defineSession(module);
  defineReports(module);
}
