// Both themes can be read: contrast of every pair of colours that is used, letters on categories, and categories told
// apart by people who do not see all colours.
#include <algorithm>
#include <array>
#include <cmath>

#include <QRegularExpression>
#include <QTest>

#include "ui/base/comfort.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"

using namespace cutaway::ui;

namespace {

using Vector = std::array<double, 3>;

double linear(double v) {
  return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

// CIE L*a*b* of linear sRGB, D65.
Vector lab(const Vector& rgb) {
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505),
               y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]),
               z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// Matrices of complete deficiency from Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation
// of Color Vision Deficiency" (2009), on linear sRGB.
struct Sight {
  const char* name;
  std::array<Vector, 3> matrix;
};
const std::array<Sight, 4> kSights = {
    {{"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
     {"protanopia",
      {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
     {"deuteranopia",
      {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
     {"tritanopia",
      {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}}};

Vector seen(const QColor& color, const Sight& sight) {
  const Vector rgb = {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
  Vector out{};
  for (size_t row = 0; row < 3; ++row) {
    for (size_t i = 0; i < 3; ++i)
      out[row] += sight.matrix[row][i] * rgb[i];
    out[row] = std::clamp(out[row], 0.0, 1.0);
  }
  return lab(out);
}

double distance(const Vector& a, const Vector& b) {
  return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2));
}

}  // namespace

class TestTheme : public QObject {
  Q_OBJECT

 private:
  void addThemes() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  static const Theme& themeOf(bool dark) { return dark ? Theme::darkTheme() : Theme::light(); }

 private slots:
  void wordsCanBeRead_data() { addThemes(); }
  void wordsCanBeRead() {
    QFETCH(bool, dark);
    const Theme& t = themeOf(dark);
    struct Pair {
      const char* name;
      QColor words, ground;
      double least;
    };
    std::vector<Pair> pairs;
    const std::vector<std::pair<const char*, QColor>> grounds = {{"window", t.window},
                                                                 {"canvas", t.canvas},
                                                                 {"surface", t.surface},
                                                                 {"raised", t.raised},
                                                                 {"alternate", mix(t.surface, t.raised, 0.45)}};
    const std::vector<std::pair<const char*, QColor>> words = {{"text", t.text},
                                                               {"secondary", t.textSecondary},
                                                               {"faint, disabled, placeholder", t.textFaint},
                                                               {"accent, link", t.accent},
                                                               {"error", t.error},
                                                               {"warning", t.warning},
                                                               {"success", t.success}};
    for (const auto& [ground, colour] : grounds)
      for (const auto& [word, ink] : words)
        pairs.push_back({word, ink, colour, 4.5});
    for (const QColor& soft : {t.accentSoft, t.errorSoft, t.warningSoft}) {
      pairs.push_back({"text on soft", t.text, soft, 4.5});
      pairs.push_back({"secondary on soft", t.textSecondary, soft, 4.5});
    }
    pairs.push_back({"error on soft", t.error, t.errorSoft, 4.5});
    pairs.push_back({"warning on soft", t.warning, t.warningSoft, 4.5});
    pairs.push_back({"disabled on selection", t.textFaint, t.accentSoft, 3});
    pairs.push_back({"on accent", t.accentText, t.accent, 4.5});
    pairs.push_back({"on hovered accent", t.accentText, mix(t.accent, t.text, 0.15), 4.5});
    pairs.push_back({"on pressed accent", t.accentText, mix(t.accent, t.text, 0.3), 4.5});
    pairs.push_back(
        {"tool tip", t.palette().color(QPalette::ToolTipText), t.palette().color(QPalette::ToolTipBase), 4.5});
    pairs.push_back({"selection of the palette", t.palette().color(QPalette::HighlightedText),
                     t.palette().color(QPalette::Highlight), 4.5});
    for (const auto& [ground, colour] : grounds) {
      pairs.push_back({"focus ring", t.accent, colour, 3});
      pairs.push_back({"lines of the graph, hovered edges", t.borderStrong, colour, 2.7});
    }
    pairs.push_back({"hit on canvas", t.hit, t.canvas, 3});
    for (const Pair& pair : pairs)
      QVERIFY2(contrast(pair.words, pair.ground) >= pair.least,
               qPrintable(QStringLiteral("%1 on %2: %3")
                              .arg(QLatin1String(pair.name), pair.ground.name())
                              .arg(contrast(pair.words, pair.ground))));
  }

  void categoriesCanBeReadAndSeen_data() { addThemes(); }
  void categoriesCanBeReadAndSeen() {
    QFETCH(bool, dark);
    const Theme& t = themeOf(dark);
    for (const CategoryLook& look : t.categories) {
      QVERIFY2(contrast(t.textOn(look.color), look.color) >= 4.5, qPrintable(look.color.name()));
      QVERIFY2(contrast(t.text, look.fill) >= 4.5 && contrast(t.textSecondary, look.fill) >= 4.5,
               qPrintable(look.fill.name()));
      for (const QColor& ground : {t.surface, t.canvas, t.window})
        QVERIFY2(contrast(look.color, ground) >= 3, qPrintable(look.color.name()));
    }
    for (int i = 0; i <= 100; ++i)
      QVERIFY(contrast(t.textOn(t.ramp(i / 100.0)), t.ramp(i / 100.0)) >= 4.5);
  }

  // Colours are never alone (letters and patterns stand beside them), and yet they can be told apart.
  void categoriesDifferForAllEyes_data() { addThemes(); }
  void categoriesDifferForAllEyes() {
    QFETCH(bool, dark);
    const Theme& t = themeOf(dark);
    constexpr double kLeast = 10;  // a difference of 2 can be seen side by side
    for (const Sight& sight : kSights)
      for (size_t a = 0; a < t.categories.size(); ++a)
        for (size_t b = 0; b < a; ++b) {
          const double apart = distance(seen(t.categories[a].color, sight), seen(t.categories[b].color, sight));
          QVERIFY2(apart >= kLeast, qPrintable(QStringLiteral("%1: %2 and %3: %4")
                                                   .arg(QLatin1String(sight.name), t.categories[a].color.name(),
                                                        t.categories[b].color.name())
                                                   .arg(apart)));
        }
  }

  void rampGrowsSteadily_data() { addThemes(); }
  void rampGrowsSteadily() {
    QFETCH(bool, dark);
    const Theme& t = themeOf(dark);
    for (const Sight& sight : kSights)
      for (int i = 1; i <= 20; ++i) {
        const double before = seen(t.ramp((i - 1) / 20.0), sight)[0], now = seen(t.ramp(i / 20.0), sight)[0];
        QVERIFY2(dark ? now > before : now < before, sight.name);
      }
  }

  void textIsScaled() {
    const int plain = interfaceFont().pixelSize();
    setTextScale(200);
    QCOMPARE(interfaceFont().pixelSize(), 2 * plain);
    QCOMPARE(scaled(26), 52);
    QCOMPARE(sceneFont().pixelSize(), plain);
    setTextScale(1000);
    QCOMPARE(textScale(), kLargestText);
    setTextScale(100);
    QCOMPARE(interfaceFont().pixelSize(), plain);
  }

  void iconsAreDrawnForTheSizeAsked() {
    const Theme& theme = Theme::light();
    const QIcon icon = themedIcon(QStringLiteral("close"), theme);
    for (const int size : {14, 24, 40})
      for (const double scale : {1.0, 2.0}) {
        QCOMPARE(icon.pixmap(QSize(size, size), scale).size(), QSize(size, size) * scale);
        QCOMPARE(icon.pixmap(QSize(size, size), scale).toImage(),
                 iconPixmap(QStringLiteral("close"), theme.textSecondary, size, scale).toImage());
      }
    QCOMPARE(icon.pixmap(QSize(24, 24), 1.0, QIcon::Disabled).toImage(),
             iconPixmap(QStringLiteral("close"), theme.border, 24, 1.0).toImage());
    QCOMPARE(icon.actualSize({40, 20}), QSize(20, 20));
    QVERIFY(themedIcon(QStringLiteral("no such icon"), theme).isNull());
  }

  // What Qt keeps of a mark it finds again only where the mark is the same one.
  void marksAreDrawnOnce() {
    const auto mark = [](int category, char letter, bool dark, int size, double scale) {
      const Theme& theme = themeOf(dark);
      return categoryMark(theme.category(category), QLatin1Char(letter), theme, size, scale);
    };
    const QPixmap first = mark(0, 'c', false, 16, 1.0);
    QCOMPARE(mark(0, 'c', false, 16, 1.0).cacheKey(), first.cacheKey());
    QCOMPARE(mark(0, 'c', false, 16, 2.0).size(), QSize(32, 32));
    for (const QPixmap& other :
         {mark(1, 'c', false, 16, 1.0), mark(0, 'd', false, 16, 1.0), mark(0, 'c', true, 16, 1.0)})
      QVERIFY(other.toImage() != first.toImage());
  }

  void sheetHasNoWordLeft() {
    for (const bool dark : {false, true})
      QVERIFY(!themeOf(dark).styleSheet().contains(QRegularExpression(QStringLiteral("\\{[a-zA-Z]+\\}"))));
  }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
