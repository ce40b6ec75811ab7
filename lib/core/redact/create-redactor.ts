import { createNeedleTree, type NeedleTree } from "./needle-tree";
import { type RedactingStream, redactStream } from "./redact-stream";
import { secretForms } from "./secret-forms";

export type Secret = { /** Name of the credential. */ credential: string; value: string };

export type Redactor = {
  /** For bytes that arrive in pieces. */
  stream(): RedactingStream;
  /** All of it at once. `isCut`: what follows was lost, so that the beginning of a secret at the end is one too. */
  bytes(bytes: Buffer, isCut?: boolean): Buffer;
  text(text: string): string;
  /** A JSON value: strings, keys of objects, and numbers that are a secret. Answers the same value when there is none. */
  value(value: unknown): unknown;
};

/** Replaces these secrets, in whatever form, by `•••• (credential NAME)`; null when there are none. Pure. */
export function createRedactor(secrets: Secret[]): Redactor | null {
  if (secrets.length === 0) return null;
  const tree: NeedleTree = createNeedleTree(secrets.map(({ value }) => secretForms(value)));
  const labels = secrets.map(({ credential }) => Buffer.from(`•••• (credential ${credential})`, "utf8"));
  const stream = () => redactStream(tree, labels);

  function bytes(whole: Buffer, isCut = false): Buffer {
    const pass = stream();
    return Buffer.concat([pass.write(whole), pass.end(isCut)]);
  }

  function text(whole: string): string {
    const before = Buffer.from(whole, "utf8");
    const after = bytes(before);
    return after.equals(before) ? whole : after.toString("utf8");
  }

  function value(whole: unknown): unknown {
    if (typeof whole === "string") return text(whole);
    if (typeof whole === "number") return text(String(whole)) === String(whole) ? whole : text(String(whole));
    if (Array.isArray(whole)) return whole.map(value);
    if (whole === null || typeof whole !== "object") return whole;
    // A plain assignment to `__proto__` would not make a key.
    return Object.fromEntries(Object.entries(whole).map(([key, inner]) => [text(key), value(inner)]));
  }

  return { stream, bytes, text, value };
}
