import { quotePath, rejectArchive } from "./reject-archive";

/** 755 when any executable bit is set, else 644. Set-uid, set-gid and sticky files are refused (`archive_rejected`). */
export function fileMode(path: string, permissions: number): "644" | "755" {
  if ((permissions & 0o7000) !== 0) {
    rejectArchive(`${quotePath(path)} has a set-uid, set-gid or sticky bit; only plain files are accepted.`);
  }
  return (permissions & 0o111) === 0 ? "644" : "755";
}
