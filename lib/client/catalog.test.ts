import { expect, test } from "vitest";
import { InstallInput } from "@/lib/catalog/install/schema";
import { newProgressId } from "./catalog";

test("a progress id is one that the server accepts, and another each time", () => {
  const ids = Array.from({ length: 200 }, newProgressId);
  for (const progressId of ids) expect(InstallInput.safeParse({ id: "e1", progressId }).success).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});
