#include "ui/base/theme.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <QFontDatabase>

#include "ui/base/comfort.h"

namespace cutaway::ui {
namespace {

constexpr int kBasePixels = 13;
std::atomic<int> g_textScale{100};

CategoryLook look(const char* strong, const QColor& surface, double softness, Qt::BrushStyle pattern) {
  const QColor color(strong);
  return {color, mix(surface, color, softness), pattern};
}

constexpr std::array<Qt::BrushStyle, kCategoryCount> kPatterns = {
    Qt::SolidPattern,     Qt::BDiagPattern, Qt::Dense5Pattern, Qt::HorPattern,
    Qt::DiagCrossPattern, Qt::FDiagPattern, Qt::VerPattern,    Qt::SolidPattern};

void setCategories(Theme& theme, const std::array<const char*, kCategoryCount>& colors, double softness) {
  for (int i = 0; i < kCategoryCount; ++i)
    theme.categories[i] = look(colors[i], theme.surface, softness, kPatterns[i]);
}

Theme makeLight() {
  Theme t;
  t.window = QColor("#eef1f5");
  t.canvas = QColor("#f7f8fa");
  t.surface = QColor("#ffffff");
  t.raised = QColor("#f2f4f7");
  t.border = QColor("#d7dde5");
  t.borderStrong = QColor("#828f9f");
  t.text = QColor("#18212c");
  t.textSecondary = QColor("#4f5b6a");
  t.textFaint = QColor("#606c7c");
  t.accent = QColor("#1f66c9");
  t.accentText = QColor("#ffffff");
  t.accentSoft = QColor("#dce9fb");
  t.hit = QColor("#b36b00");
  t.error = QColor("#b3261e");
  t.errorSoft = QColor("#fdecea");
  t.warning = QColor("#8f5b00");
  t.warningSoft = QColor("#fff4dc");
  t.success = QColor("#00724f");
  setCategories(t, {"#005a9e", "#d26900", "#049a61", "#b93f00", "#b8457a", "#348dd3", "#453b00", "#7b8794"}, 0.13);
  t.rampStops = {QColor("#f1f5f9"), QColor("#f7dfae"), QColor("#eba44c"), QColor("#d1591f"), QColor("#7f1d1d")};
  return t;
}

Theme makeDark() {
  Theme t;
  t.dark = true;
  t.window = QColor("#12161c");
  t.canvas = QColor("#161b22");
  t.surface = QColor("#1d232c");
  t.raised = QColor("#262e39");
  t.border = QColor("#323c49");
  t.borderStrong = QColor("#66758a");
  t.text = QColor("#e8ecf2");
  t.textSecondary = QColor("#aeb9c7");
  t.textFaint = QColor("#8c9aad");
  t.accent = QColor("#6ba6ff");
  t.accentText = QColor("#0b1420");
  t.accentSoft = QColor("#22406b");
  t.hit = QColor("#ffc14d");
  t.error = QColor("#ff8a80");
  t.errorSoft = QColor("#3d1f1f");
  t.warning = QColor("#ffc867");
  t.warningSoft = QColor("#3b2f17");
  t.success = QColor("#4cd0a4");
  setCategories(t, {"#49a2e6", "#f3a32b", "#33cc9d", "#f08049", "#e196c3", "#95d8ff", "#dbd863", "#828892"}, 0.18);
  t.rampStops = {QColor("#262e39"), QColor("#57452c"), QColor("#a8701f"), QColor("#f0a63a"), QColor("#fff0b8")};
  return t;
}

double channel(double value) {
  return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
double luminance(const QColor& color) {
  return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

QString interfaceFamily() {
  static const QString family = [] {
    const QStringList families = QFontDatabase::families();
    for (const char* wanted : {"Inter", "Noto Sans", "Segoe UI", "SF Pro Text", "DejaVu Sans"})
      if (families.contains(QLatin1String(wanted))) return QString::fromLatin1(wanted);
    return QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
  }();
  return family;
}

}  // namespace

int textScale() {
  return g_textScale.load(std::memory_order_relaxed);
}
void setTextScale(int percent) {
  g_textScale.store(std::clamp(percent, kSmallestText, kLargestText), std::memory_order_relaxed);
}
int scaled(int pixels) {
  return (pixels * textScale() + 50) / 100;
}

const Theme& Theme::light() {
  static const Theme theme = makeLight();
  return theme;
}

const Theme& Theme::darkTheme() {
  static const Theme theme = makeDark();
  return theme;
}

const CategoryLook& Theme::category(int index) const {
  return index < 0 ? categories.back() : categories[index % (kCategoryCount - 1)];
}

QColor Theme::ramp(double position) const {
  const double scaled = std::clamp(std::isfinite(position) ? position : 0.0, 0.0, 1.0) * (rampStops.size() - 1);
  const auto low = std::min<size_t>(static_cast<size_t>(scaled), rampStops.size() - 2);
  return mix(rampStops[low], rampStops[low + 1], scaled - static_cast<double>(low));
}

QColor Theme::textOn(const QColor& background) const {
  const QColor black(Qt::black), white(Qt::white);  // one of them always has 4.5:1; a softer black has not
  return contrast(background, black) >= contrast(background, white) ? black : white;
}

QPalette Theme::palette() const {
  QPalette p;
  p.setColor(QPalette::Window, window);
  p.setColor(QPalette::WindowText, text);
  p.setColor(QPalette::Base, surface);
  p.setColor(QPalette::AlternateBase, mix(surface, raised, 0.5));
  p.setColor(QPalette::Text, text);
  p.setColor(QPalette::PlaceholderText, textFaint);
  p.setColor(QPalette::Button, surface);
  p.setColor(QPalette::ButtonText, text);
  p.setColor(QPalette::BrightText, error);
  p.setColor(QPalette::ToolTipBase, dark ? raised : text);
  p.setColor(QPalette::ToolTipText, dark ? text : surface);
  p.setColor(QPalette::Highlight, accentSoft);
  p.setColor(QPalette::HighlightedText, text);
  p.setColor(QPalette::Link, accent);
  p.setColor(QPalette::LinkVisited, accent);
  p.setColor(QPalette::Mid, border);
  p.setColor(QPalette::Midlight, border);
  p.setColor(QPalette::Light, raised);
  p.setColor(QPalette::Dark, borderStrong);
  p.setColor(QPalette::Shadow, QColor(0, 0, 0, 120));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, textFaint);
  return p;
}

QFont interfaceFont(int pixelDelta, int weight) {
  QFont font(interfaceFamily());
  font.setPixelSize(scaled(kBasePixels + pixelDelta));
  font.setWeight(static_cast<QFont::Weight>(weight));
  return font;
}

QFont sceneFont(int pixelDelta, int weight) {
  QFont font(interfaceFamily());
  font.setPixelSize(kBasePixels + pixelDelta);
  font.setWeight(static_cast<QFont::Weight>(weight));
  return font;
}

QFont monospaceFont(int pixelDelta) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPixelSize(scaled(kBasePixels - 1 + pixelDelta));
  font.setStyleHint(QFont::Monospace);
  return font;
}

QColor mix(const QColor& first, const QColor& second, double share) {
  const auto blend = [share](double a, double b) {
    return static_cast<float>(std::clamp(a + (b - a) * share, 0.0, 1.0));
  };
  return QColor::fromRgbF(blend(first.redF(), second.redF()), blend(first.greenF(), second.greenF()),
                          blend(first.blueF(), second.blueF()), blend(first.alphaF(), second.alphaF()));
}

double contrast(const QColor& first, const QColor& second) {
  const double a = luminance(first), b = luminance(second);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

}  // namespace cutaway::ui
