import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import { InventoryItem, InventoryProblem } from "@/lib/worker/protocol";

/** What a worker said last, as its row keeps it; `refused` is what the server could not take. */
export const StoredInventory = z.object({
  items: z.array(InventoryItem),
  problems: z.array(InventoryProblem),
  refused: z.array(InventoryProblem),
});
export type StoredInventory = z.infer<typeof StoredInventory>;

const EMPTY: StoredInventory = { items: [], problems: [], refused: [] };

/** The column of a worker; empty for one that has not said anything yet. */
export function readInventory(column: string): StoredInventory {
  return column === "[]" ? EMPTY : parseJsonColumn(StoredInventory, column);
}
