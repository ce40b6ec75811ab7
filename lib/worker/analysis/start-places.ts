const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** Folders of a home, besides those of `.config`, whose programs or settings something else starts or reads later. */
const START_FOLDERS = [
  ...["bin", ".local/bin", ".config"],
  ...["applications", "autostart", "bash-completion", "cinnamon", "code-server", "dbus-1", "fish", "flatpak"].map(
    share,
  ),
  ...["gnome-shell", "icons", "JetBrains", "jupyter/kernels", "kio", "konsole", "kservices5", "kservices6"].map(share),
  ...["kwin", "mime", "nautilus", "nemo", "nushell", "nvim", "plasma", "powershell", "systemd", "xsessions"].map(share),
  ...["wayland-sessions", "xonsh", "zsh"].map(share),
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
    "chrome-flags chromium-flags code-flags discord slack obsidian keepassxc bitwarden 1password syncthing ngrok cloudflared",
  ].flatMap((line) => line.split(" ")),
);

/** A folder, or a file that holds data: neither a script, nor a unit, nor one of the many formats of settings of programs. */
const DATA =
  /^[^.]+$|\.(?:json[5lc]?|toml|ya?ml|ini|cfg|xml|txt|csv|log|lock|pid|db|sqlite3?|dat|cache|tmp|bak|\d\w*)(?:[.-](?:\d\w*|tmp\w*|bak|old|new|wal|shm|journal)){0,2}~?$/i;

function isStarting(name: string): boolean {
  const program = name.toLowerCase();
  return STARTING.has(program) || STARTING.has(program.replace(/( |\.|rc$).*$/s, ""));
}

function isOrdinarySetting(path: string): boolean {
  if (STATE_OF_TOOLS.some((place) => isIn(path, place) || isIn(place, path))) return true;
  const [first = "", ...rest] = path.split("/");
  if (isStarting(first) || (rest.length === 0 && first.endsWith("rc"))) return false;
  return DATA.test(rest.at(-1) ?? first);
}

/** At any depth: what shells, editors, agents and git start or follow in the folder that they work in. */
const ANYWHERE = new RegExp(
  [
    String.raw`(?:^|/)\.(?:vscode|cursor|claude|codex|gemini|continue|roo|windsurf|kiro|opencode|devcontainer|husky|idea)(?:/|$)`,
    String.raw`(?:^|/)\.(?:envrc|mcp\.json|cursorrules|windsurfrules|clinerules|aider\.conf\.yml|mise\.toml)$`,
    String.raw`(?:^|/)\.github/(?:copilot-instructions\.md|instructions|prompts|workflows)(?:/|$)`,
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
export function isStartPlace(inside: string): boolean {
  if (isIn(inside, ".config")) return inside !== ".config" && !isOrdinarySetting(inside.slice(".config/".length));
  if (START_FOLDERS.some((folder) => isIn(inside, folder))) return true;
  return ANYWHERE.test(inside) && !PACKAGES.test(inside);
}

/** Whether a link or a folder put in this place of the home decides where such files are. */
export function holdsStartPlaces(inside: string): boolean {
  const [, ofProgram] = /^\.config\/([^/]+)$/.exec(inside) ?? [];
  if (ofProgram !== undefined && isStarting(ofProgram)) return true;
  return START_FOLDERS.some((folder) => isIn(folder, inside)) || HOLDS_ANYWHERE.test(inside);
}
