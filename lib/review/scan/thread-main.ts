import { serveJobs } from "@/lib/core/threads/serve-jobs";
import { rulesVersion } from "@/lib/review/rules/all-rules";
import { describeFiles } from "../capabilities/read-capabilities";
import type { ScanJob, Scanned } from "./scan-files";
import { scanSkill } from "./scan-skill";

/** Entry point of the scan thread, bundled by `bin/build-programs.mjs`. */
serveJobs<ScanJob, Scanned>(rulesVersion(), ({ files, unread, manifest }, onFile) => ({
  result: {
    scan: scanSkill(files, { unread, onFile }),
    described: manifest === null ? null : describeFiles(files, manifest),
  },
}));
