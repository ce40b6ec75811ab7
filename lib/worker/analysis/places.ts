import { posix } from "node:path";
import { SANDBOX_SKILL, SANDBOX_WORKSPACE } from "../sandbox/sandbox-command";
import { DECOY_HOME } from "./decoys";
import { withoutEscapes } from "./join-chunks";
import { controlOf } from "./named-secrets";

/** Programs, libraries and what every program asks for at its start. */
const SYSTEM = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix", "/skillgate", "/sys", "/dev", "/etc/ssl"],
  ...["/etc/alternatives", "/etc/ca-certificates", "/etc/localtime", "/etc/nsswitch.conf", "/etc/host.conf"],
  ...["/etc/hosts", "/etc/resolv.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/pyvenv.cfg"],
  // Of services that the resolver asks for users and names.
  ...["/run/nscd", "/var/run/nscd", "/run/systemd", "/var/run/avahi-daemon"],
  ...["/etc/terminfo", "/etc/inputrc", "/etc/locale.alias", "/etc/timezone", "/etc/mime.types", "/etc/gitconfig"],
];

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** Whether a path is part of the system that every program reads, so that a report leaves it out. */
export function isSystemPath(path: string): boolean {
  if (
    path === "/" ||
    path === DECOY_HOME ||
    /^(\/etc\/ld\.so\b|\/proc\/(self|\d+|sys|stat|cpuinfo|meminfo|version|filesystems|mounts)\b)/.test(path)
  )
    return !/\/(environ|mem)$/.test(path);
  return SYSTEM.some((folder) => isIn(path, folder));
}

/** The path in the skill's folder, or null for any other path. */
export function skillPathOf(path: string): string | null {
  return path.startsWith(`${SANDBOX_SKILL}/`) ? path.slice(SANDBOX_SKILL.length + 1) : null;
}

/** Folders of the home in which ordinary programs keep data, where it is not a start place. */
const ORDINARY = [
  ".cache",
  ".kube/cache",
  ".kube/http-cache",
  ".npm",
  ".local/share",
  ".local/state",
  ".config",
  ".node_repl_history",
  ".python_history",
];

/** What Python keeps of the code that it imports; the number is that of a file that it is still writing. */
const PYTHON_CACHE = /\/__pycache__(?:\/[^/]+\.pyc(?:\.\d+)?)?$/;

/**
 * Whether writing this path changes something that is not the program's own: everything but its temporary files, its
 * workspace, ordinary files of its home, and what interpreters cache beside code.
 */
export function isOutside(path: string, planted: ReadonlySet<string | null>): boolean {
  if (planted.has(path)) return true;
  // Both are read-only, so nothing changes where Python tries it.
  if (PYTHON_CACHE.test(path) && (skillPathOf(path) !== null || isSystemPath(path))) return false;
  if (["/tmp", "/dev/shm", "/dev/pts", SANDBOX_WORKSPACE].some((folder) => isIn(path, folder))) return false;
  if (/^\/dev\/(null|zero|full|tty|ptmx|random|urandom|stdin|stdout|stderr|fd|fd\/\d+)$/.test(path)) return false;
  // What is below a descriptor may be anywhere.
  if (/^\/proc\/(self|\d+)(\/task\/\d+)?\/(fd(\/\d*)?|comm|oom_score_adj|coredump_filter)$/.test(path)) return false;
  // The clock of libuuid, which every process may lock to make ids from the time.
  if (/^\/var\/lib\/libuuid\/clock(?:-cont)?\.txt$/.test(path)) return false;
  // Descriptors without a path: pipes, sockets and memory.
  if (!path.startsWith("/")) return false;
  if (path === DECOY_HOME || !isIn(path, DECOY_HOME)) return true;
  const inside = path.slice(DECOY_HOME.length + 1);
  if (isStartPlace(inside)) return true;
  return inside.startsWith(".") && !ORDINARY.some((folder) => isIn(inside, folder) || isIn(folder, inside));
}

/** Whether a link or a folder put in this place decides where start-up files are. */
export function holdsStartFiles(path: string): boolean {
  if (isIn(DECOY_HOME, path)) return true;
  return isIn(path, DECOY_HOME) && holdsStartPlaces(path.slice(DECOY_HOME.length + 1));
}

