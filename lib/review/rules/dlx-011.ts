import type { Match, Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { isKnownInstaller, isOwnOrPlaceholder, SINK } from "./evidence/places";

export const downloadedAndRun: Rule = {
  id: "DLX-011",
  version: 1,
  severity: "high",
  title: "Downloaded, made executable and run",
  why: "A file from the network is executed as soon as it has arrived, or the system is told not to check it.",
  owasp: ["ASI04", "ASI05"],
  patterns: [
    {
      lines: 8,
      hints: ["curl", "wget"],
      re: String.raw`\b(?:curl|wget)\b[^\n]*(?:\s-[a-z]*[oO]\s*|\s--output[= ]|\s--output-document[= ]|>\s*)["']?([^\s"';&|]+)["']?[^\n]*(?:\n[^\n]*){0,4}?(?:&&|;|\n)\s*(?:sudo\s+)?(?:chmod\s+(?:\+x|[0-7]*[1357][0-7]*|a\+x|u\+x)\s+["']?([^\s"';&|]+)["']?\s*(?:&&|;|\n)\s*)?(?:sudo\s+)?(?:nohup\s+|(?:ba|z|da)?sh\s+|python[\d.]*\s+|node\s+|perl\s+|source\s+|\.\s+|exec\s+|open\s+)?["']?((?:\./|/|~/|\$)?[^\s"';&|]+)`,
      weigh: (match) => {
        const [saved = "", , run = ""] = match.groups;
        const same = saved !== "" && nameOf(saved) === nameOf(run) && run !== "";
        return same && !/^(?:chmod|mv|cp|cat|tar|unzip|ls|rm|jq)$/.test(run) ? weighDownload(match) : false;
      },
    },
    {
      hints: ["xattr", "spctl"],
      re: String.raw`\bxattr\s+(?:-\w*c\w*\b|-\w*d\w*\s+com\.apple\.quarantine)[^\n]*|\bspctl\s+--(?:master|global)-disable`,
      weigh: (match) => {
        if (isShownAsBad(match)) return "info";
        return /\bxattr\s+-\w*d/.test(match.text) && !/\/tmp\/|curl|wget/.test(match.text) ? "medium" : true;
      },
    },
    {
      lines: 8,
      hints: ["urlretrieve", "downloadfile", "invoke-webrequest", "iwr", "bitsadmin", "certutil", "start-bitstransfer"],
      re: String.raw`(?:\burlretrieve\s*\(|\.DownloadFile\s*\(|\b(?:iwr|invoke-webrequest|start-bitstransfer)\b[^\n]*-(?:OutFile|Destination)\b|\bbitsadmin\s+/transfer\b|\bcertutil(?:\.exe)?\s[^\n]*-urlcache\b)[^\n]*(?:\n[^\n]*){0,4}?\b(?:Start-Process|subprocess\.(?:run|Popen|call)|os\.(?:system|startfile|chmod)|Invoke-Item|start\s+["']?%)`,
      weigh: weighDownload,
    },
  ],
};

function weighDownload(match: Match) {
  if (isShownAsBad(match)) return "info";
  const { text } = match;
  if (isOwnOrPlaceholder(text)) return "info";
  if (SINK.test(text)) return "critical";
  if (isKnownInstaller(text)) return "medium";
  // Tools are installed into a folder of programs; what runs from a temporary or hidden place came to run once.
  return /\/tmp\/|\/var\/tmp|\/dev\/shm|%temp%|\$env:temp|\/\.[a-z]|http:\/\/|\s-k\b|--insecure|nohup|&\s*$/i.test(text)
    ? true
    : "medium";
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
