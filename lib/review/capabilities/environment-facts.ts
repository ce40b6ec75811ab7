import type { Card, ReadableSkill } from "./create-card";
import { eachLine, placeOf } from "./read-texts";

const READS = [
  /\bprocess\.env\.([A-Z_][A-Z0-9_]*)/g,
  /\bprocess\.env\[\s*["'`]([A-Za-z_]\w*)/g,
  /\bos\.environ(?:\.get\(|\[)\s*["']([A-Za-z_]\w*)/g,
  /\bos\.getenv\(\s*["']([A-Za-z_]\w*)/g,
  /\bENV(?:\.fetch\(|\[)\s*["']([A-Za-z_]\w*)/g,
  /\$env:([A-Za-z_]\w*)/g,
];
const DUMP =
  /^\s*(?:printenv|env|export -p)\s*(?:$|[|>;&])|\bprocess\.env\s*[),}\]]|\bdict\(os\.environ\)|\bos\.environ\.copy\(\)/;

/** Variables a run is given, those the skill requires, and those its files read. */
export function addEnvironmentFacts(card: Card, { manifest, texts }: ReadableSkill): void {
  for (const name of manifest.envAllow) {
    const fact = `Its runs get the variable ${name}, as declared.`;
    card.add("environment", { kind: "env", value: name, fact, standsOut: true, at: placeOf(texts, name) });
  }
  for (const name of manifest.requirements.env) {
    const fact = `It requires the variable ${name}.`;
    card.add("environment", { kind: "env", value: name, fact, at: placeOf(texts, name) });
  }
  for (const { content, at } of eachLine(texts)) {
    // Most lines have nothing to do with it, and one look is cheaper than seven.
    if (!/env/i.test(content)) continue;
    for (const pattern of READS) {
      for (const [, name = ""] of content.matchAll(pattern)) {
        card.add("environment", { kind: "env", value: name, fact: `It reads the variable ${name}.`, at });
      }
    }
    if (DUMP.test(content)) {
      const fact = "It takes the whole environment at once.";
      card.add("environment", { kind: "env", value: "*", fact, standsOut: true, at });
    }
  }
}
