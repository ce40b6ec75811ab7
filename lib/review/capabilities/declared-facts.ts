import { proposeClass } from "@/lib/policy/propose-class";
import type { Card, ReadableSkill } from "./create-card";
import { placeOf } from "./read-texts";

/** The class and what a run starts. */
export function addDeclaredFacts(card: Card, { manifest, files, texts }: ReadableSkill): void {
  const proposal = proposeClass(manifest, files);
  const declared = manifest.declaredClass;
  card.add("class", {
    kind: "class",
    value: declared ?? `none, ${proposal.class}`,
    fact: declared
      ? `Its author declares it ${declared}.`
      : `Its author declares no class; ${proposal.class} is proposed: ${proposal.reason.replace(/^not declared; /, "")}.`,
    standsOut: declared === null || declared === "dangerous",
    at: declared ? placeOf(texts, declared) : null,
  });
  if (manifest.entry !== null) {
    const shebang = texts.find(({ path }) => path === manifest.entry)?.lines[0];
    const by = shebang?.startsWith("#!") ? `, with ${shebang.slice(2).trim()}` : "";
    const fact = `A run starts ${manifest.entry}${by}.`;
    card.add("entry", { kind: "entry", value: manifest.entry, fact, at: { path: manifest.entry, line: 1 } });
  }
  for (const step of manifest.steps) {
    const name = step.toolName ?? step.skillName ?? "?";
    const fact = `One of its steps calls the ${step.toolName ? "tool" : "skill"} ${name}.`;
    card.add("entry", { kind: "entry", value: `step ${name}`, fact, at: placeOf(texts, name) });
  }
}
