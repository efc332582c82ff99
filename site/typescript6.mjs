/** Hook for modules: TypeDoc reads declarations through TypeScript's API, which TypeScript 7 lacks; it gets that of 6. */
export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? '@typescript/typescript6' : specifier, context);
