import { afterEach, expect, test, vi } from "vitest";
import { boundedFetch } from "./bounded-fetch";

const MEBIBYTE = new Uint8Array(1024 * 1024);
afterEach(() => vi.unstubAllGlobals());

/** Counts how much of a body of so many MiB was taken. */
function answering(mebibytes: number) {
  const taken = { mebibytes: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken.mebibytes++ < mebibytes) controller.enqueue(MEBIBYTE);
      else controller.close();
    },
  });
  const fetched = vi.fn(async () => new Response(body, { status: 201, headers: { "retry-after": "3" } }));
  vi.stubGlobal("fetch", fetched);
  return { taken, fetched };
}

test("an answer comes as it is, and redirects are not followed", async () => {
  const { fetched } = answering(2);
  const response = await boundedFetch("http://127.0.0.1/v1", { method: "POST" });
  expect([response.status, response.headers.get("retry-after")]).toEqual([201, "3"]);
  expect((await response.arrayBuffer()).byteLength).toBe(2 * MEBIBYTE.length);
  expect(fetched).toHaveBeenCalledWith("http://127.0.0.1/v1", { method: "POST", redirect: "error" });
});

test("an answer of more than 32 MiB is not read to its end", async () => {
  const { taken } = answering(100);
  const response = await boundedFetch("http://127.0.0.1/v1");
  await expect(response.arrayBuffer()).rejects.toThrow("32 MiB");
  expect(taken.mebibytes).toBeLessThan(40);
});
