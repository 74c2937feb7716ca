#pragma once
// --record and --replay: what plug-in providers answer, kept in a file and read from one.
//
// Thread rule: the main thread. Example: declareRecords(command, m_replayed);   ...   code = finishRecords(code);

#include <string>

#include "app/cli/verb.h"

namespace cutaway::cli {

// `replayed` gets the provider of the record that --replay names: "recorded(phone.record)".
void declareRecords(CLI::App& command, std::string& replayed);
// Writes the record of the whole command, whatever came of it; code, or that of the file that could not be written.
int finishRecords(int code);

}  // namespace cutaway::cli
