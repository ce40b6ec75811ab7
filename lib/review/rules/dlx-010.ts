import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";

const VENDORS =
  /^https?:\/\/(?:[a-z0-9-]+\.)*(?:python\.org|nodejs\.org|microsoft\.com|visualstudio\.com|windows\.net|docker\.com|git-scm\.com|github\.com|githubusercontent\.com|gitlab\.com|apple\.com|google\.com|googleapis\.com|gstatic\.com|mozilla\.org|anaconda\.com|jetbrains\.com|adoptium\.net|oracle\.com|golang\.org|go\.dev|rust-lang\.org|rustup\.rs|chocolatey\.org|7-zip\.org|ffmpeg\.org|gyan\.dev|videolan\.org|wireshark\.org|postgresql\.org|enterprisedb\.com|mysql\.com|mongodb\.com|amazonaws\.com|aws\.amazon\.com|cloudfront\.net|azure\.com|cloudflare\.com|sourceforge\.net|r-project\.org|qt\.io|unity3d\.com|nvidia\.com|blender\.org|slack\.com|zoom\.us|1password\.com|tailscale\.com|hashicorp\.com|vmware\.com|ubuntu\.com|debian\.org|apache\.org|eclipse\.org|libreoffice\.org|documentfoundation\.org|imagemagick\.org|ghostscript\.com|texlive\.info|miktex\.org|pandoc\.org|npmjs\.(?:com|org)|example\.(?:com|org|net))\//i;

export const executableLink: Rule = {
  id: "DLX-010",
  version: 1,
  severity: "high",
  title: "Link to an installer or executable",
  why: "The link leads straight to a program for a desktop.",
  owasp: ["ASI04", "ASI09"],
  patterns: [
    {
      hints: [".exe", ".msi", ".dmg", ".pkg", ".scr", ".bat", ".vbs", ".hta", ".lnk"],
      re: String.raw`https?://[^\s"'\x60)>\]]+/[^\s"'\x60)>\]?#]*\.(?:exe|msi|dmg|pkg|scr|bat|vbs|hta|lnk)(?:[?#][^\s"'\x60)>\]]*|\b)`,
      weigh: (match) => {
        if (isShownAsBad(match)) return "info";
        return VENDORS.test(match.text) ? "medium" : true;
      },
    },
  ],
};
