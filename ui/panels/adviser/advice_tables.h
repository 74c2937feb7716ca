#pragma once
// Advice as sentences and rows.
//
// Thread rule: pure; rows keep the result alive. Example: model.present(adviceRows(job->result<study::Advised>()));

#include "engine/study/advise/advise.h"
#include "ui/base/table_columns.h"

namespace cutaway::ui {

// "3 changes make something smaller; the largest: planned peak 3.2 MB → 2.1 MB with order = memory."
QString adviceSentence(const AdviceReport& report);
// "planned peak 3.2 MB → 2.1 MB (−34 %)", one after the other.
QString figuresText(const std::vector<AdviceFigure>& figures);
ReportRows adviceRows(const std::shared_ptr<const study::Advised>& advised);

}  // namespace cutaway::ui
