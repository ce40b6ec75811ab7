/** Home and temporary files: a file system of its own that ends with the run. */
export const SANDBOX_HOME = "/tmp";
export const SANDBOX_SKILL = "/skill";
export const SANDBOX_WORKSPACE = "/workspace";
