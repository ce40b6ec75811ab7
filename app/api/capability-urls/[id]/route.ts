import { revokeCapabilityUrl } from "@/lib/distribution/capability-urls";
import { CapabilityUrlParams } from "@/lib/distribution/schema";
import { route } from "@/lib/http/route";

export const DELETE = route({
  access: "write",
  summary: "Revoke a capability URL",
  params: CapabilityUrlParams,
  status: 204,
  handle: ({ ctx, params }) => revokeCapabilityUrl(ctx, params.id),
});
