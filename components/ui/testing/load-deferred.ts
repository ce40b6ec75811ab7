import "@/components/ui/confirm-dialog";
import "@/components/ui/dialog";
import "@/components/ui/drawer";
import "@/components/ui/dropdown-menu";
import "@/components/ui/popover";
import "@/components/ui/toast";
import "@/components/ui/tooltip";
import { preloadDeferred } from "@/components/ui/deferred/deferred";

// As in a page that has been open for a moment: what is opened is there at once.
await preloadDeferred();
