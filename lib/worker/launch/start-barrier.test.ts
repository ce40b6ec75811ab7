import { describe, expect, it } from "vitest";
import { barrierCommand } from "./start-barrier";

const at = (line: string, env: Record<string, string> = {}) => barrierCommand(line, "/skill/run", env);

describe("where a process waits", () => {
  it.each([
    ["#!/usr/bin/python3", "python", ["/usr/bin/python3", "-c"]],
    ["#! /usr/bin/python3.11 -u ", "python", ["/usr/bin/python3.11", "-u", "-c"]],
    ["#!/usr/bin/env python3", "python", ["/usr/bin/env", "python3", "-c"]],
    ["#!/usr/bin/env -S python3 -I -S", "python", ["/usr/bin/env", "python3", "-I", "-S", "-c"]],
    ["#!/usr/bin/env node", "node", ["/usr/bin/env", "node", "--require"]],
    ["#!/skillgate/node", "node", ["/skillgate/node", "--require"]],
    ["#!/usr/bin/env -S node --no-warnings", "node", ["/usr/bin/env", "node", "--no-warnings", "--require"]],
  ])("%s: inside the interpreter, started as the kernel would", (line, kind, command) => {
    const found = at(line);
    if (found.where !== "interpreter") throw new Error("it waits in the shell");
    expect(found.kind).toBe(kind);
    expect(found.command.slice(0, command.length)).toEqual(command);
    expect(found.command.at(-1)).toBe("/skill/run");
  });

  it.each([
    "#!/bin/sh",
    "\x7fELF",
    "",
    "#!/usr/bin/python",
    "#!/usr/bin/python2.7",
    "#!/usr/bin/python3 -m",
    "#!/usr/bin/python3 -c",
    "#!/usr/bin/python3 -u -S",
    "#!/usr/bin/env -S python3 -X dev",
    "#!/usr/bin/env -S A=b python3",
    "#!/usr/bin/env -S /skill/python3",
    "#!/usr/bin/env python3 -u",
    "#!python3",
    "#!/usr/bin/node --require=/skill/before.js",
    "#!/usr/bin/python3\r",
  ])("%s: in the shell", (line) => {
    expect(at(line)).toEqual({ where: "shell", kind: "program" });
  });

  it.each<Record<string, string>>([
    { PATH: ".:/usr/bin" },
    { PATH: "/skill:/usr/bin" },
    { PATH: "/usr/bin:" },
    { PATH: "/usr/../skill:/usr/bin" },
    { PATH: "/tmp:/usr/bin" },
    { PATH: "//skill:/usr/bin" },
    { PATH: "/proc/self/cwd:/usr/bin" },
    { PYTHONPATH: "." },
    { NODE_PATH: "/skill" },
    { OPENSSL_CONF: "openssl.cnf" },
  ])("in the shell, when a file of the skill could be loaded while the interpreter starts: %s", (env) => {
    expect(at("#!/usr/bin/env python3", env).where).toBe("shell");
    expect(at("#!/usr/bin/env python3", { PATH: "/home/ann/.pyenv/shims:/usr/bin:/bin", LANG: "C" }).where).toBe(
      "interpreter",
    );
  });
});
