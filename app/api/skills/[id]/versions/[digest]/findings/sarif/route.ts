import { z } from "zod";
import { route } from "@/lib/http/route";
import { exportFindings, SarifLog } from "@/lib/review/export-findings";

export const GET = route({
  access: "read",
  summary: "Findings of a version's last scan as SARIF 2.1.0",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: SarifLog,
  answersFrom: "rows",
  handle: ({ ctx, params }) => exportFindings(ctx, params.id, params.digest),
});
