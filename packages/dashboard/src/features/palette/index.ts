import { lazily } from "../../lib/lazily.ts";

export { openHelp, openPalette, usePaletteKey } from "./open.ts";

/** Keyboard shortcuts of all screens and the dialogs they open. */
export const PaletteHost = lazily(async () => ({ default: (await import("./palette-host.tsx")).PaletteHost }));
