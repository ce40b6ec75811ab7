import { z } from "zod";
import { route } from "@/lib/http/route";
import { requestJob } from "@/lib/jobs/list-jobs";
import { Job } from "@/lib/jobs/schema";

export const POST = route({
  access: "admin",
  summary: "Run a background job now",
  params: z.object({ name: z.string().max(100) }),
  answer: Job,
  status: 202,
  handle: ({ ctx, params }) => requestJob(ctx, params.name),
});
