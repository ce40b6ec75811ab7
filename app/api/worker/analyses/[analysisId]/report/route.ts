import { z } from "zod";
import { route } from "@/lib/http/route";
import { finishAnalysis } from "@/lib/review/analysis/finish-analysis";
import { AnalysisResult } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "Report how a dry run of this worker ended",
  params: z.object({ analysisId: z.string() }),
  body: AnalysisResult,
  maxBodyBytes: 16 * 1024 * 1024,
  status: 204,
  handle: ({ ctx, params, body }) => finishAnalysis(ctx, params.analysisId, body),
});
