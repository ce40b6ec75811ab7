import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

export const hiddenPowerShell: Rule = {
  id: "DLX-004",
  version: 1,
  severity: "critical",
  title: "Encoded or hidden PowerShell",
  why: "The command is encoded, or its window is hidden, so that the user does not see what runs.",
  owasp: ["ASI05", "ASI09"],
  patterns: [
    {
      hints: ["powershell", "pwsh"],
      re: String.raw`\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]*\s[-/](?:e|ec|en|enc|enco\w*)\s+["']?[a-z0-9+/=$]{16,}`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["powershell", "pwsh"],
      re: String.raw`\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]*\s[-/]w(?:in\w*)?\s+(?:hidden|hid|1)\b`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["windowstyle", "vbhide", "sw_hide"],
      re: String.raw`\bStart-Process\b[^\n]*-WindowStyle\s+Hidden[^\n]*(?:https?:|-e(?:nc\w*)?\s|\biex\b|download|\.ps1|powershell)|WScript\.Shell["')\]]*\.Run\b[^\n]*,\s*0\b`,
      weigh: unlessShownAsBad("info"),
    },
  ],
};
