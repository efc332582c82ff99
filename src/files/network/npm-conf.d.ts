declare module '@pnpm/npm-conf' {
  /** Reads npm's settings: the environment, and the `.npmrc` of the project, the user and all users. */
  export default function npmConf(): {
    readonly config: {
      get(name: string): unknown;
      readonly root: { readonly registry: string };
    };
    readonly warnings: readonly string[];
  };
}
