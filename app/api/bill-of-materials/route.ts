import { route } from "@/lib/http/route";
import { exportOrganisationBill } from "@/lib/review/bill/bills";
import { Bill } from "@/lib/review/bill/schema";

export const GET = route({
  access: "review",
  summary: "Bill of materials of the organisation's approved skills as CycloneDX 1.6",
  answer: Bill,
  answersFrom: "rows",
  handle: ({ ctx }) => exportOrganisationBill(ctx),
});
