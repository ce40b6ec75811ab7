import type { Executable, SkillManifest } from "./schema";

/** Plugin and project files from which clients take commands, by path. */
const CLIENT_FILES: readonly RegExp[] = [
  /(^|\/)hooks\/[^/]+\.json$/i,
  /(^|\/)hooks\.json$/i,
  /(^|\/)\.?mcp\.json$/i,
  /(^|\/)\.?lsp\.json$/i,
  /(^|\/)monitors(\/[^/]+)?\.json$/i,
  /(^|\/)\.(claude|cursor|gemini|codex|opencode|vscode)\/(settings(\.local)?|mcp|hooks|tasks)\.(json|toml)$/i,
  /(^|\/)(\.codex\/config\.toml|gemini-extension\.json|openclaw\.plugin\.json|opencode\.jsonc?|plugin\.ya?ml)$/i,
  /(^|\/)(\.envrc|\.pre-commit-config\.ya?ml|\.?devcontainer\.json|\.githooks\/[^/]+|\.husky\/[^/]+)$/i,
];
export function executableByPath(file: { path: string; mode: string }): Executable | null {
  const { path } = file;
  if (CLIENT_FILES.some((pattern) => pattern.test(path))) {
    return { path, by: "client", what: "commands that a client runs by itself" };
  }
  return isScript(file) ? { path, by: "hand", what: "a script or program" } : null;
}

/**
 * The files of a version that a client or host executes, from the stored list and the paths. For packs and pipelines
 * only those that a client executes by itself, because running them is their purpose.
 */
export function executablesOf(
  { kind, carries }: Pick<SkillManifest, "kind" | "carries">,
  files: readonly { path: string; mode: string }[],
): Executable[] {
  const known = new Set(carries.map(({ path }) => path));
  const byPath = files.filter(({ path }) => !known.has(path)).flatMap((file) => executableByPath(file) ?? []);
  return [...carries, ...byPath].filter(({ by }) => kind === "playbook" || by === "client");
}

/** Whether manifest fields already show the same fact about the skill's own `SKILL.md`. */
export function isShownByManifest({ path, what }: Executable, manifest: SkillManifest): boolean {
  if (!/^skill\.md$/i.test(path)) return false;
  const shown = [
    ...(manifest.inlineCommands.length > 0 ? ["inline commands"] : []),
    ...(manifest.hooks !== null || manifest.meta.hooks !== undefined ? ["“hooks” in its frontmatter"] : []),
    ...(manifest.allowedTools ?? []).map((pattern) => `the tool ${pattern} without asking`),
  ];
  return shown.includes(what);
}

const SCRIPT =
  /\.(sh|bash|zsh|fish|ksh|csh|tcsh|dash|nu|py|pyw|pyc|pyz|ipynb|js|mjs|cjs|jsx|ts|mts|cts|tsx|coffee|rb|pl|pm|ps1|psm1|bat|cmd|command|vbs|vbe|wsf|wsh|hta|php|lua|tcl|r|jl|awk|applescript|scpt|go|ex|exs|escript|groovy|gradle|kts|csx|fsx|mk|exe|com|scr|msi|dll|so|dylib|node|wasm|class|jar|appimage)$/i;
const LIBRARY = /\.so(\.\d+)+$/i;
const BUILD = /(^|\/)((gnu)?makefile|justfile|rakefile)$/i;

/** Whether a file can be executed, by its mode or name. */
export function isScript(file: { path: string; mode: string }): boolean {
  return file.mode === "755" || SCRIPT.test(file.path) || LIBRARY.test(file.path) || BUILD.test(file.path);
}
