import { networkInterfaces } from "node:os";
import { expect, it, vi } from "vitest";
import { localAddresses } from "./outgoing-policy";

vi.mock("node:os", async (original) => ({
  ...(await original<typeof import("node:os")>()),
  networkInterfaces: () => ({}),
}));

it("knows the addresses of interfaces that Node does not list", () => {
  expect(networkInterfaces()).toEqual({});
  expect(localAddresses()).toContain("127.0.0.1");
});
