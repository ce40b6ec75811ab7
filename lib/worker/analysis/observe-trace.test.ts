import { expect, it } from "vitest";
import { createDecoys } from "./decoys";
import { judgeStep } from "./judge-step";
import { observeTrace } from "./observe-trace";
import { NOTHING_RECORDED } from "./open-recorder";
import { createTraceReader } from "./read-trace";

const { canaries } = createDecoys();

/** What strace(1) prints with `-f -xx -y`: `"text"` and `<path>` in hexadecimal escapes. */
function traceOf(lines: string[], encoding: BufferEncoding = "utf8"): Buffer {
  const hex = (text: string) =>
    [...Buffer.from(text, encoding)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  const escaped = lines.map((line) =>
    line
      .replace(/(?<=(?:AT_FDCWD|[( ]\d+))<([^>]*)>/g, (_all, path: string) => `<${hex(path)}>`)
      .replace(/"([^"]*)"/g, (_all, text: string) => `"${hex(text)}"`),
  );
  return Buffer.from(`${escaped.join("\n")}\n`);
}

const BUILD = [
  '1 execve("/usr/bin/bwrap", ["bwrap"], 0x1 /* 1 var */) = 0',
  '9 execve("/bin/sh", ["sh"], 0x1 /* 1 var */) = 0',
  '9 execve("/skill/a.sh", ["a.sh"], 0x1 /* 1 var */) = 0',
];

function observeLines(...lines: string[]) {
  const observer = observeTrace({ canaries, limit: 200, nameserver: "10.0.2.3" });
  createTraceReader(observer.onEvent).write(traceOf([...BUILD, ...lines], "latin1"));
  return observer;
}

function observe(...lines: string[]) {
  const observer = observeLines(...lines);
  observer.compareHome({ read: [], changed: [], made: [], beyond: 0 });
  return observer.seen;
}

const HOME = "AT_FDCWD</home/dev>";

async function deedsOf(...lines: string[]): Promise<string[]> {
  const { deeds } = await judgeStep({
    ...{ step: 0, end: { kind: "exited", exitCode: 0 }, durationMs: 1, observed: observe(...lines), canaries },
    ...{ recorded: NOTHING_RECORDED, stdout: "", stderr: "" },
  });
  return deeds.map(({ kind, what }) => `${kind} ${what}`);
}

it("follows links that the program made", async () => {
  const link = `9 symlinkat("/home/dev", ${HOME}, "/tmp/l") = 0`;
  expect(await deedsOf(link, `9 renameat2(${HOME}, "w.txt", ${HOME}, "/tmp/l/.bashrc", RENAME_NOREPLACE) = 0`)).toEqual(
    ["wrote_outside /home/dev/.bashrc"],
  );
  expect(await deedsOf(link, `9 openat(${HOME}, "/tmp/l/.profile", O_WRONLY|O_CREAT, 0666) = -1 EACCES (No)`)).toEqual([
    "wrote_outside /home/dev/.profile",
  ]);
  expect(
    await deedsOf(
      ...[link, '9 symlink("l/.ssh", "/tmp/m") = 0', '9 rename("/tmp/m/../.ssh/id_rsa", "/tmp/x") = 0'],
      '9 openat(AT_FDCWD</>, "/tmp/x", O_RDONLY) = 3</tmp/x>',
    ),
  ).toContain("read_canary ~/.ssh/id_rsa");
  expect(await deedsOf(link, '9 unlink("/tmp/l") = 0', '9 mkdir("/tmp/l/.ssh/x", 0777) = 0')).toEqual([]);
});

it("knows planted secrets in a folder that was renamed", async () => {
  const moved = [
    `9 symlinkat("/home/dev", ${HOME}, "/tmp/l") = 0`,
    `9 renameat2(${HOME}, "/tmp/l/.ssh", ${HOME}, "/tmp/l/old", RENAME_NOREPLACE) = 0`,
  ];
  const read = `9 openat(${HOME}, "old/id_rsa", O_RDONLY) = 3</home/dev/old/id_rsa>`;
  expect(await deedsOf(...moved, read)).toEqual(
    expect.arrayContaining(["read_canary ~/.ssh/id_rsa", "wrote_outside /home/dev/.ssh"]),
  );
  const write = `9 openat(${HOME}, "cfg/gh/hosts.yml", O_WRONLY) = 3</home/dev/cfg/gh/hosts.yml>`;
  const cfg = '9 rename("/home/dev/.config", "/home/dev/cfg") = 0';
  expect(await deedsOf(cfg, write)).toEqual(
    expect.arrayContaining(["wrote_outside /home/dev/.config", "wrote_outside /home/dev/cfg/gh/hosts.yml"]),
  );
  const again = '9 rename("/home/dev/cfg", "/tmp/c2") = 0';
  const third = '9 openat(AT_FDCWD</>, "/tmp/c2/gh/hosts.yml", O_RDONLY) = 3</tmp/c2/gh/hosts.yml>';
  expect(await deedsOf(cfg, again, third)).toContain("read_canary ~/.config/gh/hosts.yml");
  const exchanged = `9 renameat2(${HOME}, ".kube", ${HOME}, "k", RENAME_EXCHANGE) = 0`;
  const kube = `9 openat(${HOME}, "k/config", O_RDONLY) = 3</home/dev/k/config>`;
  expect(await deedsOf(exchanged, kube)).toContain("read_canary ~/.kube/config");
});

it("knows the folder of a process that names it in another way", async () => {
  for (const path of ["/proc/self/root/home/dev/.bashrc", "/proc/7/root/home/dev/.bashrc", "/proc/self/cwd/.bashrc"])
    expect(await deedsOf(`9 unlinkat(${HOME}, "${path}", 0) = 0`), path).toEqual(["wrote_outside /home/dev/.bashrc"]);
  for (const path of ["/proc/7/cwd/.bashrc", "/proc/self/task/7/cwd/.bashrc"])
    expect(await deedsOf(`9 unlinkat(${HOME}, "${path}", 0) = 0`), path).toEqual([`wrote_outside ${path}`]);
});

it("takes from the planted files what the calls do not tell, and says that it is missing without them", () => {
  const hidden = [
    '9 rename("/proc/self/fd/3/id_rsa", "/tmp/b") = 0',
    '9 truncate("/dev/stdin", 0) = 0',
    '12 unlink("x") = 0',
  ];
  const [home, key] = ["/home/dev/.bashrc", "/home/dev/.ssh/id_rsa"];
  const compared = observeLines(...hidden);
  expect([...compared.seen.wroteOutside.items.keys()]).toEqual([]);
  compared.compareHome({
    read: [key],
    changed: [home],
    made: ["/home/dev/.config/autostart", "/home/dev/a"],
    beyond: 0,
  });
  expect([...compared.seen.canariesRead.items.keys()]).toEqual(["~/.ssh/id_rsa"]);
  expect([...compared.seen.wroteOutside.items.keys()]).toEqual([home, "/home/dev/.config/autostart"]);
  expect(compared.seen.lost.paths).toBe(0);
  const alone = observeLines(...hidden);
  alone.compareHome(null);
  expect(alone.seen.lost.paths).toBe(3);
});

it("leaves to the calls what they tell of the planted files", () => {
  const read = '9 openat(AT_FDCWD</skill>, "/home/dev/.netrc", O_RDONLY) = 3</home/dev/.netrc>';
  const curl = '9 execve("/usr/bin/curl", ["curl", "-n", "https://a.example"], 0x1 /* 1 var */) = 0';
  const told = observeLines(curl, read, `9 mkdirat(${HOME}, ".config/autostart", 0777) = 0`);
  const made = ["/home/dev/.config/autostart", "/home/dev/.config/autostart/a.desktop"];
  told.compareHome({ read: ["/home/dev/.netrc"], changed: [], made, beyond: 0 });
  expect([...told.seen.canariesRead.items.keys()]).toEqual([]);
  expect([...told.seen.wroteOutside.items.keys()]).toEqual(made.slice(0, 1));
});

it("counts what the tracer could not read of a call", () => {
  const { seen } = observeLines(
    "9 connect(3<socket:[7]>, 0x7f1234567890, 16) = 0",
    '9 openat(AT_FDCWD, "a", O_RDONLY) = 3',
    "9 sendto(3<socket:[7]>, 0x7f1234567890, 20, 0, NULL, 0) = -1 EFAULT (Bad address)",
  );
  expect(seen.lost).toMatchObject({ payloads: 1, paths: 2 });
});

it("reads every address of a call, also without a family", () => {
  const to = (host: string) =>
    `{msg_hdr={msg_name={sa_family=AF_INET, sin_port=htons(7000), sin_addr=inet_addr("${host}")}}}`;
  const two = observeLines(`9 sendmmsg(3<socket:[7]>, [${to("198.51.100.7")}, ${to("169.254.169.254")}], 2, 0) = 2`);
  expect([...two.seen.metadata.items.keys()]).toEqual(["169.254.169.254"]);
  const bytes = String.fromCharCode(0x1b, 0x58, 169, 254, 169, 254);
  const none = observeLines(`9 sendto(3<socket:[7]>, "x", 1, 0, {sa_family=AF_UNSPEC, sa_data="${bytes}"}, 16) = 1`);
  expect([...none.seen.addresses.items.values()]).toMatchObject([{ address: "169.254.169.254", port: 7000 }]);
});

it("tells names apart that are not UTF-8", () => {
  const observer = observeTrace({ canaries, limit: 200, nameserver: "10.0.2.3" });
  const link = (name: string, to: string) => `9 symlink("${to}", "${name}") = 0`;
  const links = [link("/tmp/l\xfe", "/home/dev"), link("/tmp/l\xff", "/tmp"), link("/tmp/l\\xfe", "/tmp")];
  const lines = [...BUILD, ...links, '9 unlink("/tmp/l\xfe/.bashrc") = 0'];
  createTraceReader(observer.onEvent).write(traceOf(lines, "latin1"));
  expect([...observer.seen.wroteOutside.items.keys()]).toEqual(["/home/dev/.bashrc"]);
});

it("reports what a process does that had built the sandbox", async () => {
  const start = 'execve("/bin/sh", ["sh"], 0x1 /* 2 vars */) = 0';
  expect(await deedsOf(`1 openat(4</proc>, "self/fd", O_RDONLY|O_DIRECTORY) = 3</proc/1/fd>`)).toEqual([]);
  expect(await deedsOf(`1 openat(${HOME}, ".ssh/id_rsa", O_RDONLY) = 3</home/dev/.ssh/id_rsa>`)).toEqual([
    "read_canary ~/.ssh/id_rsa",
  ]);
  expect([...observe(`1 ${start}`).programs.items.keys()].join()).toContain("/bin/sh");
});

it("judges a child that started no program by those that are executed", async () => {
  const curl = ['10 execve("/usr/bin/curl", ["curl", "--version"], 0x1 /* 2 vars */) = 0', "10 +++ exited with 0 +++"];
  const read = `11 openat(${HOME}, ".netrc", O_RDONLY) = 3</home/dev/.netrc>`;
  expect(await deedsOf(...curl, read)).toEqual(["read_canary ~/.netrc"]);
});

it("reports what a thread does after the one that began its program has ended", async () => {
  const read = `10 openat(${HOME}, ".ssh/id_rsa", O_RDONLY) = 3</home/dev/.ssh/id_rsa>`;
  expect(await deedsOf("9 +++ exited with 0 +++", read)).toEqual(["read_canary ~/.ssh/id_rsa"]);
});

it("takes the target of a link for no change", async () => {
  expect(await deedsOf('9 symlink("/proc/self/fd/1", "/tmp/log") = 0')).toEqual([]);
});

it("reports a link in the place of a folder that holds secrets or start-up files", async () => {
  expect(await deedsOf('9 symlink("/tmp/x", "/home/dev/.local") = 0')).toEqual(["wrote_outside /home/dev/.local"]);
  expect(await deedsOf('9 rename("/tmp/x", "/home/dev/.config") = 0')).toEqual(["wrote_outside /home/dev/.config"]);
  expect(await deedsOf('9 mkdir("/home/dev/.config", 0777) = 0')).toEqual([]);
});

it("lists a program that a thread started in the place of its process", () => {
  const before = '10 execve("/usr/bin/curl", ["curl", "-s", "http://hidden.example/x"], 0x1 /* 2 vars */';
  const after = [
    "9 +++ superseded by execve in pid 10 +++",
    "9 <... execve resumed>) = -1 (errno 18446744073709551595)",
  ];
  for (const how of [" <unfinished ...>", " <pid changed to 9 ...>"]) {
    const seen = observe(
      '9 access("/usr", F_OK <unfinished ...>',
      before + how,
      ...after,
      "11 +++ killed by SIGKILL +++",
    );
    expect([...seen.programs.items.values()]).toContainEqual(
      expect.objectContaining({ path: "/usr/bin/curl", args: "curl -s http://hidden.example/x" }),
    );
    expect(seen.leftRunning.items.size).toBe(0);
  }
});

it("knows whose thread or child has read, by the call that made it", () => {
  const clone = (pid: number, child: number, flags = "SIGCHLD") =>
    `${pid} clone(child_stack=NULL, flags=${flags}) = 2 /* ${child} in strace's PID NS */`;
  const thread = (pid: number, child: number) => clone(pid, child, "CLONE_VM|CLONE_THREAD");
  const docker = (pid: number) => `${pid} execve("/usr/bin/docker", ["docker", "--version"], 0x1 /* 1 var */) = 0`;
  const read = (pid: number) =>
    `${pid} openat(${HOME}, ".docker/config.json", O_RDONLY) = 3</home/dev/.docker/config.json>`;
  const readIn = (...lines: string[]) => observe(...lines).canariesRead.items.size;
  const tool = [clone(9, 10), docker(10)];
  expect(readIn(...tool, read(10))).toBe(0);
  expect(readIn(...tool, thread(10, 13), thread(13, 11), read(11))).toBe(0);
  // A child that starts nothing says nothing of a tool beside it.
  expect(readIn(clone(9, 12), ...tool, thread(10, 11), read(11))).toBe(0);
  expect(readIn(...tool, clone(9, 12), read(12))).toBe(1);
  // The reader may be first, and then its maker may be another program.
  expect(readIn(...tool, read(11), thread(10, 11))).toBe(0);
  expect(readIn(...tool, read(12), clone(9, 12))).toBe(1);
  expect(readIn(...tool, read(12))).toBe(1);
  expect(readIn(clone(9, 12), docker(9), read(12))).toBe(1);
});

it("takes only programs of the system for tools that read their own settings", async () => {
  const read = (pid: number) => `${pid} openat(${HOME}, ".npmrc", O_RDONLY) = 3</home/dev/.npmrc>`;
  const start = (path: string, words: string) => `10 execve("${path}", [${words}], 0x1 /* 2 vars */) = 0`;
  const found = ["read_canary ~/.npmrc"];
  const kube = `10 openat(${HOME}, ".kube/config", O_RDONLY) = 3</home/dev/.kube/config>`;
  const kubectl = (words: string) => start("/usr/bin/kubectl", `"kubectl", ${words}`);
  expect(await deedsOf(kubectl('"config", "current-context"'), kube)).toEqual([]);
  expect(await deedsOf(kubectl('"--kubeconfig=/home/dev/.kube/config"'), kube)).toHaveLength(1);
  expect(await deedsOf(start("/tmp/npm", '"npm", ".npmrc"'), read(10))).toEqual(found);
  expect(await deedsOf(start("/usr/bin/cat", '"cat", "npm", ".npmrc"'), read(10))).toEqual(found);
  expect(await deedsOf(start("/usr/bin/node", '"node", "/tmp/npm"'), read(10))).toEqual(found);
  expect(await deedsOf(start("/dev/shm/npm", '"npm"'), read(10))).toEqual(found);
  expect(await deedsOf(start("/usr/bin/node", '"node", "/usr/bin/npm", "ci"'), read(10))).toEqual([]);
  expect(await deedsOf(start("/usr/local/bin/npm", '"npm", "ci"'), read(10))).toEqual([]);
});
