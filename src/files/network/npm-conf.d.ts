/** What is used of a package that has no types of its own. */
declare module '@pnpm/npm-conf' {
  /** Reads the settings of npm: the environment, and the `.npmrc` of the project, of the user and of all users. */
  export default function npmConf(): {
    readonly config: {
      get(name: string): unknown;
      /** What holds where nothing is set. */
      readonly root: { readonly registry: string };
    };
    /** Files that could not be read. */
    readonly warnings: readonly string[];
  };
}
