import type { Hit, Rule } from "../scan/rule";

const HOOKS = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"];
const REACHES_OUT = /\b(?:curl|wget|powershell|eval|base64|bash -c|sh -c|node -e|python3? -c|nc)\b|https?:/i;

export const installScripts: Rule = {
  id: "DEP-003",
  version: 1,
  severity: "medium",
  title: "Package with install scripts",
  why: "These commands run by themselves when the package is installed.",
  owasp: ["ASI04", "ASI05"],
  decoded: false,
  applies: ({ name }) => name === "package.json",
  checkFile: ({ text }) => {
    const scripts = readScripts(text);
    return HOOKS.flatMap((hook): Hit[] => {
      const command = scripts[hook];
      if (typeof command !== "string") return [];
      // What tools for working on a package put there.
      if (
        /^(?:husky(?: install)?|npm run build|tsc|patch-package|is-ci|lefthook install|simple-git-hooks)\b/.test(
          command,
        )
      )
        return [];
      const start = Math.max(0, text.indexOf(`"${hook}"`));
      const severity = REACHES_OUT.test(command) ? "high" : "medium";
      return [{ start, end: start + hook.length + 2, text: `"${hook}": "${command}"`, severity }];
    });
  },
};

function readScripts(text: string): Record<string, unknown> {
  try {
    const manifest: unknown = JSON.parse(text);
    const scripts =
      typeof manifest === "object" && manifest !== null && "scripts" in manifest ? manifest.scripts : null;
    return typeof scripts === "object" && scripts !== null ? { ...scripts } : {};
  } catch {
    // Not JSON, so no package manager runs it either.
    return {};
  }
}
