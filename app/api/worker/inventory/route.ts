import { route } from "@/lib/http/route";
import { receiveInventory } from "@/lib/runner/workers/receive-inventory";
import { InventoryRequest, InventoryResponse } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "Report a worker’s skills; answers the files to upload first",
  body: InventoryRequest,
  maxBodyBytes: 16 * 1024 * 1024,
  answer: InventoryResponse,
  handle: ({ ctx, body }) => receiveInventory(ctx, body),
});
