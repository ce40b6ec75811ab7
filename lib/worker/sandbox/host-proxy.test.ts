import { describe, expect, it } from "vitest";
import { isPublicAddress } from "@/lib/core/outgoing/address-ranges";
import { namesDestination, parseAuthority } from "./host-proxy";

const isPrivateAddress = (address: string) => !isPublicAddress(address);

describe("namesDestination", () => {
  it.each([
    [["example.org"], "example.org", 443, true],
    [["Example.ORG"], "example.org", 80, true],
    [["example.org"], "example.org", 22, false],
    [["example.org:22"], "example.org", 22, true],
    [["example.org:22"], "example.org", 443, false],
    [["example.org"], "www.example.org", 443, false],
    [["example.org"], "example.org.evil.test", 443, false],
    [["*.example.org"], "a.b.example.org", 443, true],
    [["*.example.org"], "example.org", 443, false],
    [["*.example.org"], "badexample.org", 443, false],
    [["*.0.0.1"], "127.0.0.1", 80, false],
    [["10.0.0.5:8080"], "10.0.0.5", 8080, true],
    [[], "example.org", 443, false],
  ])("%j, %s, port %i: %s", (hosts, host, port, expected) => {
    expect(namesDestination(hosts, { host, port })).toBe(expected);
  });
});

describe("isPrivateAddress", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
  ])("holds for %s, also when IPv6 carries it", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
    expect(isPrivateAddress(`::ffff:${address}`)).toBe(true);
  });
  it.each([
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "::ffff:8.8.8.8",
    "no address",
  ])("holds for %s", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });
  it.each(["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1"])("does not hold for %s", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});

describe("parseAuthority", () => {
  it.each([
    ["example.org:443", { host: "example.org", port: 443 }],
    ["EXAMPLE.org.:80", { host: "example.org", port: 80 }],
    ["[::1]:443", { host: "::1", port: 443 }],
    ["example.org", null],
    ["user@example.org:443", null],
    ["example.org:0", null],
    ["example.org:70000", null],
    ["a b:443", null],
  ])("reads %s", (text, expected) => {
    expect(parseAuthority(text)).toEqual(expected);
  });
});
