import { type Program, reportDestruction, writeFile } from "./program";
import { areDocuments, homeFiles } from "./secret-places";
import { type CommandCall, firstText } from "./shell-transfers";
import { joinLabels, type Value } from "./values";

const REMOVES = /^(?:rm|shred|srm|unlink|wipe|truncate)$/;
const ERASES =
  /^(?:dd|wipefs|blkdiscard|mkfs(?:\.\w+)?|sgdisk|parted|hdparm|nvme|shred|cryptsetup|diskutil|badblocks|cat|cp|pv)$/;
/** Arguments of `find` that choose some of the files. */
const CHOOSES =
  /^-(?:i?name|i?path|i?regex|i?wholename|[acm]time|[acm]min|newer\w*|size|empty|links|inum|samefile|perm)$/;

/** The label of a command that lists the user's files or the disks; null for others. */
export function listed(name: string, texts: readonly string[]): Value["labels"][number] | null {
  if (
    /^(?:lsblk|blkid|fdisk|diskutil)$/.test(name) ||
    (name === "ls" && texts.some((text) => text.startsWith("/dev/")))
  )
    return { kind: "disks", name: "all disks", owners: [] };
  if (name !== "find" && name !== "fd") return null;
  const isChoice = (text: string, at: number) =>
    CHOOSES.test(text) &&
    !(/^-i?(?:name|path|regex|wholename)$/.test(text) && /^(?:!|\\!|-not)$/.test(texts[at - 1] ?? ""));
  return texts.some(isChoice) && !areDocuments(texts.join(" "))
    ? null
    : homeFiles(texts.filter((text) => !text.startsWith("-")));
}

/** What was encrypted before, for a loop over the user's files that removes each. */
const ENCRYPTED = "encrypted:";

function isEncryption(name: string, texts: readonly string[]): boolean {
  if (/^gpg2?$/.test(name)) return texts.some((text) => /^-\w*[ce]$|^--(?:symmetric|encrypt)$/.test(text));
  return (name === "openssl" && texts[0] === "enc") || /^(?:r?age|ccrypt|ccencrypt|7za?|aescrypt)$/.test(name);
}

/** Reports a command that removes all files of the user or erases disks that the script itself lists. */
export function destroyByCommand(program: Program, { name, args, range }: Omit<CommandCall, "stdin">): void {
  const texts = args.map(firstText);
  if (REMOVES.test(name)) {
    const paths = args.flatMap((arg) => arg.texts).filter((text) => homeFiles([text]) !== null);
    const whole = texts.some((text) => /^-\w*[rRu]|^--recursive/.test(text)) && new Set(paths).size > 1;
    const home = whole ? homeFiles(paths) : null;
    const locked = paths.flatMap((path) => program.files.get(`${ENCRYPTED}${path}`) ?? []);
    reportDestruction(
      program,
      [...joinLabels([...args.map(({ labels }) => labels), locked]), ...(home === null ? [] : [home])],
      range,
    );
  } else if (isEncryption(name, texts)) {
    const home = homeFiles(args.flatMap((arg) => arg.texts).filter((text) => text.endsWith("*")));
    if (home !== null)
      for (const text of args.flatMap((arg) => arg.texts)) writeFile(program, `${ENCRYPTED}${text}`, [home]);
  } else if (name === "find" && /-delete|-exec(?:dir)? (?:\S*\/)?(?:rm|shred|srm|sh|bash)\b/.test(texts.join(" "))) {
    const home = listed(name, texts);
    if (home !== null && /-delete|\brm\b|\bshred\b|\bsrm\b/.test(texts.join(" ")))
      reportDestruction(program, [home], range);
  } else if (ERASES.test(name)) {
    const labels = joinLabels(args.map((arg) => (/^of=|^[^=]*$/.test(firstText(arg)) ? arg.labels : [])));
    reportDestruction(
      program,
      labels.filter(({ kind }) => kind === "disks"),
      range,
    );
  }
}
