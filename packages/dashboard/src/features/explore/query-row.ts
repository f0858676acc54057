/** A row of an answer: dimensions and metrics by their names. */
export type QueryRow = Readonly<Record<string, string | number | null | undefined>>;
