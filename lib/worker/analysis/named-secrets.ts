/** Of one file, and of all. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_ALL_BYTES = 16 * 1024 * 1024;

/** Variables as shells, Python, JavaScript, Ruby, PHP, Go and PowerShell read them. */
const VARIABLES = [
  /\$\{?!?([A-Z][A-Z0-9_]{1,80})\b/g,
  /\b(?:environ(?:\.get)?|getenv|Getenv|ENV(?:\.fetch)?|_ENV|env)[[(]\s*["'`]([A-Za-z_]\w{1,80})/g,
  /\bprocess\.env(?:\.|\[["'`])([A-Za-z_]\w{1,80})/g,
  /\$env:([A-Za-z_]\w{1,80})/gi,
];
const TAKEN_APART = /\{([^{}]{1,400})\}\s*=\s*(?:process|import\.meta|Bun)\.env\b/g;
/** What a program expects of another variable, such as a port or a folder, a planted secret would not be. */
const SECRET =
  /KEY|TOKEN|SECRET|PASS|PWD|CRED|AUTH|WEBHOOK|MNEMONIC|PRIVATE|DSN|(?:DATABASE|DB|MONGO\w*|REDIS|POSTGRES\w*|PG|MYSQL|AMQP|SLACK|DISCORD)_?(?:URL|URI)/i;
const PLACES = /(?:~|\$\{?HOME\}?)\/([\w./@-]{0,150}\w)/g;

export type NamedSecrets = { env: string[]; paths: string[] };

/** The variables that look like secrets, and the files of the home, that the files of a skill name in any place. */
export async function namedSecrets(files: Iterable<Promise<Uint8Array>>): Promise<NamedSecrets> {
  const env = new Set<string>();
  const paths = new Set<string>();
  let left = MAX_ALL_BYTES;
  for await (const bytes of files) {
    // One byte of another encoding must not hide what a shell executes.
    const text = Buffer.from(bytes.subarray(0, Math.min(MAX_FILE_BYTES, left))).toString("latin1");
    left -= text.length;
    for (const name of variablesIn(text)) if (SECRET.test(name)) env.add(name);
    for (const [, inside = ""] of text.matchAll(PLACES)) paths.add(`~/${inside}`);
  }
  return { env: [...env], paths: [...paths] };
}

function variablesIn(text: string): string[] {
  const apart = [...text.matchAll(TAKEN_APART)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim()),
  );
  const named = VARIABLES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  return [...named, ...apart.map((name) => name.split(/[\s:=]/, 1)[0] ?? "")];
}
