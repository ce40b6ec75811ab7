import { expect, it, vi } from "vitest";
import { requireNode } from "./require-node.mjs";

it.each(["20.19.0", "20.20.2", "22.0.0", "26.1.0"])("accepts Node %s", (version) => {
  expect(() => requireNode(version)).not.toThrow();
});

it.each(["20.18.9", "18.20.0", "8.0.0"])("answers Node %s with a sentence", (version) => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const exit = vi.spyOn(process, "exit").mockImplementation(() => {
    throw new Error("exit");
  });
  expect(() => requireNode(version)).toThrow("exit");
  expect(exit).toHaveBeenCalledWith(1);
  expect(error.mock.calls[0][0]).toContain(`20.19 or newer; this is ${version}`);
  vi.restoreAllMocks();
});
