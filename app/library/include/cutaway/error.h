#pragma once
// What went wrong, and where in the user's model.
//
// Every function of this library throws it, and nothing else of its own. Thread rule: a plain value.
// Example: catch (const cutaway::api::Error& error) { std::cerr << error.code() << ": " << error.what() << '\n'; }

#include <stdexcept>
#include <string>

namespace cutaway::api {

// Where an error belongs; empty: not known.
struct Place {
  std::string file;
  std::string node;
  std::string value;
};

class Error : public std::runtime_error {
 public:
  Error(std::string code, const std::string& message, Place place, bool refused);
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  ~Error() override;

  const std::string& code() const { return m_code; }  // ONNX Runtime's name of its kind: "INVALID_GRAPH", "NO_SUCHFILE"
  const Place& place() const { return m_place; }
  bool isRefused() const { return m_refused; }  // a setting of the caller forbids it; the model may be fine

 private:
  std::string m_code;
  Place m_place;
  bool m_refused;
};

}  // namespace cutaway::api
