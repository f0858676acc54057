/** Items with keys for React; messages never change their position. */
export const numbered = <T>(items: readonly T[]) => items.map((item, at) => ({ key: String(at), item }));
