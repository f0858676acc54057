/** Somebody else works on the import, or it was cancelled. */
export class Superseded extends Error {}
