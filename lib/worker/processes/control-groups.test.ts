import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeWorkDir } from "../testing/make-work-dir";
import { makeGroup, probeCgroups } from "./control-groups";

const OWN = `skillgate-${process.pid}`;
const LIMITS = { memoryBytes: 5_000, processes: 7 };

function makeTree(...files: string[]): string {
  const root = makeWorkDir();
  for (const file of files) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), "memory pids cpu\n");
  }
  return root;
}

describe("probeCgroups", () => {
  it("finds the hierarchies of version 1, below the group of this process", () => {
    const root = makeTree("memory/service/cgroup.procs", "pids/cgroup.procs");
    const found = probeCgroups(root, "4:memory:/service\n8:cpu,pids:/elsewhere\n0::/\n");
    expect(found).toEqual({
      version: 1,
      memoryDir: join(root, "memory", "service", OWN),
      pidsDir: join(root, "pids", OWN),
    });
  });

  it("finds version 2 and hands the controllers on", () => {
    const root = makeTree("cgroup.controllers", "service/cgroup.procs");
    const found = probeCgroups(root, "0::/service\n");
    const dir = join(root, "service", OWN);
    expect(found).toEqual({ version: 2, memoryDir: dir, pidsDir: dir });
    expect(readFileSync(join(root, "service", "cgroup.subtree_control"), "utf8")).toBe("+memory +pids");
    makeGroup({ version: 2, memoryDir: dir, pidsDir: dir }, "run-1", LIMITS);
    expect(readFileSync(join(dir, "run-1", "memory.max"), "utf8")).toBe("5000");
    expect(readFileSync(join(dir, "run-1", "pids.max"), "utf8")).toBe("7");
  });

  it("finds nothing where nothing is mounted, or a controller is missing", () => {
    expect(probeCgroups(makeWorkDir(), "0::/\n")).toBeNull();
    expect(probeCgroups(makeTree("memory/cgroup.procs"), "4:memory:/\n")).toBeNull();
    expect(probeCgroups(join(makeWorkDir(), "missing"), "")).toBeNull();
  });

  it("removes what a killed worker left, and nothing of a living one", () => {
    const root = makeTree("memory/cgroup.procs", "pids/cgroup.procs");
    for (const name of ["skillgate-4194999", "skillgate-1", "skillgate-x"])
      mkdirSync(join(root, "memory", name, "run-1"), { recursive: true });
    probeCgroups(root, "");
    expect(readdirSync(join(root, "memory")).sort()).toEqual(
      ["cgroup.procs", "skillgate-1", OWN, "skillgate-x"].sort(),
    );
  });
});
