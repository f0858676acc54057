export { filesBelow } from "./export-files.ts";
