const SCRIPT =
  /\.(sh|bash|zsh|fish|ksh|csh|tcsh|dash|nu|py|pyw|pyc|pyz|ipynb|js|mjs|cjs|jsx|ts|mts|cts|tsx|coffee|rb|pl|pm|ps1|psm1|bat|cmd|command|vbs|vbe|wsf|wsh|hta|php|lua|tcl|r|jl|awk|applescript|scpt|go|ex|exs|escript|groovy|gradle|kts|csx|fsx|mk|exe|com|scr|msi|dll|so|dylib|node|wasm|class|jar|appimage)$/i;
const LIBRARY = /\.so(\.\d+)+$/i;
const BUILD = /(^|\/)((gnu)?makefile|justfile|rakefile)$/i;

/** Whether a file could be executed: by its mode, or by its name or the ending of it. */
export function isScript(file: { path: string; mode: string }): boolean {
  return file.mode === "755" || SCRIPT.test(file.path) || LIBRARY.test(file.path) || BUILD.test(file.path);
}
