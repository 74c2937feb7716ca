#pragma once
// A text file of numbers, such as ids of tokens, and a sound as the input of a model: one row of numbers, laid into the
// input's shape.
//
// Thread rule: any thread. Example: CUTAWAY_TRY(RuntimeValue ids, numbersInput("question.txt", inputType));

#include <QString>
#include <QStringList>

#include "engine/session/model_files.h"

namespace cutaway::ui {

const QStringList& sequenceEndings();  // without the dot: "txt", "wav"

// By the file's ending. Numbers stand between spaces, commas or line ends, and must be as many as a fixed shape has. A
// sound is WAV of 16 bit or float samples, its channels are averaged, and it is cut, or goes on in silence, where the
// shape is fixed; it is not resampled. The last open dimension takes them all, other open ones are 1. INVALID_ARGUMENT:
// what the file has instead, and what to give.
Result<RuntimeValue> readSequence(const QString& file, const ValueType& type);

}  // namespace cutaway::ui
