const JUNK = /^(\.ds_store|__macosx|thumbs\.db|desktop\.ini|\.git|paxheaders?(\.\d+)?|pax_global_header|\._.*)$/i;

/** Whether a path is debris of an operating system or an archiver, or belongs to a git repository's own folder. */
export function isJunk(path: string): boolean {
  return path.split("/").some((segment) => JUNK.test(segment));
}
