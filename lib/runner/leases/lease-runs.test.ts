import { expect, test } from "vitest";
import { sandboxTerms } from "./lease-runs";

test("nothing is open unless the decision says so", () => {
  const closed = { network: false, hosts: [], paths: [], namespaces: [], capabilities: [] };
  expect(sandboxTerms({})).toEqual(closed);
  expect(sandboxTerms({ network: false })).toEqual(closed);
});

test("a list of hosts opens these hosts, not the network", () => {
  expect(sandboxTerms({ network: ["example.org", "10.0.0.5:8080"] })).toMatchObject({
    network: false,
    hosts: ["example.org", "10.0.0.5:8080"],
  });
  expect(sandboxTerms({ network: true })).toMatchObject({ network: true, hosts: [] });
});

test("both words for the network namespace mean it", () => {
  expect(sandboxTerms({ namespaces: ["network", "pid"] }).namespaces).toEqual(["net", "pid"]);
});
