import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { weighSecretPlace } from "./evidence/secret-places";

export const sshKeys: Rule = {
  id: "CRD-001",
  version: 1,
  severity: "high",
  title: "SSH keys",
  why: "Private keys open other machines, and an added key opens this one.",
  owasp: ["ASI03", "LLM02"],
  patterns: [
    {
      hints: [".ssh"],
      re: String.raw`(?:[~$\w{}%./\\-]*[/\\]|["'\x60(\s]|^)\.ssh(?:[/\\](?:id_(?:rsa|ed25519|ecdsa|dsa|\*)\w*|\*|identity|[\w.-]*key)|[/\\]?["'\x60)\s]|[/\\]?$)`,
      weigh: (match) => {
        if (/^\.pub\b/.test(match.after) || /known_hosts|\bconfig\b/.test(match.after.slice(0, 20))) return "info";
        return weighSecretPlace(match);
      },
    },
    {
      hints: ["authorized_keys"],
      re: String.raw`(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?[^\s"']*authorized_keys\b|(?:open|appendFile\w*|writeFile\w*)\s*\([^)\n]*authorized_keys[^)\n]*["'][aw]|\b(?:add|append|inject|write)\b[^.\n]{0,60}authorized_keys\b`,
      weigh: (match) =>
        isShownAsBad(match)
          ? "info"
          : /ssh-\w+ AAAA[\w+/]{20}|curl|wget|base64/i.test(match.line) ||
              (match.file.kind === "script" && /echo|printf|write|append/i.test(match.line))
            ? true
            : "medium",
    },
  ],
};
