#pragma once
// The bundled sample models and what each of them shows.
//
// Thread rule: pure, reads the disk. Example: for (const Sample& sample : bundledSamples()) addButton(sample);

#include <vector>

#include <QString>

namespace cutaway::ui {

struct Sample {
  QString name;   // "digits_cnn"
  QString shows;  // from the samples' README
  QString path;
};

// Next to the program as installed, or in the source tree it was built from; empty when neither is there.
std::vector<Sample> bundledSamples();

}  // namespace cutaway::ui
