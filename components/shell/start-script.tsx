import { earlyRequestsScript } from "./early-requests";

export const sidebarStorageKey = "skillgate.sidebar";
export const bannerStorageKey = "skillgate.banner";

/** Sets the stored state of sidebar and banner on the html element, and starts the first requests of the page. */
export function StartScript({ nonce }: { nonce: string | undefined }) {
  // Browsers hide a script's nonce from the page, which React would report as a hydration error.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant in this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: source() }} />;
}

// Runs before the first paint, so that hydration moves nothing. Then zod's configuration, which zod reads when a form loads
// it: without it zod tries to compile code, which the content security policy reports as a violation. A function, because
// other modules of pages import the names above and need no script.
function source(): string {
  return `try{
var r=document.documentElement;
if(localStorage.getItem(${JSON.stringify(sidebarStorageKey)})==="collapsed")r.setAttribute("data-sidebar","collapsed");
if(sessionStorage.getItem(${JSON.stringify(bannerStorageKey)}))r.setAttribute("data-banner","");
}catch(e){}
globalThis.__zod_globalConfig={jitless:true};
${earlyRequestsScript()}`;
}
