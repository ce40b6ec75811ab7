import { z } from "zod";
import { route } from "@/lib/http/route";
import { exportBill } from "@/lib/review/bill/bills";
import { Bill } from "@/lib/review/bill/schema";

export const GET = route({
  access: "read",
  summary: "Bill of materials of a version as CycloneDX 1.6: files, packages, programs, models and tools",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: Bill,
  answersFrom: "rows",
  handle: ({ ctx, params }) => exportBill(ctx, params.id, params.digest),
});
