import { expect, it } from "vitest";
import { holdsStartFiles, isControlSocket, isMetadata, isOutside, isReadUnasked, noteLoaded } from "./places";

const inHome = (paths: string[]) => paths.map((path) => `/home/dev/${path}`);
const outside = (paths: string[]) => paths.filter((path) => isOutside(path, new Set()));

it("takes what others start or follow in a home for outside", () => {
  const config = [
    ...[
      "plasma-workspace/env/x.sh",
      "powershell/profile.ps1",
      "nushell/config.nu",
      "Claude/claude_desktop_config.json",
    ],
    ...[
      "zsh/.zshrc",
      "tmux/tmux.conf",
      "sway/config",
      "hypr/hyprland.conf",
      "emacs/init.el",
      "Code/User/settings.json",
    ],
    ...[
      "Code - Insiders/User/tasks.json",
      "mise/config.toml",
      "npm/npmrc",
      "user-dirs.dirs",
      "kwinrc",
      "gtk-3.0/settings.ini",
    ],
    ...[
      "starship.toml",
      "unknown/hooks/run.sh",
      "unknown/x.service",
      "unknown/x.desktop",
      "go/env",
      "autostart/a.desktop",
    ],
    ...["pulse/default.pa", "systemd/user/x.service", "google-chrome/Default/Preferences", "chrome-flags.conf"],
  ].map((path) => `.config/${path}`);
  const share = [
    ...["fish/vendor_conf.d/x.fish", "dbus-1/services/x.service", "bash-completion/completions/git"],
    ...["applications/x.desktop", "systemd/user/x.service", "nautilus/scripts/x"],
  ].map((path) => `.local/share/${path}`);
  const anywhere = [
    ...[
      "bin/git",
      "bin",
      ".local/bin/git",
      "src/app/.git/hooks/post-checkout",
      "src/app/.git/modules/m/hooks/pre-push",
    ],
    ...["src/app/.envrc", "src/app/.claude/settings.json", "src/app/.vscode/tasks.json", "src/app/.cursor/rules/x.mdc"],
    ...["src/app/AGENTS.md", "src/app/CLAUDE.md", "src/app/.mcp.json", "src/app/.github/copilot-instructions.md"],
    ...["r.git/hooks/post-receive", "notes/.cursorrules", "go/bin/gopls", "Desktop/x.desktop"],
    ...[".local/share/mise/shims/node", ".local/share/pipx/venvs/x/bin/x"],
  ];
  const paths = inHome([...config, ...share, ...anywhere]);
  expect(outside(paths)).toEqual(paths);
});

it("takes what ordinary tools write in a home for their own", () => {
  const paths = [
    ...[
      ".config",
      ".config/mytool",
      ".config/mytool/c.json",
      ".config/mytool/c.json.48213",
      ".config/mytool-1.2/state",
    ],
    ...[
      ".config/mytool/data.db-wal",
      ".config/configstore/npm.json",
      ".config/matplotlib",
      ".config/libreoffice/4/user/a.xcu",
    ],
    ...[
      ".config/go",
      ".config/go/telemetry/local/x.v1.count",
      ".config/pulse/cookie",
      ".local",
      ".local/share/tool/x.sh",
    ],
    ...[
      ".cache/tool/at",
      ".cache/uv/archive/x/.vscode/settings.json",
      ".npm/_npx/1/node_modules/x/.envrc",
      ".local/state/x",
    ],
    ...[
      "out.json",
      "app/node_modules/x/AGENTS.md",
      "app/.git/config",
      "app/.git/hooks",
      "app/.git/hooks/pre-push.sample",
    ],
    ...[
      "app/.gitignore",
      "app/bin/run",
      "app/hooks/x",
      "binary",
      "app/src/main.py",
      "app/__pycache__/m.cpython-311.pyc",
    ],
  ];
  expect(outside(inHome(paths))).toEqual([]);
});

