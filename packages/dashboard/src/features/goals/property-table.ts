/** Tables with properties. */
export const tables = ["both", "conversions", "microconversions", "conversion_items"] as const;
export type PropertyTable = (typeof tables)[number];
