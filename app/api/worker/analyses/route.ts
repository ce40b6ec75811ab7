import { z } from "zod";
import { route } from "@/lib/http/route";
import { leaseAnalysis, listHeldAnalyses } from "@/lib/review/analysis/lease-analysis";
import { AnalysisLeaseResponse, HeldAnalyses } from "@/lib/worker/protocol";

export const GET = route({
  access: "worker",
  summary: "List the dry runs that this worker executes",
  answer: HeldAnalyses,
  handle: async ({ ctx }) => ({ analyses: await listHeldAnalyses(ctx) }),
});

export const POST = route({
  access: "worker",
  summary: "Lease a dry run",
  body: z.object({}),
  answer: AnalysisLeaseResponse,
  handle: async ({ ctx }) => ({ analysis: await leaseAnalysis(ctx) }),
});
