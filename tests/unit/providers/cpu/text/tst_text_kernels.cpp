// String operators given attributes and inputs that are wrong, and the tables and conversions they stand on.

#include <random>

#include <QtTest>

#include "engine/graph/text.h"
#include "providers/cpu/kernels/kernel_table.h"
#include "providers/cpu/kernels/lookup_table.h"
#include "providers/cpu/kernels/text/letter_case.h"
#include "providers/cpu/kernels/text/ngram_pool.h"
#include "tests/unit/providers/cpu/graph_interpreter.h"

using namespace cutaway;

namespace {

Result<std::vector<RuntimeValue>> runText(const std::string& text, std::span<const RuntimeValue> inputs) {
  CUTAWAY_TRY(Model model,
              parseModelText("<ir_version: 10, opset_import: [\"\" : 21, \"com.microsoft\" : 1]>\n" + text));
  CUTAWAY_CHECK(testing::prepareForKernels(model));
  testing::GraphInterpreter interpreter(cpu::cpuKernels());
  return interpreter.run(model.graph, inputs);
}

Tensor words(std::initializer_list<std::string> values) {
  return Tensor::of<std::string>(std::vector<std::string>(values));
}

}  // namespace

class TestTextKernels : public QObject {
  Q_OBJECT
 private slots:
  void wrongNodesAreRefused_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* name, const char* node, const char* word) {
      QTest::newRow(name) << QString(node) << QString(word);
    };
    row("pattern open", "RegexFullMatch <pattern = \"(a\"> (x)", "RE2");
    row("pattern missing", "RegexFullMatch (x)", "pattern");
    row("pattern huge", "RegexFullMatch <pattern = \"((((a{100}){100}){100}){100})\"> (x)", "RE2");
    row("case action", "StringNormalizer <case_change_action = \"TITLE\"> (x)", "case_change_action");
    row("tfidf mode",
        "TfIdfVectorizer <mode = \"TFI\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0], pool_strings = [\"a\"]> (x)",
        "mode");
    row("tfidf lengths",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 2, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0], pool_strings = [\"a\"]> (x)",
        "lengths");
    row("tfidf skips",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = -1, ngram_counts = "
        "[0], ngram_indexes = [0], pool_strings = [\"a\"]> (x)",
        "max_skip_count");
    row("tfidf pool kind",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0], pool_int64s = [1]> (x)",
        "pool");
    row("tfidf no pool",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0]> (x)",
        "pool");
    row("tfidf negative column",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [-1], pool_strings = [\"a\"]> (x)",
        "");
    row("tfidf few columns",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0], pool_strings = [\"a\", \"b\"]> (x)",
        "more n-grams");
    row("tfidf many columns",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0, 1, 2], pool_strings = [\"a\", \"b\"]> (x)",
        "2 n-grams");
    row("tfidf weights",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0], pool_strings = [\"a\"], weights = [1.0, 2.0]> (x)",
        "weights");
    row("tfidf section past end",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 2, max_skip_count = 0, ngram_counts = "
        "[0, 7], ngram_indexes = [0], pool_strings = [\"a\"]> (x)",
        "section");
    row("tfidf section backwards",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 2, max_skip_count = 0, ngram_counts = "
        "[1, 0], ngram_indexes = [0], pool_strings = [\"a\"]> (x)",
        "section");
    row("tfidf odd bigrams",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 2, max_skip_count = 0, ngram_counts = "
        "[0, 0], ngram_indexes = [0], pool_strings = [\"a\", \"b\", \"c\"]> (x)",
        "multiple");
    row("tfidf few sections",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 2, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0], pool_strings = [\"a\"]> (x)",
        "sections");
    row("tfidf repeated",
        "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = "
        "[0], ngram_indexes = [0, 1], pool_strings = [\"a\", \"a\"]> (x)",
        "again");
    row("tokenizer without rule", "com.microsoft.Tokenizer <mark = 0, pad_value = \"\", mincharnum = 1> (x)",
        "tokenexp");
    row("tokenizer length",
        "com.microsoft.Tokenizer <mark = 0, pad_value = \"\", mincharnum = 0, separators = [\" \"]> (x)", "mincharnum");
    row("tokenizer characters",
        "com.microsoft.Tokenizer <mark = 0, pad_value = \"\", mincharnum = 2, separators = [\"\"]> (x)", "mincharnum");
    row("tokenizer empty separator",
        "com.microsoft.Tokenizer <mark = 0, pad_value = \"\", mincharnum = 1, separators = [\" \", \"\"]> (x)",
        "empty separator");
    row("tokenizer expression",
        "com.microsoft.Tokenizer <mark = 0, pad_value = \"\", mincharnum = 1, tokenexp = \"[\"> (x)", "RE2");
    row("hash seed", "com.microsoft.MurmurHash3 <seed = 4294967296> (x)", "seed");
  }
  void wrongNodesAreRefused() {
    QFETCH(QString, node);
    QFETCH(QString, word);
    const std::vector<RuntimeValue> inputs{words({"a", "b"})};
    const auto result = runText("main (string[2] x) => (y) {\n  y = " + node.toStdString() + "\n}", inputs);
    QVERIFY(!result);
    QVERIFY2(result.error().message.find(word.toStdString()) != std::string::npos, result.error().message.c_str());
  }

  void wrongShapesAreRefused_data() {
    QTest::addColumn<QString>("node");
    QTest::newRow("normalizer") << "StringNormalizer (x)";
    QTest::newRow("tfidf")
        << "TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts "
           "= [0], ngram_indexes = [0], pool_strings = [\"a\"]> (x)";
    QTest::newRow("tokenizer")
        << "com.microsoft.Tokenizer <mark = 0, pad_value = \"\", mincharnum = 1, separators = [\" \"]> (x)";
  }
  void wrongShapesAreRefused() {
    QFETCH(QString, node);
    for (const auto& dims : {std::vector<int64_t>{}, std::vector<int64_t>{1, 2, 1}}) {
      const std::vector<RuntimeValue> inputs{*Tensor::create(ElementType::kString, dims)};
      const auto result = runText("main (string x) => (y) {\n  y = " + node.toStdString() + "\n}", inputs);
      QVERIFY(!result);
      QCOMPARE(result.error().code, ErrorCode::kInvalidArgument);
    }
  }

  void stringsThatDoNotBroadcastAreRefused() {
    const std::vector<RuntimeValue> inputs{words({"a", "b"}), words({"a", "b", "c"})};
    QVERIFY(!runText("main (string[n] x, string[m] z) => (y) {\n  y = StringConcat (x, z)\n}", inputs));
  }

  void caseFollowsTheLocale() {
    std::string target = "left over from before";
    const auto convert = [&](const char* locale, cpu::text::CaseAction action, std::string_view from) {
      const auto made = cpu::text::LetterCase::make(locale, action);
      if (made) made->convert(from, target);
      return target;
    };
    QCOMPARE(convert("", cpu::text::CaseAction::kUpper, "straße i"), std::string("STRASSE I"));
    QCOMPARE(convert("tr", cpu::text::CaseAction::kUpper, "i"), std::string("İ"));
    QCOMPARE(convert("az_AZ", cpu::text::CaseAction::kLower, "I"), std::string("ı"));
    QCOMPARE(convert("de_DE.UTF-8@euro", cpu::text::CaseAction::kLower, "ÄÖÜ"), std::string("äöü"));
    QCOMPARE(convert("xx_YY", cpu::text::CaseAction::kLower, "ABC"), std::string("abc"));
    QCOMPARE(convert("C", cpu::text::CaseAction::kUpper, "über ß"), std::string("üBER ß"));
    QCOMPARE(convert("POSIX", cpu::text::CaseAction::kLower, "ÜBER"), std::string("Über"));
    QCOMPARE(convert("", cpu::text::CaseAction::kLower, ""), std::string());
    // A byte that is no UTF-8 stays, and what stands around it is converted.
    QCOMPARE(convert("", cpu::text::CaseAction::kUpper,
                     "a\xff"
                     "b"),
             std::string("A\xff"
                         "B"));
    QCOMPARE(convert("", cpu::text::CaseAction::kNone, "Ab\xff"), std::string("Ab\xff"));
  }

  void lookupsAgreeWithAMap() {
    std::mt19937_64 random(11);
    for (const int64_t spread : {int64_t{40}, int64_t{5000}, int64_t{1} << 60}) {
      std::vector<int64_t> numbers;
      std::vector<std::string> texts;
      for (int i = 0; i < 300; ++i) {
        numbers.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(spread)) - spread / 2);
        texts.push_back(std::string(static_cast<size_t>(random() % 40), 'x') + std::to_string(numbers.back()));
      }
      numbers.push_back(std::numeric_limits<int64_t>::min());
      numbers.push_back(std::numeric_limits<int64_t>::max());
      texts.insert(texts.end(), {"", "last"});
      for (const cpu::Repeated repeated : {cpu::Repeated::kFirst, cpu::Repeated::kLast}) {
        std::map<int64_t, int32_t> wanted;
        std::map<std::string, int32_t> wantedTexts;
        for (size_t i = 0; i < numbers.size(); ++i) {
          const auto place = static_cast<int32_t>(i);
          if (repeated == cpu::Repeated::kLast || !wanted.contains(numbers[i])) wanted[numbers[i]] = place;
          if (repeated == cpu::Repeated::kLast || !wantedTexts.contains(texts[i])) wantedTexts[texts[i]] = place;
        }
        const cpu::NumberLookup table(numbers, repeated);
        const cpu::StringLookup textTable(texts, repeated);
        for (const auto& [key, place] : wanted)
          QCOMPARE(table.find(key), place);
        for (const auto& [key, place] : wantedTexts)
          QCOMPARE(textTable.find(key), place);
        for (int64_t key = -60; key < 60; ++key)
          QCOMPARE(table.find(key), wanted.contains(key) ? wanted[key] : cpu::NumberLookup::kNone);
        for (const char* key : {"y", "x", "xxxxxxxxxxxxxxxxxxxxxxxxx", "lasT"})
          QCOMPARE(textTable.find(key), wantedTexts.contains(key) ? wantedTexts[key] : cpu::StringLookup::kNone);
      }
    }
    QCOMPARE(cpu::NumberLookup().find(0), cpu::NumberLookup::kNone);
    QCOMPARE(cpu::StringLookup().find(""), cpu::StringLookup::kNone);
  }

  void poolsWalkTheirNgrams() {
    cpu::text::NgramPool pool;
    const std::vector<std::vector<int32_t>> ngrams{{0}, {0, 1}, {1, 0, 1}, {2}};
    for (size_t i = 0; i < ngrams.size(); ++i)
      QVERIFY(pool.add(ngrams[i], static_cast<int32_t>(i)));
    QVERIFY(!pool.add(ngrams[2], 9));
    pool.finish(4);
    QCOMPARE(pool.ngramAt(pool.first(0)), 0);
    QCOMPARE(pool.ngramAt(pool.next(pool.first(0), 1)), 1);
    QCOMPARE(pool.ngramAt(pool.first(1)), cpu::text::NgramPool::kNone);  // only on the way
    QCOMPARE(pool.ngramAt(pool.next(pool.next(pool.first(1), 0), 1)), 2);
    QCOMPARE(pool.first(3), cpu::text::NgramPool::kNone);
    QCOMPARE(pool.next(pool.first(2), 0), cpu::text::NgramPool::kNone);
  }

  void skipsBeyondTheRowEnd() {
    const std::vector<RuntimeValue> inputs{words({"a", "b", "a", "b"})};
    const auto result = runText(
        "main (string[4] x) => (y) {\n  y = TfIdfVectorizer <mode = \"TF\", min_gram_length = 2, max_gram_length = 2, "
        "max_skip_count = 9223372036854775807, ngram_counts = [0, 0], ngram_indexes = [0], pool_strings = [\"a\", "
        "\"b\"]> (x)\n}",
        inputs);
    QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
    QCOMPARE((*result)[0].tensor().span<float>()[0], 3.0f);
  }
};

QTEST_GUILESS_MAIN(TestTextKernels)
#include "tst_text_kernels.moc"
