import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";
import { getPersonQuotas, updateQuotas } from "@/lib/settings/quotas/person-quotas";
import { PatchQuotasInput, QuotaList } from "@/lib/settings/quotas/schema";

export const GET = route({
  access: "admin",
  summary: "Quotas of a person, and their use",
  params: IdParams,
  answer: QuotaList,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getPersonQuotas(ctx, params.id),
});

export const PATCH = route({
  access: "admin",
  summary: "Set quotas of a person, or return to the settings",
  params: IdParams,
  body: PatchQuotasInput,
  answer: QuotaList,
  ifMatch: ({ ctx, params }) => getPersonQuotas(ctx, params.id),
  handle: ({ ctx, params, body }) => updateQuotas(ctx, { userId: params.id, patch: body }),
});
