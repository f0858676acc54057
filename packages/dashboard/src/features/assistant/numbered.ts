/** Items with keys for React: what was said never changes its place. */
export const numbered = <T>(items: readonly T[]) => items.map((item, at) => ({ key: String(at), item }));
