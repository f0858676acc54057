import { lazy } from "react";

export { openHelp, openPalette } from "./open.ts";

/** Keys that work on all screens, and what they open. */
export const PaletteHost = lazy(async () => ({ default: (await import("./palette-host.tsx")).PaletteHost }));
