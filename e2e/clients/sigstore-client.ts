import { createPublicKey, type KeyObject } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { z } from "zod";
import { apiOf } from "../fixtures/api";
import { assert } from "./assert";
import { playbook, type World } from "./world";

const Envelope = z.object({
  payloadType: z.string(),
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })).min(1),
});
type Envelope = z.infer<typeof Envelope>;
const Keys = z.object({ keys: z.array(z.object({ kid: z.string(), pem: z.string() })).min(1) });
const Sha256 = z.object({ sha256: z.string() });
const Statement = z.looseObject({
  subject: z.array(z.object({ name: z.string(), digest: Sha256 })).min(2),
  predicate: z.record(z.string(), z.unknown()),
});
type Statement = z.infer<typeof Statement>;

type Verify = {
  toTrustMaterial(root: object, findKey: () => { publicKey: KeyObject; validFor(): boolean }): object;
  toSignedEntity(bundle: object): object;
  Verifier: new (trust: object, thresholds: object) => { verify(entity: object): unknown };
};
type Bundle = { bundleFromJSON(json: object): object };
type Specs = { TrustedRoot: { fromJSON(json: object): object } };

const ZERO = "0".repeat(64);
const CHANGES: Readonly<Record<string, (statement: Statement) => unknown>> = {
  "the version": ({ subject: [first] }) => Object.assign(first?.digest ?? {}, { sha256: ZERO }),
  "a file": ({ subject: [, file] }) => Object.assign(file?.digest ?? {}, { sha256: ZERO }),
  "the name of a file": ({ subject: [, file] }) => Object.assign(file ?? {}, { name: "other.md" }),
  "a file that is left out": ({ subject }) => subject.pop(),
  ...Object.fromEntries(
    ["approval", "approvedAt", "skill", "class", "grants", "policy", "approvers", "scan"].map((field) => [
      field,
      ({ predicate }: Statement) => Object.assign(predicate, { [field]: "changed" }),
    ]),
  ),
};

type Options = { world: World; folder: string };

/**
 * Verifies an attestation with `@sigstore/verify`, which knows nothing of Skillgate, by the published key: in the bundle of a program that
 * signs with a key and without a transparency log. Each change has to be refused.
 */
export async function verifyWithSigstore({ world, folder }: Options): Promise<void> {
  const load = createRequire(join(folder, "package.json"));
  const { Verifier, toSignedEntity, toTrustMaterial }: Verify = load("@sigstore/verify");
  const { bundleFromJSON }: Bundle = load("@sigstore/bundle");
  const { TrustedRoot }: Specs = load("@sigstore/protobuf-specs");
  const { id, digest } = await world.offer("buoy-notes", playbook("buoy-notes", "one"), "public");
  const api = apiOf(world.app);
  const envelope = Envelope.parse(await api.json("GET", `/api/skills/${id}/versions/${digest}/attestation`));
  const { keys } = Keys.parse(await api.json("GET", "/.well-known/skillgate-attestation-keys"));

  const isAccepted = (given: Envelope) => {
    const [signature] = given.signatures;
    const pem = keys.find(({ kid }) => kid === signature?.keyid)?.pem ?? "";
    const root = TrustedRoot.fromJSON({ mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1" });
    const trust = toTrustMaterial(root, () => ({ publicKey: createPublicKey(pem), validFor: () => true }));
    const bundle = bundleFromJSON({
      mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      verificationMaterial: { publicKey: { hint: signature?.keyid }, tlogEntries: [] },
      dsseEnvelope: given,
    });
    const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 });
    try {
      verifier.verify(toSignedEntity(bundle));
      return true;
    } catch {
      return false;
    }
  };
  assert(isAccepted(envelope), "it refuses the attestation");
  for (const [what, change] of Object.entries(CHANGES)) {
    const statement = Statement.parse(JSON.parse(Buffer.from(envelope.payload, "base64").toString("utf8")));
    change(statement);
    const payload = Buffer.from(JSON.stringify(statement)).toString("base64");
    assert(
      payload !== envelope.payload && !isAccepted({ ...envelope, payload }),
      `it accepts another value of ${what}`,
    );
  }
  assert(!isAccepted({ ...envelope, payloadType: "application/json" }), "it accepts another payload type");
  const sig = Buffer.alloc(64, 7).toString("base64");
  const signatures = envelope.signatures.map((signature) => ({ ...signature, sig }));
  assert(!isAccepted({ ...envelope, signatures }), "it accepts another signature");
}
