import { route } from "@/lib/http/route";
import { listCredentialNames } from "@/lib/settings/credentials/credentials";
import { CredentialNames } from "@/lib/settings/credentials/schema";

export const GET = route({
  access: "review",
  summary: "Names of the stored credentials, for approvals",
  answer: CredentialNames,
  answersFrom: "rows",
  handle: ({ ctx }) => listCredentialNames(ctx),
});
