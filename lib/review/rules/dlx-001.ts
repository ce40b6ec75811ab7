import type { Match, Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";
import { isKnownInstaller, isNamesake, isOwnOrPlaceholder } from "./evidence/places";

const ADDRESS = String.raw`(?:https?:|\$|[a-z0-9-]+\.[a-z]{2,}/|\d+\.\d+\.\d+\.\d+)`;

export const downloadPipedToShell: Rule = {
  id: "DLX-001",
  version: 1,
  severity: "critical",
  title: "Download piped into a shell",
  why: "What is at that address is executed unseen, and can be something else tomorrow.",
  owasp: ["ASI04", "ASI05", "LLM03"],
  patterns: [
    {
      lines: 6,
      hints: ["curl", "wget", "fetch", "aria2c", "lynx"],
      re: String.raw`\b(?:curl|wget|fetch|aria2c|lynx)\b(?:[^\n|]|\\\n|\|\s*(?:tac|rev|tr|sed|base64|gunzip|zcat|gzip|tee|xxd|openssl)\b)*?${ADDRESS}(?:[^\n|]|\\\n)*(?:\|\s*(?:tac|rev|tr|sed|base64|gunzip|zcat|gzip|tee|xxd|openssl)\b[^\n|]*)*\|\s*(?:\\\n\s*)?(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+\S+\s+|nohup\s+|exec\s+)?(?:/(?:usr/)?(?:local/)?bin/(?:env\s+)?)?(?:(?:ba|z|da|k|fi)?sh\b(?:\s|$|["'\x60;&|)])|(?:python[\d.]*|node|perl|ruby|php|osascript)\s*(?:-\s*)?(?:$|["'\x60;&|)]))`,
      weigh: unlessShownAsBad("info", weighInstaller),
    },
    {
      hints: ["iwr", "irm", "invoke-webrequest", "invoke-restmethod", "downloadstring"],
      re: String.raw`(?:\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b|downloadstring\s*\()[^\n|]*\|\s*(?:iex|invoke-expression)\b`,
      weigh: unlessShownAsBad("info", weighInstaller),
    },
  ],
};

function weighInstaller({ text, file }: Match) {
  // A vendor's own installer over https is how most tools are installed. It stays a finding.
  return isKnownInstaller(text) || isOwnOrPlaceholder(text) || isNamesake(text, file) ? "medium" : true;
}
