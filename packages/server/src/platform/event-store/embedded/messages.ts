/** What the store process tells its parent. */
export type ChildMessage = { readonly kind: "ready"; readonly port: number };

/**
 * What the parent tells the store process. The secret travels here, because arguments and environment can be read by others.
 */
export type ParentMessage =
	| { readonly kind: "open"; readonly directory: string; readonly secret: string; readonly memoryBytes: number }
	| { readonly kind: "close" };
