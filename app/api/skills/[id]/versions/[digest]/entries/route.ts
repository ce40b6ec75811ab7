import { z } from "zod";
import { route } from "@/lib/http/route";
import { proposeEntries } from "@/lib/review/propose-entries";
import { EntryProposalList } from "@/lib/review/schema";

export const GET = route({
  access: "read",
  summary: "Proposed entry for each script of a version, for reviewers",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: EntryProposalList,
  answersFrom: "rows",
  handle: ({ ctx, params }) => proposeEntries(ctx, params.id, params.digest),
});
