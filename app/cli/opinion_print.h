#pragma once
// Another engine's account of a model beside ours, as text: a line a stage, then what differs and why.
//
// Thread rule: the main thread.

#include "engine/report/opinion_report.h"

namespace cutaway::cli {

// `all`: every row and every node, too.
void printOpinion(const SecondOpinion& opinion, bool all);

}  // namespace cutaway::cli
