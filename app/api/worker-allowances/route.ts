import { route } from "@/lib/http/route";
import { WorkerAllowanceList } from "@/lib/skills/access/schema";
import { listAllowances } from "@/lib/skills/access/worker-allowances";

export const GET = route({
  access: "review",
  summary: "What the operator of each worker allows runs beyond the plain sandbox",
  answer: WorkerAllowanceList,
  handle: ({ ctx }) => listAllowances(ctx),
});
