// Files of the window: sessions. What is read is written and read again.
#include "app/providers/provider_table.h"
#include "tests/fuzz/readers/message_rules.h"
#include "tests/fuzz/readers/targets.h"
#include "ui/shell/session_file.h"

namespace cutaway::fuzz {

void readSession(std::string_view bytes) {
  static const ProviderTable providers = builtProviders();
  const QString file = QStringLiteral("/somewhere/work.cutaway");
  const QByteArray json(bytes.data(), static_cast<qsizetype>(bytes.size()));
  const Result<ui::SessionState> session = ui::sessionFromJson(json, file, providers);
  if (!session) return judgeMessage(session.error(), bytes);
  require(!ui::sessionContent(*session).isEmpty(), "a session without content");
  const QByteArray written = ui::sessionToJson(*session, file);
  const Result<ui::SessionState> again = ui::sessionFromJson(written, file, providers);
  if (again && ui::sessionToJson(*again, file) == written) return;
  std::fprintf(stderr, "a session is read otherwise than it was written\n");
  std::abort();
}

}  // namespace cutaway::fuzz