/** Programs that read these files of a home whenever they work: reading alone tells nothing. Some only as it is said behind. */
const READ_UNASKED: [file: RegExp, tool: RegExp, when?: (program: StartedProgram) => boolean][] = [
  [/\/\.netrc$/, /^(wget|git-remote-https?)$/],
  [
    /\/\.netrc$/,
    /^curl$/,
    ({ words }) => words.some((word) => NETRC.test(word)) && !words.some((word) => OTHER_READ.test(word)),
  ],
  [/\/\.netrc$/, /^(python|pip)[\d.]*$/, ({ hasRequests }) => hasRequests === true],
  [/\/\.npmrc$/, /^(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?$/],
  [/\/\.docker\/config\.json$/, /^(docker|podman|skopeo|buildah|crane)$/],
  [/\/\.kube\/config$/, /^(kubectl|helm|k9s|kustomize)$/],
  [/\/\.ssh\/(id_[a-z0-9_]+|config|known_hosts)$/, /^(ssh|sftp)$/],
  [/\/\.pypirc$/, /^twine$/],
];

/** Options of curl: that it looks for logins, and that it reads other files or settings. */
const NETRC = /^-[sSfLkvgijJO#0-6]*n|^--netrc/;
const OTHER_READ = /^file:|^-[sSfLkvgijJO#0-6n]*K|^--config/i;

/** Where no program of a skill can be, since the sandbox shows them read-only. */
const PROGRAMS = ["/usr", "/bin", "/sbin", "/nix", "/skillgate"];

/**
 * `words` are its arguments after its name; the first is the program where an interpreter was started. `hasRequests`: it loaded the
 * Python library that looks for logins before each request. `hasOwnCode`: it loaded JavaScript or a library that is no part of the system.
 */
export type StartedProgram = { path: string; words: string[]; hasRequests?: true; hasOwnCode?: true };

const isNode = (program: string) => /\/node(js)?$/.test(program);

/** Notes what a program loads. */
export function noteLoaded(program: StartedProgram, path: string): void {
  const isOfSystem = PROGRAMS.some((folder) => isIn(path, folder));
  if (isOfSystem && /-packages\/(?:pip\/_vendor\/)?requests\//.test(path)) program.hasRequests = true;
  if (!isOfSystem && (/\.so(?:\.\d+)*$/.test(path) || (isNode(program.path) && /\.(?:[cm]?js|node)$/.test(path))))
    program.hasOwnCode = true;
}

export function isReadUnasked(path: string, started: StartedProgram): boolean {
  const { path: program, words } = started;
  const [script = ""] = words;
  // `config` alone is a command of many tools.
  const name = path.endsWith("/config") ? path.split("/").slice(-2).join("/") : posix.basename(path);
  if (words.some((word) => withoutEscapes(word).includes(name))) return false;
  const tool = isNode(program) ? script : program;
  if (![program, tool].every((each) => PROGRAMS.some((folder) => isIn(each, folder)))) return false;
  return READ_UNASKED.some(
    ([file, reader, when]) =>
      file.test(path) && reader.test(posix.basename(tool)) && started.hasOwnCode !== true && (when?.(started) ?? true),
  );
}

/** Addresses at which clouds serve the credentials of a machine, and names for them. */
const METADATA = new Set([
  ...["169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "168.63.129.16", "192.0.0.192"],
  ...["169.254.42.42", "169.254.0.23", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42"],
  ...["metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"],
  ...["metadata.azure.internal", "metadata.tencentyun.com"],
]);

/** A label or labels of a name for which public name servers answer with the address in it. */
const NAMED_ADDRESS = /(?:^|[.-])(?:169[.-]254[.-](?:169[.-]254|170[.-]23?)|(?:0x)?a9fea9fe|fd00-ec2--254)\./;

/** Whether this is a cloud's metadata service, also in the unusual forms of an address, in IPv6 and in names that hold it. */
export function isMetadata(host: string): boolean {
  const plain = host
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .replace(/%.*$/, "");
  const ipv6 = plain.includes(":") ? hostnameOf(`[${plain}]`)?.slice(1, -1) : undefined;
  const known = ipv6 === undefined ? [plain, ipv4Of(plain) ?? ""] : [ipv6, ...embeddedIn(ipv6)];
  return known.some((each) => METADATA.has(each)) || NAMED_ADDRESS.test(plain);
}

/** The IPv4 addresses in the last 32 bits, or behind the prefix of 6to4 (RFC 3056). */
function embeddedIn(ipv6: string): string[] {
  const groups = [/:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(ipv6), /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4})/.exec(ipv6)];
  return groups.flatMap((found) => {
    if (found === null) return [];
    const [high, low] = [found[1], found[2]].map((group) => Number.parseInt(group ?? "0", 16));
    return [high, low].flatMap((two = 0) => [two >> 8, two & 255]).join(".");
  });
}

function ipv4Of(host: string): string | null {
  return /^[0-9a-fx.]+$/i.test(host) ? hostnameOf(host) : null;
}

/** The usual form of an address (URL Standard); null for what is none. */
function hostnameOf(host: string): string | null {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return null;
  }
}

/** Folders of a home, besides those of `.config`, whose programs or settings something else starts or reads later. */
const START_FOLDERS = [
  ...["bin", "go/bin", ".local/bin", ".config"],
  ...["applications", "autostart", "bash-completion", "cinnamon", "code-server", "dbus-1", "fish", "flatpak"].map(
    share,
  ),
  ...["gnome-shell", "icons", "JetBrains", "jupyter/kernels", "kio", "konsole", "kservices5", "kservices6"].map(share),
  ...["kwin", "mime", "nautilus", "nemo", "nushell", "nvim", "plasma", "powershell", "systemd", "xsessions"].map(share),
  ...["wayland-sessions", "xonsh", "zsh", "mise", "pipx", "pnpm", "cargo", "plasmashell"].map(share),
  ...["oh-my-zsh", "zinit", "chezmoi", "nvm", "claude", "Steam"].map(share),
  ...["Library/LaunchAgents", "Library/LaunchDaemons", "Library/Application Support"],
];

function share(name: string): string {
  return `.local/share/${name}`;
}

/** Below `.config`, what tools that need no program of the user write when they only work. */
const STATE_OF_TOOLS = [
  ...["chromium", "configstore", "dconf/user", "go/telemetry", "google-chrome-for-testing", "ibus/bus", "libreoffice"],
  ...["matplotlib", "pulse/cookie", "QtProject.conf"],
];

/** Programs whose settings in `.config` name what is started or followed: sessions, shells, editors, agents and tools. */
const STARTING = new Set(
  [
    "autostart autostart-scripts systemd environment dbus-1 pulse pipewire wireplumber upstart user-dirs mimeapps xdg",
    "plasma plasma-workspace plasma-localerc kde kdeglobals kdedefaults kwin khotkeys kglobalshortcuts dconf ibus fcitx fcitx5",
    "konsole gtk-2 gtk-3 gtk-4 xsettingsd fontconfig gnome-session cinnamon cinnamon-session mate xfce4 lxsession lxqt lxpanel",
    "openbox fluxbox i3 i3status i3blocks sway swaylock hypr river niri awesome bspwm sxhkd qtile xmonad herbstluftwm leftwm",
    "labwc wayfire polybar waybar rofi wofi dunst picom eww kitty alacritty foot wezterm ghostty terminator tilix warp-terminal",
    "bash fish zsh nushell powershell elvish xonsh starship tmux screen zellij direnv mise rtx asdf atuin sheldon zoxide broot",
    "vim nvim emacs doom helix kak micro nano code codium vscodium cursor windsurf zed sublime-text jetbrains github-copilot",
    "claude claude-code goose opencode crush codex gemini amp aichat cline mcp mcphub io.datasette.llm fabric antigravity kiro",
    "git gh glab glab-cli hub jj lazygit tig npm pnpm yarn bun deno pip uv pypoetry pdm pipx hatch go cargo rustfmt composer",
    "containers docker podman helm k9s argocd nix nixpkgs home-manager gcloud aws doctl hcloud flyctl rclone restic borg op",
    "ranger lf yazi nnn mc vifm mpv yt-dlp ncmpcpp aria2 curl wget ripgrep bat htop btop less readline gnupg sops age solana",
    "google-chrome google-chrome-beta google-chrome-unstable microsoft-edge bravesoftware vivaldi opera electron electron-flags",
    "swayidle swaync swaybg kanshi shikane way-displays mako fnott fuzzel tofi wlogout yabai skhd sketchybar aerospace karabiner",
    "hammerspoon espanso kmonad kanata xremap input-remapper autokey tmuxinator tmuxp smug chezmoi yadm topgrade just task pueue",
    "lm-studio ollama open-interpreter gptme llm mods shell-gpt sgpt transmission transmission-daemon qbittorrent deluge mpd",
    "chrome-flags chromium-flags code-flags discord slack obsidian keepassxc bitwarden 1password syncthing ngrok cloudflared",
    "newsboat irssi contour rio sesh lazydocker trae void",
  ].flatMap((line) => line.split(" ")),
);

/** A folder, or a file that holds data: neither a script, nor a unit, nor one of the many formats of settings of programs. */
const DATA =
  /^[^.]+$|\.(?:json[5lc]?|toml|ya?ml|ini|cfg|xml|txt|csv|log|lock|pid|db|sqlite3?|dat|cache|tmp|bak|\d\w*)(?:[.-](?:\d\w*|tmp\w*|bak|old|new|wal|shm|journal)){0,2}~?$/i;

function isStarting(name: string): boolean {
  const program = name.toLowerCase();
  const plain = program.replaceAll(" ", "-");
  return STARTING.has(plain) || STARTING.has(program.replace(/( |\.|rc$).*$/s, ""));
}

function isOrdinarySetting(path: string): boolean {
  if (STATE_OF_TOOLS.some((place) => isIn(path, place) || isIn(place, path))) return true;
  const [first = "", ...rest] = path.split("/");
  const name = rest.at(-1) ?? first;
  // Files that their programs execute have such names in most of them.
  if (isStarting(first) || /[a-z]rc$/.test(name) || /^mcp[\w-]*\.json$/i.test(name)) return false;
  return DATA.test(name);
}

/** At any depth: what shells, editors, agents and git start or follow in the folder that they work in. */
const ANYWHERE = new RegExp(
  [
    String.raw`(?:^|/)\.(?:vscode|cursor|claude|codex|gemini|continue|roo|windsurf|kiro|opencode|devcontainer|husky|idea)(?:/|$)`,
    String.raw`(?:^|/)\.(?:envrc|mcp\.json|cursorrules|windsurfrules|clinerules|aider\.conf\.yml|mise\.toml)$`,
    String.raw`(?:^|/)\.github/(?:copilot-instructions\.md|instructions|prompts|workflows)(?:/|$)`,
    String.raw`^Desktop/.*\.desktop$`,
    String.raw`^\.local/share/(?:.*/)?(?:bin|shims)/.`,
    String.raw`(?:^|/)(?:claude|claude\.local|agents|agents\.override|gemini)\.md$`,
    // `git init` writes the samples.
    String.raw`\.git/(?:.*/)?hooks/(?!.*\.sample$).`,
  ].join("|"),
  "i",
);
const HOLDS_ANYWHERE = /\.git(?:\/(?:.*\/)?hooks)?$|(?:^|\/)\.github$/;
/** Packages bring such files with them, and no program works in their folders. */
const PACKAGES = /(?:^|\/)(?:node_modules|site-packages)\/|^\.(?:cache|npm)\//;

/** Whether another program starts or follows what is written at this path of the home, now or at the next login. */
function isStartPlace(inside: string): boolean {
  if (isIn(inside, ".config")) return inside !== ".config" && !isOrdinarySetting(inside.slice(".config/".length));
  if (START_FOLDERS.some((folder) => isIn(inside, folder))) return true;
  return ANYWHERE.test(inside) && !PACKAGES.test(inside);
}

/** Whether a link or a folder put in this place of the home decides where such files are. */
function holdsStartPlaces(inside: string): boolean {
  const [, ofProgram] = /^\.config\/([^/]+)$/.exec(inside) ?? [];
  if (ofProgram !== undefined && isStarting(ofProgram)) return true;
  return START_FOLDERS.some((folder) => isIn(folder, inside)) || HOLDS_ANYWHERE.test(inside);
}

/** Where programs of the system are; the first are on the world's PATH. */
const ON_PATH = ["/usr/local/bin", "/usr/bin", "/bin"];
const PROGRAM_FOLDERS = new Set([...ON_PATH, "/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/games"]);

/**
 * Tells programs that are asked for by name, also those that this machine does not have. A shell that does not find one never
 * says with which arguments: those of `commands`, which the files name, count then.
 */
export function followControls(
  commands: readonly string[],
  { onControl, onMissing }: { onControl(what: string): void; onMissing(name: string): void },
): (path: string, exists: boolean, words?: string) => void {
  const tried = new Map<string, Set<string>>();
  return (path, exists, words) => {
    const { dir, base: name } = posix.parse(path);
    if (!PROGRAM_FOLDERS.has(dir) || (exists && words === undefined)) return;
    const own = commands.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
    for (const each of words === undefined ? ["", ...own] : [words]) {
      const what = controlOf(name, each);
      if (what !== null) onControl(what);
    }
    if (exists) return;
    const folders = tried.get(name) ?? new Set();
    if (tried.size < MAX_TRIED) tried.set(name, folders.add(dir));
    if (folders.size >= ON_PATH.length && ON_PATH.every((folder) => folders.has(folder))) onMissing(name);
  };
}

const MAX_TRIED = 2_000;

/** Services that start programs, or use keys, outside of a sandbox. */
const CONTROL_SOCKETS = [
  /\/(?:docker|podman|containerd|crio|buildkitd|cri-dockerd|snapd|libvirt-sock)(?:\.sock(?:et)?)?$|\/lxd\/unix\.socket$/,
  /^\/(?:var\/)?run\/(?:dbus\/system_bus_socket|systemd\/private|user\/\d+\/(?:bus|systemd\/private))$/,
  /\/S\.(?:gpg-agent|scdaemon|keyboxd)[^/]*$|\/keyring[^/]*\/(?:ssh|control|pkcs11)$|\/ssh-agent[^/]*$|\/ssh-\w+\/agent\.\d+$/,
  /\/(?:1password|bitwarden|keepassxc)[^/]*\/[^/]*\.sock$|\/tmux-\d+\/[^/]+$|\/screens?\/S-[^/]+\/[^/]+$/,
];

/** A socket through which programs are started, or keys are used, outside of a sandbox. */
export function isControlSocket(path: string): boolean {
  return CONTROL_SOCKETS.some((pattern) => pattern.test(path));
}
