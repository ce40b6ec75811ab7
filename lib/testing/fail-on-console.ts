import { format } from "node:util";
import { afterEach, beforeEach } from "vitest";

const original = console.error;
let unexpected: string[] = [];

// A test that expects a message replaces this: vi.spyOn(console, "error").mockImplementation(() => {}).
beforeEach(() => {
  unexpected = [];
  console.error = (...args: unknown[]) => {
    unexpected.push(format(...args));
    original(...args);
  };
});

afterEach(() => {
  console.error = original;
  if (unexpected.length > 0) throw new Error(`Unexpected console.error:\n${unexpected.join("\n")}`);
});
