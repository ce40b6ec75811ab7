import { z } from "zod";
import { route } from "@/lib/http/route";
import { leaseAnalysis } from "@/lib/review/analysis/lease-analysis";
import { AnalysisLeaseResponse } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "Lease a dry run",
  body: z.object({}),
  answer: AnalysisLeaseResponse,
  handle: async ({ ctx }) => ({ analysis: await leaseAnalysis(ctx) }),
});
