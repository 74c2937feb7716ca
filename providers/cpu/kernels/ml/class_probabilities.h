#pragma once
// From the decision values of every pair of classes to one probability a class.
//
// Platt's sigmoid gives each pair's probability; the classes' are coupled by the second method of Wu, Lin and Weng,
// "Probability estimates for multi-class classification by pairwise coupling" (2004), with the stop rule and bounds of
// libsvm, as every engine that reads these models does. Thread rule: pure functions over the given memory. Example:
// pairwise[i * classes + j] = pairProbability(decision, a, b);  coupleProbabilities(classes, pairwise, workspace,
// probabilities);

#include <cstdint>

namespace cutaway::cpu::ml {

// 1 / (1 + exp(decision * a + b)), kept away from 0 and 1.
float pairProbability(float decision, float a, float b);

// pairwise: [classes, classes], entry (i, j) the probability of i against j. workspace: classes * classes + classes
// floats. probabilities: classes.
void coupleProbabilities(int64_t classes, const float* pairwise, float* workspace, float* probabilities);

}  // namespace cutaway::cpu::ml
