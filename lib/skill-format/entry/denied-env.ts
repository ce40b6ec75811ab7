const DENIED_PREFIXES = [
  "SKILLGATE_",
  "NEXTAUTH_",
  "AUTH_",
  "LD_",
  "DYLD_",
  "GIT_",
  "NPM_CONFIG_",
  "BASH_FUNC_",
  "GLIBC_",
];
const DENIED_NAMES = new Set([
  ...["DATABASE_URL", "NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "GCONV_PATH", "JAVA_TOOL_OPTIONS"],
  ...["BASH_ENV", "ENV", "IFS", "PS4", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "CDPATH"],
  ...["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PERL5LIB", "PERL5OPT", "RUBYLIB", "RUBYOPT"],
]);

/**
 * Whether an environment variable is never handed to a skill: the server's own settings and secrets, and names that make
 * a shell, loader or interpreter run other code. Letter case is ignored, as on Windows.
 */
export function isDeniedEnv(name: string): boolean {
  const upper = name.toUpperCase();
  return DENIED_NAMES.has(upper) || DENIED_PREFIXES.some((prefix) => upper.startsWith(prefix));
}
