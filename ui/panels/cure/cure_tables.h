#pragma once
// What a search for a cure found, as sentences and rows.
//
// Thread rule: pure; rows keep the result alive. Example: model.present(cureRows(search.cure()));

#include "engine/study/cure/cure.h"
#include "ui/base/table_columns.h"

namespace cutaway::ui {

// "qnn takes 0 of 15 nodes. With batch = 1: 15 of 15 nodes, groups 0 → 1."
QString cureSentence(const CureReport& report);
QString proofWords(const CureProof& proof);  // "same results", "within tolerance, at most 3e-07 apart", "differ: ..."
ReportRows cureRows(const std::shared_ptr<const study::Cure>& cure);

}  // namespace cutaway::ui
