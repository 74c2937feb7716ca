#pragma once
// Kernels of nodes as text.
//
// Thread rule: the main thread. Example: printKernels(choices.report, *choices.walk->partitionedGraphs);

#include "engine/report/graph_report.h"
#include "engine/report/kernel_report.h"

namespace cutaway::cli {

// How many nodes run by which kind of kernel, and every node with what refused before its row.
void printKernels(const KernelReport& report, const ModelGraphs& graphs);
// Of the nodes with this name; a sentence where none has a kernel of its own.
void printKernelOf(const KernelReport& report, const std::string& name);

}  // namespace cutaway::cli
