import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";
import { deleteSop, getSop } from "@/lib/runner/approvals/sops";
import { Sop } from "@/lib/runner/schema";

export const GET = route({
  access: "admin",
  summary: "One standard operating procedure",
  params: IdParams,
  answer: Sop,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getSop(ctx, params.id),
});

export const DELETE = route({
  access: "admin",
  summary: "Withdraw a standard operating procedure",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => deleteSop(ctx, params.id),
});
