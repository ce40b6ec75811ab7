import { route } from "@/lib/http/route";
import { listAdvisories, MAX_ADVISORY_BYTES, removeAdvisories, replaceAdvisories } from "@/lib/review/bill/advisories";
import { AdvisoryFacts, AdvisoryList } from "@/lib/review/bill/schema";

export const GET = route({
  access: "admin",
  summary: "The stored file of advisories about packages",
  answer: AdvisoryList,
  answersFrom: "rows",
  handle: ({ ctx }) => listAdvisories(ctx),
});

export const PUT = route({
  access: "admin",
  summary: "Replace the advisories about packages by a file of OSV records: a list, one record, or one on each line",
  rawBody: { contentType: "application/json" },
  maxBodyBytes: MAX_ADVISORY_BYTES,
  answer: AdvisoryFacts,
  handle: ({ ctx, bytes }) => replaceAdvisories(ctx, bytes),
});

export const DELETE = route({
  access: "admin",
  summary: "Remove the advisories about packages",
  status: 204,
  handle: ({ ctx }) => removeAdvisories(ctx),
});
