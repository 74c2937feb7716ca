#pragma once
// A plug-in's kernel as one of ours.
//
// Thread rule: as Kernel. Example: constexpr auto create = makePluggedKernel;

#include "engine/plugin/plugin_interface.h"
#include "engine/provider/kernel.h"

namespace cutaway {

// The first operator of that name and domain whose version is the node's; nullptr: no plug-in has one.
const plugin::Operator* pluggedOperator(std::string_view domain, std::string_view opType, int32_t version);
// NOT_IMPLEMENTED: no plug-in has the node's operator.
Result<std::unique_ptr<Kernel>> makePluggedKernel(const KernelInfo& info);

}  // namespace cutaway
