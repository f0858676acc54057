import { lazily } from "../../lib/lazily.ts";

export { openHelp, openPalette } from "./open.ts";
export { usePaletteKey } from "./use-palette-key.ts";

/** Keyboard shortcuts of all screens and the dialogs they open. */
export const PaletteHost = lazily(async () => ({ default: (await import("./palette-host.tsx")).PaletteHost }));
