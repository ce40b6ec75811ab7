import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";
import { isProse } from "./evidence/kinds";

export const destructive: Rule = {
  id: "SYS-001",
  version: 1,
  severity: "high",
  title: "Destroys data",
  why: "This deletes or overwrites far more than a skill's own files.",
  owasp: ["ASI02", "ASI05", "LLM06"],
  patterns: [
    {
      hints: ["rm "],
      re: String.raw`\brm\s+(?:-\w+\s+|--[\w-]+\s+)*-\w*[rR]\w*\s+(?:-\w+\s+|--[\w-]+\s+)*["']?(?:/|/\*|~/?|~/\*|\$\{?HOME\}?/?\*?|/(?:etc|home|usr|bin|boot|var|root|lib|opt|Users|System|Library)/?\*?|~/(?:Documents|Desktop|Pictures|Downloads|\.ssh|\.config)/?\*?|\*)["']?(?:\s|$|[;&|\x60)"'])`,
      weigh: unlessShownAsBad("info", ({ text, file, line }) => {
        // `rm -rf *` is as bad as the folder it runs in.
        if (/\s["']?\*["']?\W?$/.test(text)) return "info";
        return isProse(file) && /^\s*[-|*].*`/.test(line) ? "medium" : true;
      }),
    },
    {
      hints: ["mkfs", "dd ", "/dev/sd", "/dev/nvme", "/dev/disk"],
      re: String.raw`\bmkfs(?:\.\w+)?\s+(?:-\S+\s+)*/dev/\w+|\bdd\s+[^\n]*\bof=/dev/(?:sd|nvme|disk|hd|vd|mmcblk)\w*|>\s*/dev/(?:sd[a-z]|nvme\d)\b`,
      // Writing a card for a small computer is the usual reason; zeros and noise are not.
      weigh: unlessShownAsBad("info", ({ text }) =>
        /if=\/dev\/(?:zero|u?random)|>\s*\/dev\/sd/.test(text) ? true : "medium",
      ),
    },
    {
      hints: [":()", ": ()"],
      re: String.raw`:\s?\(\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;\s?:`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: [
        "rmtree",
        "rimraf",
        "rmsync",
        "-delete",
        "remove-item",
        "del /",
        "format c",
        "vssadmin",
        "wbadmin",
        "cipher /w",
        "shred",
      ],
      re: String.raw`\brmtree\s*\(\s*(?:os\.path\.expanduser\s*\(\s*["']~/?["']|Path\.home\(\)\s*[,)]|["'](?:/|~|/home|/Users)/?["'])|\b(?:rmSync|rimraf(?:\.sync)?|rm)\s*\(\s*(?:os\.homedir\(\)|process\.env\.HOME|["']/["'])\s*,|\bfind\s+(?:/|~|\$HOME)\s[^\n]*-delete\b|\bRemove-Item\b[^\n]*(?:C:\\(?:\*|\s|["'])|\$env:USERPROFILE\s|\$HOME\s)|\bdel\s+/[fsq]\s[^\n]*(?:C:\\\*|%USERPROFILE%)|\bformat\s+c:|\bvssadmin\s+delete\s+shadows|\bwbadmin\s+delete|\bshred\b[^\n]*\s(?:/dev/|~|/home)`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["delete", "erase", "wipe", "encrypt", "remove", "destroy"],
      re: String.raw`\b(?:delete|erase|wipe|destroy|encrypt|remove)\s+(?:all|every|the\s+entire|everything)\b[^.\n]{0,40}\b(?:in|on|under|from)\s+(?:the\s+)?(?:user['’]?s?\s+|their\s+)?(?:home\s+(?:directory|folder)|~/|\$HOME|documents\s+folder|hard\s+(?:drive|disk)|entire\s+(?:disk|system)|file\s*system|root\s+directory|/home\b|/Users\b|backups?\b)`,
      weigh: unlessShownAsBad("info", ({ file }) => isProse(file)),
    },
  ],
};
