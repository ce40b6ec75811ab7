import { expect, test } from "vitest";
import { linesOf, pathLines, pathsOf } from "./finding-labels";

test("lines are trimmed and deduplicated", () => {
  expect(linesOf(" a \n\nb\na\n")).toEqual(["a", "b"]);
});

test("paths are read-only unless marked rw, and round-trip", () => {
  const paths = pathsOf("/var/log\nrw /srv/my data\nro /etc/hosts");
  expect(paths).toEqual([
    { path: "/var/log", mode: "ro" },
    { path: "/srv/my data", mode: "rw" },
    { path: "/etc/hosts", mode: "ro" },
  ]);
  expect(pathsOf(pathLines(paths))).toEqual(paths);
});
