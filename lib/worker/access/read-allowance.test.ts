import { describe, expect, it } from "vitest";
import { HARMLESS_ENV } from "@/lib/policy/worker-allowance";
import { readAllowance } from "../read-settings";

describe("readAllowance", () => {
  it("opens nothing unless the operator says so", () => {
    const { ranges, ...rest } = readAllowance({});
    expect(rest).toEqual({ paths: [], env: HARMLESS_ENV, capabilities: [], namespaces: [] });
    expect(ranges.has("10.0.0.1")).toBe(false);
  });

  it("adds what the variables name", () => {
    const { ranges, ...rest } = readAllowance({
      SKILLGATE_WORKER_PATHS: "/srv/data/, /opt/x",
      SKILLGATE_WORKER_ENV: "HOME,APP_*",
      SKILLGATE_WORKER_LINUX_CAPABILITIES: "CAP_NET_RAW, kill",
      SKILLGATE_WORKER_NAMESPACES: "network,pid",
      SKILLGATE_WORKER_RANGES: "10.0.0.0/8",
    });
    expect(rest).toEqual({
      paths: ["/srv/data", "/opt/x"],
      env: [...HARMLESS_ENV, "HOME", "APP_*"],
      capabilities: ["CAP_NET_RAW", "CAP_KILL"],
      namespaces: ["net", "pid"],
    });
    expect(ranges.has("10.1.2.3")).toBe(true);
  });

  it.each([
    ["SKILLGATE_WORKER_PATHS", "/srv,data", "“data”"],
    ["SKILLGATE_WORKER_PATHS", "/srv/../etc", "“/srv/../etc”"],
    ["SKILLGATE_WORKER_PATHS", "/proc/self", "through a link"],
    ["SKILLGATE_WORKER_ENV", "A B", "“A B”"],
    ["SKILLGATE_WORKER_ENV", "LD_PRELOAD", "no run gets"],
    ["SKILLGATE_WORKER_LINUX_CAPABILITIES", "CAP_NET_RAW,CAP_SYS_ADMIN", "“CAP_SYS_ADMIN”, which cannot be granted"],
    ["SKILLGATE_WORKER_LINUX_CAPABILITIES", "CAP_DAC_READ_SEARCH", "bypass every rule about paths"],
    ["SKILLGATE_WORKER_NAMESPACES", "mnt", "“mnt”"],
    ["SKILLGATE_WORKER_RANGES", "10.0.0.0/33", "“10.0.0.0/33” is not an address range"],
  ])("ends the start for %s=%s", (name, value, said) => {
    const read = () => readAllowance({ [name]: value });
    expect(read).toThrow(said);
    expect(read).toThrow(name);
  });
});
