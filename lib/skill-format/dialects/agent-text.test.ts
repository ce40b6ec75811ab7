import { expect, it } from "vitest";
import { isAgentText } from "@/lib/skill-format/archive/decode-text";

it("withholds binaries and texts over 256 KiB from agents", () => {
  expect(isAgentText(new TextEncoder().encode("héllo"))).toBe(true);
  expect(isAgentText(new Uint8Array(256 * 1024).fill(0x61))).toBe(true);
  expect(isAgentText(new Uint8Array(256 * 1024 + 1).fill(0x61))).toBe(false);
  expect(isAgentText(new Uint8Array([0x61, 0]))).toBe(false);
  expect(isAgentText(new Uint8Array([0xff]))).toBe(false);
});
