/** The part of libsvm-js 0.2.1 (libsvm 3.22 compiled to JavaScript) that the tests use. */
declare module 'libsvm-js/asm.js' {
  export default class SVM {
    static readonly SVM_TYPES: { readonly C_SVC: string };
    static readonly KERNEL_TYPES: { readonly POLYNOMIAL: string };
    constructor(options: {
      readonly type: string;
      readonly kernel: string;
      readonly degree: number;
      readonly gamma: number;
      readonly coef0: number;
      readonly cost: number;
      readonly tolerance: number;
      readonly quiet: boolean;
    });
    train(samples: readonly (readonly number[])[], labels: readonly number[]): void;
    /** The model as text, in libsvm's format. */
    serializeModel(): string;
    free(): void;
  }
}
