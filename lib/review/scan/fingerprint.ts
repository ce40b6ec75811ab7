import { sha256Hex } from "@/lib/core/hash";

type Identity = { rule: string; path: string; view: string; text: string };

/** Gives each finding an identity that does not depend on its line; equal ones are told apart by their order. */
export function addFingerprints<F extends Identity>(findings: F[]): (F & { fingerprint: string })[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const key = JSON.stringify([finding.rule, finding.path, finding.view, finding.text]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return { ...finding, fingerprint: sha256Hex(before === 0 ? key : `${key}${before}`).slice(0, 32) };
  });
}
