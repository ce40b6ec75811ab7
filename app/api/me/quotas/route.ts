import { route } from "@/lib/http/route";
import { requirePerson } from "@/lib/policy/require-scope";
import { listQuotas } from "@/lib/settings/quotas/person-quotas";
import { QuotaList } from "@/lib/settings/quotas/schema";

export const GET = route({
  access: "read",
  summary: "Your quotas, and their use",
  answer: QuotaList,
  answersFrom: "rows",
  handle: ({ ctx }) => listQuotas(ctx, requirePerson(ctx.actor).userId),
});
