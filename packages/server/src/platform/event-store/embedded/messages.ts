/** What the store process tells its parent. */
export type ChildMessage = { readonly kind: "ready" };

/**
 * What the parent tells the store process. The secret travels here, because arguments and environment can be read by others.
 */
export type ParentMessage =
	| {
			readonly kind: "open";
			readonly directory: string;
			readonly secret: string;
			readonly memoryBytes: number;
			/** Where to listen; a file in a directory of the user alone. */
			readonly socketPath: string;
	  }
	| { readonly kind: "close" };
