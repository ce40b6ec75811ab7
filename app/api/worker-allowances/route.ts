import { route } from "@/lib/http/route";
import { WorkerAllowanceList } from "@/lib/skills/access/schema";
import { listAllowances } from "@/lib/skills/access/worker-allowances";

export const GET = route({
  access: "review",
  summary: "Permissions beyond the plain sandbox that each worker’s operator allows",
  answer: WorkerAllowanceList,
  answersFrom: "rows",
  handle: ({ ctx }) => listAllowances(ctx),
});
