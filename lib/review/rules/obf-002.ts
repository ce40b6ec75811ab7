import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

export const disguisedCode: Rule = {
  id: "OBF-002",
  version: 1,
  severity: "high",
  title: "Disguised code",
  why: "The code is written so that it cannot be read; what it does shows only when it runs.",
  owasp: ["ASI05", "ASI04"],
  decoded: false,
  patterns: [
    {
      hints: ["chr("],
      re: String.raw`(?:chr\s*\(\s*(?:0x[0-9a-f]+|\d+)\s*\)\s*[+.,&]\s*){5,}`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["fromcharcode", "chr("],
      re: String.raw`String\.fromCharCode\s*\((?:\s*(?:0x[0-9a-f]+|\d+)\s*,){9,}|["']{2}\.join\s*\(\s*(?:\[?\s*chr\s*\(|map\s*\(\s*chr\s*,\s*\[)`,
      weigh: unlessShownAsBad("info", ({ text, line }) =>
        /chr/i.test(text) && !/fromCharCode/i.test(text) ? /exec|eval|system|import/.test(line) || "medium" : true,
      ),
    },
    {
      hints: ["marshal", "__import__", "__builtins__", "getattr"],
      re: String.raw`\bexec\s*\(\s*marshal\.loads|\bmarshal\.loads\s*\(\s*(?:zlib|base64|b["'])|__import__\s*\(\s*["'](?:os|subprocess|pty|socket|base64|codecs|marshal|zlib)["']\s*\)\s*\.\s*\w+\s*\(|getattr\s*\(\s*(?:__builtins__|__import__\s*\([^)\n]*\)|os|subprocess)\s*,\s*(?:["']\w{1,6}["']\s*\+|["'](?:system|popen|exec|eval)["']|\w+\[)|(?:globals|locals|vars)\(\)\s*\[\s*["']__builtins__["']`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["_0x"],
      re: String.raw`\b(?:var|let|const|function)\s+_0x[0-9a-f]{4,}\b[^\n]*_0x[0-9a-f]{4,}`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["eval", "exec", "system"],
      re: String.raw`\b(?:eval|exec|Function|os\.system)\s*\(\s*(?:[^\n]{0,80}\[::-1\]|[^\n]{0,120}\.split\(["'][^"']*["']\)\.reverse\(\)\.join|["']{2}\.join\s*\(|[^\n]{0,60}\.replace\(["'][^"'\n]{1,4}["'],\s*["']["']\))`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["eval", "printf", "rev", "tr "],
      re: String.raw`(?:\beval\s+["']?\$\([^)\n]*(?:\|\s*rev\b|\|\s*tr\s+["']?[A-Za-z]-?|printf\s+["'](?:\\x[0-9a-f]{2}){4,})|\bprintf\s+["'](?:\\(?:x[0-9a-f]{2}|[0-7]{3})){6,}[^\n]*\|\s*(?:ba)?sh\b|\becho\s+-\w*e\w*\s+["'](?:\\x[0-9a-f]{2}){6,}[^\n]*\|\s*(?:ba)?sh\b|\|\s*rev\s*\|\s*(?:ba)?sh\b|(?:\$\w{1,2}){6,}\s*$)`,
      weigh: unlessShownAsBad("info", ({ text }) => !/^(?:\$\w{1,2}){6,}/.test(text)),
    },
    {
      hints: ["$'\\x", "${!", "]]+["],
      re: String.raw`\$'(?:\\x[0-9a-f]{2}){4,}[^'\n]*'|(?:\[\[\]\]|\+\[\]|!\+\[\]|\(!\[\]){6,}`,
      weigh: unlessShownAsBad("info"),
    },
  ],
};
