import { z } from "zod";
import { route } from "@/lib/http/route";
import { exportAttestation } from "@/lib/review/attest/attestations";
import { Envelope } from "@/lib/review/attest/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Approval of a version as an in-toto statement in a DSSE envelope, for verification by other programs",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: Envelope,
  handle: ({ ctx, params }) => exportAttestation(ctx, params.id, params.digest),
});
