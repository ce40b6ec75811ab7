import { route } from "@/lib/http/route";
import { listForeignInstances } from "@/lib/review/bundles/instances";
import { ForeignInstanceList } from "@/lib/review/bundles/schema";

export const GET = route({
  access: "admin",
  summary: "Instances whose bundles were imported, and whether their approvals count",
  answer: ForeignInstanceList,
  handle: ({ ctx }) => listForeignInstances(ctx),
});
