#pragma once
// Which sizes the open dimensions of a document are to be swept over, written in the bar under the ribbon and read by
// the panel that does it.
//
// Thread rule: GUI thread. Example: ShapeSweeper::of(document)->setSizes("batch", {1, 8, 32});

#include <QObject>

#include "engine/study/shapes/sweep_shapes.h"

namespace cutaway::ui {

class Document;

class ShapeSweeper : public QObject {
  Q_OBJECT
 public:
  static ShapeSweeper* of(Document* document);  // the document's one, made when first asked for

  const study::SizeLists& sizes() const { return m_sizes; }
  void setSizes(const std::string& dimension, std::vector<int64_t> sizes);  // one or none: it is not swept
  size_t combinations() const;                                              // 0: nothing is swept
  int runs() const { return m_runs; }
  void request(int runs);  // 0: planned only

 signals:
  void changed();
  void requested();

 private:
  explicit ShapeSweeper(Document* document);

  study::SizeLists m_sizes;
  int m_runs = 0;
};

}  // namespace cutaway::ui
