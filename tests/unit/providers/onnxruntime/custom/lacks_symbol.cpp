// A library of custom operators that lacks a function of a library that is not there.
extern "C" void* cutawayTestFunctionThatNobodyHas();

extern "C" __attribute__((visibility("default"))) void* RegisterCustomOps(void* /*options*/, const void* /*base*/) {
  return cutawayTestFunctionThatNobodyHas();
}