it("takes only the files that Python writes for its cache", () => {
  const folder = "/skill/lib/__pycache__";
  const own = [folder, `${folder}/m.cpython-311.pyc`, `${folder}/m.cpython-311.pyc.140213`, "/tmp/__pycache__/x.sh"];
  expect(outside([...own, "/usr/local/lib/python3.12/__pycache__/os.cpython-312.pyc.1"])).toEqual([]);
  const others = [
    ...["/skill/__pycache__evil.sh", "/skill/__pycache__/x.sh", "/skill/__pycache__/x/y.pyc", "/etc/__pycache__/x.pyc"],
    ...inHome([".config/autostart/__pycache__evil.desktop", ".ssh/__pycache__/x.pyc"]),
    "/home/dev/.local/lib/python3.11/site-packages/__pycache__/six.cpython-311.pyc",
  ];
  expect(outside(others)).toEqual(others);
});

it("knows the folders in whose place a link decides where such files are", () => {
  const folders = [
    "",
    ".config",
    ".local",
    ".local/share",
    ".local/share/jupyter",
    ".config/go",
    "bin",
    "src/app/.git",
    "a/.git/hooks",
  ];
  for (const folder of folders) expect(holdsStartFiles(`/home/dev/${folder}`.replace(/\/$/, "")), folder).toBe(true);
  for (const folder of ["src", ".cache", ".local/share/tool"])
    expect(holdsStartFiles(`/home/dev/${folder}`), folder).toBe(false);
});

it("takes git's helper, and not git itself, for a program that reads .netrc unasked", () => {
  const isUnasked = (path: string) => isReadUnasked("/home/dev/.netrc", { path, words: ["diff"] });
  expect(["/usr/lib/git-core/git-remote-https", "/usr/bin/git"].map(isUnasked)).toEqual([true, false]);
});

it("takes curl, Python and npm for readers of settings only where they read them unasked", () => {
  const curl = (...words: string[]) => isReadUnasked("/home/dev/.netrc", { path: "/usr/bin/curl", words });
  expect(curl("-sn", "https://a.example")).toBe(true);
  expect(curl("--netrc", "https://a.example")).toBe(true);
  expect(curl("-s", "file:///home/dev/.n%65trc")).toBe(false);
  expect(curl("-n", "file:///home/dev/.n%65t*")).toBe(false);
  expect(curl("-nK", "/skill/c.cfg")).toBe(false);
  expect(curl("-s", "https://a.example")).toBe(false);
  const loaded = (path: string, words: string[], ...files: string[]) => {
    const program = { path, words };
    for (const file of files) noteLoaded(program, file);
    return program;
  };
  const python = (...files: string[]) =>
    isReadUnasked("/home/dev/.netrc", loaded("/usr/bin/python3", ["/skill/run.py"], ...files));
  expect(python()).toBe(false);
  expect(python("/skill/dist-packages/requests/netrc.py")).toBe(false);
  expect(python("/usr/lib/python3/dist-packages/requests/__init__.py")).toBe(true);
  const pip = loaded("/usr/bin/pip", ["install"], "/usr/lib/python3/dist-packages/pip/_vendor/requests/utils.py");
  expect(isReadUnasked("/home/dev/.netrc", pip)).toBe(true);
  const npm = (...files: string[]) =>
    isReadUnasked("/home/dev/.npmrc", loaded("/usr/bin/node", ["/usr/bin/npm", "ci"], ...files));
  expect(npm("/usr/share/nodejs/npm/lib/cli.js")).toBe(true);
  expect(npm("/usr/share/nodejs/npm/lib/cli.js", "/skill/p.js")).toBe(false);
});

it("knows services that start programs or use keys", () => {
  for (const path of [
    ...["/var/run/docker.sock", "/run/user/1000/bus", "/run/dbus/system_bus_socket", "/run/systemd/private"],
    ...["/run/user/1000/systemd/private", "/home/dev/.gnupg/S.gpg-agent", "/run/user/1000/keyring/ssh"],
    ...["/run/user/1000/ssh-agent.socket", "/tmp/ssh-XXabc/agent.123", "/tmp/tmux-1000/default"],
  ])
    expect(isControlSocket(path), path).toBe(true);
  for (const path of [
    "/run/nscd/socket",
    "/run/systemd/userdb/io.systemd.DynamicUser",
    "/tmp/app.sock",
    "/tmp/.X11-unix/X0",
  ])
    expect(isControlSocket(path), path).toBe(false);
});

