export { openHelp, openPalette } from "./open.ts";
export { PaletteHost } from "./palette-host.tsx";
