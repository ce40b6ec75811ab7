/** Environment variables of the worker; `fallback` describes the default. */
export const WORKER_VARIABLES = [
  { name: "SKILLGATE_URL", fallback: "required, unless --url is given", meaning: "Address of the server." },
  {
    name: "SKILLGATE_WORKER_TOKEN",
    fallback: "required, unless given by file or --token",
    meaning: "Token that an admin got under Settings, Workers.",
  },
  { name: "SKILLGATE_WORKER_TOKEN_FILE", fallback: "none", meaning: "File that holds this token." },
  { name: "SKILLGATE_WORKER_NAME", fallback: "name of the host", meaning: "Name of the worker." },
  {
    name: "SKILLGATE_WORK_DIR",
    fallback: "`data/workers/NAME`; for the local worker below the system’s temporary folder",
    meaning: "Folder for the files of runs.",
  },
  {
    name: "SKILLGATE_WORKER_SANDBOX",
    fallback: "`auto`",
    meaning: "The best isolation it may use: `auto`, `unshare`, `user` or `off`.",
  },
  {
    name: "SKILLGATE_WORKER_CAPABILITIES",
    fallback: "all",
    meaning: "Capabilities that it declares for skills, separated by commas; `none` for none.",
  },
  {
    name: "SKILLGATE_WORKER_PATHS",
    fallback: "none",
    meaning: "Folders in which approvals may open paths to runs, absolute, separated by commas; `/` for all.",
  },
  {
    name: "SKILLGATE_WORKER_ENV",
    fallback: "`PATH`, `LANG`, `LC_*`, `TZ`",
    meaning:
      "Environment variables that runs may get beside these, separated by commas; `APP_*` for all that begin so.",
  },
  {
    name: "SKILLGATE_WORKER_LINUX_CAPABILITIES",
    fallback: "none",
    meaning: "Linux capabilities that runs may get, separated by commas.",
  },
  {
    name: "SKILLGATE_WORKER_NAMESPACES",
    fallback: "none",
    meaning:
      "Namespaces of the host that runs may share, separated by commas: `net`, `pid`, `ipc`, `uts`, `cgroup`, `user`.",
  },
  {
    name: "SKILLGATE_WORKER_RANGES",
    fallback: "public addresses",
    meaning:
      "Address ranges that runs with the network may reach beside public addresses, separated by commas, such as `10.0.0.0/8`.",
  },
  {
    name: "SKILLGATE_SKILL_DIRS",
    fallback: "none",
    meaning: "Directories that skills are taken from, separated by colons, commas or semicolons.",
  },
  ...(["DATA", "KEYS", "BACKUPS"] as const).map((folder) => ({
    name: `SKILLGATE_${folder}`,
    fallback: "none; the local worker learns it from the server",
    meaning: "Folder of a server on the same host, which the worker hides from all runs.",
  })),
  { name: "SKILLGATE_LOG_LEVEL", fallback: "`info`", meaning: "Log level; the lines go to standard error." },
] as const;
