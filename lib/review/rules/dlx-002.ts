import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";
import { isKnownInstaller, isOwnOrPlaceholder } from "./evidence/places";

export const downloadEvaluated: Rule = {
  id: "DLX-002",
  version: 1,
  severity: "critical",
  title: "Download evaluated as code",
  why: "What is at that address is executed unseen, and can be something else tomorrow.",
  owasp: ["ASI04", "ASI05", "LLM03"],
  patterns: [
    {
      hints: ["curl", "wget"],
      re: String.raw`(?:\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+)*["']?\$\(\s*|\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+)*<\(\s*|\bsource\s+<\(\s*|(?:^|[\s;&"'])\.\s+<\(\s*|\beval\s+["']?(?:\$\(|\x60)\s*|\bpython[\d.]*\s+(?:-c\s+)?["']?(?:\$|<)\(\s*|\bnode\s+-e\s+["']?\$\(\s*|(?:\b(?:ba|z)?sh\s+-c\s+["']?\x60))(?:sudo\s+)?(?:curl|wget)\b[^\n)]*`,
      weigh: unlessShownAsBad("info", ({ text }) => {
        const parts = text.slice(text.search(/curl|wget/i));
        return isKnownInstaller(parts) || isOwnOrPlaceholder(parts) ? "medium" : true;
      }),
    },
    {
      hints: ["iex", "invoke-expression"],
      re: String.raw`\b(?:iex|invoke-expression)\b[\s(&"'$]*(?:\(?\s*(?:iwr|irm|curl|invoke-webrequest|invoke-restmethod)\b|\(?\s*\(?\s*new-object\s+(?:system\.)?net\.webclient\s*\)?\s*\)?\.downloadstring)[^\n]*`,
      weigh: unlessShownAsBad("info", ({ text }) => (isKnownInstaller(text) ? "medium" : true)),
    },
    {
      hints: ["exec", "eval"],
      re: String.raw`\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?(?:(?:urllib\.(?:request|urlopen)|urllib2|request)\.?(?:urlopen)?|urlopen|requests\.get|httpx\.get|await\s*\(?\s*(?:await\s+)?fetch|__import__\(\s*["'](?:urllib|requests)[^)]*\)[.\w]*)\s*\(`,
      weigh: unlessShownAsBad("info"),
    },
    {
      lines: 8,
      hints: ["urlopen", "requests.get", "fetch(", "axios"],
      re: String.raw`(?:\b(?:new\s+Function|eval|vm\.runIn\w+)\s*\(\s*(?:await\s*\(?\s*)+(?:await\s+)?(?:fetch|axios)|=\s*(?:requests\.get|urllib\.request\.urlopen|urlopen|httpx\.get)\(["'][^\n]{4,200}\n(?:[^\n]*\n){0,4}?[^\n]*\b(?:exec|eval)\s*\(\s*(?:\w+\.(?:text|content|read\(\))|compile\()|\bawait\s+\(?(?:await\s+)?fetch\([^\n]{4,200}\n(?:[^\n]*\n){0,4}?[^\n]*\b(?:eval|new\s+Function|vm\.runIn\w+)\s*\()`,
      weigh: unlessShownAsBad("info"),
    },
  ],
};
