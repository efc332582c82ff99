/** Linear and polynomial support vector machines, and LIBLINEAR’s files. */

export { type Examples, SparseExamples } from '../src/learn/svm/examples.ts';
export type { LiblinearModel, LiblinearSolver } from '../src/learn/svm/liblinear-model.ts';
export { readLiblinearModel, writeLiblinearModel } from '../src/learn/svm/liblinear-model.ts';
export { type Problem, readProblem, writeProblem } from '../src/learn/svm/liblinear-problem.ts';
export type { SvmLoss, SvmOptions, SvmPass } from '../src/learn/svm/linear-model.ts';
export { type LinearModel, type LinearSvm, predict } from '../src/learn/svm/linear-model.ts';
export type { SvmMulticlass } from '../src/learn/svm/multiclass.ts';
export { type PolynomialDegree, PolynomialFeatures } from '../src/learn/svm/polynomial-features.ts';
export { trainLinearSvm, trainPolynomialSvm } from '../src/learn/svm/train.ts';
