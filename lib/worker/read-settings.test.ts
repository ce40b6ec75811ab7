import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HARMLESS_ENV } from "@/lib/policy/worker-allowance";
import { GSV_CAPABILITIES } from "@/lib/skill-format/dialects/tables";
import { readAllowance, readSettings, type StartMessage } from "./read-settings";
import { makeWorkDir } from "./testing/make-work-dir";

const env = { SKILLGATE_URL: "http://one:3000", SKILLGATE_WORKER_TOKEN: "sgw_env", SKILLGATE_WORK_DIR: "/tmp/work" };

describe("readSettings", () => {
  it("takes the environment, and arguments before it", () => {
    const args = ["--url", "https://two/base", "--name", "edge", "--slots", "3", "--work-dir", "/tmp/other"];
    expect(readSettings([], env, null)).toMatchObject({
      url: "http://one:3000",
      token: "sgw_env",
      workDir: "/tmp/work",
    });
    expect(readSettings(args, env, null)).toEqual({
      url: "https://two/base",
      token: "sgw_env",
      name: "edge",
      slots: 3,
      workDir: "/tmp/other",
      sandbox: "auto",
      capabilities: [...GSV_CAPABILITIES],
      allowance: expect.objectContaining({ paths: [], env: HARMLESS_ENV }),
      hidden: [],
      warnings: [],
    });
  });

  it("takes the launcher's message before everything", () => {
    const start = {
      type: "start" as const,
      url: "http://launcher",
      token: "sgw_sent",
      name: "local",
      workDir: "/tmp/sent",
      hidden: ["/srv/data"],
    } satisfies StartMessage;
    expect(readSettings(["--supervised", "--url", "http://other"], env, start)).toMatchObject({
      url: "http://launcher",
      token: "sgw_sent",
      name: "local",
      workDir: "/tmp/sent",
      hidden: ["/srv/data"],
    });
  });

  it("reads the token from a file, without the line's end", () => {
    const file = join(makeWorkDir(), "token");
    writeFileSync(file, "sgw_file\n");
    expect(readSettings(["--token-file", file], env, null).token).toBe("sgw_file");
    expect(readSettings([], { ...env, SKILLGATE_WORKER_TOKEN_FILE: file }, null).token).toBe("sgw_file");
  });

  it("warns of a token on the command line", () => {
    const { token, warnings } = readSettings(["--token", "sgw_args"], env, null);
    expect({ token, warnings: warnings.length }).toEqual({ token: "sgw_args", warnings: 1 });
  });

  it.each([
    [undefined, [...GSV_CAPABILITIES]],
    ["shell.exec, text.search", ["shell.exec", "text.search"]],
    ["none", []],
  ])("declares the capabilities that %j names", (given, expected) => {
    const { capabilities } = readSettings([], { ...env, SKILLGATE_WORKER_CAPABILITIES: given }, null);
    expect(capabilities).toEqual(expected);
  });

  it.each([
    [[], { ...env, SKILLGATE_WORKER_CAPABILITIES: "shell.exce" }, "shell.exce"],
    [[], { ...env, SKILLGATE_URL: undefined }, "--url"],
    [["--url", "ftp://x"], env, "http"],
    [[], { ...env, SKILLGATE_WORKER_TOKEN: " " }, "--token-file"],
    [["--token", "a\nb"], env, "characters"],
    [["--slots", "0"], env, "1 to 256"],
    [["--slots", "257"], env, "1 to 256"],
    [["--name", "x".repeat(101)], env, "100 characters"],
    [["--colour"], env, "--colour"],
  ])("refuses %j with a message that says why", (args, of, message) => {
    expect(() => readSettings(args, of, null)).toThrow(message);
  });
});

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
