import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";

/** PEM of the authorities that this process trusts: those of Node.js and of `NODE_EXTRA_CA_CERTS`, for programs with their own TLS. */
export function trustedCertificates(): string {
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return [...rootCertificates, ...(extra ? [readExtra(extra)] : [])].join("\n");
}

/** Node.js itself only warns about a file that it cannot read. */
function readExtra(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
