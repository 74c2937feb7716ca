#pragma once
// --record and --replay: what plug-in providers answer, kept in a file and read from one.
//
// Thread rule: the main thread; finishRecords() any. Example:
//   declareRecords(command, [this](const std::string& provider) { m_replayed = provider; });
//   ...
//   const Result<void> finished = finishRecords();

#include <functional>
#include <string>

#include "engine/base/result.h"

namespace CLI {
class App;
}

namespace cutaway {

// onReplay is called while options are read, with the provider of the record that --replay names:
// "recorded(phone.record)". A record that cannot be begun or read is an error of usage.
void declareRecords(CLI::App& command, std::function<void(std::string provider)> onReplay);
bool hasRecord();  // one was begun and is not written yet
// Writes the record of the whole program, whatever came of it; without --record nothing. Errors: those of
// engine/base/new_file.h.
Result<void> finishRecords();

}  // namespace cutaway
