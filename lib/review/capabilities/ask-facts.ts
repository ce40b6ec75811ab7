import type { Card, ReadableSkill } from "./create-card";
import { shellLines } from "./file-facts";
import { placeOf } from "./read-texts";

const SHELL = new Set(["shell.exec", "shell:execute"]);

/** What the text of a skill asks of an agent and its host. It is no grant and does not raise the class of a playbook. */
export function addAskFacts(card: Card, { manifest, texts }: ReadableSkill): void {
  const asked = [...new Set([...manifest.requirements.capabilities, ...manifest.requiredCapabilities])];
  const ofShell = asked.find((name) => SHELL.has(name));
  const at = (ofShell === undefined ? null : placeOf(texts, ofShell)) ?? findShellExample(texts);
  if (ofShell !== undefined || at !== null) {
    card.add("asks", {
      kind: "ask",
      value: "shell",
      fact: "Asks the agent to run shell commands.",
      standsOut: true,
      at,
    });
  }
  for (const name of asked) {
    const fact = `Asks for the capability “${name}”.`;
    card.add("asks", { kind: "capability", value: name, fact, at: placeOf(texts, name) });
  }
}

/** The first line of a code fence that is shell, in a text that agents read. */
function findShellExample(texts: ReadableSkill["texts"]): { path: string; line: number } | null {
  for (const text of texts.filter(({ path }) => /\.(md|mdx|markdown)$/i.test(path))) {
    const isShell = shellLines(text);
    const line = text.lines.findIndex((content, index) => content.trim() !== "" && isShell(index));
    if (line >= 0) return { path: text.path, line: line + 1 };
  }
  return null;
}
