#pragma once
// Real inputs for a comparison: pictures made into tensors as a data loader would, and .npy or .pb files as they are.
//
// Thread rule: any thread. Example: CUTAWAY_TRY(RuntimeValue value, readInputFile("cat.png", inputType, {.resize = 256,
// .crop = 224}));

#include <array>

#include <QString>
#include <QStringList>

#include "engine/session/model_files.h"

namespace cutaway::ui {

// How a picture becomes a tensor: shorter side, middle, then (x / 255 - mean) / deviation of every channel.
struct PictureRecipe {
  int resize = 0;  // the shorter side, in pixels; 0: to the size that the input has
  int crop = 0;    // the square in the middle; 0: the input's size, or all of it where that is open
  std::array<double, 3> mean = {0, 0, 0};
  std::array<double, 3> deviation = {1, 1, 1};
  bool channelsLast = false;  // where the input's shape does not say it
  bool blueFirst = false;     // channels as BGR
};

// "mean 0.485, 0.456, 0.406": one number stands for all channels. INVALID_ARGUMENT: not one or three numbers.
Result<std::array<double, 3>> readChannels(const QString& words);

struct InputFiles {
  QString input;      // of the model; empty: its first
  QStringList files;  // empty: numbers from a seed
  PictureRecipe recipe;
};

// Files of a folder that can be an input, by name; what is no folder is itself.
QStringList inputFilesIn(const QStringList& paths);

// INVALID_ARGUMENT naming the file and what to do: no picture, or one that the input cannot take.
Result<RuntimeValue> readInputFile(const QString& file, const ValueType& type, const PictureRecipe& recipe);

}  // namespace cutaway::ui
