import { route } from "@/lib/http/route";
import { listJobs } from "@/lib/jobs/list-jobs";
import { JobList } from "@/lib/jobs/schema";

export const GET = route({
  access: "admin",
  summary: "The background work, each job with its last run",
  answer: JobList,
  handle: ({ ctx }) => listJobs(ctx),
});
