import { route } from "@/lib/http/route";
import { listEndedApprovals } from "@/lib/review/attest/ended-approvals";
import { Envelope } from "@/lib/review/attest/schema";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Ids of approvals that are not in force any more, as a signed list in a DSSE envelope",
  answer: Envelope,
  handle: ({ ctx }) => listEndedApprovals(ctx),
});
