#pragma once
// Which format a compiled binary has, told by its first bytes: for context nodes of others, that are explained and not
// run.
//
// Thread rule: pure. Example: report.format = formatOfBinary(file->bytes(), findSource(node.source, known));

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "engine/context_binary/context_node.h"

namespace cutaway::partition {

// "Cutaway context 1", "QNN context binary", "ELF object", "zip archive", "OpenVINO model (XML)" ...; "unknown, 512
// bytes" else. source: who made it, where the bytes alone do not tell.
std::string formatOfBinary(std::span<const std::byte> bytes, const context_binary::ContextSource* source);

}  // namespace cutaway::partition
