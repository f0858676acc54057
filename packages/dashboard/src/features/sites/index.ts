export { atItsField } from "./at-its-field.ts";
export { currencies } from "./currencies.ts";
export { ZoneField } from "./zone-field.tsx";
