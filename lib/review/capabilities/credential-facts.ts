import type { Card, ReadableSkill } from "./create-card";
import { eachLine, placeOf } from "./read-texts";

const NAME =
  /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?|PAT|PASSPHRASE|APIKEY|AUTH))\b/g;
const KEEPERS: [pattern: RegExp, fact: string][] = [
  [/\bsecurity\s+find-(?:generic|internet)-password\b/, "It reads passwords from the macOS keychain."],
  [/\bsecret-tool\s+lookup\b|\blibsecret\b/, "It reads passwords from the desktop’s secret service."],
  [/\bimport keyring\b|\bkeyring\.get_password\b|\bkeytar\b/, "It reads passwords from the system’s keyring."],
  [/\bGet-StoredCredential\b|\bcmdkey\b|\bvaultcmd\b/i, "It reads passwords from the Windows credential store."],
  [/\b(?:op|bw|pass|vault)\s+(?:read|get|show|kv\s+get)\b/, "It reads secrets from a password manager."],
  [
    /\bgh auth token\b|\bgcloud auth print-access-token\b|\baws configure get\b/,
    "It takes a token out of a tool that is signed in.",
  ],
];

/** Secrets that the skill names or asks for: variables by their name, slots, keychains. */
export function addCredentialFacts(card: Card, { manifest, texts }: ReadableSkill): void {
  for (const { slot, label } of manifest.requirements.credentials) {
    const fact = `It asks for the credential ${label ?? slot}.`;
    card.add("credentials", { kind: "credential", value: slot, fact, standsOut: true, at: placeOf(texts, slot) });
  }
  for (const name of [...manifest.envAllow, ...manifest.requirements.env]) {
    NAME.lastIndex = 0;
    if (NAME.test(name)) addVariable(card, name, placeOf(texts, name));
  }
  for (const { content, at } of eachLine(texts)) {
    if (content.includes("_")) for (const [, name = ""] of content.matchAll(NAME)) addVariable(card, name, at);
    if (!/[a-z]/i.test(content)) continue;
    for (const [pattern, fact] of KEEPERS) {
      if (pattern.test(content))
        card.add("credentials", { kind: "credential", value: fact, fact, standsOut: true, at });
    }
  }
}

function addVariable(card: Card, name: string, at: { path: string; line: number } | null): void {
  const fact = `It names the variable ${name}, which reads like a secret.`;
  card.add("credentials", { kind: "credential", value: name, fact, standsOut: true, at });
}
