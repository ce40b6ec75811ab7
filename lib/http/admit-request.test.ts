import { expect, test } from "vitest";
import { clientAddress, REMOTE_ADDRESS_HEADER } from "./admit-request";

test.each([
  ["a direct caller is who is connected", { [REMOTE_ADDRESS_HEADER]: "203.0.113.9" }, "", "203.0.113.9"],
  [
    "a direct caller cannot claim another address",
    { [REMOTE_ADDRESS_HEADER]: "203.0.113.9", "x-forwarded-for": "10.0.0.1" },
    "",
    "203.0.113.9",
  ],
  [
    "behind a trusted proxy its last hop counts",
    { [REMOTE_ADDRESS_HEADER]: "10.0.0.2", "x-forwarded-for": "1.1.1.1, 203.0.113.9" },
    "10.0.0.2",
    "203.0.113.9",
  ],
  [
    "trusted hops are skipped",
    { [REMOTE_ADDRESS_HEADER]: "10.0.0.2", "x-forwarded-for": "203.0.113.9, 10.0.0.3" },
    "10.0.0.2,10.0.0.3",
    "203.0.113.9",
  ],
  ["a trusted proxy that says nothing counts itself", { [REMOTE_ADDRESS_HEADER]: "10.0.0.2" }, "10.0.0.2", "10.0.0.2"],
  ["without our listener there is none", { "x-forwarded-for": "203.0.113.9" }, "", null],
])("%s", (_title, headers, trusted, expected) => {
  expect(clientAddress(new Headers(headers as Record<string, string>), trusted)).toBe(expected);
});
