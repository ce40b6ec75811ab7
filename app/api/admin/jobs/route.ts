import { route } from "@/lib/http/route";
import { listJobs } from "@/lib/jobs/list-jobs";
import { JobList } from "@/lib/jobs/schema";

export const GET = route({
  access: "admin",
  summary: "List background jobs with their last runs",
  answer: JobList,
  handle: ({ ctx }) => listJobs(ctx),
});
