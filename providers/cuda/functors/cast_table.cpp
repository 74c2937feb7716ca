// Instances of conversions: the common pairs as "cast.<from>.<to>", every other through "cast.any".
#include "providers/cuda/functors/cast_functors.h"
#include "providers/cuda/functors/unary_launch.h"

namespace cutaway::cuda {
namespace {

template <typename T>
struct StoredAs {
  using type = T;
};
template <>
struct StoredAs<bool> {
  using type = uint8_t;
};

}  // namespace

void functors_cast(LaunchTable& table) {
  TypeList<float, Half, Brain, int64_t, int32_t, bool, uint8_t, int8_t>::each([&]<typename From>() {
    TypeList<float, Half, Brain, int64_t, int32_t, bool>::each([&]<typename To>() {
      if constexpr (!SameType<From, To>::value) {
        table.add(std::string("cast.") + NameOf<From>::value + "." + NameOf<To>::value,
                  &launchOne<OneElement<CastFunction<From, To>, typename StoredAs<From>::type, To>>);
      }
    });
  });
  table.add("cast.any", &launchOne<CastAny>);
}

}  // namespace cutaway::cuda
