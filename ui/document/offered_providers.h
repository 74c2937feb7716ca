#pragma once
// What lists of providers offer: each provider of the program, those that describe hardware once for each profile, and
// why one cannot be used here.
//
// Thread rule: any thread; asks the providers' probes. Example: for (const OfferedProvider& each :
// offeredProviders(host.providers)) menu->addAction(each.spec)->setEnabled(each.why.isEmpty());

#include <vector>

#include <QString>

#include "ui/document/engine_host.h"

namespace cutaway::ui {

struct OfferedProvider {
  QString provider;  // "declared"
  QString argument;  // "QNN-HTP"; empty: it takes none
  QString spec;      // "declared(QNN-HTP)", as settings and the command line write it
  QString why;       // it cannot be used here; empty: it can
};

// In the order of the table. What takes an argument and has none is not offered, nor is the template for new providers,
// which claims nothing.
std::vector<OfferedProvider> offeredProviders(const ProviderTable& table);

}  // namespace cutaway::ui
