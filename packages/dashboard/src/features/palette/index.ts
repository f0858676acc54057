import { lazily } from "../../lib/lazily.ts";

export { openHelp, openPalette } from "./open.ts";
export { usePaletteKey } from "./use-palette-key.ts";

/** Keys that work on all screens, and what they open. */
export const PaletteHost = lazily(async () => ({ default: (await import("./palette-host.tsx")).PaletteHost }));