it("takes files that programs execute or follow for start places, at any depth", () => {
  const isDeed = (inside: string) => isOutside(`/home/dev/${inside}`, new Set());
  for (const inside of [
    ...[".config/swayidle/config", ".config/yabai/yabairc", ".config/tool/runrc", ".config/tmuxinator/work.yml"],
    ...[
      ".config/newsboat/config",
      ".config/Trae/User/settings.json",
      ".config/irssi/config",
      ".config/rio/config.toml",
    ],
    ...[".local/share/zinit/zinit.zsh", ".local/share/chezmoi/dot_bashrc", ".local/share/nvm/versions/npm/lib/cli.js"],
    ...[
      ".config/LM Studio/mcp.json",
      ".config/unknown/mcp.json",
      ".local/share/pnpm/git",
      "Library/LaunchAgents/a.plist",
    ],
    ...[".local/share/uv/tools/ruff/bin/ruff", ".local/share/cargo/bin/cargo", ".config/espanso/match/base.yml"],
  ])
    expect(isDeed(inside), inside).toBe(true);
  for (const inside of [
    ".config/acme/config.json",
    ".local/share/acme/data.db",
    "app/.git/config",
    ".config/acme/src.txt",
  ])
    expect(isDeed(inside), inside).toBe(false);
});

it.each([
  ...[
    "169.254.169.254",
    "169.254.169.254.",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "METADATA.google.internal",
  ],
  ...[
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::169.254.169.254",
  ],
  ...[
    "2002:a9fe:a9fe::1",
    "fe80::a9fe:a9fe",
    "fe80::a9fe:a9fe%eth0",
    "fd00:ec2::254",
    "fd00:ec2:0:0::254",
    "fd00:42::42",
  ],
  ...[
    "169.254.42.42",
    "169.254.0.23",
    "169.254.169.254.nip.io",
    "x.169-254-169-254.sslip.io",
    "0xa9fea9fe.nip.io",
    "[fd00:ec2::254]",
    " 169.254.169.254\t",
    "169.254.170.2.nip.io",
    "a9fea9fe.nip.io",
  ],
])("%s is a cloud's metadata service", (host) => {
  expect(isMetadata(host)).toBe(true);
});

it.each([
  ...[
    "169.254.1.1",
    "fe80::1",
    "2002:102:304::1",
    "metadata.example.com",
    "169.254.example.com",
    "1169.254.169.254.nip.io",
  ],
  ...["", "::", "::1", "cafea9fea9fe.example.com", "169.254.169.2540"],
])("%j is none", (host) => {
  expect(isMetadata(host)).toBe(false);
});

it.each([
  ["/home/dev/.kube/config", "/usr/bin/kubectl", ["get", "pods"], true],
  ["/home/dev/.docker/config.json", "/usr/bin/docker", ["pull", "alpine"], true],
  ["/home/dev/.ssh/id_ed25519", "/usr/bin/ssh", ["git@github.com", "git-upload-pack"], true],
  ["/home/dev/.ssh/id_ed25519", "/usr/bin/ssh", ["-i", "/home/dev/.ssh/id_ed25519", "host"], false],
  ["/home/dev/.kube/config", "/usr/bin/cat", [], false],
  ["/home/dev/.kube/config", "/tmp/kubectl", [], false],
])("knows whether a tool reads its own %s: %s %j", (path, program, words, isOwn) => {
  expect(isReadUnasked(path, { path: program, words })).toBe(isOwn);
});

it("lets libuuid lock its clock", () => {
  expect(outside(["/var/lib/libuuid/clock.txt", "/var/lib/libuuid/other", "/var/lib/x"])).toEqual([
    "/var/lib/libuuid/other",
    "/var/lib/x",
  ]);
});
