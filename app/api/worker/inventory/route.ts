import { route } from "@/lib/http/route";
import { receiveInventory } from "@/lib/runner/workers/receive-inventory";
import { InventoryRequest, InventoryResponse } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "A worker says which skills it has; answers which files to send first",
  body: InventoryRequest,
  maxBodyBytes: 16 * 1024 * 1024,
  answer: InventoryResponse,
  handle: ({ ctx, body }) => receiveInventory(ctx, body),
});
