export const sidebarStorageKey = "skillgate.sidebar";
export const bannerStorageKey = "skillgate.banner";

// Runs before the first paint, so that hydration moves nothing. The last line is zod's configuration, which zod reads when a
// form loads it: without it zod tries to compile code, which the content security policy reports as a violation.
const source = `try{
var r=document.documentElement;
if(localStorage.getItem(${JSON.stringify(sidebarStorageKey)})==="collapsed")r.setAttribute("data-sidebar","collapsed");
if(sessionStorage.getItem(${JSON.stringify(bannerStorageKey)}))r.setAttribute("data-banner","");
}catch(e){}
globalThis.__zod_globalConfig={jitless:true};`;

/** Sets the stored state of sidebar and banner on the html element. */
export function StartScript({ nonce }: { nonce: string | undefined }) {
  // Browsers hide a script's nonce from the page, which React would report as a hydration error.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant in this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: source }} />;
}
