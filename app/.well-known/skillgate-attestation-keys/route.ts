import { route } from "@/lib/http/route";
import { listAttestationKeys } from "@/lib/review/attest/attestation-keys";
import { AttestationKeySet } from "@/lib/review/attest/schema";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Public keys of attestations with their periods, as a JSON Web Key Set",
  answer: AttestationKeySet,
  handle: ({ ctx }) => listAttestationKeys(ctx),
});
