const SCRIPT =
  /\.(sh|bash|zsh|fish|py|js|mjs|cjs|ts|mts|cts|rb|pl|ps1|psm1|bat|cmd|php|lua|r|jl|awk|applescript|exe|jar)$/i;

/** Whether a file could be executed: by its mode, or by the ending of its name. */
export function isScript(file: { path: string; mode: string }): boolean {
  return file.mode === "755" || SCRIPT.test(file.path);
}
